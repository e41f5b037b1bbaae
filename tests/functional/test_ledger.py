"""Nothing that should be searchable is lost between reading and storing."""

import pytest

from gatherum import Shelf
from gatherum.chunking import pack

FILES = {
    "a.md": "# One\n\nThe first.\n\n## Two\n\n| a | b |\n| --- | --- |\n" + "| cell | another |\n" * 300,
    "b.txt": "word " * 3000 + "x" * 9000,
    "c.html": "<h1>T</h1><p>seen</p><p hidden>unseen words</p>" + "<p>more of it</p>" * 400,
}


def ledgers(shelf: Shelf) -> dict[str, object]:
    from gatherum.store import Catalog

    return {entry.path: entry.ledger for entry in Catalog(shelf._resources.store()).entries()}


def test_every_word_of_good_files_reaches_a_passage(corpus, make_shelf) -> None:
    shelf = make_shelf()
    shelf.add(corpus(FILES))
    found = ledgers(shelf)
    assert {path: ledger.share for path, ledger in found.items()} == dict.fromkeys(FILES, 1.0)
    assert found["a.md"].words["body"] == 604
    assert found["c.html"].words["hidden"] == 2
    assert shelf.status(problems=True).losses == ()


def test_files_that_lost_words_are_told(corpus, make_shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = pack._packed
    monkeypatch.setattr(pack, "_packed", lambda blocks, target: list(packed(blocks, target))[:-1])
    shelf = make_shelf()
    shelf.add(corpus({"long.txt": "word " * 3000, "other.md": "# A\n"}))
    (loss,) = shelf.status(problems=True).losses
    assert (loss.path, loss.collection, loss.searchable) == ("long.txt", "", 3000)
    assert 0 < loss.reached < 3000
    assert shelf.status().losses == ()
