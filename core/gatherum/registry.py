"""Dispatch each source to the handler of its format, and let nothing that a handler does reach the caller."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gatherum.document import Document, Metadata
from gatherum.errors import UnreadableError
from gatherum.handler import Glimpse, Handler, Report, Source
from gatherum.limits.budget import Limits
from gatherum.nesting import outermost
from gatherum.plugins import load_plugins
from gatherum.problems import Problem
from gatherum.soundness import bounded, sound_metadata
from gatherum.text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from gatherum.archives import Archives
    from gatherum.document import Section, State
    from gatherum.plugins import PluginInfo, Plugins, Refine
    from gatherum.problems import Code

_FATAL: frozenset[Code] = frozenset(
    (
        "corrupt",
        "crashed",
        "denied",
        "drm",
        "empty",
        "legacy_format",
        "memory",
        "missing_part",
        "no_text",
        "not_a_file",
        "outside",
        "partial",
        "password_protected",
        "timeout",
        "too_deep",
        "too_large",
        "unnameable",
        "vanished",
        "handler_failed",
    )
)
_LONGEST_ERROR = 1000
_HARMLESS: frozenset[Code] = frozenset(("encoding_guessed", "hidden_text", "wrong_extension", "empty"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One extension and who reads it.

    Attributes:
        extension: With its dot; or the whole name of a file without one.
        handler: The handler in use.
        title: The handler's family.
        plugin: The plugin that brought the handler.
        distribution: The package that brought the plugin.
        shadowed: Other handlers of this extension that are not used.
    """

    extension: str
    handler: str
    title: str
    plugin: str
    distribution: str
    shadowed: tuple[str, ...] = ()


class Registry:
    """The handlers in use, by extension.

    For an extension that several handlers claim, the user's setting decides, then third parties come before built-in
    handlers, then the plugin's name.

    Args:
        plugins: What the installed plugins bring.
        preferred: Extension (with its dot) to the name of the handler that must read it.
        limits: What may be read of one source.

    Attributes:
        unasked: Handlers that are not asked whether a content is their own.
        asking: Told the name of each handler of a third party that is asked so, and "" when none is any more.
        visited: Whether the code of a third party has run since this was last made false.
    """

    def __init__(
        self, plugins: Plugins, *, preferred: Mapping[str, str] | None = None, limits: Limits | None = None
    ) -> None:
        self.plugins = plugins
        self.limits = limits or Limits()
        self._archives: Archives | None = None
        self.unasked: frozenset[str] = frozenset()
        self.asking: Callable[[str], object] | None = None
        self.visited = False
        self._handlers = [handler for _, handler in plugins.handlers]
        foreign = [handler for info, handler in plugins.handlers if not info.built_in]
        self._foreign = {handler.name for handler in foreign}
        self._asked = {handler.name for handler in foreign if type(handler).recognise is not Handler.recognise}
        claims: dict[str, list[tuple[PluginInfo, Handler]]] = {}
        for info, handler in sorted(plugins.handlers, key=lambda pair: (pair[0].built_in, pair[0].name)):
            for extension in (*handler.extensions, *handler.names):
                claims.setdefault(extension, []).append((info, handler))
        for extension, name in (preferred or {}).items():
            every = [(info, handler) for info, handler in plugins.handlers if handler.name == name]
            claims[extension] = every + [pair for pair in claims.get(extension, ()) if pair not in every]
        self._claims = {extension: pairs for extension, pairs in sorted(claims.items()) if pairs}

    @property
    def extensions(self) -> tuple[str, ...]:
        """Every extension that can be read."""
        return tuple(self._claims)

    @property
    def formats(self) -> tuple[Format, ...]:
        """Every extension with its handler."""
        return tuple(
            Format(
                extension=extension,
                handler=pairs[0][1].name,
                title=pairs[0][1].title,
                plugin=pairs[0][0].name,
                distribution=pairs[0][0].distribution,
                shadowed=tuple(handler.name for _, handler in pairs[1:]),
            )
            for extension, pairs in self._claims.items()
        )

    def handler(self, extension: str) -> Handler | None:
        """Return the handler in use for *extension*, or for the whole name of a file without one."""
        pairs = self._claims.get(extension.lower())
        return pairs[0][1] if pairs else None

    def named(self, path: str) -> str:
        """Return "handler@version" of the handler for a file's name; "" if there is none."""
        handler = self.handler(claim_of(path))
        return f"{handler.name}@{handler.version}" if handler else ""

    def versions(self) -> dict[str, str]:
        """Return "handler@version" for each extension: what, besides its bytes, decides how a file reads."""
        return {ext: f"{pairs[0][1].name}@{pairs[0][1].version}" for ext, pairs in self._claims.items()}

    @property
    def refiners(self) -> tuple[str, ...]:
        """Return "plugin@version" for each plugin that refines documents: that, too, decides how a file reads."""
        return tuple(f"{info.name}@{info.version}" for info, _ in self.plugins.refiners)

    @property
    def infos(self) -> tuple[PluginInfo, ...]:
        """Every plugin, with the extensions that it claims and another plugin reads."""
        shadowed: dict[tuple[str, str], list[str]] = {}
        for extension, pairs in self._claims.items():
            users = {(info.distribution, info.name) for info, _ in pairs[1:]}
            for key in users - {(pairs[0][0].distribution, pairs[0][0].name)}:
                shadowed.setdefault(key, []).append(extension)
        return tuple(
            replace(info, shadowed=tuple(shadowed.get((info.distribution, info.name), ())))
            for info in self.plugins.infos
        )

    def read(self, path: str | os.PathLike[str] | Source) -> Document:
        """Read one source. Never raises: what went wrong is in ``problems`` and ``state``."""
        source = path if isinstance(path, Source) else self._source(os.fspath(path))
        try:
            document = self._read(source, depth=0)
        finally:
            source.close()
        if document.state in ("read", "partial"):
            for info, refine in self.plugins.refiners:
                self.visited = self.visited or not info.built_in
                document = _refined(document, info, refine, source.limits)
        return document

    def _source(self, path: str) -> Source:
        """Return a file, or what is in an archive; a folder may have a name that looks like the way into one."""
        if not outermost(path)[1] or os.path.lexists(path):
            return Source(path, limits=self.limits)
        from gatherum.archives import Archives, MemberSource

        if self._archives is None:
            self._archives = Archives(self.limits)
        return MemberSource(path, self._archives, limits=self.limits)

    def _read(self, source: Source, *, depth: int) -> Document:
        report = Report(lambda name, data: self._child(report, name, data, source=source, depth=depth + 1))
        sections: list[Section] = []
        handler, extension = None, source.extension
        silent: list[Problem] = []
        try:
            handler, extension = self._identify(source, report, silent)
            for fault in source.faults:
                report.problem(fault.code, fault.message)
            if handler is None:
                what = f"no handler for {extension} files" if extension else "no handler for files without extension"
                report.problem("unsupported", what)
            else:
                self.visited = self.visited or handler.name in self._foreign
                sections.extend(bounded(handler.read(source, report), source.limits, report))
        except UnreadableError as error:
            report.problem(error.code, error.message)
        except FileNotFoundError:
            report.problem("vanished", f"{source.name} is not there")
        except PermissionError:
            report.problem("denied", f"no permission to read {source.name}")
        except OSError as error:
            report.problem("denied", f"{source.name} cannot be read: {error.strerror or type(error).__name__}")
        except MemoryError:
            report.problem("memory", f"{source.name} takes more memory than allowed")
        except RecursionError:
            report.problem("too_deep", f"{source.name} is nested too deeply")
        except Exception as error:  # noqa: BLE001 - the boundary between gatherum and any format
            name = handler.name if handler else "identification"
            report.problem("handler_failed", f"{name} failed on {source.name}: {_said(error)}")
        metadata = _built(report)
        return Document(
            path=clean(str(source.path)),
            state=_state(handler, sections, report),
            format=clean(extension.removeprefix(".")),
            handler=handler.name if handler else "",
            metadata=metadata,
            sections=tuple(sections),
            problems=(*report.problems, *silent),
        )

    def _child(self, report: Report, name: str, data: bytes, *, source: Source, depth: int) -> Iterator[Section]:
        if depth > self.limits.children:
            report.problem("too_deep", f"{name} is more than {self.limits.children} documents deep")
            return
        document = self._read(Source(name, data, limits=source.limits), depth=depth)
        for problem in document.problems:
            report.problem(problem.code, f"{name}: {problem.message}")
        yield from document.sections

    def _identify(self, source: Source, report: Report, silent: list[Problem]) -> tuple[Handler | None, str]:
        """Choose by extension, then let the content have its say; what fails at that loses nothing of the source."""
        extension = source.extension
        by_name = self.handler(claim_of(source.name))
        if by_name is not None and not extension:
            extension = by_name.extensions[0]
        glimpse = _glimpse(source)
        for handler in sorted(self._handlers, key=lambda handler: handler is not by_name):
            recognised = self._recognised(handler, glimpse, silent)
            if recognised is None:
                continue
            if handler is by_name or (by_name is not None and self.handler(recognised) is by_name):
                return by_name, extension
            if extension and by_name is not None and extension not in handler.also:
                report.problem("wrong_extension", f"{source.name} is really a {recognised} file")
            return self.handler(recognised) or handler, recognised
        return by_name, extension

    def _recognised(self, handler: Handler, glimpse: Glimpse, silent: list[Problem]) -> str | None:
        """Ask a handler whether a content is its own; one that fails must not keep others from their files."""
        if handler.name in self.unasked:
            return None
        asked = handler.name in self._asked
        self.visited = self.visited or asked
        ask = self.asking if asked else None
        if ask:
            ask(handler.name)
        try:
            recognised: object = handler.recognise(glimpse)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - the boundary between gatherum and any format
            message = f"the handler {handler.name} failed when asked whether this file is its own: "
            silent.append(Problem(code="handler_failed", message=message + _said(error)))
            return None
        finally:
            if ask:
                ask("")
        return recognised if isinstance(recognised, str) else None


def claim_of(path: str) -> str:
    """Return what a file is claimed by: its extension with the dot, or its whole name if it has none; lower case."""
    name = path.rpartition("/")[2].lower()
    stem, dot, extension = name.rpartition(".")
    return f".{extension}" if dot and stem else name


def load_registry(
    *, blocked: Collection[str] = (), preferred: Mapping[str, str] | None = None, limits: Limits | None = None
) -> Registry:
    """Return a registry of every installed plugin's handlers.

    Args:
        blocked: Plugins or distributions to leave out.
        preferred: Extension to handler name.
        limits: What may be read of one source.
    """
    return Registry(load_plugins(blocked=blocked), preferred=preferred, limits=limits)


def _glimpse(source: Source) -> Glimpse:
    head = source.head()
    if not head.startswith(b"PK\x03\x04"):
        return Glimpse(head=head)
    from zipfile import BadZipFile

    try:
        names = frozenset(source.zipped.namelist()[:5000])
    except (BadZipFile, OSError, ValueError, NotImplementedError, UnreadableError):
        return Glimpse(head=head)
    return Glimpse(head=head, members=names, mimetype=_mimetype(head))


def _mimetype(head: bytes) -> str:
    """Return what a first, stored member called ``mimetype`` says (OpenDocument and EPUB put it there)."""
    size, length, extra = (int.from_bytes(head[at : at + n], "little") for at, n in ((18, 4), (26, 2), (28, 2)))
    start = 30 + length + extra
    if head[30 : 30 + length] != b"mimetype" or size > 200:
        return ""
    return head[start : start + size].decode("ascii", errors="replace").strip()


def _refined(document: Document, info: PluginInfo, refine: Refine, limits: Limits) -> Document:
    """Let a plugin change the metadata and sections of a document; one that fails at that changes nothing."""
    report = Report()
    try:
        changed: object = refine(document)
        if changed is None:
            return document
        if not isinstance(changed, Document):
            raise TypeError(f"it returned {type(changed).__name__} instead of Document")
        sections = tuple(bounded(changed.sections, limits, report))
        metadata = sound_metadata(changed.metadata)
    except MemoryError:
        report.problem("memory", f"the plugin {info.name} takes more memory than allowed to refine the document")
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - the boundary between gatherum and any plugin
        report.problem("handler_failed", f"the plugin {info.name} failed to refine the document: {_said(error)}")
    else:
        document = replace(document, sections=sections, metadata=metadata)
    return replace(document, problems=(*document.problems, *report.problems))


def _built(report: Report) -> Metadata:
    """Return the metadata; what a handler calls metadata may be anything."""
    try:
        return report.build()
    except Exception as error:  # noqa: BLE001 - the boundary between gatherum and any format
        report.problem("handler_failed", f"the metadata cannot be used: {_said(error)}")
        return Metadata()


def _said(error: BaseException) -> str:
    """Return what an exception says; one of a plugin's own may fail even at that."""
    name = type(error).__name__
    try:
        return clean(f"{name}: {error}")[:_LONGEST_ERROR]
    except Exception:  # noqa: BLE001 - the boundary between gatherum and any format
        return name


def _state(handler: Handler | None, sections: list[Section], report: Report) -> State:
    codes = {problem.code for problem in report.problems}
    if any(section.text.strip() or section.heading for section in sections):
        return "partial" if codes - _HARMLESS else "read"
    if codes & _FATAL:
        return "unreadable"
    return "read" if handler else "unsupported"
