"""Mail from its bytes to its sections."""

from __future__ import annotations

import re
from email.utils import getaddresses
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder, UnreadableError
from gatherum.text import is_binary
from gatherum_formats.mail.message import header, message_sections, parse_message
from gatherum_formats.shared.mail_date import iso_date

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message

    from gatherum import Report, Section

ENVELOPE: Final = re.compile(rb"(?:\A|\n\r?\n|\n(?=From \S+@))(From [^\n]*\d{4}[^\n]*\r?\n)(?=[!-9;-~]+:|>From )")
_ESCAPED: Final = re.compile(rb"^>(>*From )", re.MULTILINE)
_FIELD: Final = re.compile(rb"[!-9;-~]{1,80}[ \t]*:")


def read_mail(data: bytes, name: str, report: Report) -> Iterator[Section]:
    """Yield the sections of every message.

    Args:
        data: A message, or a mailbox.
        name: What it is called in problems.
        report: Told of metadata and problems.

    Raises:
        UnreadableError: It is no mail.
    """
    messages = _messages(data) if data.startswith(b"From ") else [data]
    if not _FIELD.match(messages[0]):
        if is_binary(data):
            raise UnreadableError("corrupt", f"{name} is no mail message")
        report.problem("partial", f"{name} has no header")
    builder = SectionBuilder()
    for number, raw in enumerate(messages, 1):
        place = Locator(unit="message", start=number)
        try:
            message = parse_message(raw)
        except RecursionError:
            report.problem("too_deep", f"message {number} is nested too deeply", place)
            continue
        if len(messages) == 1:
            _tell(message, report)
        yield from message_sections(message, builder, report, place)
    yield from builder.close()


def read_message(message: Message, report: Report) -> Iterator[Section]:
    """Yield the sections of one message that was parsed already."""
    builder = SectionBuilder()
    _tell(message, report)
    yield from message_sections(message, builder, report, Locator(unit="message", start=1))
    yield from builder.close()


def _tell(message: Message, report: Report) -> None:
    """Record what a message says about itself."""
    sender = header(message, "From")
    report.metadata(
        title=header(message, "Subject"),
        authors=[person or address for person, address in getaddresses([sender])] if sender else [],
        created=iso_date(header(message, "Date")),
        message_id=header(message, "Message-ID"),
    )


def _messages(data: bytes) -> list[bytes]:
    """Part a mailbox at the envelope lines, and take away what protects such lines inside messages."""
    starts = [(match.start(1), match.end(1)) for match in ENVELOPE.finditer(data)]
    if not starts:
        return [data.partition(b"\n")[2]]
    ends = [start for start, _ in starts[1:]] + [len(data)]
    return [_ESCAPED.sub(rb"\1", data[start:end]) for (_, start), end in zip(starts, ends, strict=True)]
