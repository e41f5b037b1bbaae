"""Words as the index knows them: what is added to a text, and to a query, so that both meet."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3005\u3007]{2,}")
_KANA: Final = re.compile("[\u3041-\u309f\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u3005]{2,}")
_HANGUL: Final = re.compile("[\uac00-\ud7a3]{2,}")
_THAI: Final = re.compile("[\u0e00-\u0e7f]{4,}")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DOTTED: Final = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]*(?:[.\-/:][A-Za-z0-9_]+)+")
_LONGEST: Final = 80
"""What is longer is no name that anybody gave, but encoded data."""
_PART: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_SYMBOL: Final = {"c++": "cplusplus", "c#": "csharp", "f#": "fsharp", ".net": "dotnet", "g++": "gplusplus"}
_SYMBOLS: Final = re.compile(r"(?<![\w])(c\+\+|g\+\+|c#|f#|\.net)(?![\w+#])", re.IGNORECASE)


def normal(text: str) -> str:
    """Return *text* in the form in which the index holds it: composed, compatibility forms unified."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def expand(text: str) -> str:
    """Return the extra tokens of a normal text, separated by spaces; "" if there are none.

    Scripts without spaces between words give overlapping pairs of letters (Thai: fours), so that any two neighbours
    are found; identifiers give their parts and the whole without its joints, so that ``getUserName``,
    ``get_user_name`` and ``username`` meet; names like C++ give a word that tokenising cannot spoil.
    """
    found: dict[str, None] = {}
    if not text.isascii():
        for pattern, size in ((_HAN, 2), (_KANA, 2), (_HANGUL, 2), (_THAI, 4)):
            for run in pattern.findall(text):
                found.update(dict.fromkeys(run[at : at + size] for at in range(len(run) - size + 1)))
    for name in _IDENTIFIER.findall(text):
        if len(name) > _LONGEST or (name.islower() and "_" not in name):
            continue
        parts = _PART.findall(name)
        if len(parts) > 1 or "_" in name:
            found.update(dict.fromkeys(part.lower() for part in parts if len(part) > 1))
            found[name.replace("_", "").lower()] = None
            found.update(dict.fromkeys("".join(parts[at:]).lower() for at in range(1, len(parts) - 1)))
    for name in _DOTTED.findall(text):
        if len(name) <= _LONGEST:
            found[re.sub(r"[.\-/:_]", "", name).lower()] = None
    for symbol in _SYMBOLS.findall(text):
        found[_SYMBOL[symbol.lower()]] = None
    return " ".join(found)
