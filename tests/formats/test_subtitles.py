import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum import Source
from gatherum.registry import load_registry

REGISTRY = load_registry()
SRT = (
    "1\n00:00:01,000 --> 00:00:03,500\n<i>First</i> words\nof two lines\n\n"
    "2\n00:00:04,000 --> 00:00:06,000\nNext &amp; last\n\n"
    "3\n00:01:10,000 --> 00:01:12,000\n{\\an8}A minute on\n"
)
VTT = (
    "WEBVTT - talk\nLanguage: en\n\nNOTE nobody sees this\n\nSTYLE\n::cue { color: red }\n\n"
    "intro\n00:01.000 --> 00:03.000 align:start\n"
    "<v Ana>Good <c.loud>morning</c></v>\n\n00:03.000 --> 00:05.000\nGood morning\n- to all\n"
)
ASS = (
    "[Script Info]\nTitle: The Film\n\n[Events]\nFormat: Layer, Start, End, Style, Name, "
    "MarginL, MarginR, MarginV, Effect, Text\n"
    "Dialogue: 0,0:00:05.00,0:00:07.00,Default,Bo,0,0,0,,Second, with comma\\Nand line\n"
    "Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,not said\n"
    "Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\i1}First{\\i0}\n"
)
SBV = "0:00:01.000,0:00:03.000\nfirst words\n\n0:00:04.500,0:00:06.000\nmore words\n"


def read(text, name):
    return REGISTRY.read(Source(name, text if isinstance(text, bytes) else text.encode()))


def test_subrip_in_stretches_of_a_minute():
    document = read(SRT, "film.srt")
    assert document.state == "read"
    assert [section.text for section in document.sections] == ["First words of two lines\nNext & last", "A minute on"]
    first, second = (section.locator for section in document.sections)
    assert (first.unit, first.start, first.end) == ("time", 1000, 6000)
    assert str(second) == "1:10–1:12"


def test_webvtt_with_voices_notes_and_styles():
    document = read(VTT, "talk.vtt")
    assert [section.text for section in document.sections] == ["Ana: Good morning\n- to all"]
    assert document.metadata.language == "en"


def test_substation_alpha_in_the_order_of_time():
    document = read(ASS, "film.ass")
    assert [section.text for section in document.sections] == ["First\nBo: Second, with comma and line"]
    assert document.metadata.title == "The Film"


def test_youtube():
    assert [section.text for section in read(SBV, "clip.sbv").sections] == ["first words\nmore words"]


def test_blank_lines_inside_a_cue_are_borne():
    text = "1\n00:00:01,000 --> 00:00:03,000\none\n\ntwo\n\n2\n00:00:04,000 --> 00:00:05,000\nthree\n"
    assert read(text, "a.srt").sections[0].text == "one two\nthree"


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_other_line_ends_and_encodings(line_end):
    data = SRT.replace("words", "größer").replace("\n", line_end).encode("utf-16")
    assert read(data, "film.srt").sections[0].text.startswith("First größer of two lines")


def test_webvtt_is_known_by_its_first_word():
    assert read(VTT, "talk.txt").format == "vtt"


@pytest.mark.parametrize(
    ("raw", "code"), [(b"", "empty"), (b"words only", "corrupt"), (bytes(range(256)) * 9, "corrupt")]
)
def test_what_has_no_cues_is_refused(raw, code):
    document = read(raw, "film.srt")
    assert (document.state, [problem.code for problem in document.problems]) == ("unreadable", [code])


def test_many_cues_at_one_moment():
    assert read("00:00:01,000 --> 00:00:01,000\nx\n\n" * 50_000, "film.srt").state == "read"


@settings(deadline=None, max_examples=50)
@given(st.sampled_from([SRT, VTT, ASS, SBV]), st.integers(0, 400), st.text(max_size=5))
def test_damage_never_raises(text, at, noise):
    for name in ("a.srt", "a.vtt", "a.ass", "a.sbv"):
        document = read((text[:at] + noise + text[at:]).encode("utf-8", errors="replace"), name)
        assert "handler_failed" not in [problem.code for problem in document.problems]


def test_speakers_within_a_cue_have_a_line_each():
    text = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>One\nmore</v>\n<v Eve>Two</v>\n\n00:03.000 --> 00:04.000\n- A\n- B\n"
    )
    (section,) = read(text, ".vtt").sections
    assert section.text == "Ada: One more\nEve: Two\n- A\n- B"
