import json
import random
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatherum.text import clean, decode, fold, is_binary

SENTENCES = json.loads(Path(__file__).with_name("sentences.json").read_text(encoding="utf-8"))
WRITTEN = {
    "fr": "cp1252 iso8859-15 mac_roman cp850 cp863",
    "de": "cp1252 cp850 cp437 mac_roman iso8859-15 cp273",
    "es": "cp1252 cp850 mac_roman",
    "pt": "cp1252 cp860 cp850",
    "it": "cp1252 mac_roman",
    "sv": "cp1252 cp850 iso8859-10",
    "da": "cp1252 cp865 mac_roman",
    "fi": "cp1252 cp437",
    "is": "cp1252 cp861 mac_iceland",
    "en": "cp1252 mac_roman cp037",
    "pl": "cp1250 iso8859-2 cp852 mac_latin2",
    "cs": "cp1250 iso8859-2 cp852 mac_latin2",
    "hu": "cp1250 iso8859-2 cp852",
    "ro": "iso8859-16",
    "hr": "cp1250 iso8859-2 cp852",
    "lt": "cp1257 iso8859-13 cp775 iso8859-4",
    "lv": "cp1257 iso8859-13 iso8859-4",
    "et": "cp1257 iso8859-15",
    "tr": "cp1254 cp857 iso8859-9 mac_turkish",
    "mt": "iso8859-3",
    "vi": "cp1258",
    "ru": "cp1251 koi8-r cp866 iso8859-5 mac_cyrillic cp855",
    "uk": "cp1251 koi8-u cp1125 mac_cyrillic",
    "bg": "cp1251 iso8859-5 cp866",
    "sr": "cp1251 iso8859-5 cp855",
    "kk": "kz1048 ptcp154",
    "el": "cp1253 iso8859-7 cp737 cp869 mac_greek",
    "he": "cp1255 iso8859-8 cp862",
    "ar": "cp1256 iso8859-6 cp720",
    "th": "cp874 iso8859-11 tis-620",
    "ja": "shift_jis euc_jp iso2022_jp cp932",
    "zh": "gb2312 gbk gb18030 hz",
    "zh-hant": "big5 big5hkscs gb18030",
    "ko": "euc_kr cp949 johab iso2022_kr",
}
PAGES = [(language, page) for language, pages in WRITTEN.items() for page in pages.split()]
SIMPLER = str.maketrans({"’": "'", "‘": "'", "–": "-", "“": '"', "”": '"', "£": "?"})


def in_page(text, page):
    """Return the text as that code page can write it, and its bytes."""
    if page.startswith(("iso2022", "hz")):
        return text, text.encode(page)
    written = []
    for char in text:
        try:
            char.encode(page)
        except UnicodeEncodeError:
            if page == "cp1258":
                parts = unicodedata.normalize("NFD", char)
                tones = "".join(part for part in parts if part in "\u0300\u0301\u0303\u0309\u0323")
                base = unicodedata.normalize("NFC", "".join(part for part in parts if part not in tones))
                char = base + tones
            else:
                char = char.translate(SIMPLER)
        written.append(char)
    data = "".join(written).encode(page, errors="replace")
    return data.decode(page), data


def share_right(expected, found):
    expected, found = (unicodedata.normalize("NFC", text) for text in (expected, found))
    letters = [at for at, char in enumerate(expected) if char.isalpha()]
    if len(expected) != len(found):
        return 0.0
    return sum(expected[at] == found[at] for at in letters) / len(letters)


def test_every_sentence_is_long_enough():
    for language, text in SENTENCES.items():
        assert sum(char.isalpha() for char in text) >= 200, language


def test_there_are_forty_code_pages():
    assert len({page for _, page in PAGES}) >= 40


@pytest.mark.parametrize(("language", "page"), PAGES, ids=lambda value: value)
def test_legacy_text_is_read_right(language, page):
    text, data = in_page(SENTENCES[language], page)
    assert share_right(text, decode(data).text) >= 0.95


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("naïve", "cp1252"),
        ("Müller", "cp1252"),
        ("Müller", "cp437"),
        ("Łódź", "cp1250"),
        ("Škoda", "cp1250"),
        ("Dvořák", "iso8859-2"),
        ("привет", "koi8-r"),
        ("Привет", "cp866"),
        ("日本", "cp932"),
        ("你好", "gb18030"),
        ("Copyright © 2010", "cp1252"),
        ("it’s “fine” – really…", "cp1252"),
        ("5 € ± 10 %", "cp1252"),
        ("§ 5 at 20 °C", "cp1252"),
    ],
)
def test_a_few_words_are_enough(text, page):
    assert decode(text.encode(page)).text == text


def test_letters_in_no_language_are_kept():
    text = decode(bytes([0x20, *range(0xA1, 0x100)]).replace(b"\xc2", b"")).text
    assert "\ufffd" not in text
    assert len(text) == 95


def test_most_legacy_text_is_read_right_from_forty_letters():
    languages = [(language, page) for language, page in PAGES if not page.startswith(("cp0", "cp273"))]
    right = 0
    for language, page in languages:
        text, data = in_page(SENTENCES[language][:60], page)
        right += share_right(text, decode(data).text) >= 0.95
    assert right >= len(languages) * 0.9


@pytest.mark.parametrize("language", SENTENCES)
def test_utf_16_and_utf_32_are_known_without_mark(language):
    text = SENTENCES[language]
    for encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        data = text.encode(encoding)
        decoded = decode(data)
        assert decoded.text == text
        assert decoded.encoding == encoding
        assert not decoded.guessed
        assert not is_binary(data)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides_and_goes(encoding):
    decoded = decode("naïve 中文 😀".encode(encoding), declared="latin-1")
    assert decoded.text == "naïve 中文 😀"
    assert (decoded.guessed, decoded.damaged) == (False, 0)


def test_big_endian_marks():
    assert decode(b"\xfe\xff\x00h\x00i").text == "hi"
    assert decode(b"\x00\x00\xfe\xff\x00\x00\x00h\x00\x00\x00i").text == "hi"


def test_utf_8_is_not_guessed():
    decoded = decode("Größe für 100 €".encode())
    assert (decoded.text, decoded.encoding, decoded.guessed, decoded.damaged) == ("Größe für 100 €", "utf-8", False, 0)


def test_line_ends_become_line_feeds():
    assert decode(b"a\r\nb\rc\nd").text == "a\nb\nc\nd"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"caf\xc3\xa9 and caf\xe9 \x93x\x94", "café and café “x”"),
        (
            "Übung macht den Meister, größer als ".encode() + b"f\xfcr Sch\xfcler",
            "Übung macht den Meister, größer als für Schüler",
        ),
        ("Österreich – ".encode() + b"it\x92s here", "Österreich – it’s here"),
    ],
)
def test_utf_8_mixed_with_windows_1252_keeps_every_letter(data, text):
    decoded = decode(data)
    assert decoded.text == text
    assert decoded.damaged


def test_damaged_utf_8_keeps_the_good_letters():
    text = SENTENCES["ru"]
    data = text.encode()
    spoilt = data[:200] + b"\xff" + data[200:400] + b"\xc0\xaf" + data[400:]
    decoded = decode(spoilt)
    assert decoded.encoding == "utf-8"
    assert decoded.damaged >= 3
    assert decoded.text.replace("\ufffd", "").replace("ÿ", "").replace("À¯", "") == text


@pytest.mark.parametrize("language", ["ru", "ja", "fr", "en"])
def test_text_cut_inside_a_character_is_still_utf_8(language):
    data = SENTENCES[language].encode() + "é".encode()[:1]
    decoded = decode(data)
    assert decoded.encoding == "utf-8"
    assert decoded.text == SENTENCES[language] + "\ufffd"
    assert decoded.damaged == 1


def test_a_long_text_cut_inside_its_only_character():
    assert decode(b"plain words \xe2\x82").text == "plain words \ufffd"


def test_a_declared_encoding_is_used():
    decoded = decode("слово".encode("cp1251"), declared="windows-1251")
    assert (decoded.text, decoded.guessed) == ("слово", False)


@pytest.mark.parametrize("declared", ["iso-8859-1", "ascii", "koi8-r"])
def test_a_declaration_is_ignored_for_valid_utf_8(declared):
    assert decode(SENTENCES["ru"].encode(), declared=declared).text == SENTENCES["ru"]


@pytest.mark.parametrize(
    "declared", ["utf-8", "utf-16", "rot13", "base64", "unicode_escape", "no such thing", "\0", "x" * 999]
)
def test_a_declaration_that_the_bytes_contradict_is_ignored(declared):
    text = "Größere Übungen für Schüler"
    assert decode(text.encode("cp1252"), declared=declared).text == text


@pytest.mark.parametrize(("declared", "language", "page"), [("gb2312", "zh", "gbk"), ("shift_jis", "ja", "cp932")])
def test_a_declared_standard_means_its_larger_relative(declared, language, page):
    assert decode(SENTENCES[language].encode(page), declared=declared).text == SENTENCES[language]


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"\xff\xfe", b"\x00", b"\x80", b"\xfe\xff\x00", b"\xef\xbb\xbf", b"a\x00"]
)
def test_the_shortest_inputs(data):
    assert isinstance(decode(data).text, str)


def test_long_legacy_text_is_decoded_whole():
    text = SENTENCES["uk"] * 2000
    assert decode(text.encode("cp1251")).text == text


def test_what_is_strange_late_in_a_long_text_is_seen():
    head = "plain words and nothing else\n" * 20_000
    assert decode((head + SENTENCES["pl"]).encode("cp1250")).text == head + SENTENCES["pl"]


@pytest.mark.parametrize("seed", range(10))
def test_noise_is_binary(seed):
    assert is_binary(random.Random(seed).randbytes(4000))


@pytest.mark.parametrize("head", [b"\x89PNG\r\n\x1a\n", b"%PDF-1.7\n", b"PK\x03\x04", b"\x7fELF", b"RIFF\0\0\0\0WAVE"])
def test_known_formats_are_binary(head):
    assert is_binary(head + b"text follows")


@pytest.mark.parametrize(
    "data",
    [b"", b"plain", b"with\0some\0zero bytes between words", b"\x1b[31mred\x1b[0m\ttext", "žluťoučký".encode("cp1250")],
)
def test_text_is_not_binary(data):
    assert not is_binary(data)


def test_legacy_text_is_not_binary():
    for language, page in PAGES:
        if not page.startswith(("cp0", "cp273")):
            assert not is_binary(in_page(SENTENCES[language], page)[1]), page


def test_clean_takes_away_what_cannot_be_stored():
    assert clean("a\x00b\x07c\ud800d\x9be\ufefff\tg\nh\x0ci") == "a bc\ufffddef\tg\nh\x0ci"


def test_clean_takes_away_invisible_tags_but_keeps_flags():
    flag = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    assert clean("a" + "".join(chr(0xE0000 + ord(char)) for char in "obey") + "b") == "ab"
    assert clean(f"flag {flag}") == f"flag {flag}"


def test_clean_keeps_joiners():
    assert clean("می\u200cخواهم 👩\u200d🚀") == "می\u200cخواهم 👩\u200d🚀"


def test_fold_unifies_forms_and_case():
    assert fold("Ｓtraße") == fold("STRASSE")


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=300), st.sampled_from([None, "utf-8", "cp1251", "utf-16", "euc_jp"]))
def test_any_bytes_give_text(data, declared):
    decoded = decode(data, declared=declared)
    decoded.text.encode("utf-8", errors="surrogatepass")
    assert "\r" not in decoded.text
    assert decoded.damaged >= 0
    is_binary(data)


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc")), min_size=1))
def test_valid_utf_8_comes_back_unchanged(text):
    if not text.startswith("\ufeff"):
        assert decode(text.encode()).text == text
