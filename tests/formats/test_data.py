import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Source
from gatherum.registry import load_registry

REGISTRY = load_registry()


def read(text, name):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def pairs(document):
    return [(section.heading, section.text) for section in document.sections]


LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + at)}: &{chr(98 + at)} [{','.join(['*' + chr(97 + at)] * 9)}]\n" for at in range(9)
)
SERVER = [((), "title: Gate"), (("server",), 'ports: 80, 443\nhost.name: here\nhost."a.b": true')]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"title": "Gate", "server": {"ports": [80, 443], "host": {"name": "here", "a.b": true}}}'),
        ("a.yaml", "title: Gate\nserver:\n  ports: [80, 443]\n  host:\n    name: here\n    a.b: true\n"),
        ("a.toml", 'title = "Gate"\n[server]\nports = [80, 443]\nhost = {name = "here", "a.b" = true}\n'),
    ],
)
def test_values_stand_under_their_keys(name, text):
    document = read(text, name)
    assert pairs(document) == SERVER
    assert document.metadata.title == "Gate"
    assert document.state == "read"


def test_ini():
    text = "top = 1\n[Server]\nHost = here\nflag\n[Other]\nkey: a\n  b\n"
    assert pairs(read(text, "a.ini")) == [
        ((), "top: 1"),
        (("Server",), "Host: here\nflag:"),
        (("Other",), "key:\na\nb"),
    ]


def test_records_are_named_by_their_titles():
    document = read(json.dumps([{"name": "Ana", "age": 41}, {"age": 7}]), "people.json")
    assert pairs(document) == [(("Ana",), "name: Ana\nage: 41"), (("Item 2",), "age: 7")]


def test_json_lines_have_their_lines():
    document = read('{"a": 1}\n\n{"a": "x\\ny"}\nspoilt\n', "log.jsonl")
    assert document.sections[0].text == "a: 1\n\na:\nx\ny\n\nspoilt"
    assert (document.sections[0].locator.start, document.sections[0].locator.end) == (1, 4)
    assert document.state == "partial"


def test_several_yaml_documents_and_unknown_tags():
    assert "b: 2" in read("a: 1\n---\nb: 2\n", "a.yml").sections[-1].text
    assert pairs(read("a: !Ref other\nb: !!python/object:os.system x\n", "a.yml")) == [((), "a: other\nb: x")]


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.json", '{"a": '), ("a.yaml", "a: [1\nb"), ("a.toml", "a ="), ("a.ini", "[a\nb"), ("b.ini", "[a]\nb\n  c\n")],
)
def test_what_cannot_be_parsed_is_kept_as_written(name, text):
    document = read(text, name)
    assert document.state in {"partial", "read"}
    assert document.sections


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", "[" * 100_000),
        ("a.json", '{"a":' * 900 + "1" + "}" * 900),
        ("a.yaml", "- " * 20_000 + "x"),
        ("a.yaml", "[" * 20_000),
        ("a.toml", "a = " + "[" * 20_000),
        ("a.yaml", LAUGHS),
        ("a.yaml", "a: &a [*a, *a]"),
        ("a.json", '{"n": ' + "1" * 10_000 + "}"),
        ("a.yaml", "? [a, b]\n: c\n"),
    ],
)
def test_hostile_data_is_borne(name, text):
    document = read(text, name)
    assert document.state in {"read", "partial"}
    assert "handler_failed" not in [problem.code for problem in document.problems]


@pytest.mark.parametrize(("raw", "code"), [(b"", "empty"), (bytes(range(256)) * 9, "corrupt")])
def test_nothing_and_noise_are_refused(raw, code):
    assert [problem.code for problem in read(raw, "a.json").problems] == [code]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=15,
)


@settings(deadline=None, max_examples=80)
@given(JSON, st.sampled_from(["a.json", "a.yaml", "a.jsonl"]))
def test_any_data_is_borne(value, name):
    document = read(json.dumps(value), name)
    assert "handler_failed" not in [problem.code for problem in document.problems]
