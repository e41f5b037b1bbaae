"""One mail message as sections: what was said, who said it, what was attached."""

from __future__ import annotations

import mimetypes
import re
from base64 import b64decode
from dataclasses import replace
from email import message_from_bytes, policy
from email.errors import MessageError
from email.header import decode_header
from itertools import chain
from typing import TYPE_CHECKING, Final

from gatherum import SectionBuilder
from gatherum.text import clean, decode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message

    from gatherum import Locator, Report, Section

_SHOWN: Final = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Date", "Organization", "Newsgroups", "Keywords")
_UNSEEN: Final = ("image", "audio", "video", "font")
_SIGNATURES: Final = frozenset(
    ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature", "application/ms-tnef")
)
_QUOTED: Final = re.compile(r"[ \t]?>")
_PARTS: Final = 2_000
_DEEPEST: Final = 12
_LONG: Final = 2_000


def parse_message(data: bytes) -> Message:
    """Return a message, however badly written."""
    return message_from_bytes(data, policy=policy.compat32)


def header(message: Message, name: str) -> str:
    """Return a header as text on one line; "" if there is none."""
    values = [value for key, value in message.raw_items() if key.lower() == name.lower()]
    return ", ".join(text for value in values[:20] if (text := _decoded(value)))


def message_sections(message: Message, builder: SectionBuilder, report: Report, place: Locator) -> Iterator[Section]:
    """Yield what a message says, under its subject; messages inside it and attachments follow it, under theirs.

    Args:
        message: The message.
        builder: Takes the text; whoever made it closes it.
        report: Told of parts that cannot be read.
        place: Where the message stands.
    """
    waiting: list[tuple[Message, int]] = [(message, 1)]
    count = 0
    while waiting and count < _PARTS:
        part, depth = waiting.pop(0)
        attached: list[Message] = []
        yield from builder.enter(depth, header(part, "Subject") or "(no subject)", locator=place)
        lines = [f"{name}: {text}" for name in _SHOWN if (text := header(part, name))]
        bodies, inner, attached = _parts(part)
        count += len(bodies) + len(inner) + len(attached) + 1
        names = [name for name in map(_file_name, attached) if name]
        if names:
            lines.append(f"Attachments: {', '.join(names)}")
        yield from builder.add("\n".join(lines), kind="metadata", layer="metadata", locator=place)
        for body in bodies:
            yield from _body(body, builder, report, place)
        for file in attached:
            yield from _attachment(file, builder, report, depth + 1)
        if depth < _DEEPEST:
            waiting[:0] = [(one, depth + 1) for one in inner]
        elif inner:
            report.problem("too_deep", "messages are nested too deeply; the innermost were left out", place)
    if waiting:
        report.problem("too_large", f"the message has more than {_PARTS} parts; the rest was left out", place)


def _parts(message: Message) -> tuple[list[Message], list[Message], list[Message]]:
    """Return a message's texts, the messages inside it and its attachments."""
    bodies: list[Message] = []
    inner: list[Message] = []
    attached: list[Message] = []
    stack = [message]
    while stack and len(bodies) + len(attached) < _PARTS:
        part = stack.pop()
        kind, payload = part.get_content_type(), part.get_payload()
        if isinstance(payload, list):
            children = [child for child in payload if not isinstance(child, str)]
            if kind == "message/rfc822" or (kind.startswith("message/") and len(children) == 1):
                inner.extend(map(_unwrapped, children, [part] * len(children)))
            elif kind == "multipart/alternative":
                stack.extend(reversed(_best(children)))
            else:
                stack.extend(reversed(children))
        elif kind in _SIGNATURES:
            continue
        elif kind.startswith(("text/", "message/", "multipart/")) and not _is_file(part):
            bodies.append(part)
        else:
            attached.append(part)
    return bodies, inner, attached


def _unwrapped(message: Message, outer: Message) -> Message:
    """Return a message inside another; some programs encode it whole, which the standard forbids."""
    body = message.get_payload()
    if str(outer.get("Content-Transfer-Encoding", "")).strip().lower() != "base64" or not isinstance(body, str):
        return message
    try:
        return parse_message(b64decode(body.encode("ascii", errors="ignore")))
    except ValueError:
        return message


def _best(forms: list[Message]) -> list[Message]:
    """Choose among forms of one text: the plain one, unless it says far less than another."""
    plain = next((form for form in forms if form.get_content_type() == "text/plain"), None)
    others = [form for form in forms if form is not plain and form.get_content_type() != "text/calendar"]
    if plain is None:
        return others[-1:] or forms
    size = len(_bytes(plain).strip())
    html = next((form for form in others if form.get_content_type() == "text/html"), None)
    if html is not None and size < 2_000:
        from gatherum_formats.html.sections import html_text

        if size * 3 < len(html_text(_text(html))):
            return [html]
    return [plain] if size or not others else others[-1:]


def _is_file(part: Message) -> bool:
    disposition = str(part.get("Content-Disposition") or "").strip().lower()
    return disposition.startswith("attachment") or bool(_file_name(part) and not disposition.startswith("inline"))


def _body(part: Message, builder: SectionBuilder, report: Report, place: Locator) -> Iterator[Section]:
    text = _text(part)
    if part.get_content_type() == "text/html":
        yield from _html(text, builder, report, place)
        return
    quoted = False
    lines: list[str] = []
    for line in (*text.split("\n"), None):
        now = line is not None and bool(_QUOTED.match(line))
        if line is None or (now != quoted and line.strip()):
            yield from builder.add("\n".join(lines), kind="quote" if quoted else "prose", locator=place)
            lines, quoted = [], now
        if line is not None:
            lines.append(line.rstrip())


def _html(text: str, builder: SectionBuilder, report: Report, place: Locator) -> Iterator[Section]:
    """Yield a page's sections; its headings stand under the message's."""
    from gatherum_formats.html.sections import html_sections

    yield from builder.close()
    inner = SectionBuilder(builder.heading)
    for section in chain(html_sections(text, builder=inner, locator=place, report=report), _closing(inner)):
        yield replace(section, level=min(section.level + builder.level, 9))


def _closing(builder: SectionBuilder) -> Iterator[Section]:
    yield from builder.close()


def _attachment(part: Message, builder: SectionBuilder, report: Report, level: int) -> Iterator[Section]:
    """Yield a file's sections, read by the handler of its own format."""
    kind, name = part.get_content_type(), _file_name(part)
    by_name = (mimetypes.guess_type(name)[0] or "") if name else ""
    if kind.split("/")[0] in _UNSEEN or by_name.split("/")[0] in _UNSEEN:
        return
    if not name:
        name = "attachment" + (mimetypes.guess_extension(kind) or "")
    data = _bytes(part)
    if not data.strip():
        return
    yield from builder.close()
    path = (*builder.heading, name)
    for section in report.child(name, data):
        depth = min(section.level + level, 9)
        yield replace(section, heading=(*path, *section.heading), level=depth)


def _file_name(part: Message) -> str:
    try:
        name = part.get_filename() or part.get_param("name") or ""
    except (ValueError, TypeError, LookupError):
        return ""
    return _decoded(name).replace("/", "_").replace("\\", "_")[-200:] if isinstance(name, str) else ""


def _bytes(part: Message) -> bytes:
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, TypeError, AssertionError, LookupError):
        payload = part.get_payload()
    if isinstance(payload, str):
        return payload.encode("utf-8", errors="surrogateescape")
    return payload if isinstance(payload, bytes) else b""


def _text(part: Message) -> str:
    try:
        charset = part.get_content_charset()
    except (ValueError, TypeError, LookupError):
        charset = None
    if part.get_content_type() == "text/html":
        from gatherum_formats.html.decode import decode_html

        if charset in (None, "us-ascii"):
            return decode_html(_bytes(part))
    return decode(_bytes(part), declared=charset).text


def _decoded(value: object) -> str:
    """Return a header's value with its encoded words as text, white space made single."""
    raw = str(value)[:_LONG]
    if "=?" in raw:
        try:
            pieces = [
                text if isinstance(text, str) else decode(text, declared=charset).text
                for text, charset in decode_header(raw)
            ]
            raw = "".join(pieces)
        except (ValueError, LookupError, TypeError, MessageError):
            pass
    if any("\udc80" <= char <= "\udcff" for char in raw):
        raw = decode(raw.encode("utf-8", errors="surrogateescape")).text
    return " ".join(clean(raw).split())
