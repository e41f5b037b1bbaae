"""Find the files of a folder without trusting it: never hangs, never leaves the root, skips nothing silently."""

from __future__ import annotations

import errno
import os
import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from gatherum.collection import holds
from gatherum.config import FILE, SHELF
from gatherum.errors import ConfigError, UnreadableError
from gatherum.limits.budget import Limits
from gatherum.nesting import SEPARATOR, is_archive

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pathspec import GitIgnoreSpec

    from gatherum.archives import Archives, Listed
    from gatherum.config import IndexSettings
    from gatherum.problems import Code

Rule = Literal["hidden", "ignored", "excluded", "secret", "generated", "not_included", "unpacked"]

_IGNORE_FILES: Final = (".gitignore", ".gatherumignore")  # the later has the last word
GENERATED: Final = frozenset({"node_modules", "__pycache__", ".venv", "venv", ".git", ".hg", ".svn", ".tox"})
LOCKS: Final = ("~$", ".~lock.", ".#")
_SECRETS: Final = (
    *(".env", ".env.*", "*.pem", "*.key", "*.p12", "*.pfx", "*.kdbx", "*.jks", "*.keystore"),
    *("id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", ".ssh/", ".gnupg/", ".aws/", ".docker/config.json"),
    *(".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd", ".git-credentials"),
    *("credentials", "credentials.*", "secrets.*"),
)
_DEEPEST: Final = 64
_READABLE: Final = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file to read.

    Attributes:
        path: Relative to the root, with forward slashes.
        size: In bytes.
        mtime_ns: When its content changed.
        ctime_ns: When its content or its inode changed; catches edits that put the old mtime back.
        inode: Its number in the file system.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A file or folder that is left out.

    Attributes:
        path: Relative to the root, with forward slashes.
        rule: The rule that leaves it out by design; None when something is wrong with it.
        code: The problem with it, when something is.
        message: One sentence about it.
        folder: Whether it is a folder, with all that is in it.
    """

    path: str
    message: str
    rule: Rule | None = None
    code: Code | None = None
    folder: bool = False


def walk(
    root: Path, settings: IndexSettings, *, below: str = "", archives: Archives | None = None
) -> Iterator[Found | Skipped]:
    """Yield every file below *root*, folder by folder in the order of names; what an archive holds, after it.

    Args:
        root: An existing folder.
        settings: What to leave out.
        below: Yield only this file or folder, relative to the root.
        archives: Opens archives, where the settings have it so.

    Raises:
        ConfigError: A pattern of the settings is none.
    """
    yield from _Walk(root, settings, below, archives).run()


class _Walk:
    def __init__(self, root: Path, settings: IndexSettings, below: str, archives: Archives | None) -> None:
        from pathspec import GitIgnoreSpec

        self._root = os.path.realpath(root)
        self._settings = settings
        self._below = below.strip("/")
        self._archives = archives
        self._secrets = GitIgnoreSpec.from_lines(_SECRETS)
        for name, patterns in (("exclude", settings.exclude), ("include", settings.include)):
            if wrong := sorted({*patterns} - {*_sound(patterns)}):
                raise ConfigError(f"index.{name} has {wrong[0]!r}", hint="Write patterns as in .gitignore.")
        self._exclude = GitIgnoreSpec.from_lines(settings.exclude)
        self._include = GitIgnoreSpec.from_lines(settings.include) if settings.include else None
        self._seen: set[tuple[int, int]] = set()

    def run(self) -> Iterator[Found | Skipped]:
        todo: list[tuple[str, tuple[tuple[str, GitIgnoreSpec], ...]]] = [("", ())]
        while todo:
            folder, ignores = todo.pop()
            try:
                status = os.stat(self._full(folder))  # noqa: PTH116 - follows _full
                if (status.st_dev, status.st_ino) in self._seen:
                    yield Skipped(
                        path=folder, message="this folder has been visited already", code="outside", folder=True
                    )
                    continue
                self._seen.add((status.st_dev, status.st_ino))
                _open_to_somebody(status)
                with os.scandir(self._full(folder)) as entries:
                    children = sorted(entries, key=lambda entry: entry.name)
            except OSError as error:
                yield Skipped(path=_printable(folder), message=_why(error), code="denied", folder=True)
                continue
            if self._settings.gitignore:
                ignores = (*ignores, *self._ignore_files(folder, children))
            folders = []
            for entry in children:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.name == SHELF or not self._concerns(path):
                    continue
                try:
                    outcome = self._look(entry, path, ignores)
                except FileNotFoundError:
                    outcome = Skipped(path=_printable(path), message="it is not there", code="vanished")
                except OSError as error:
                    outcome = Skipped(path=_printable(path), message=_why(error), code="denied")
                if outcome is None:
                    folders.append((path, ignores))
                elif self._settings.archives and isinstance(outcome, Found) and is_archive(path):
                    yield from self._members(outcome, entry.path, ignores)
                else:
                    yield outcome
            todo.extend(reversed(folders))

    def _full(self, path: str) -> str:
        return os.path.join(self._root, path) if path else self._root  # noqa: PTH118 - speed over 100,000 files

    def _concerns(self, path: str) -> bool:
        """Whether *path* is, holds, or is held by what was asked for."""
        below = self._below
        return holds(below, path) or holds(path, below)

    def _look(
        self, entry: os.DirEntry[str], path: str, ignores: tuple[tuple[str, GitIgnoreSpec], ...]
    ) -> Found | Skipped | None:
        """Return the file, the reason to leave it out, or None for a folder to enter."""
        try:
            path.encode()
        except UnicodeEncodeError:
            return Skipped(path=_printable(path), message="the name is not valid UTF-8", code="unnameable")
        if entry.is_symlink():
            target = os.path.realpath(entry.path)
            if target != self._root and not target.startswith(self._root.rstrip(os.sep) + os.sep):
                return Skipped(path=path, message="the link leads out of the folder", code="outside")
            if not self._settings.follow_links:
                return Skipped(path=path, message="links are not followed", rule="excluded", folder=entry.is_dir())
        is_folder = entry.is_dir()
        rule = self._rule(entry.name, path, is_folder, ignores)
        if rule == "not_included" and self._settings.archives and is_archive(path):
            rule = None  # what is in it may be included
        if rule:
            return Skipped(path=path, message=_SAY[rule], rule=rule, folder=is_folder)
        if is_folder:
            if path.count("/") >= _DEEPEST:
                return Skipped(path=path, message=f"deeper than {_DEEPEST} folders", code="too_deep", folder=True)
            return None
        status = entry.stat()
        if not stat.S_ISREG(status.st_mode):
            return Skipped(path=path, message="this is a device, pipe or socket", code="not_a_file")
        _open_to_somebody(status)
        if status.st_size > self._settings.max_file_mb << 20:
            limit = f"{self._settings.max_file_mb} MB (index.max_file_mb)"
            return Skipped(path=path, message=f"larger than {limit}", code="too_large")
        return Found(
            path=path,
            size=status.st_size,
            mtime_ns=status.st_mtime_ns,
            ctime_ns=status.st_ctime_ns,
            inode=status.st_ino,
        )

    def _members(
        self, archive: Found, full: str, ignores: tuple[tuple[str, GitIgnoreSpec], ...]
    ) -> Iterator[Found | Skipped]:
        """Yield what an archive holds; names in it are judged as those of files and folders are."""
        from gatherum.archives import Archives, listing

        if self._archives is None:
            self._archives = Archives(Limits(file_bytes=self._settings.max_file_mb << 20))
        refused: list[Skipped] = []

        def enter(path: str) -> bool:
            rule = self._rule_inside(archive.path, path, ignores, included=True)
            if rule:
                refused.append(Skipped(path=path, message=_SAY[rule], rule=rule))
            return rule is None and self._concerns(path)

        limits = Limits(file_bytes=self._settings.max_file_mb << 20)
        said = False
        try:
            inside = listing(self._archives, full, archive.path, limits, enter)
            if inside is None or os.path.lexists(f"{full}!"):
                yield archive
                return
            for item in inside:
                yield from refused
                refused.clear()
                said = said or item.path == archive.path
                if self._concerns(item.path):
                    yield self._member(archive, item, ignores)
            yield from refused
        except UnreadableError as error:
            yield Skipped(path=archive.path, message=error.message, code=error.code)
            return
        except OSError as error:
            yield Skipped(path=archive.path, message=_why(error), code="denied", folder=True)
            return
        if not said and holds(self._below, archive.path):
            yield Skipped(path=archive.path, message=_SAY["unpacked"], rule="unpacked")

    def _member(self, archive: Found, item: Listed, ignores: tuple[tuple[str, GitIgnoreSpec], ...]) -> Found | Skipped:
        if item.path != archive.path and (rule := self._rule_inside(archive.path, item.path, ignores)):
            return Skipped(path=item.path, message=_SAY[rule], rule=rule)
        if item.link:
            return Skipped(path=item.path, message="links are not followed", rule="excluded")
        if item.code:
            return Skipped(path=item.path, message=item.message, code=item.code)
        # the archive's own times: it is the file that changes, and that answers are checked against
        return replace(archive, path=item.path, size=item.size)

    def _rule_inside(
        self, archive: str, path: str, ignores: tuple[tuple[str, GitIgnoreSpec], ...], *, included: bool = False
    ) -> Rule | None:
        """Return the rule that leaves out a member, or a folder on the way to it."""
        at = len(archive) + len(SEPARATOR)
        while (at := path.find("/", at)) >= 0:
            folder = path[:at]
            name = folder.rpartition("/")[2]
            if rule := self._rule(name, folder, True, ignores):
                return rule
            at += 1
        rule = self._rule(path.rpartition("/")[2], path, False, ignores)
        if rule == "not_included" and (included or (self._include and self._include.match_file(archive))):
            return None
        return rule

    def _rule(
        self, name: str, path: str, is_folder: bool, ignores: tuple[tuple[str, GitIgnoreSpec], ...]
    ) -> Rule | None:
        marked = f"{path}/" if is_folder else path
        if (is_folder and name in GENERATED) or name.startswith(LOCKS) or name == FILE:
            return "generated"
        if self._secrets.match_file(marked):
            return "secret"
        if self._exclude.match_file(marked):
            return "excluded"
        if name.startswith(".") and not self._settings.hidden:
            return "hidden"
        if self._ignored(marked, ignores):
            return "ignored"
        if self._include is not None and not is_folder and not self._include.match_file(path):
            return "not_included"
        return None

    def _ignored(self, marked: str, ignores: tuple[tuple[str, GitIgnoreSpec], ...]) -> bool:
        """Let the deepest ignore file that has an opinion decide, as git does."""
        for base, spec in reversed(ignores):
            verdict = spec.check_file(marked[len(base) :]).include
            if verdict is not None:
                return verdict
        return False

    def _ignore_files(self, folder: str, children: list[os.DirEntry[str]]) -> Iterator[tuple[str, GitIgnoreSpec]]:
        from pathspec import GitIgnoreSpec

        present = {entry.name: entry for entry in children if entry.name in _IGNORE_FILES}
        for name in _IGNORE_FILES:
            try:
                if name in present and present[name].is_file(follow_symlinks=False):
                    text = Path(present[name].path).read_text(encoding="utf-8", errors="replace")
                    yield (f"{folder}/" if folder else ""), GitIgnoreSpec.from_lines(_sound(text.splitlines()))
            except OSError:
                continue


def _open_to_somebody(status: os.stat_result) -> None:
    """Raise the error that anybody but root would get: what is closed to all must not become searchable by all."""
    if not status.st_mode & _READABLE and _is_root():
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _sound(patterns: Sequence[str]) -> list[str]:
    """Return the patterns without those that are none: one bad line must not undo the others."""
    from pathspec import GitIgnoreSpec

    sound = []
    for pattern in patterns:
        try:
            GitIgnoreSpec.from_lines([pattern])
        except (ValueError, re.error):
            continue
        sound.append(pattern)
    return sound


_SAY: Final[dict[Rule, str]] = {
    "excluded": "left out by index.exclude",
    "generated": "generated, a lock of another program, or gatherum's own settings",
    "hidden": "hidden; index.hidden reads such files",
    "ignored": "named by a .gitignore or .gatherumignore file",
    "not_included": "not among index.include",
    "secret": "may hold secrets",
    "unpacked": "an archive: the files in it are documents of their own",
}


def _printable(path: str) -> str:
    return path.encode("utf-8", errors="replace").decode()


def _why(error: OSError) -> str:
    return f"cannot be read: {(error.strerror or type(error).__name__).lower()}"
