from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gatherum import EmbeddingModel
from gatherum.embedding import Embedder, TokenCounter, find_model
from gatherum.errors import EmbedderError
from gatherum.registry import load_registry

NAME = "multilingual-e5-small"
REFUND = (
    "The money is paid back in full if the guided tour is cancelled.",
    "Das Geld wird vollständig zurückgezahlt, wenn die Führung ausfällt.",
    "ガイドツアーが中止になった場合、料金は全額返金されます。",
)
OTHER = (
    "Bread dough must rest for an hour before it is baked.",
    "The mitochondrion is the organelle that produces energy in cells.",
)
TEXTS = [*REFUND, *OTHER, "Invoices are paid within thirty days. " * 30]


@pytest.fixture(scope="module")
def bundled() -> EmbeddingModel:
    return next(model for _, model in load_registry().plugins.models if model.name == NAME)


@pytest.fixture(scope="module")
def embedder(bundled: EmbeddingModel) -> Iterator[Embedder]:
    return Embedder(bundled, threads=2)


# -- the model -------------------------------------------------------------------------------------------------------


@pytest.mark.model
def test_vectors_have_length_one_and_the_dimensions_of_the_model(embedder: Embedder, bundled: EmbeddingModel) -> None:
    made = embedder.passages(TEXTS)
    assert made.shape == (len(TEXTS), bundled.dimensions)
    assert made.dtype == np.float32
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-3)


@pytest.mark.model
def test_a_vector_does_not_depend_on_its_company_or_the_day(embedder: Embedder) -> None:
    together = embedder.passages(TEXTS)
    assert np.array_equal(together, embedder.passages(TEXTS))
    alone = np.vstack([embedder.passages([text]) for text in TEXTS])
    assert np.array_equal(together, alone)
    assert np.array_equal(together[::-1], embedder.passages(TEXTS[::-1]))


@pytest.mark.model
def test_number_of_threads_changes_no_vector(embedder: Embedder, bundled: EmbeddingModel) -> None:
    assert np.array_equal(embedder.passages(TEXTS), Embedder(bundled, threads=1).passages(TEXTS))


@pytest.mark.model
@pytest.mark.parametrize(
    "query",
    [
        "Do I get a refund when the tour is cancelled?",
        "Bekomme ich mein Geld zurück, wenn die Führung abgesagt wird?",
        "ツアーが中止になったら返金されますか？",
    ],
)
def test_the_same_matter_in_another_language_is_nearer_than_another_matter(embedder: Embedder, query: str) -> None:
    asked = embedder.query(query)
    assert min(embedder.passages(REFUND) @ asked) > max(embedder.passages(OTHER) @ asked)


@pytest.mark.model
def test_queries_and_passages_are_told_apart(embedder: Embedder) -> None:
    assert not np.array_equal(embedder.query("dome"), embedder.passages(["dome"])[0])


@pytest.mark.model
@pytest.mark.parametrize("text", ["", " ", "\n", "x" * 20_000, "word " * 5_000, "😀", "\x01"])
def test_any_text_has_a_vector(embedder: Embedder, text: str) -> None:
    assert np.isfinite(embedder.passages([text])).all()


@pytest.mark.model
def test_nothing_gives_no_vectors(embedder: Embedder, bundled: EmbeddingModel) -> None:
    assert embedder.passages([]).shape == (0, bundled.dimensions)


# -- finding it ------------------------------------------------------------------------------------------------------


def test_none_means_no_vectors(bundled: EmbeddingModel) -> None:
    assert find_model("none", [bundled]) is None


def test_a_plugin_brings_a_model_by_name(bundled: EmbeddingModel) -> None:
    assert find_model(NAME, [bundled]) is bundled
    assert bundled.id == f"{NAME}@{bundled.version}"


@pytest.mark.model
def test_models_that_fastembed_knows_may_be_named(bundled: EmbeddingModel) -> None:
    found = find_model("BAAI/bge-small-en-v1.5", [bundled])
    assert found is not None
    assert (found.dimensions, found.scripts) == (384, frozenset(("LATIN",)))


@pytest.mark.model
def test_a_model_that_nobody_knows_is_an_error_that_names_the_known(bundled: EmbeddingModel) -> None:
    with pytest.raises(EmbedderError, match="no embedding model 'nonsense'") as error:
        find_model("nonsense", [bundled])
    assert NAME in error.value.hint


@pytest.mark.model
def test_a_model_that_cannot_be_loaded_is_an_error_with_a_way_out(tmp_path: Path) -> None:
    broken = EmbeddingModel(name="broken", dimensions=4, folder=tmp_path)
    with pytest.raises(EmbedderError, match="broken cannot be loaded") as error:
        Embedder(broken)
    assert "'none'" in error.value.hint


# -- counting --------------------------------------------------------------------------------------------------------


def test_without_a_tokenizer_tokens_are_estimated(tmp_path: Path) -> None:
    for counter in (TokenCounter(None), TokenCounter(tmp_path)):
        assert counter(["", "four", "x" * 400, "漢" * 30]) == [0, 2, 101, 21]


def test_the_tokenizer_of_the_model_counts(bundled: EmbeddingModel) -> None:
    counter = TokenCounter(bundled.folder)
    short, long, none = counter(["hello world", "hello world " * 1000, ""])
    assert 2 <= short <= 4
    assert long > 1000
    assert none == 0
    assert counter([]) == []
