"""What a symbol looks like at the beginning of a line, language by language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

Ending = Literal["closer", "indent", "next", "semicolon"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """How the symbols of a language are told, by lines and indents alone.

    Attributes:
        container: A symbol that holds others: a class, a module.
        leaf: A symbol that is told as a whole: a function, a type.
        member: A symbol directly inside a container, beyond those above.
        comment: A line that belongs to the symbol below it: a comment, an attribute, a decorator.
        ending: What ends a symbol: a closing line that stands as far left as its first, any line that does, the next
            symbol, or a line there that ends with a semicolon.
    """

    leaf: re.Pattern[str]
    container: re.Pattern[str] | None = None
    member: re.Pattern[str] | None = None
    comment: re.Pattern[str]
    ending: Ending = "closer"


def _grammar(
    leaf: str,
    *,
    container: str = "",
    member: str = "",
    comment: str = r"//|/\*|\*|@\w",
    ending: Ending = "closer",
    flags: int = 0,
) -> Grammar:
    return Grammar(
        leaf=re.compile(leaf, flags),
        container=re.compile(container, flags) if container else None,
        member=re.compile(member, flags) if member else None,
        comment=re.compile(comment),
        ending=ending,
    )


_WORDS: Final = r"(?:[\w.]+\s+)*?"
_BODY: Final = r"(?:[^;]*$|[^;{}]*\{.*\}$)"
"""What follows the bracket of a function's parameters: no statement, but perhaps a body that ends on the line."""
_NOT_FLOW: Final = r"(?!(?:if|for|foreach|while|switch|catch|return|else|do|new|throw|using|lock|await|yield|case)\b)"

_JS: Final = _grammar(
    r"(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:(?:async\s+)?function\s*\*?\s*(?P<name>[\w$]+)"
    r"|(?:interface|type|(?:const\s+)?enum)\s+(?P<type>[\w$]+)"
    r"|(?:const|let|var)\s+(?P<value>[\w$]+)[^=]{0,80}=\s*(?:async\b\s*)?(?:function\b|\(|[\w$]+\s*=>|<|class\b|React\.))",
    container=r"(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:class|namespace|module)\s+(?P<name>[\w$.]+)",
    member=_NOT_FLOW
    + r"(?:(?:public|private|protected|static|async|get|set|readonly|override|abstract)\s+)*\*?\s*"
    + rf"(?P<name>[\w$#]+)\s*(?:<[^>]*>)?\({_BODY}",
)
_JAVA: Final = _grammar(
    rf"{_WORDS}@interface\s+(?P<name>\w+)",
    container=_WORDS
    + r"(?:class|interface|enum|record|struct|namespace|trait|object|protocol|extension)\s+(?P<name>[\w.]+)",
    member=_NOT_FLOW + r"(?:[\w.<>\[\],?&*]+\s+)*(?P<name>\w+)\s*\((?:[^;=]*$|[^;={}]*\{.*\}$)",
    comment=r"//|/\*|\*|@\w|\[\w",
)
_KOTLIN: Final = _grammar(
    _WORDS + r"(?:fun|def|func)\s+(?:<[^>]*>\s*)?(?:[\w<>?]+\.)?(?P<name>[\w`]+)|typealias\s+(?P<type>\w+)",
    container=_WORDS
    + r"(?:class|interface|object|trait|enum|struct|protocol|extension|actor|mixin)\s+(?P<name>[\w.]+)",
    member=_WORDS + r"(?P<name>init)\b",
)
_C: Final = _grammar(
    _NOT_FLOW
    + r"(?:typedef\s+)?(?:struct|union|enum)\s+(?P<type>\w+)\s*\{?\s*$"
    + rf"|{_NOT_FLOW}(?!typedef|#)(?:[\w:<>,~\[\]]+[\s*&]+)*(?P<name>[\w:~]+)\s*\({_BODY}",
    container=r"(?:template\s*<[^>]*>\s*)?(?:class|struct|namespace)\s+(?:\w+\s+)?(?P<name>\w[\w:]*)(?=[^;(]*$)",
    comment=r"//|/\*|\*|template\s*<|\[\[",
)
_GO: Final = _grammar(r"func\s+(?:\(\s*\w*\s*\*?(?P<owner>\w+)[^)]*\)\s*)?(?P<name>\w+)|type\s+(?P<type>\w+)\s")
_RUST: Final = _grammar(
    r"(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|const|async|unsafe|extern(?:\s+\"[^\"]*\")?)\s+)*fn\s+(?P<name>\w+)"
    r"|(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|union|type|macro_rules!)\s+(?P<type>\w+)",
    container=r"(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?"
    r"(?:trait|mod|impl(?:<[^>]*>)?(?:\s+[\w:<>, ]+\s+for)?)\s+(?P<name>\w+)(?=[^;]*$)",
    comment=r"//|/\*|\*|#\[",
)
_RUBY: Final = _grammar(r"def\s+(?P<name>[\w.?!=]+)", container=r"(?:class|module)\s+(?P<name>[\w:]+)", comment=r"#")
_PHP: Final = _grammar(
    rf"{_WORDS}function\s+&?(?P<name>\w+)",
    container=rf"{_WORDS}(?:class|interface|trait|enum)\s+(?P<name>\w+)",
    comment=r"//|/\*|\*|#",
)
_SHELL: Final = _grammar(r"(?:function\s+(?P<type>[\w:-]+)|(?P<name>[\w:-]+)\s*\(\s*\))", comment=r"#")
_POWER: Final = _grammar(
    r"(?:function|filter)\s+(?P<name>[\w:-]+)", container=r"class\s+(?P<name>\w+)", comment=r"#|<#", flags=re.IGNORECASE
)
_SQL: Final = _grammar(
    r"create\s+(?:or\s+replace\s+)?(?:(?:global|local|temp|temporary|unique|materialized|external|virtual)\s+)*"
    r"(?:table|view|function|procedure|trigger|index|type|schema|sequence|package(?:\s+body)?|database|domain|policy)\s+"
    r"(?:if\s+not\s+exists\s+)?(?:concurrently\s+)?(?P<name>[\w.\"`\[\]]+)",
    comment=r"--|/\*|\*",
    ending="semicolon",
    flags=re.IGNORECASE,
)
_R: Final = _grammar(r"(?P<name>[\w.]+)\s*(?:<-|=)\s*function\b", comment=r"#")
_LUA: Final = _grammar(
    r"(?:local\s+)?function\s+(?P<name>[\w.:]+)|(?:local\s+)?(?P<value>[\w.]+)\s*=\s*function\b", comment=r"--"
)
_PERL: Final = _grammar(r"sub\s+(?P<name>[\w:]+)", comment=r"#|=\w")
_ELIXIR: Final = _grammar(
    r"(?:def|defp|defmacro)\s+(?P<name>[\w?!]+)",
    container=r"(?:defmodule|defprotocol)\s+(?P<name>[\w.]+)",
    comment=r"[#@]",
)
_JULIA: Final = _grammar(
    r"(?:function|macro|(?:mutable\s+)?struct)\s+(?P<name>[\w.!]+)", container=r"module\s+(?P<name>\w+)", comment=r"#"
)
_HASKELL: Final = _grammar(
    r"(?P<name>[a-z_][\w']*)\s*::|(?:data|newtype|type|class|instance)\s+(?P<type>[\w ]+)",
    comment=r"--|\{-",
    ending="next",
)
_ML: Final = _grammar(
    r"(?:let(?:\s+rec)?|type|module|val|class|and)\s+(?P<name>[\w']+)", comment=r"\(\*|//", ending="next"
)
_LISP: Final = _grammar(r"\(def[\w*-]*\s+\(?(?P<name>[^\s()]+)", comment=r";", ending="next")
_ERLANG: Final = _grammar(r"(?P<name>[a-z]\w*)\([^)]*\)[^;]*->", comment=r"%", ending="next")
_FORTRAN: Final = _grammar(
    r"(?:[\w()*]+\s+)*?(?:subroutine|function|program)\s+(?P<name>\w+)",
    container=r"module\s+(?!procedure)(?P<name>\w+)",
    comment=r"!",
    flags=re.IGNORECASE,
)
_PASCAL: Final = _grammar(
    r"(?:procedure|function|constructor|destructor)\s+(?P<name>[\w.]+)",
    comment=r"//|\{|\(\*",
    ending="next",
    flags=re.I,
)
_BASIC: Final = _grammar(
    rf"{_WORDS}(?:sub|function|property)\s+(?P<name>\w+)",
    container=rf"{_WORDS}(?:class|module|structure|interface|namespace)\s+(?P<name>[\w.]+)",
    comment=r"'|<\w",
    flags=re.IGNORECASE,
)
_PROTO: Final = _grammar(
    r"(?:message|service|enum|type|input|interface|union|scalar|extend)\s+(?P<name>\w+)", comment=r"//|#|/\*|\*"
)
_HCL: Final = _grammar(
    r"(?P<name>(?:resource|data|module|variable|output|provider|locals)(?:\s+\"[^\"]*\")*)\s*\{", comment=r"#|//"
)
_ZIG: Final = _grammar(
    r"(?:pub\s+)?(?:export\s+|inline\s+)?(?:fn|proc|func|template|macro)\s+(?P<name>\w+)|(?:pub\s+)?const\s+(?P<type>\w+)\s*=\s*(?:struct|enum|union)",
    comment=r"//|#",
)
_PYTHON: Final = _grammar(
    r"(?:async\s+)?def\s+(?P<name>\w+)", container=r"class\s+(?P<name>\w+)", comment=r"[#@]", ending="indent"
)

GRAMMARS: Final = {
    "basic": _BASIC,
    "c": _C,
    "elixir": _ELIXIR,
    "erlang": _ERLANG,
    "fortran": _FORTRAN,
    "go": _GO,
    "haskell": _HASKELL,
    "hcl": _HCL,
    "java": _JAVA,
    "javascript": _JS,
    "julia": _JULIA,
    "kotlin": _KOTLIN,
    "lisp": _LISP,
    "lua": _LUA,
    "ml": _ML,
    "pascal": _PASCAL,
    "perl": _PERL,
    "php": _PHP,
    "power": _POWER,
    "proto": _PROTO,
    "python": _PYTHON,
    "r": _R,
    "ruby": _RUBY,
    "rust": _RUST,
    "shell": _SHELL,
    "sql": _SQL,
    "zig": _ZIG,
}
"""The grammars by the names of the families of languages."""
