"""Mail: single messages (.eml) and mailboxes (.mbox)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Glimpse, Handler, Report, Section, Source, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator


class MailHandler(Handler):
    """Read messages with their attachments."""

    name = "mail"
    title = "Mail"
    extensions = (".eml", ".mbox", ".mbx", ".emlx")
    version = 2

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of every message."""
        data = source.data.lstrip(b"\xef\xbb\xbf\r\n\t ")
        if not data:
            raise UnreadableError("empty", f"{source.name} is empty")
        if source.extension == ".emlx":
            length, _, data = data.partition(b"\n")
            data = data[: int(length)] if length.strip().isdigit() and len(length) < 16 else data  # flags come after it
        from gatherum_formats.mail.reading import read_mail

        yield from read_mail(data, source.name, report)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Know a mailbox by its envelope line, which no other text begins with."""
        if not glimpse.head.lstrip(b"\r\n").startswith(b"From "):
            return None
        from gatherum_formats.mail.reading import ENVELOPE

        return ".mbox" if ENVELOPE.match(glimpse.head) else None


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [MailHandler()]
