"""The vocabulary of LaTeX: which commands say what, and which only arrange."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_words = re.compile(r"\S+").findall

LEVELS: Final = {
    "part": 0,
    "chapter": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "paragraph": 5,
    "subparagraph": 6,
    "addpart": 0,
    "addchap": 1,
    "addsec": 2,
    "frametitle": 5,
}
"""Headings by rank."""

VERBATIM: Final = frozenset(
    _words(
        "verbatim Verbatim BVerbatim LVerbatim SaveVerbatim lstlisting minted alltt comment filecontents semiverbatim "
        "sphinxVerbatim pycode sagesilent tikzpicture pspicture pgfpicture"
    )
)
"""Environments whose content is not LaTeX text."""
PICTURES: Final = frozenset(("tikzpicture", "pspicture", "pgfpicture"))

_MATH = "equation align alignat flalign gather multline eqnarray displaymath math subequations dmath IEEEeqnarray"
MATH: Final = frozenset(name + star for name in _MATH.split(" ") for star in ("", "*"))
LISTS: Final = frozenset(
    _words(
        "itemize enumerate description compactitem compactenum compactdesc inparaenum thebibliography tasks labeling "
        "trivlist"
    )
)
NUMBERED: Final = frozenset(("enumerate", "compactenum", "inparaenum"))
QUOTES: Final = frozenset(("quote", "quotation", "verse", "displayquote"))
TABLES: Final = {
    "tabular": 1,
    "tabular*": 2,
    "tabularx": 2,
    "tabulary": 2,
    "longtable": 1,
    "longtblr": 1,
    "tblr": 1,
    "supertabular": 1,
    "xltabular": 2,
    "tabu": 1,
    "array": 1,
    "longtabu": 1,
}
"""Tables, with the number of their arguments."""

ENVIRONMENTS: Final = {
    "minipage": 1,
    "multicols": 1,
    "wrapfigure": 2,
    "wraptable": 2,
    "adjustbox": 1,
    "spacing": 1,
    "subfigure": 1,
    "subtable": 1,
    "varwidth": 1,
    "column": 1,
    "columns": 0,
    "figure": 0,
    "table": 0,
    "adjustwidth": 2,
    "otherlanguage": 1,
    "otherlanguage*": 1,
    "list": 2,
    "thebibliography": 1,
    "sphinxadmonition": 0,
    "DUclass": 1,
    "DUlineblock": 1,
    "lrbox": 1,
    "cases": 0,
}
"""Environments with arguments that say nothing, and how many."""

THEOREMS: Final = {
    name.lower(): name
    for name in _words(
        "Theorem Lemma Proposition Corollary Definition Example Remark Conjecture Claim Fact Exercise Solution Problem "
        "Note Notation Axiom Assumption Question Proof Acknowledgements Acknowledgments"
    )
}
"""Environments that are called by their name."""

SILENT: Final = {
    name: count
    for count, names in {
        1: "label vspace hspace usepackage RequirePackage documentclass bibliographystyle pagestyle thispagestyle "
        "color column "
        "selectlanguage newcounter newlength geometry graphicspath index nocite linespread phantom hphantom vphantom "
        "stepcounter refstepcounter pagenumbering pagecolor cline cmidrule usetikzlibrary theoremstyle numberwithin "
        "bibliography addbibresource includegraphics hyphenation usebeamertemplate usetheme usecolortheme usefonttheme "
        "newif newsavebox usebox setmainfont setsansfont setmonofont setmainlanguage setotherlanguage babelprovide "
        "printbibliography setlist captionsetup allowdisplaybreaks glsadd sisetup lstset tikzset pgfplotsset "
        "useinnertheme useoutertheme listfiles newblock noalign DeclareUnicodeCharacter sphinxlineitem pdfbookmark "
        "ExplSyntaxOn detokenize subjclass extracolsep arraybackslash frenchbsetup fontencoding fontfamily fontseries "
        "fontshape addvspace enlargethispage markright newbox newcount newdimen newskip AtBeginDocument AtEndDocument "
        "bookmarksetup ProvidesPackage ProvidesClass NeedsTeXFormat PassOptionsToPackage excludecomment includecomment",
        2: "setlength addtolength setcounter addtocounter rule fontsize settowidth settoheight DeclareMathOperator "
        "newfloat floatplacement markboth setbeamertemplate setbeamercolor setbeamerfont addcontentsline "
        "definecolorset "
        "pagestyle@ renewbibmacro DUprovidelength counterwithin titlespacing newglossaryentry setkeys",
        3: "definecolor newenvironment@ newacronym addtocontents DeclareRobustCommand@",
    }.items()
    for name in _words(names)
}
"""Commands that say nothing, with the number of arguments that are left out with them."""

SKIP_FIRST: Final = {
    "textcolor": 1,
    "colorbox": 1,
    "fcolorbox": 2,
    "raisebox": 1,
    "parbox": 1,
    "hypertarget": 1,
    "hyperlink": 1,
    "foreignlanguage": 1,
    "scalebox": 1,
    "rotatebox": 1,
    "resizebox": 2,
    "texorpdfstring": 0,
    "textlatin": 0,
    "DUrole": 1,
    "multirow": 2,
    "subfloat": 0,
    "pdftooltip": 0,
    "adjustbox": 1,
    "sphinxtablecontinued": 0,
    "sphinxstylestrong": 0,
    "hyperdef": 2,
    "hyperref": 0,
    "only": 0,
}
"""Commands that speak with their last argument, with the number of arguments before it that are left out."""

OVERLAID: Final = frozenset(
    (
        "item",
        "only",
        "onslide",
        "uncover",
        "visible",
        "invisible",
        "alert",
        "structure",
        "note",
        "textbf",
        "textit",
        "frame",
    )
)
"""Commands that may say first on which slides of a frame they show."""

SYMBOLS: Final = {
    "and": "; ", "ldots": "…", "dots": "…", "textellipsis": "…", "LaTeX": "LaTeX", "TeX": "TeX", "LaTeXe": "LaTeX2e",
    "XeTeX": "XeTeX", "BibTeX": "BibTeX", "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^",
    "textbar": "|", "textless": "<", "textgreater": ">", "textbraceleft": "{", "textbraceright": "}",
    "textunderscore": "_", "textdollar": "$", "S": "§", "P": "¶", "copyright": "©", "textcopyright": "©",
    "textregistered": "®", "texttrademark": "™", "pounds": "£", "textsterling": "£", "euro": "€", "texteuro": "€",
    "EUR": "€", "textyen": "¥", "textdegree": "°", "degree": "°", "textbullet": "•", "textendash": "–",
    "textemdash": "—", "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”",
    "guillemotleft": "«", "guillemotright": "»", "og": "« ", "fg": " »", "glqq": "„", "grqq": "“",
    "quotedblbase": "„", "textquotesingle": "'", "textquotedbl": '"', "ss": "ß", "SS": "SS", "ae": "æ", "AE": "Æ",
    "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð",
    "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ", "textexclamdown": "¡",
    "textquestiondown": "¿", "dag": "†", "ddag": "‡", "quad": " ", "qquad": " ", "enspace": " ", "thinspace": " ",
    "space": " ", "newline": "\x01", "linebreak": "\x01", "hfill": " ", "sphinxhyphen": "-", "sphinxdash": "-",
    "textperiodcentered": "·", "slash": "/", "checkmark": "✓", "times": "×", "textmu": "µ", "textpm": "±",
    "texttimes": "×", "textdiv": "÷", "infty": "∞", "alpha": "α", "beta": "β",
}  # fmt: skip
LETTERS: Final = frozenset(_words("ss SS ae AE oe OE o O l L aa AA i j dh DH th TH dj DJ ng NG"))
"""Symbols that are letters: the space after them only ends the command."""

ACCENTS: Final = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "d": "\u0323", "b": "\u0331",
    "r": "\u030a", "t": "\u0361", "G": "\u030f",
}  # fmt: skip
EMPHASIS: Final = {"textbf": "**", "emph": "*", "textit": "*", "texttt": "`"}


def accented(letter: str, accent: str) -> str:
    """Return *letter* under *accent*."""
    letter = {"ı": "i", "ȷ": "j"}.get(letter[:1], letter[:1]) + letter[1:] if letter else ""
    return unicodedata.normalize("NFC", letter[:1] + ACCENTS[accent] + letter[1:]) if letter else ""


REFERENCES: Final = re.compile(
    r"(?:page|auto|name|c|C|v|eq|full|title|label)?[rR]ef(?:range)?|[cC]ite\w*|\w+cite|[gG]ls\w*|ac[slfp]*"
)
"""Commands that show a key."""
NOTES: Final = frozenset(("footnote", "endnote", "footnotetext", "endnotetext"))
"""Commands with the text of a note."""
