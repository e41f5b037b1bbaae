"""Guess the encoding of text in a legacy code page: the likeliest reading of its bytes wins.

Each code page gives one reading of a sample. A reading is as likely as its letters are in some language, its cases
and scripts as orderly as in words, and its other characters as usual as in prose. Only where no reading convinces
is charset-normalizer asked for another.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Final

from gatherum.text.alphabets import alphabets

# Code pages with what each is held to be worth before its reading is seen: the common ones win where readings agree.
_PAGES: Final = {
    "cp1252": 0.0,
    "cp1251": -0.2,
    "cp932": 0.0,
    "gb18030": 0.0,
    "big5hkscs": -0.5,
    "cp949": 0.0,
    "euc_jp": 0.0,
    "cp1250": -0.5,
    "cp1253": -0.5,
    "cp1254": -1.0,
    "cp1255": -0.5,
    "cp1256": -0.5,
    "cp1257": -1.0,
    "cp1258": -1.0,
    "koi8-r": -0.8,
    "koi8-u": -0.8,
    "cp866": -0.8,
    "cp874": -0.8,
    "iso8859-2": -0.6,
    "iso8859-15": -0.6,
    "iso8859-3": -2.0,
    "iso8859-4": -2.0,
    "iso8859-5": -1.0,
    "iso8859-6": -1.0,
    "iso8859-7": -0.6,
    "iso8859-8": -1.0,
    "iso8859-10": -2.5,
    "iso8859-13": -1.5,
    "iso8859-14": -2.5,
    "iso8859-16": -2.0,
    "cp850": -1.2,
    "cp437": -1.3,
    "cp852": -1.0,
    "cp858": -1.3,
    "cp855": -2.0,
    "cp857": -1.5,
    "cp860": -2.5,
    "cp861": -2.5,
    "cp863": -2.5,
    "cp865": -2.0,
    "cp737": -1.5,
    "cp869": -2.5,
    "cp775": -2.0,
    "cp862": -1.5,
    "cp864": -3.0,
    "cp720": -2.0,
    "cp1125": -2.5,
    "mac_roman": -1.2,
    "mac_latin2": -2.0,
    "mac_croatian": -2.5,
    "mac_romanian": -2.5,
    "mac_cyrillic": -1.5,
    "mac_greek": -2.0,
    "mac_turkish": -2.0,
    "mac_iceland": -2.5,
    "koi8-t": -2.5,
    "kz1048": -1.5,
    "ptcp154": -2.5,
    "johab": -3.0,
}
_EBCDIC: Final = ("cp037", "cp500", "cp273", "cp424", "cp875", "cp1026")
_WORD: Final = re.compile(rb"[^\x00-\x20]*[\x80-\xff][^\x00-\x20]*")
_PLAIN: Final = re.compile(rb"(?<![\x80-\xffA-Za-z])[A-Za-z]+(?![\x80-\xffA-Za-z])")
_MUCH: Final = 6000

_UNDECODED: Final = -15.0
_CONTROL: Final = -13.0
_RISE: Final = -4.0
_APART: Final = -3.0
_LONELY: Final = -5.0
_PRIOR: Final = 2.5
_DOUBTFUL: Final = -5.5
_HOPELESS: Final = -6.5

_USUAL: Final = frozenset("“”‘’„«»–—…·•°§№€£©®™×½²³´¿¡ªº\xa0†‹›\u200c\u200d\xad±µ¼¾÷")
_TYPED: Final = frozenset("©“”‘’–—…€£§°×½²³µ")
_LESS_USUAL: Final = frozenset("¤¦¬¶¯¸¨¢¥¹‡‰ƒˆ˜◊≤≥≈∞√∫∂∑∏π∆Ω")
_LOWER_UPPER: Final = re.compile(r"[^\W\d_]+")
_BETWEEN: Final = re.compile(r"(?<=[^\W\d_])[^\w\s\x00-\x7f’·\xad\xa0–—‑\u200c\u200d\u0300-\u0323](?=[^\W\d_])")
_ALONE: Final = re.compile(r"(?<![^\W\d_])[^\W\d_a-zàéèóýåöæоияаоуксвіїйєзηοόή\u0530-\U0010ffff](?![^\W\d_])")
_DRAWN: Final = re.compile("([\u2500-\u259f])\\1{2,}")


def sample_of(data: bytes, *, size: int = 65_536, spread: int = 8) -> bytes:
    """Return what is telling of *data*, of bounded size: the stretches around bytes beyond ASCII."""
    if len(data) <= size:
        return data
    part, step, beyond = size // spread, len(data) // spread, re.compile(rb"[\x80-\xff]")
    found, reached = [], 0
    for number in range(spread):
        match = beyond.search(data, max(number * step, reached))
        if match is None:
            break
        start = max(match.start() - 200, reached)
        start = max(data.find(b" ", start, match.start()), data.find(b"\n", start, match.start()), start)
        reached = start + part
        piece = data[start:reached]
        end = max(piece.rfind(b" "), piece.rfind(b"\n"))
        found.append(piece[:end] if end > part // 2 else piece)
    return b"\n".join(found)


def guess(sample: bytes, *, declared: str | None = None) -> str | None:
    """Return the codec whose reading of *sample* is the likeliest; None if no reading looks like language.

    Args:
        sample: Text that is not valid UTF-8.
        declared: The codec that the text names for itself; believed unless its reading is far less likely.
    """
    if _looks_ebcdic(sample):
        return max(_EBCDIC, key=lambda codec: _ebcdic_worth(sample, codec))
    rare = _telling(sample)
    hints = _hints(sample)
    pages = dict(_PAGES)
    beyond = sum(byte >= 0x80 for byte in rare)
    if declared:
        pages[declared] = 1.5 + 1.5 * beyond
    worths = {codec: likelihood(rare, codec, hints) + _PRIOR * prior for codec, prior in pages.items()}
    best = max(worths, key=lambda codec: worths[codec])
    if worths[best] < _DOUBTFUL * max(1, beyond):
        other = _second_opinion(sample)
        if other and other not in worths and likelihood(rare, other, hints) > worths[best]:
            return other
        if not declared and worths[best] < _HOPELESS * max(1, beyond):
            return None
    return best


def likelihood(rare: bytes, codec: str, hints: tuple[float, ...] | None = None) -> float:
    """Return the logarithm of how likely the reading of *rare* by *codec* is, ASCII characters left aside."""
    text = rare.decode(codec, errors="replace")
    lost = text.count("\ufffd")
    if lost > 3 + len(text) // 20:
        return _UNDECODED * len(rare)
    if not codec.startswith(("cp125", "koi8", "iso8859", "cp8", "mac", "cp4", "cp7")) and lost:
        lost *= 2
    return reading_worth(text, hints) + _UNDECODED * lost


def reading_worth(text: str, hints: tuple[float, ...] | None = None) -> float:
    """Return the logarithm of how likely *text* is as prose in some language, ASCII characters left aside."""
    drawn = sum(len(match[0]) for match in _DRAWN.finditer(text))
    if drawn:
        text = _DRAWN.sub(" ", text)
    lowered = text.replace("İ", "ı").lower()
    counts = Counter(lowered)
    beyond = [(char, count) for char, count in counts.items() if char > "\x7f" and char != "\ufffd"]
    common = 0.0
    letters: list[tuple[str, int, float]] = []
    for char, count in beyond:
        category, worth = _other(char)
        if category:
            letters.append((char, count, worth))
        else:
            common += worth * count
    best = -1e9
    for number, alphabet in enumerate(alphabets()):
        weights = alphabet.weights
        worth = sum((weights.get(char) or unknown) * count for char, count, unknown in letters)
        if hints:
            worth += hints[number]
        best = max(best, worth)
    return common + best + _disorder(text) + _LONELY * len(_ALONE.findall(lowered)) - 2.0 * drawn


@cache
def _other(char: str) -> tuple[bool, float]:
    """Tell whether a character may belong to an alphabet, and what it is worth where it does not."""
    if char == "\xa0":
        return False, -1.8
    if char in _USUAL:
        return char in "·¿¡ªº\u200c“”„«»", -3.8 if char in _TYPED else -5.0
    category = unicodedata.category(char)
    if category in ("Cc", "Cn", "Co"):
        return False, _CONTROL
    if "\uff61" <= char <= "\uff9f":
        return False, -9.0
    if "\u4e00" <= char <= "\u9fff":
        return True, -10.3
    if "\uac00" <= char <= "\ud7a3":
        return True, -9.5 if _in_ksx1001(char) else -13.0
    if category[0] == "L" or category == "Mn":
        return True, -13.0 if char > "\uf8ff" or "\u3400" <= char < "\u4e00" else -9.0
    if "\u3000" <= char <= "\u303f" or "\uff00" <= char <= "\uff60":
        return True, -7.0
    return False, -7.5 if char in _LESS_USUAL else -9.0


def _in_ksx1001(char: str) -> bool:
    try:
        char.encode("euc_kr")
    except UnicodeEncodeError:
        return False
    return True


def _disorder(text: str) -> float:
    """Return what is wrong with the words: capitals after small letters, scripts mixed, signs inside words."""
    worth = _APART * len(_BETWEEN.findall(text))
    for word in _LOWER_UPPER.findall(text):
        if word.isascii():
            continue
        if not word.islower() and word[1:] != word[1:].lower():
            if word.isupper():
                worth -= 0.7 * (len(word) - 1)
            else:
                worth += _RISE * sum(a.islower() and b.isupper() for a, b in pairwise(word))
        if len({script for char in word if (script := _script(char))}) > 1:
            worth += _APART
    return worth


@cache
def _script(char: str) -> str:
    if char.isascii():
        return "LATIN" if char.isalpha() else ""
    if not char.isalpha():
        return ""
    name = unicodedata.name(char, "").split(" ", 1)[0]
    return "" if name in ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "FEMININE", "MASCULINE", "MICRO") else name


def _telling(sample: bytes) -> bytes:
    """Return the distinct words with bytes beyond ASCII, up to some thousand bytes."""
    chosen: dict[bytes, None] = {}
    left = _MUCH
    for match in _WORD.finditer(sample):
        word = match[0][:left]
        if word not in chosen:
            chosen[word] = None
            left -= len(word) + 1
            if left <= 0:
                break
    return b" ".join(chosen)


def _hints(sample: bytes) -> tuple[float, ...]:
    """Return for each alphabet how much the ASCII words of the sample speak for its language."""
    words = Counter(word.decode().lower() for word in _PLAIN.findall(sample[:20_000]))
    total = sum(words.values()) + 5
    return tuple(
        12.0 * sum(words[word] for word in alphabet.words if word in words) / total for alphabet in alphabets()
    )


def _looks_ebcdic(sample: bytes) -> bool:
    head = sample[:8192]
    high = sum(byte >= 0x80 for byte in head)
    return high > len(head) * 0.5 and head.count(0x40) > len(head) * 0.07 and head.count(0x20) < len(head) * 0.01


def _ebcdic_worth(sample: bytes, codec: str) -> float:
    text = sample[:8192].decode(codec, errors="replace")
    plain = sum(char.isascii() and (char.isalnum() or char in " .,\n\r") for char in text)
    brackets = sum(text.count(char) for char in "[]{}|~\\")
    return 4.0 * plain - 8.0 * brackets + reading_worth(text)


def _second_opinion(sample: bytes) -> str | None:
    from charset_normalizer import from_bytes

    best = from_bytes(sample[:16_384], enable_fallback=False).best()
    return codecs.lookup(best.encoding).name if best else None
