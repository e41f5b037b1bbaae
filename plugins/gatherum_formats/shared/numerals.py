"""Numbers as lists and notes show them: letters, roman, and the numerals of other scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_ROMAN: Final = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)
_LATIN: Final = "abcdefghijklmnopqrstuvwxyz"
_RUSSIAN: Final = "абвгдежзиклмнопрстуфхцчшщыэюя"
_GREEK: Final = "αβγδεζηθικλμνξοπρστυφχψω"
_HEBREW: Final = "אבגדהוזחטיכלמנסעפצקרשת"
_ARABIC: Final = "أبتثجحخدذرزسشصضطظعغفقكلمنهوي"
_HANGUL: Final = "가나다라마바사아자차카타파하"
_KANA: Final = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
_HEAVENLY: Final = "甲乙丙丁戊己庚辛壬癸"
_EARTHLY: Final = "子丑寅卯辰巳午未申酉戌亥"
_HAN: Final = "〇一二三四五六七八九"
_CIRCLED: Final = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"


def roman(number: int) -> str:
    """Return a number as small roman numerals; as digits outside 1 to 3999."""
    if not 0 < number < 4000:
        return str(number)
    text = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text


def letters(number: int, alphabet: str = _LATIN) -> str:
    """Return a number as a letter, doubled after the last one (z, aa, bb); as digits once that grows absurd."""
    turns, at = divmod(number - 1, len(alphabet))
    return alphabet[at] * (turns + 1) if number > 0 and turns < 8 else str(number)


def spelled(number: int) -> str:
    """Return a number in letters, counted on like the columns of a spreadsheet (z, aa, ab); as digits below 1."""
    if number <= 0:
        return str(number)
    text = ""
    while number:
        number, at = divmod(number - 1, len(_LATIN))
        text = _LATIN[at] + text
    return text


def _once(alphabet: str) -> Callable[[int], str]:
    return lambda number: alphabet[number - 1] if 0 < number <= len(alphabet) else str(number)


def _repeated(alphabet: str) -> Callable[[int], str]:
    return lambda number: letters(number, alphabet)


def han(number: int) -> str:
    """Return a number as it is counted in Chinese and Japanese (十二); as digits outside 1 to 99."""
    if not 0 < number < 100:
        return str(number)
    tens, ones = divmod(number, 10)
    return (_HAN[tens] if tens > 1 else "") + ("十" if tens else "") + (_HAN[ones] if ones else "")


def _ordinal(number: int) -> str:
    suffix = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


_FORMATS: Final[dict[str, Callable[[int], str]]] = {
    "lowerRoman": roman,
    "upperRoman": lambda number: roman(number).upper(),
    "lowerLetter": letters,
    "upperLetter": lambda number: letters(number).upper(),
    "decimalZero": lambda number: f"{number:02}",
    "ordinal": _ordinal,
    "numberInDash": lambda number: f"- {number} -",
    "hex": lambda number: f"{number:X}",
    "decimalFullWidth": lambda number: "".join(chr(0xFEE0 + ord(digit)) for digit in str(abs(number))),
    "decimalEnclosedCircle": _once(_CIRCLED),
    "decimalEnclosedCircleChinese": _once(_CIRCLED),
    "russianLower": _repeated(_RUSSIAN),
    "russianUpper": lambda number: letters(number, _RUSSIAN).upper(),
    "lowerGreek": _repeated(_GREEK),
    "hebrew2": _repeated(_HEBREW),
    "arabicAlpha": _repeated(_ARABIC),
    "ganada": _repeated(_HANGUL),
    "aiueoFullWidth": _repeated(_KANA),
    "ideographTraditional": _once(_HEAVENLY),
    "ideographZodiac": _once(_EARTHLY),
    "chineseCounting": han,
    "chineseCountingThousand": han,
    "japaneseCounting": han,
    "taiwaneseCounting": han,
    "taiwaneseCountingThousand": han,
    "ideographDigital": han,
    "none": lambda number: "",
}


def numeral(number: int, form: str) -> str:
    """Return *number* in a form of ECMA-376 part 1 §17.18.59 (``lowerRoman`` …); unknown forms give digits."""
    return _FORMATS.get(form, str)(number)
