"""The lines of AsciiDoc that say something of others: its header, attribute entries, block attributes, conditions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gatherum_formats.asciidoc.lines import ATTRIBUTE, AUTHOR, BLOCK_ATTRIBUTES, CONDITION, Attributes

if TYPE_CHECKING:
    from gatherum_formats.asciidoc.inline import AsciidocInline


class Settings:
    """The part of a parser that reads what is set."""

    _lines: list[str]
    _at: int
    _inline: AsciidocInline
    _pending: Attributes
    attributes: dict[str, str]
    authors: list[str]

    def _setting(self, line: str) -> bool:
        """Take in a line that says something of what follows; False if *line* is none."""
        if line[0] == ":" and (match := ATTRIBUTE.match(line)):
            value = [match[3] or ""]
            while value[-1].endswith((" \\", " +")) and self._at + 1 < len(self._lines):
                value[-1] = value[-1][:-2].rstrip()
                self._at += 1
                value.append(self._lines[self._at].strip())
            if match[1] or match[2].endswith("!"):
                self.attributes.pop(match[2].strip("!").casefold(), None)
            else:
                self.attributes[match[2].casefold()] = self._inline.substitute(" ".join(value).strip())
            return True
        if line[0] == "[" and (match := BLOCK_ATTRIBUTES.match(line)):
            self._pending.take(self._inline.substitute(match[1]))
            return True
        if line[0] == "." and len(line) > 1 and line[1] not in ". ":
            self._pending.title = line[1:]
            return True
        return bool(CONDITION.match(line)) and self._condition(line)

    def _condition(self, line: str) -> bool:
        """Let a line under a condition stand for itself."""
        inner = line[line.index("[") + 1 : -1]
        if line.startswith(("ifdef", "ifndef")) and inner:
            self._lines[self._at] = inner
            self._at -= 1
        return True

    def _header(self) -> None:
        """Read the lines right below the title: authors, then the revision."""
        revision = False
        while self._at < len(self._lines) and (line := self._lines[self._at]):
            if line.startswith("//") or self._setting(line):
                pass
            elif not self.authors and not revision and AUTHOR.match(line):
                names = (re.sub(r"\s*<[^>]*>?", "", name).replace("_", " ").strip() for name in line.split(";"))
                self.authors = [self._inline.substitute(name) for name in names if name]
            elif self.authors and not revision:
                number, _, rest = line.partition(",")
                self.attributes.setdefault("revnumber", number.strip().lstrip("v") if rest else "")
                self.attributes.setdefault("revdate", (rest or number).partition(":")[0].strip())
                revision = True
            else:
                break
            self._at += 1
