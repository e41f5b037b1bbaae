"""Work out what changes in a settings file, and do it."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gatherum.errors import ConfigError
from gatherum.install import receipts
from gatherum.install.entries import Piece, TomlServer
from gatherum.install.files import SettingsFile, read
from gatherum.install.jsonc import parse
from gatherum.install.receipts import Receipt
from gatherum.install.text import BrokenError, Edit, UneditableError
from gatherum.install.tomledit import parse as parse_toml

if TYPE_CHECKING:
    from collections.abc import Sequence

What = Literal["nothing to do", "added", "updated", "removed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is to become of one settings file.

    Attributes:
        file: The file as it was read.
        text: What it is to say; None if it is to be deleted.
        what: What that means.
        receipt: What to remember of it; None for nothing.
    """

    file: SettingsFile
    text: str | None
    what: What
    receipt: Receipt | None

    def diff(self) -> str:
        """Return the change as a unified diff; empty if nothing changes."""
        if self.what == "nothing to do":
            return ""
        there, here = str(self.file.path), "/dev/null"
        lines = difflib.unified_diff(
            self.file.text.splitlines(keepends=True),
            (self.text or "").splitlines(keepends=True),
            here if self.file.data is None else there,
            here if self.text is None else there,
        )
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)

    def apply(self, folder: Path) -> None:
        """Do it; *folder* is where receipts are kept.

        Raises:
            ConfigError: The file cannot be written; it is as it was.
        """
        if self.what == "nothing to do":
            return
        try:
            if self.text is None:
                self.file.delete([Path(each) for each in self.receipt.folders] if self.receipt else [])
                receipts.save(folder, self.file.path, None)
                return
            before = receipts.load(folder, self.file.path)
            kept = self.receipt
            if kept and self.file.missing:
                kept = Receipt(created=kept.created, folders=tuple(map(str, self.file.missing)), edits=kept.edits)
            receipts.save(folder, self.file.path, kept)
            try:
                self.file.write(self.text)
            except BaseException:
                receipts.save(folder, self.file.path, before)
                raise
        except OSError as error:
            raise ConfigError(
                f"{self.file.path} cannot be written: {error.strerror}", hint="It is as it was."
            ) from None


def install(path: Path, pieces: Sequence[Piece], *, receipts_in: Path, force: bool = False) -> Change:
    """Work out how entries get into a file.

    Raises:
        ConfigError: The file is broken, or something else has an entry's name.
    """
    file = read(path)
    receipt = receipts.load(receipts_in, file.path)
    if file.data is None or receipt is None:
        receipt = Receipt(created=file.data is None, edits={})
    text, what = file.text, "nothing to do"
    for piece in pieces:
        with _told(file):
            held = piece.held(text)
            if held is not None and held == piece.wanted(text):
                continue
            if held is None:
                edit = piece.add(text)
                receipt = receipt.having(piece.key, edit)
            elif piece.is_ours(held):
                edit = piece.replace(text)
                receipt = receipt.having(piece.key, _both(receipt.edits.get(piece.key), edit))
            elif force:
                edit = piece.replace(text)
                receipt = receipt.having(piece.key, edit)
            else:
                raise ConfigError(
                    f"{file.path} has a {piece.key} already that does not start gatherum",
                    hint="Give yours another name with --name, or replace that one with --force.",
                )
            text = edit.apply(text)
            what = "added" if held is None and what != "updated" else "updated"
    return Change(file=file, text=text, what=what, receipt=receipt)  # type: ignore[arg-type] # one of the words above


def uninstall(path: Path, pieces: Sequence[Piece], *, receipts_in: Path) -> Change:
    """Work out how entries get out of a file.

    Raises:
        ConfigError: The file is broken, or an entry's name is somebody else's.
    """
    file = read(path)
    receipt = receipts.load(receipts_in, file.path) or Receipt(edits={})
    text, taken = file.text, False
    for piece in reversed(pieces):
        with _told(file):
            held = piece.held(text)
            if held is None:
                continue
            if not piece.is_ours(held):
                raise ConfigError(
                    f"{file.path} has a {piece.key} that does not start gatherum", hint="It was left alone."
                )
            text = _without(text, piece, receipt.edits.get(piece.key))
            receipt, taken = receipt.having(piece.key, None), True
    if not taken:
        return Change(file=file, text=text, what="nothing to do", receipt=receipt)
    gone = receipt.created and not receipt.edits and _is_empty(text, toml=isinstance(pieces[0], TomlServer))
    kept = receipt if receipt.edits or gone else None
    return Change(file=file, text=None if gone else text, what="removed", receipt=kept)


def _without(text: str, piece: Piece, edit: Edit | None) -> str:
    """Return a text as it was before an entry was put in or, if its surroundings changed, just without the entry."""
    taken_out = piece.remove(text).apply(text)
    undone = edit.undo(text) if edit else None
    if edit is None:
        return taken_out
    taken_out = piece.tidy(taken_out, edit.new)
    if undone is None:
        return taken_out
    try:
        held = piece.held(undone)
        sound = held is None or not piece.is_ours(held)
        same = _bare(undone, piece) == _bare(taken_out, piece) or held is not None
    except ValueError:
        return taken_out
    return undone if sound and same else taken_out


def _bare(text: str, piece: Piece) -> Any:
    """Return what a text says, without what is empty."""
    if isinstance(piece, TomlServer):
        return _pruned(parse_toml(text))
    root = parse(text, comments=True)
    return _pruned(root.plain if root else {})


def _is_empty(text: str, *, toml: bool) -> bool:
    if toml:
        return not text.strip()
    root = parse(text, comments=True)
    return "//" not in text and "/*" not in text and (root is None or _pruned(root.plain) == {})


def _pruned(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    kept = {key: _pruned(inner) for key, inner in value.items()}
    return {key: inner for key, inner in kept.items() if inner not in ({}, [])}


def _both(first: Edit | None, second: Edit) -> Edit | None:
    """Return two changes, of which the second is within what the first wrote, as one; None if that is not so."""
    if first is None or first.new.count(second.old) != 1:
        return None
    return Edit(at=first.at, old=first.old, new=first.new.replace(second.old, second.new))


class _told:  # noqa: N801 - reads as a word of the language
    """Tells of a broken file with its name."""

    def __init__(self, file: SettingsFile) -> None:
        self._file = file

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BrokenError):
            message = f"{self._file.path} is broken: {error}"
            raise ConfigError(message, hint="Nothing was changed. Mend the file, then try again.") from None
        if isinstance(error, UneditableError):
            message = f"{self._file.path} cannot be changed: {error}"
            raise ConfigError(message, hint="Nothing was changed. Edit the file by hand.") from None


def snippet(path: Sequence[str], name: str, entry: dict[str, Any]) -> str:
    """Return an entry as JSON for a person to paste."""
    made: dict[str, Any] = {name: entry}
    for key in reversed(path):
        made = {key: made}
    return json.dumps(made, indent=2, ensure_ascii=False)
