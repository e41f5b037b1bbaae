"""An Outlook message as a mail message: then it is read as any other, with what it carries."""

from __future__ import annotations

import mimetypes
from base64 import b64encode
from email import message_from_string, policy
from email.message import Message
from email.utils import format_datetime
from typing import TYPE_CHECKING, Final

from gatherum_formats.outlook.properties import Properties, open_message
from gatherum_formats.outlook.rtf import unpack_rtf

if TYPE_CHECKING:
    from gatherum import Report

_DEEPEST: Final = 10
_MOST: Final = 1_000
_RTF: Final = 32 << 20
_HIDDEN: Final = (0x7FFE, 0x000B)
_SUBJECT, _BODY, _HTML, _RTF_BODY, _HEADERS, _ID = 0x0037, 0x1000, 0x1013, 0x1009, 0x007D, 0x1035
_SENT, _DELIVERED, _MODIFIED = 0x0039, 0x0E06, 0x3008
_PEOPLE: Final = {1: "To", 2: "Cc", 3: "Bcc"}
_SHOWN_PEOPLE: Final = {"To": 0x0E04, "Cc": 0x0E03, "Bcc": 0x0E02}
_CARD: Final = {
    0x3001: "Name",
    0x3A16: "Company",
    0x3A17: "Job title",
    0x3A18: "Department",
    0x3A19: "Office",
    0x3A08: "Business phone",
    0x3A09: "Home phone",
    0x3A1C: "Mobile phone",
    0x3A24: "Business fax",
    0x3A15: "Postal address",
    0x3A27: "City",
    0x3A26: "Country",
    0x3A2A: "Postal code",
    0x3A51: "Business page",
}
"""What a contact says, [MS-OXOCNTC] section 2.2.1."""


def as_mail(data: bytes, name: str, report: Report) -> Message:
    """Return a message from its compound file.

    Raises:
        UnreadableError: It is damaged, or no message.
    """
    return _mail(open_message(data, name), report, 0)


def _mail(message: Properties, report: Report, depth: int) -> Message:
    mail = Message(policy.compat32)
    mail["Subject"] = message.text(_SUBJECT) or message.text(0x0E1D)
    headers = message_from_string(message.text(_HEADERS)[:100_000])
    sender, address = message.text(0x0C1A) or message.text(0x0042), message.text(0x5D01) or message.text(0x0C1F)
    if sender or address:
        mail["From"] = _person(sender, address)
    people: dict[str, list[str]] = {}
    for number, person in enumerate(message.inner("__recip_version1.0_")):
        if number >= _MOST:
            break
        role = _PEOPLE.get(person.number(0x0C15) & 15, "To")
        shown = _person(person.text(0x3001), person.text(0x39FE) or person.text(0x3003))
        people.setdefault(role, []).append(shown)
    for role, shown_name in _SHOWN_PEOPLE.items():
        if line := ", ".join(filter(None, people.get(role, ()))) or message.text(shown_name):
            mail[role] = line
    moment = message.time(_SENT) or message.time(_DELIVERED) or message.time(_MODIFIED)
    if date := headers.get("Date") or (format_datetime(moment) if moment else ""):
        mail["Date"] = str(date)
    if identifier := message.text(_ID) or headers.get("Message-ID"):
        mail["Message-ID"] = str(identifier)
    if keywords := message.keywords():
        mail["Keywords"] = ", ".join(keywords)
    mail["Content-Type"] = "multipart/mixed"
    mail.attach(_texts(message, report))
    for number, attachment in enumerate(message.inner("__attach_version1.0_")):
        if number >= _MOST:
            report.problem("too_large", f"the message has more than {_MOST} attachments; the rest was left out")
            break
        if part := _attachment(attachment, report, depth):
            mail.attach(part)
    return mail


def _texts(message: Properties, report: Report) -> Message:
    """Return what a message says, in the forms that it has; formatted text where it has nothing else."""
    forms = Message(policy.compat32)
    forms["Content-Type"] = "multipart/alternative"
    card = [f"{label}: {text}" for name, label in _CARD.items() if (text := message.text(name).strip())]
    plain = message.text(_BODY).replace("\r\n", "\n")
    html = message.binary(_HTML)
    if written := message.text(_HTML):
        html = written.encode("utf-8", errors="replace")
    if not plain.strip() and not html.strip() and (packed := message.binary(_RTF_BODY)):
        plain = _formatted(packed, report)
    if message.text(0x001A).lower().startswith("ipm.contact") and card:
        plain, html = "\n\n".join(filter(str.strip, ("\n".join(card), plain))), b""
    if plain.strip() or not html:
        forms.attach(_part("text/plain", plain.encode("utf-8", errors="replace"), "utf-8"))
    if html.strip():
        number = message.number(0x3FDE)
        charset = "utf-8" if written or number == 65001 else f"cp{number}" if number else None
        forms.attach(_part("text/html", html, charset))
    return forms


def _formatted(packed: bytes, report: Report) -> str:
    try:
        data = unpack_rtf(packed, _RTF)
    except ValueError as error:
        report.problem("partial", f"the formatted text cannot be read: {error}")
        return ""
    return "\n\n".join(section.text for section in report.child("message.rtf", data))


def _attachment(attachment: Properties, report: Report, depth: int) -> Message | None:
    name = attachment.text(0x3707) or attachment.text(0x3704) or attachment.text(0x3001)
    inner = attachment.message("__substg1.0_3701000D")
    if inner is not None:
        if depth >= _DEEPEST:
            report.problem("too_deep", "messages are nested too deeply; the innermost were left out")
            return None
        outer = Message(policy.compat32)
        outer["Content-Type"] = "message/rfc822"
        outer.attach(_mail(inner, report, depth + 1))
        return outer
    data = attachment.binary(0x3701)
    if not data:
        return None
    kind = attachment.text(0x370E).strip() or mimetypes.guess_type(name)[0] or "application/octet-stream"
    kind = kind if "/" in kind and not kind.startswith(("multipart/", "message/")) else "application/octet-stream"
    part = _part(kind, data, None)
    part.add_header("Content-Disposition", "attachment")
    part.set_param("name", name or "attachment" + (mimetypes.guess_extension(kind) or ""))
    return part


def _part(kind: str, data: bytes, charset: str | None) -> Message:
    part = Message(policy.compat32)
    part["Content-Type"] = kind
    if charset:
        part.set_param("charset", charset)
    part["Content-Transfer-Encoding"] = "base64"
    part.set_payload(b64encode(data).decode("ascii"))
    return part


def _person(name: str, address: str) -> str:
    """Return "Name <address>"; an address of Exchange's own (X.500) says nothing to a reader."""
    name = name.strip().strip("'")
    address = address if "@" in address else ""
    if not name or name == address:
        return address or name
    if "," in name:
        name = f'"{name}"'
    return f"{name} <{address}>" if address else name
