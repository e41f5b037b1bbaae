"""One manual page in roff, read for what its macros say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder
from gatherum.tables import pipe_table
from gatherum_formats.shared.fence import fenced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section
    from gatherum.document import Kind

_REQUEST = re.compile(r"['.][ \t]*([A-Za-z0-9\\\"%]+)(.*)$")
_ARGUMENT = re.compile(r'"((?:[^"]|"")*)"?|(\S+)')
_ESCAPE = re.compile(
    r"\\(?:f(?:\[[^\]\n]{0,60}\]|\(..|.)|s[+-]?\d|\*(?:\[[^\]\n]{0,60}\]|\(..|.)|[mnF]\[[^\]\n]{0,60}\]|\[(?P<name>[^\]\n]{0,60})\]|\((?P<two>..)|(?P<one>.)|$)"
)
_NAMED: Final = {
    "em": "—", "en": "–", "hy": "-", "bu": "•", "aq": "'", "dq": '"', "lq": "“", "rq": "”", "oq": "‘", "cq": "’",
    "co": "©", "rg": "®", "tm": "™", "mi": "−", "ti": "~", "ha": "^", "rs": "\\", "ga": "`", "at": "@", "sh": "#",
    "->": "→", "<-": "←", "<=": "≤", ">=": "≥", "mu": "×", "ss": "ß", "de": "°", "sc": "§", "Do": "$", "bv": "|",
}  # fmt: skip
_ONE: Final = {"-": "-", "e": "\\", "\\": "\\", " ": " ", "~": " ", "0": " ", "'": "'", "`": "`", ".": ".", "t": "\t"}
_FONTS: Final = frozenset(("B", "I", "R", "SM", "SB", "BR", "RB", "IB", "BI", "IR", "RI"))
_BREAKS: Final = frozenset(("PP", "P", "LP", "Pp", "HP", "sp", "br", "Lp", "RS", "RE", "El", "Bl", "SY", "YS"))
_DAYS: Final = ("%Y-%m-%d", "%B %d, %Y", "%B %d %Y", "%d %B %Y", "%b %d, %Y", "%d %b %Y", "%d/%m/%Y")
_MONTHS: Final = ("%B %Y", "%b %Y", "%Y-%m")
_WORDS: Final = frozenset(
    re.findall(
        r"\w+",
        "Ar Fl Op Oo Oc Cm Ic Li Pa Xr Sy Em Ns Ap Pq Dq Sq Ql Qq Aq Bq Brq No Va Vt Ft Fn Fa Fo Fc In St At Bx Ev Er "
        "An Lk Mt Cd Nm Nd Ao Ac Bo Bc Po Pc Qo Qc So Sc Do Dc Tn Ux Bk Ek Ta Xo Xc",
    )
)


class Page:
    """Reads one page."""

    def __init__(self, lines: list[str], report: Report) -> None:
        self._lines = lines
        self._report = report
        self._builder = SectionBuilder()
        self._words: list[str] = []
        self._first = self._last = 0
        self._kind: Kind = "prose"
        self._name = ""
        self._at = 0

    def read(self) -> Iterator[Section]:
        """Yield its sections."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            match = _REQUEST.match(line)
            if match and not match[1].startswith(("\\", '"')):
                yield from self._request(match[1], match[2].split('\\"')[0].strip())
            elif match or line.startswith((".", "'\\")):
                continue
            elif not line.strip():
                yield from self._flush()
            else:
                self._put(plain(line))
        yield from self._flush()
        yield from self._builder.close()

    def _put(self, text: str) -> None:
        if not self._words:
            self._first = self._at
        if text.strip():
            self._words.append(text.strip())
            self._last = self._at

    def _flush(self) -> list[Section]:
        text, self._words = " ".join(self._words), []
        if self._kind == "list":
            text = text if text.startswith("- ") else f"  {text}"
        return (
            self._builder.add(text, kind=self._kind, locator=Locator.lines(self._first, self._last))
            if text.strip()
            else []
        )

    def _request(self, name: str, rest: str) -> Iterator[Section]:
        words = [plain((found[0] or found[1]).replace('""', '"')) for found in _ARGUMENT.findall(rest)]
        if name in ("SH", "Sh", "SS", "Ss"):
            yield from self._flush()
            self._kind = "prose"
            if not words and self._at < len(self._lines):
                words = [plain(self._lines[self._at])]
                self._at += 1
            if title := " ".join(words):
                place = Locator.lines(self._at)
                yield from self._builder.enter(1 if name.lower() == "sh" else 2, title, locator=place)
        elif name in ("TH", "Dt", "Dd"):
            self._about(name, words)
        elif name in _BREAKS:
            yield from self._flush()
            if name in ("PP", "P", "LP", "Pp", "El"):
                self._kind = "prose"
        elif name in ("TP", "TQ", "IP", "It"):
            yield from self._flush()
            self._kind = "list"
            if name in ("TP", "TQ"):
                words = self._tag()
            tag = spoken(words) if name == "It" else words[0] if name == "IP" and words else " ".join(words)
            self._put(f"- **{tag}**" if tag and tag not in ("•", "-", "*", "o") else "-")
        elif name in ("nf", "EX", "Bd"):
            yield from self._flush()
            yield from self._code()
        elif name == "TS":
            yield from self._flush()
            yield from self._table()
        elif name in ("de", "ig", "am", "de1"):
            while self._at < len(self._lines) and not self._lines[self._at].startswith(".."):
                self._at += 1
            self._at += 1
        elif name in _FONTS:
            self._put(("" if len(name) == 2 and name[0] != "S" else " ").join(words))
        elif name in ("UR", "MT"):
            self._link(name, "".join(words[:1]))
        elif name == "Lk" and len(words) > 1:
            self._put(f"[{' '.join(words[1:])}]({words[0]})")
        elif name == "so":
            self._put(" ".join(words))
        elif name == "Nm":
            self._name = self._name or " ".join(words[:1])
            self._put(spoken(words) if words else self._name)
        elif name in _WORDS:
            self._put(spoken([name, *words]))
        elif name[:1].isupper() and name not in ("Os", "Ed", "EE", "UE", "ME", "TE"):
            self._put(" ".join(words))

    def _about(self, name: str, words: list[str]) -> None:
        if name == "Dd":
            self._report.metadata(created=_iso_date(" ".join(words)))
        else:
            self._report.metadata(title=" ".join(words[:1]), section=" ".join(words[1:2]))
            if name == "TH":
                self._report.metadata(created=_iso_date(" ".join(words[2:3])), version=" ".join(words[3:4]))

    def _link(self, name: str, target: str) -> None:
        """Read the words of a link, up to the macro that ends it."""
        start, said = self._at, list[str]()
        while self._at < len(self._lines) and self._at - start < 20:
            line = self._lines[self._at]
            match = _REQUEST.match(line)
            if match and match[1] not in _FONTS:
                self._at += match[1] in ("UE", "ME")
                break
            self._at += 1
            said += [plain(found[0] or found[1]) for found in _ARGUMENT.findall(match[2])] if match else [plain(line)]
        words = " ".join(filter(None, map(str.strip, said)))
        address = f"mailto:{target}" if name == "MT" and words else target
        self._put(f"[{words}]({address})" if words and words != target else target)

    def _tag(self) -> list[str]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            match = _REQUEST.match(line)
            if match is None:
                return [plain(line)]
            words = [plain(found[0] or found[1]) for found in _ARGUMENT.findall(match[2])]
            if match[1] in _FONTS:
                return [("" if len(match[1]) == 2 else " ").join(words)]
            if words:
                return words
        return []

    def _code(self) -> list[Section]:
        start, lines = self._at, []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            match = _REQUEST.match(line)
            if match and match[1] in ("fi", "EE", "Ed", "SH", "Sh", "SS", "Ss"):
                self._at += match[1] in ("fi", "EE", "Ed")
                break
            self._at += 1
            if match is None:
                lines.append(plain(line))
            elif match[1] in _FONTS:
                lines.append(" ".join(plain(found[0] or found[1]) for found in _ARGUMENT.findall(match[2])))
        text = fenced("\n".join(lines).strip("\n"))
        return self._builder.add(text, kind="code", locator=Locator.lines(start + 1, self._at))

    def _table(self) -> list[Section]:
        start, rows, formats = self._at, [], True
        while self._at < len(self._lines) and not self._lines[self._at].startswith(".TE"):
            line = self._lines[self._at]
            self._at += 1
            if formats:
                formats = not line.rstrip().endswith(".")
            elif not line.startswith(".") and line.strip("_= "):
                rows.append([plain(cell).replace("T{", "").replace("T}", "").strip() for cell in line.split("\t")])
        return self._builder.add(pipe_table(rows), kind="table", locator=Locator.lines(start, self._at))


def _iso_date(text: str) -> str:
    """Return the day that a page names, as ISO 8601; "" if it is not written in a usual way."""
    from datetime import datetime

    text = text.removeprefix("$Mdocdate:").strip("$ ")
    for form, written in (*((form, "%Y-%m-%d") for form in _DAYS), *((form, "%Y-%m") for form in _MONTHS)):
        try:
            return datetime.strptime(text, form).strftime(written)  # noqa: DTZ007 - a day, not a moment
        except ValueError:
            continue
    return ""


def plain(text: str) -> str:
    """Return *text* without escapes: fonts and sizes say nothing, names of characters are the characters."""
    return _ESCAPE.sub(_character, text.split('\\"')[0]) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    name = match["name"] or match["two"]
    if name:
        code = re.fullmatch(r"u([0-9A-Fa-f]{4,6})", name)
        return chr(int(code[1], 16)) if code and int(code[1], 16) < 0x110000 else _NAMED.get(name, "")
    return _ONE.get(match["one"] or "", "")


def spoken(words: list[str]) -> str:
    """Return the words of an mdoc line without the names of its macros."""
    said: list[str] = []
    glue = ""
    closing = ""
    for at, word in enumerate(words):
        if word in ("Op", "Oo"):
            glue, closing = f"{glue}[", f"]{closing}" if word == "Op" else closing
        elif word == "Oc":
            said[-1:] = [f"{said[-1]}]"] if said else ["]"]
        elif word == "Fl":
            following = words[at + 1] if at + 1 < len(words) else ""
            glue += "-" if following and following not in _WORDS else ""
        elif word == "Ns":
            glue = "\x00"
        elif word not in _WORDS:
            said.append(f"{glue}{word}")
            glue = ""
    text = " ".join(said).replace(" \x00", "").replace("\x00", "") + closing
    if words[:1] == ["Xr"]:
        text = re.sub(r"^(\S+) (\d\w*)", r"\1(\2)", text)
    return f"– {text}" if words[:1] == ["Nd"] else text
