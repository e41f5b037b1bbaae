"""The interface of a format handler: a source goes in, sections and a report come out."""

from __future__ import annotations

import io
import os
import stat
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, ClassVar

from gatherum.document import Metadata, Section
from gatherum.errors import UnreadableError
from gatherum.jsonable import jsonable
from gatherum.limits.budget import Limits
from gatherum.locator import Locator
from gatherum.problems import ADVICE, Problem
from gatherum.text import clean

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Callable, Iterator

    from gatherum.problems import Code

LONGEST_TITLE = 2000
"""In letters: every passage is stored with the titles that it stands under."""
_LARGE = 8 << 20
"""In bytes: archives above this are read where they lie; pictures are most of them."""
_PROBLEMS = 1000
"""Told of one document; whoever reads more has understood after the first."""
_LONGEST_MESSAGE = 2000
_LONGEST_FIELD = 100_000
_LONGEST_EXTRA = 5_000_000
"""In letters, of all values and names together."""
_MOST_NAMES = 1000
_KNOWN = frozenset(field.name for field in fields(Metadata)) - {"extra"}


class Source:
    """Where bytes come from: a file, or a part of another document.

    Args:
        path: The file, or for data in memory a name with the right extension.
        data: The content, when it is not in a file of its own.
        limits: What may be read of it.
    """

    def __init__(self, path: str | Path, data: bytes | None = None, *, limits: Limits | None = None) -> None:
        self.path = Path(path)
        self.limits = limits or Limits()
        self.faults: tuple[Problem, ...] = ()
        """What is wrong with the bytes themselves, known once they were read."""
        self._given = data

    def __repr__(self) -> str:
        return f"Source({str(self.path)!r})"

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.name or str(self.path)

    @property
    def extension(self) -> str:
        """The suffix in lower case, with its dot; "" if there is none."""
        return self.path.suffix.lower()

    @cached_property
    def data(self) -> bytes:
        """The whole content.

        Raises:
            UnreadableError: It is larger than ``limits.file_bytes``, or no ordinary file.
            OSError: It cannot be read.
        """
        if self._given is not None:
            return self._given
        with self._open() as file:
            data = file.read(self.limits.file_bytes + 1)
        if len(data) > self.limits.file_bytes:
            raise UnreadableError("too_large", f"{self.name} is larger than {self.limits.file_bytes >> 20} MiB")
        return data

    @cached_property
    def zipped(self) -> zipfile.ZipFile:
        """The content as a zip archive, opened once for all who look into it.

        Raises:
            zipfile.BadZipFile: It is none; damaged archives raise other errors too.
        """
        from zipfile import ZipFile

        return ZipFile(self.file)

    @cached_property
    def file(self) -> BinaryIO:
        """The content as a file that can be sought in; a large one is never in memory as a whole.

        Raises:
            UnreadableError: It is larger than ``limits.file_bytes``, or no ordinary file.
            OSError: It cannot be read.
        """
        if self._given is not None or "data" in self.__dict__:
            return io.BytesIO(self.data)
        file = self._open()
        size = os.fstat(file.fileno()).st_size
        if size > self.limits.file_bytes:
            file.close()
            raise UnreadableError("too_large", f"{self.name} is larger than {self.limits.file_bytes >> 20} MiB")
        if size > _LARGE:
            return file
        file.close()
        return io.BytesIO(self.data)

    def close(self) -> None:
        """Close what was opened; the source can be used again."""
        for name in ("zipped", "file"):
            opened = self.__dict__.pop(name, None)
            if opened is not None:
                opened.close()

    def head(self, count: int = 4096) -> bytes:
        """Return the first *count* bytes without reading the rest."""
        if self._given is not None:
            return self._given[:count]
        if "data" in self.__dict__:
            return self.data[:count]
        with self._open() as file:
            return file.read(count)

    def _open(self) -> BinaryIO:
        """Open an ordinary file; waiting for what stands at the other end of a pipe might take for ever."""
        handle = os.open(self.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        mode = os.fstat(handle).st_mode
        if stat.S_ISREG(mode):
            return os.fdopen(handle, "rb")
        os.close(handle)
        what = "a folder" if stat.S_ISDIR(mode) else "a device, pipe or socket"
        raise UnreadableError("not_a_file", f"{self.name} is {what}")

    def text(self, report: Report | None = None, *, declared: str | None = None) -> str:
        """Return the content as text; see `gatherum.text.decode`.

        Args:
            report: Told of a guessed encoding and of damaged bytes, when given.
            declared: The encoding that the content itself names, if any.
        """
        from gatherum.text.decoding import decode

        decoded = decode(self.data, declared=declared)
        if report is not None and decoded.guessed:
            report.problem("encoding_guessed", f"read as {decoded.encoding}, the likeliest encoding")
        if report is not None and decoded.damaged:
            report.problem("partial", f"{decoded.damaged} bytes are not valid {decoded.encoding}")
        return decoded.text


class Report:
    """What a handler tells besides sections: metadata, problems, documents inside the document.

    Args:
        child: Reads a document inside the document; the registry supplies it.
    """

    def __init__(self, child: Callable[[str, bytes], Iterator[Section]] | None = None) -> None:
        self._child = child
        self._known: dict[str, object] = {}
        self._extra: dict[str, object] = {}
        self._seen: set[Problem] = set()
        self.problems: list[Problem] = []

    def problem(self, code: Code, message: str, locator: Locator | None = None) -> None:
        """Record that something could not be read; the same problem is recorded once, and the first thousand are."""
        if code not in ADVICE:
            code, message = "handler_failed", f"{message} (called {code!r}, which is no problem code)"
        place = Locator.sound(locator) if isinstance(locator, Locator) else None
        problem = Problem(code=code, message=clean(str(message))[:_LONGEST_MESSAGE], locator=place)
        if problem in self._seen or len(self.problems) > _PROBLEMS:
            return
        if len(self.problems) == _PROBLEMS:
            problem = Problem(code="partial", message=f"more than {_PROBLEMS} problems; the others are not listed")
        self._seen.add(problem)
        self.problems.append(problem)

    def metadata(self, **fields: object) -> None:
        """Record what the document says about itself.

        The names of `Metadata` fill its fields (the first value that is not empty wins); others go to ``extra``.
        ``authors`` and ``tags`` take a string or a sequence of strings.
        """
        for name, value in fields.items():
            if value is None or value in ("", (), []):
                continue
            if name not in _KNOWN:
                self._extra.setdefault(name, value)
                continue
            if name in ("authors", "tags"):
                values = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list | tuple) else ()
                values = values[:_MOST_NAMES]
                value = tuple(text for item in values if (text := clean(str(item)).strip()[:LONGEST_TITLE]))
            else:
                value = " ".join(clean(str(value)).split())
                value = value[: LONGEST_TITLE if name == "title" else _LONGEST_FIELD]
            if value:
                self._known.setdefault(name, value)

    def child(self, name: str, data: bytes) -> Iterator[Section]:
        """Read a document inside the document with the handler of its own format.

        Its problems join this report; its sections are returned for the handler to yield where they belong.

        Args:
            name: A file name with the right extension.
            data: Its content.
        """
        return iter(()) if self._child is None else self._child(name, data)

    def build(self) -> Metadata:
        """Return the metadata recorded so far; extra values only while they are no book of their own."""
        extra: dict[str, object] = {}
        left = _LONGEST_EXTRA
        for name, value in jsonable(self._extra).items():
            left -= len(name) + _letters(value)
            if left < 0:
                self.problem("too_large", "the document says more about itself than allowed; some was left out")
                break
            extra[name] = value
        return Metadata(**self._known, extra=extra)  # type: ignore[arg-type]


def _letters(value: object) -> int:
    """Return how many letters a plain value has, and one for each other item."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(name) + _letters(item) for name, item in value.items())
    return sum(map(_letters, value)) if isinstance(value, list) else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Glimpse:
    """The first look at a source's content, for telling formats apart.

    Attributes:
        head: The first 4,096 bytes.
        members: The names in the archive, when the content is a zip archive (the first 5,000).
        mimetype: What the archive's ``mimetype`` member says, if there is one.
    """

    head: bytes
    members: frozenset[str] = frozenset()
    mimetype: str = ""


class Handler(ABC):
    """Read one family of formats into sections.

    A handler is made once and used for many sources, in several processes: it keeps no state between calls.
    """

    name: ClassVar[str]
    """Its name in lists and settings, unique among handlers."""
    title: ClassVar[str]
    """The family for people, for example "Word documents"."""
    extensions: ClassVar[tuple[str, ...]]
    """The extensions it reads, in lower case with their dots."""
    also: ClassVar[tuple[str, ...]] = ()
    """More general extensions that its files may carry too, and that others read unless it recognises the content."""
    names: ClassVar[tuple[str, ...]] = ()
    """Whole names of files without an extension that it reads too, in lower case, for example "readme"."""
    version: ClassVar[int] = 1
    """Raised whenever sections come out differently: files are then read again."""

    @abstractmethod
    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of *source* in reading order.

        Should something be missing or damaged, tell *report* and go on. Where nothing at all can be read, raise
        `UnreadableError`. Any other exception is recorded as ``handler_failed``; what was yielded before it is kept.
        """

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Return the extension that the content deserves, if it surely belongs to this handler; else None.

        Only unmistakable marks count: magic bytes, a package's content types, an XML root. Raising counts as None.
        """
        return None
