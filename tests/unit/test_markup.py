import http.server
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum.limits import html_parser, local_name, parse_xml, xml_parser


def read(data: bytes | str) -> tuple[str | None, list[str]]:
    """Return all text of a document, and the complaints."""
    complaints: list[str] = []
    root = parse_xml(data.encode() if isinstance(data, str) else data, complaints.append)
    return None if root is None else "".join(root.itertext()), complaints


def test_sound_xml_is_read_without_complaint() -> None:
    assert read('<?xml version="1.0" encoding="UTF-8"?><a>one<b>two</b></a>') == ("onetwo", [])


def test_comments_and_instructions_are_no_text() -> None:
    assert read("<a>one<!-- not --><?php not ?>two</a>") == ("onetwo", [])


@pytest.mark.parametrize(
    "data",
    [
        "<?xml version='1.0' encoding='utf-16'?><a>café</a>".encode("utf-16"),
        "<a>café</a>".encode("utf-16"),
        '<?xml version="1.0" encoding="iso-8859-1"?><a>café</a>'.encode("latin-1"),
        "\ufeff<?xml version='1.0' encoding='iso-8859-1'?><a>café</a>".encode(),
        "\n \n<?xml version='1.0'?><a>café</a>".encode(),
    ],
)
def test_encodings_are_taken_from_marks_and_declarations(data: bytes) -> None:
    assert read(data) == ("café", [])


@pytest.mark.parametrize("declared", ["utf-16", "utf-16le", "ascii", "klingon"])
def test_a_wrong_declaration_costs_no_text(declared: str) -> None:
    text, complaints = read(f'<?xml version="1.0" encoding="{declared}"?><a>café &amp; more</a>')
    assert text == "café & more"
    assert len(complaints) == 1


def test_letters_of_an_old_encoding_are_kept_where_utf8_is_declared() -> None:
    text, complaints = read('<?xml version="1.0" encoding="utf-8"?><a>café et crème brûlée</a>'.encode("cp1252"))
    assert text == "café et crème brûlée"
    assert len(complaints) == 1


def test_text_before_the_first_element_is_passed_over() -> None:
    text, complaints = read("HTTP/1.1 200 OK\n\n<a>x</a>")
    assert text == "x"
    assert complaints


@pytest.mark.parametrize("data", ["", "  ", "no markup at all", "\0\0\0\0", "<", "<?xml version='1.0'?>"])
def test_what_is_no_xml_is_none_and_says_so(data: str) -> None:
    text, complaints = read(data)
    assert text is None
    assert len(complaints) == 1


@pytest.mark.parametrize("data", ["<a>one<b>two</a>", "<a>one two", "<a>one</a><b/>", "<a x='1' x='2'>one</a>"])
def test_damage_is_told_and_the_rest_is_kept(data: str) -> None:
    text, complaints = read(data)
    assert text
    assert text.startswith("one")
    assert len(complaints) == 1


def test_entities_of_the_document_are_expanded() -> None:
    assert read('<!DOCTYPE a [<!ENTITY firm "Birch &amp; Son">]><a>&firm;</a>') == ("Birch & Son", [])


def test_undefined_entities_cost_only_themselves() -> None:
    text, complaints = read("<a>one &nbsp; two &unknown; three</a>")
    assert (text or "").split() == ["one", "two", "three"]
    assert len(complaints) == 1


@pytest.mark.parametrize(
    "reference",
    [
        '<!DOCTYPE a [<!ENTITY x SYSTEM "{secret}">]><a>open &x; end</a>',
        '<!DOCTYPE a [<!ENTITY % p SYSTEM "{secret}"> %p;]><a>open  end</a>',
        '<!DOCTYPE a SYSTEM "{secret}"><a>open  end</a>',
        '<a xmlns:xi="http://www.w3.org/2001/XInclude">open <xi:include href="{secret}" parse="text"/> end</a>',
    ],
)
def test_no_file_is_let_in(reference: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("CANARY", encoding="utf-8")
    for address in (secret.as_uri(), str(secret)):
        assert (read(reference.format(secret=address))[0] or "").split() == ["open", "end"]


def test_nothing_is_fetched() -> None:
    asked: list[str] = []

    class Listener(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            return

    with http.server.HTTPServer(("127.0.0.1", 0), Listener) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/x"
        read(f'<!DOCTYPE a SYSTEM "{url}"><a>t</a>')
        read(f'<!DOCTYPE a [<!ENTITY x SYSTEM "{url}">]><a>&x;</a>')
        read(f'<!DOCTYPE a [<!ENTITY % p SYSTEM "{url}"> %p;]><a>t</a>')
        server.shutdown()
        thread.join()
    assert asked == []


def laughs(levels: int) -> str:
    rows = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, levels))
    return f'<!DOCTYPE a [<!ENTITY l0 "lol">{rows}]><a>before &l{levels - 1};</a>'


@pytest.mark.parametrize(
    "data",
    [laughs(12), f'<!DOCTYPE a [<!ENTITY x "{"x" * 50_000}">]><a>before {"&x;" * 50_000}</a>'],
    ids=["nested", "repeated"],
)
def test_a_document_cannot_swell(data: str) -> None:
    text, complaints = read(data)
    assert len(text or "") < 20_000_000
    assert complaints


def test_depth_beyond_reason_is_told() -> None:
    text, complaints = read("<a>outer" + "<b>" * 100_000 + "inner" + "</b>" * 100_000 + "</a>")
    assert (text or "").startswith("outer")
    assert "nested too deeply" in complaints[0]


def test_depth_within_reason_is_read() -> None:
    assert read("<a>" + "<b>" * 1000 + "inner" + "</b>" * 1000 + "</a>") == ("inner", [])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("&#xD83D;&#xDE00;", "😀"),
        ("&#55357;&#56832;", "😀"),
        ("x &#xD800; y", "x \ufffd y"),
        ("&#xDFFF;&#xE9;", "\ufffdé"),
        ("&#55299;", "\ufffd"),
        ("&#57344;&#x1F600;", "\ue000😀"),
    ],
)
def test_halves_of_a_utf16_pair_do_not_spoil_the_text_around_them(written: str, meant: str) -> None:
    assert read(f"<a>{written}</a>")[0] == meant
    root = parse_xml(f'<a title="{written}"/>'.encode())
    assert root is not None
    assert root.get("title") == meant


def test_control_characters_do_not_end_the_text() -> None:
    text, _ = read("<a>one \x00 two \x01 three &#0; four</a>")
    assert (text or "").split() == ["one", "two", "three", "four"]


def test_references_after_the_first_damage_are_kept() -> None:
    text, complaints = read("<a><b x='1' x='2'>one &amp; two</b> &lt;three&gt; <![CDATA[&amp;]]></a>")
    assert text == "one & two <three> &amp;"
    assert len(complaints) == 1


def test_html_is_parsed_without_network_comments_or_end() -> None:
    from lxml import etree

    root = etree.fromstring(b"<p>one<!-- not -->two<p>caf\xc3\xa9 &#xD800; &eacute;", html_parser())
    assert "".join(root.itertext()) == "onetwocafé \ufffd é"


def test_names_are_told_without_their_namespace() -> None:
    from lxml import etree

    root = etree.fromstring(b'<a xmlns="urn:x"><b/><!-- c --></a>')
    assert [local_name(child) for child in root.iter()] == ["a", "b", ""]
    assert xml_parser() is not xml_parser()


PIECES = (
    *("<a>", "</a>", "<b x='1'>", "</b>", "<b", ">", "<![CDATA[", "]]>", "<!--", "-->", "text", "é", "\x00"),
    *("&", ";", "&amp;", "&x;", "&#xD800;", "&#99999999;", "<!DOCTYPE a [", "<!ENTITY x 'y'>", "]>"),
    "<?xml encoding='utf-16'?>",
)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_no_markup_raises_and_all_text_can_be_had(parts: list[str]) -> None:
    read("".join(parts))


@pytest.mark.parametrize(
    "place", ['SYSTEM "x.txt"', "SYSTEM 'x.txt'", 'PUBLIC "-//X" "x.txt"', "PUBLIC '-//X'\n 'x.txt' "]
)
def test_text_after_an_entity_that_lies_outside_is_kept(place: str) -> None:
    text, _ = read(f"<!DOCTYPE a [<!ENTITY in 'inner'><!ENTITY x {place}>\n]><a>open &x; and &in;<b> end</b></a>")
    assert (text or "").split() == ["open", "and", "inner", "end"]


def test_what_looks_like_a_declaration_in_the_text_is_left_as_it_is() -> None:
    shown = '<!ENTITY x SYSTEM "x.txt">'
    assert read(f"<!DOCTYPE a [<!ENTITY i 'i'>]><a><![CDATA[{shown}]]></a>") == (shown, [])
