"""The lower half of Rich Text Format: tokens, skipping groups, code pages, fonts and styles."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

HEX, WORD, NUMBERED, SYMBOL, BRACE, TEXT = 1, 2, 3, 4, 5, 6
"""Which group of `TOKEN` matched last, and so what the token is."""

TOKEN: Final = re.compile(
    rb"\\(?:'([0-9a-fA-F]{2})|([a-zA-Z]{1,40})(-?\d{1,12})? ?|([^a-zA-Z]))|([{}])|([^\\{}\r\n]+)|[\r\n]+", re.DOTALL
)
_STRUCTURE: Final = re.compile(rb"\\bin(\d{1,9}) ?|\\[^a-zA-Z]|[{}]", re.DOTALL)
_CODE_PAGES: Final = {437: "cp437", 708: "iso8859-6", 819: "latin-1", 850: "cp850", 10000: "mac-roman", 65001: "utf-8"}
_CHARSETS: Final = {
    77: "mac-roman",
    78: "cp932",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gbk",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
_SYMBOLS: Final = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑",
)
SYMBOL_FONT: Final = {
    **{0x20 + at: letter for at, letter in enumerate(_SYMBOLS[0])},
    **{0xA0 + at: letter for at, letter in enumerate(_SYMBOLS[1])},
}
"""The characters of the Symbol font by their bytes."""

_HYPERLINK: Final = re.compile(r'\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]+))?(?:\s*\\l\s+"([^"]*)")?', re.IGNORECASE)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LONGEST: Final = 4_000
"""No font, style or field instruction that programs write is longer."""

_FONT: Final = re.compile(rb"\\f(\d{1,6})(?!\d)")
_STYLE: Final = re.compile(rb"\{\s*\\s(\d{1,6})(?!\d)")
_CHARSET: Final = re.compile(rb"\\fcharset(\d{1,3})")
_FONT_PAGE: Final = re.compile(rb"\\cpg(\d{1,5})")
_LEVEL: Final = re.compile(rb"\\outlinelevel(\d)")
_BASE: Final = re.compile(rb"\\sbasedon(\d{1,6})")
_NAME: Final = re.compile(rb"(?:^|[ }\r\n])([^\\{};]*);")
_HEADING: Final = re.compile(rb"heading ([1-9])(?:\D|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Font:
    """A font of the font table.

    Attributes:
        codec: The codec of its bytes; None for that of the document.
        symbol: Whether its bytes are those of the Symbol font.
    """

    codec: str | None = None
    symbol: bool = False


def group_end(data: bytes, start: int) -> int:
    """Return where the group that is open at *start* closes: the place of its brace, or the end of the data."""
    depth, at = 1, start
    while (match := _STRUCTURE.search(data, at)) is not None:
        at = match.end()
        if match[1] is not None:
            at += int(match[1])
        elif match[0] == b"{":
            depth += 1
        elif match[0] == b"}":
            depth -= 1
            if not depth:
                return match.start()
    return len(data)


def code_page(number: int) -> str | None:
    """Return the codec of a Windows code page; None if there is none."""
    return _known(_CODE_PAGES.get(number, f"cp{number}"))


def _known(name: str | None) -> str | None:
    if name is None:
        return None
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


def read_fonts(table: bytes) -> dict[int, Font]:
    """Return the fonts of a font table by their numbers."""
    found: dict[int, Font] = {}
    for match, part in _parts(_FONT, table):
        page, charset = _FONT_PAGE.search(part), _CHARSET.search(part)
        codec = code_page(int(page[1])) if page else _known(_CHARSETS.get(int(charset[1]))) if charset else None
        pictorial = charset is not None and charset[1] == b"2"
        found[int(match[1])] = Font(codec=codec, symbol=pictorial and b"Symbol" in part and b"Segoe" not in part)
    return found


def read_styles(table: bytes) -> dict[int, int]:
    """Return the heading levels of the paragraph styles that have one, by the styles' numbers."""
    levels: dict[int, int] = {}
    bases: dict[int, int] = {}
    for match, part in _parts(_STYLE, table):
        number = int(match[1])
        outline, base, name = _LEVEL.search(part), _BASE.search(part), _NAME.search(part)
        heading = _HEADING.match(name[1].strip()) if name else None
        if heading:
            levels[number] = int(heading[1])
        elif name and name[1].strip().lower() == b"title":
            levels[number] = 1
        elif outline and int(outline[1]) < 9:
            levels[number] = int(outline[1]) + 1
        elif base and int(base[1]) != number:
            bases[number] = int(base[1])
    for number in list(bases):
        chain, at = [number], bases.pop(number, number)
        while at in bases:  # each style is followed once: what it comes to is known then, or it goes in a circle
            chain.append(at)
            at = bases.pop(at)
        if at in levels:
            levels.update(dict.fromkeys(chain, levels[at]))
    return levels


def _parts(start: re.Pattern[bytes], table: bytes) -> Iterator[tuple[re.Match[bytes], bytes]]:
    """Yield each match with what follows it up to the next one."""
    last: re.Match[bytes] | None = None
    for match in start.finditer(table):
        if last is not None:
            yield last, table[last.end() : min(match.start(), last.end() + _LONGEST)]
        last = match
    if last is not None:
        yield last, table[last.end() : last.end() + _LONGEST]


def joined(parts: list[str]) -> str:
    """Return the parts as one text, without byte order marks and with surrogate pairs made characters."""
    text = "".join(parts).replace("\ufeff", "").replace("\0", "")
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", errors="replace")
    return text


def link_target(instruction: str) -> str:
    """Return the address in a hyperlink field's instruction; "" for jumps inside the document."""
    match = _HYPERLINK.match(instruction[:_LONGEST])
    address = (match[1] or match[2] or "") if match else ""
    if not match or not address or address.startswith("#"):
        return ""
    return f"{address}#{match[3]}" if match[3] else address


def link(sink: list[str], start: int, target: str) -> None:
    """Make the parts from *start* on a Markdown link, unless they show the address itself."""
    text = joined(sink[start:])
    shown = " ".join(text.split())
    if shown and shown not in (target, target.removeprefix("mailto:"), target.rstrip("/")):
        address = f"<{target}>" if any(sign in target for sign in " ()") else target
        sink[start:] = [text[: len(text) - len(text.lstrip())], f"[{shown}]({address})", text[len(text.rstrip()) :]]


def split(word: str, text: str) -> object:
    """Return a value of the information group; keywords are several."""
    text = text.strip()
    return [part for part in re.split(r"\s*[,;]\s*", text) if part] if word == "keywords" else text


def day_of(text: str) -> str:
    """Return the day in a packed date (DTTM) as ISO 8601; "" if it is none."""
    try:
        packed = int(text.strip())
    except ValueError:
        return ""
    year, month, day = 1900 + (packed >> 20 & 0x1FF), packed >> 16 & 0xF, packed >> 11 & 0x1F
    return f"{year:04}-{month:02}-{day:02}" if 0 < month < 13 and day else ""
