"""Outlook messages (.msg): text, people, attachments, messages inside messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gatherum import Glimpse, Handler, Report, Section, Source, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAGIC: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MARK: Final = "__properties_version1.0".encode("utf-16-le")


class OutlookHandler(Handler):
    """Read messages, and contacts, tasks and notes, as Outlook saves them."""

    name = "outlook"
    title = "Outlook messages"
    extensions = (".msg",)

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of a message.

        Raises:
            UnreadableError: It is empty, damaged, or no message.
        """
        data = source.data
        if not data:
            raise UnreadableError("empty", f"{source.name} is empty")
        if not data.startswith(_MAGIC):
            raise UnreadableError("corrupt", f"{source.name} is no Outlook message")
        from gatherum_formats.mail.reading import read_message
        from gatherum_formats.outlook.message import as_mail

        yield from read_message(as_mail(data, source.name, report), report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know a message whose list of streams stands near its beginning; others are known by their names."""
        return ".msg" if glimpse.head.startswith(_MAGIC) and _MARK in glimpse.head else None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [OutlookHandler()]
