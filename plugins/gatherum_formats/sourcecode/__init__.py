"""Source code, a section for each class, function and type, with the comments that belong to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, Report, Section, Source, UnreadableError, hookimpl
from gatherum.text import is_binary
from gatherum_formats.sourcecode.languages import LANGUAGES, NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator


class SourceCodeHandler(Handler):
    """Read source code of many languages by its symbols."""

    name = "sourcecode"
    title = "Source code"
    extensions = tuple(sorted(LANGUAGES))
    names = tuple(NAMES)
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the code of *source* in its own order, each piece under the symbol that it belongs to.

        Raises:
            UnreadableError: It is empty or no text.
        """
        if is_binary(source.data):
            raise UnreadableError("corrupt", f"{source.name} is not text")
        text = source.text(report).replace("\ufeff", "")
        if not text.strip():
            raise UnreadableError("empty", f"{source.name} is empty")
        language, family = LANGUAGES.get(source.extension) or NAMES.get(source.name.casefold(), ("", ""))
        from gatherum_formats.sourcecode.pieces import read_code

        yield from read_code(text, language, family)


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler of source code."""
    return [SourceCodeHandler()]
