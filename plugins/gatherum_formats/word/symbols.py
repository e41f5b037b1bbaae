"""Characters of symbol fonts as Unicode: documents name them by their place in the font."""

from __future__ import annotations

from typing import Final

_SYMBOL_LETTERS: Final = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
)
_SYMBOL_SIGNS: Final = (
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
)
_SYMBOL: Final = {
    **{0x20 + at: character for at, character in enumerate(_SYMBOL_LETTERS)},
    **{0xA0 + at: character for at, character in enumerate(_SYMBOL_SIGNS)},
}
_WINGDINGS: Final = {
    0x21: "✏",
    0x22: "✂",
    0x28: "☎",
    0x29: "✆",
    0x2A: "✉",
    0x4A: "☺",
    0x4B: "😐",
    0x4C: "☹",
    0x46: "☞",
    0x6C: "●",
    0x6D: "❍",
    0x6E: "■",
    0x6F: "☐",
    0x70: "☐",
    0x71: "❑",
    0x72: "❒",
    0x74: "⬧",
    0x75: "◆",
    0x76: "❖",
    0x77: "⬥",
    0x78: "☒",
    0x9F: "•",
    0xA1: "○",
    0xA3: "☐",
    0xA7: "▪",
    0xA8: "☐",
    0xAB: "★",
    0xD8: "➢",
    0xDF: "←",
    0xE0: "→",
    0xE1: "↑",
    0xE2: "↓",
    0xE8: "➔",
    0xEF: "⇦",
    0xF0: "⇨",
    0xF3: "⇔",
    0xFB: "✗",
    0xFC: "✓",
    0xFD: "☒",
    0xFE: "☑",
    **{0x80 + at: digit for at, digit in enumerate("⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿")},
}
_WINGDINGS_2: Final = {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "☐"}
_WINGDINGS_3: Final = {0x66: "←", 0x67: "→", 0x68: "↑", 0x69: "↓"}
_FONTS: Final = {
    "symbol": _SYMBOL,
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "wingdings 3": _WINGDINGS_3,
}


def symbol(code: int, font: str = "Wingdings") -> str:
    """Return the character at *code* of a symbol font; "" where Unicode has none for it.

    Codes outside the private area that symbol fonts live in stand for themselves.
    """
    known = _FONTS.get(font.casefold())
    if 0xF000 <= code <= 0xF0FF or (known is not None and code <= 0xFF):
        return (known or {}).get(code & 0xFF, "")
    return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code <= 0x10FFFF else ""
