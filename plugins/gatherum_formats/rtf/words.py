"""The vocabulary of Rich Text Format: which control words mean what."""

from __future__ import annotations

from typing import Final, Literal

What = Literal["paragraph", "cell", "row", "box", "footnote", "endnote", "comment", "header", "alt"]

CHARACTERS: Final = {
    "tab": "\t",
    "line": "\n",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "bullet": "•",
    "endash": "–",
    "emdash": "—",
    "enspace": "\u2002",
    "emspace": "\u2003",
    "qmspace": "\u2005",
}
SIGNS: Final = {b"~": "\u00a0", b"_": "-", b"{": "{", b"}": "}", b"\\": "\\"}
BREAKS: Final = frozenset(("par", "sect", "page", "column", "nestcell"))
FLOWS: Final[dict[str, What]] = {
    **dict.fromkeys(("header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"), "header"),
    **dict.fromkeys(("shptxt", "dptxbxtext"), "box"),
    "footnote": "footnote",
    "annotation": "comment",
}
MUTE: Final = frozenset(("pict", "info", "shp", "shpinst", "do", "picprop", "object"))
"""Groups whose own text is none, though groups inside them may have some."""

SKIPPED: Final = frozenset(
    (
        "colortbl", "listtable", "listoverridetable", "listpicture", "filetbl", "nonesttables", "nesttableprops",
        "nonshppict", "shprslt", "objdata", "private", "xe", "tc", "tcn", "rxe", "bkmkstart", "bkmkend",
        "themedata", "atnref", "mmathPict", "mctrlPr", "mtype", "mchr", "mbegChr", "mendChr", "msepChr", "mpos",
        "mdegHide", "mgrow", "mlimLoc", "msubHide", "msupHide", "mshp", "mvertJc", "mcount", "mmcJc", "ftnsep",
        "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "list", "listoverride", "pnseclvl",
    )
)  # fmt: skip
INFORMATION: Final = {
    "title": "title",
    "author": "authors",
    "subject": "subject",
    "keywords": "tags",
    "doccomm": "description",
    "category": "category",
    "company": "company",
}
CAPTURED: Final = frozenset(("fldinst", "listtext", "pntext", "atnauthor", "atndate", "sn", "sv"))
STARRED: Final = CAPTURED | FLOWS.keys() | MUTE | {"ud", "result", "moMath", "moMathPara"}
DATE: Final = frozenset(("yr", "mo", "dy", "hr", "min"))
