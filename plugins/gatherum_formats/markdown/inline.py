"""What stands inside the lines of Markdown: made readable without parsing every character.

Emphasis, links and code spans stay as they are written. Only what a reader would not see, or would see as something
else, is replaced: images by their alternative text, wikilinks by their alias, references by their URL, HTML tags,
entities and attributes, comments. Every pattern is linear, whatever the text.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.markdown.tags import BREAKING, INLINE, said

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LABEL = r"(?:[^\[\]\\\n]|\n(?!\n)|\\.|\[[^\[\]]*\])*+"
_TARGET = r"(?:<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*+)"
_TITLE = r"""(?:"[^"]*"|'[^']*'|\([^()]*\))"""
_TAG = r"""</?(?P<tag>[A-Za-z][A-Za-z0-9.:_-]*)(?P<attributes>(?:[^<>"'{}]++|"[^"]*"|'[^']*'|\{[^{}]*\}){0,400}+)>"""

_IMAGE = re.compile(rf"!\[(?P<alt>{_LABEL})\](?:\(\s*{_TARGET}(?:\s+(?P<title>{_TITLE}))?\s*\)|\[(?P<ref>[^\[\]]*)\])?")
_ESCAPE = r"\\[!-/:-@\[-`{-~]"
_DIALECT = (
    r"!?\[\[(?P<page>[^\[\]|\n]+?)(?:\\?\|(?P<alias>[^\[\]\n]*))?\]\]",
    r"==(?=\S)(?P<mark>[^=\n]+)(?<=\S)==",
    r"%%(?P<comment>[^%\n]+)%%",
)
_MARKUP = (
    rf"(?P<keep>\]\({_TARGET}(?:\s+{_TITLE})?\s*\)|<[A-Za-z][A-Za-z0-9+.-]{{1,31}}:[^\s<>]*>|\bhttps?://[^\s<>\x00\])]+)"
    r"(?:\{[:.#][^{}\n]*\})?",
    r"(?P<after>\])\{[:.#][^{}\n]*\}",
    r"\[(?P<text>(?:[^\[\]\\]|\\.|!?\[[^\[\]]*\](?:\[[^\[\]]*\]|\([^()]*\))?)*+)\](?:\[(?P<label>[^\[\]]*)\]|(?!\())"
    r"(?P<spare>\{[:.#][^{}\n]*\})?",
    _TAG,
    r"&(?P<entity>\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});",
    r"^[ \t]*(?P<attribute_line>\{[:.#][^{}\n]*\})[ \t]*(?:\n|\Z)",
    r"(?<=\S)[ \t]+(?P<anchor>\^[A-Za-z0-9-]+)$(?![\s\S])",
)
_BODY = re.compile("|".join((_ESCAPE, *_DIALECT, *_MARKUP)), re.MULTILINE)
_HEADING = re.compile("|".join((_ESCAPE, *_DIALECT)))
# Every alternative begins with a letter of its own, which lets the regex engine skip what cannot match.
_SPECIAL = re.compile(r"<|&|!\[|\[\[|%%|==|\]\{|\{:|\{#|\{\.|;base64|\)\{|\^")
_PAYLOAD = re.compile(r"data:[\w.+-]{0,60}/?[\w.+-]{0,60}(?:;[\w.+=-]{1,60}){0,5};base64,[A-Za-z0-9+/=%_-]*+")
_LONG: Final = 500
_COMMENT = re.compile("<!--")
_TICKS = re.compile(r"`+")
_MATH = re.compile(r"\$[^$\n]+\$")
_KEPT = re.compile(r"\x00(\d+)\x00")
_UNSEEN = re.compile(
    r"<(?P<name>span|div|p|font|a|b|i|em|small|section|td|li)\b(?=[^<>]{0,400}(?:display\s*:\s*none|visibility\s*:\s*hidden"
    r"|font-size\s*:\s*0(?![.\d])|\shidden[\s>=]))[^<>]*>",
    re.IGNORECASE,
)
_HREF = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_ANCHOR = re.compile(r"(?<=\S)[ \t]+\^[A-Za-z0-9-]+$")
_NOTE = re.compile(r"\[\^[^\]\s]+\]")
_STYLED = re.compile(r"[*_`\\\[\]<&~]")


class Inline:
    """Make the lines of one document readable.

    Args:
        references: Link reference definitions: normalized label to URL and title.
        normalize: Normalizes a label.
        components: Whether tags of components stand for their titles and labels (MDX).

    Attributes:
        used: The labels of the references that were resolved.
        unseen: Text that readers do not see, taken out since `take_unseen` was last called.
    """

    def __init__(
        self,
        references: Mapping[str, tuple[str, str]],
        normalize: Callable[[str], str],
        *,
        components: bool = False,
    ) -> None:
        self._references = references
        self._normalize = normalize
        self._components = components
        self._links: list[str] = []
        self._spelled: set[str] = set()
        self.used: set[str] = set()
        self.unseen: list[str] = []

    def take_unseen(self) -> list[str]:
        """Return the hidden text that was found, and forget it."""
        found, self.unseen = [text.strip() for text in self.unseen if text.strip()], []
        return found

    def touches(self, text: str) -> bool:
        """Return whether `clean` may change *text*."""
        return bool(_SPECIAL.search(text) or (self._references and "[" in text))

    def clean(self, text: str) -> str:
        """Return the lines of one paragraph, item or cell as a reader would like to see them."""
        if not self.touches(text):
            return text
        text, kept = _protect(text)
        text = self._without_unseen(text, kept)
        if "base64," in text:
            text = _PAYLOAD.sub("", text)
        if "![" in text:
            text = _IMAGE.sub(self._image, text)
        self._links = []
        text = _BODY.sub(lambda match: self._replace(match, kept), text)
        if self._links:
            text += f"]({self._links[-1]})"
        return _restore(text, kept)

    def title(self, text: str, parse: Callable[[str], str]) -> str:
        """Return the plain text of a heading.

        Args:
            text: The heading's source, without its marks.
            parse: Turns CommonMark's inline markup into plain text.
        """
        text, kept = _protect(text, math=True)
        text = self._without_unseen(text, kept)
        text = _NOTE.sub("", _ANCHOR.sub("", _without_attributes(text)))
        text = _HEADING.sub(lambda match: self._replace(match, kept), text)
        if _STYLED.search(text):
            text = parse(text[:2_000]) + text[2_000:]
        return _restore(text, [_code(span) if span.startswith("`") else span for span in kept]).strip()

    def without_comments(self, text: str) -> str:
        """Return HTML without its comments, as many lines as before."""
        return self._cut(text, [], _COMMENT, lambda _: "-->", lines=True) if "<!--" in text else text

    def _without_unseen(self, text: str, kept: list[str]) -> str:
        if "<" not in text:
            return text
        text = self._cut(text, kept, _COMMENT, lambda _: "-->")
        return self._cut(text, kept, _UNSEEN, lambda match: rf"(?i:</{match['name']}\s*>)")

    def _cut(
        self,
        text: str,
        kept: list[str],
        opening: re.Pattern[str],
        closing: Callable[[re.Match[str]], str],
        *,
        lines: bool = False,
    ) -> str:
        """Take out what stands between *opening* and *closing*, which must be there."""
        parts, at = [], 0
        while match := opening.search(text, at):
            end = re.compile(closing(match)).search(text, match.end())
            if not end:
                break
            parts.append(text[at : match.start()])
            self.unseen.append(_restore(text[match.end() : end.start()], kept))
            if lines:
                parts.append("\n" * text.count("\n", match.start(), end.end()))
            at = end.end()
        parts.append(text[at:])
        return "".join(parts)

    def _image(self, match: re.Match[str]) -> str:
        alt, title = match["alt"], match["title"]
        if match["ref"] is None and not match[0].endswith(")") and not self._known(alt):
            return match[0]
        if match["ref"] is not None and not self._known(match["ref"] or alt):
            return match[0]
        return f"{alt} {title}" if title and title[1:-1] not in alt else alt

    def _known(self, label: str) -> tuple[str, str] | None:
        name = self._normalize(label) if self._references and len(label) < 1000 else ""
        found = self._references.get(name)
        if found:
            self.used.add(name)
        return found

    def _replace(self, match: re.Match[str], kept: list[str]) -> str:
        kind = match.lastgroup
        if kind in ("page", "alias"):
            page, alias = match["page"].strip(), (match["alias"] or "").strip()
            if not alias or alias.replace("x", "").isdigit():
                return page
            return f"[{alias}]({f'<{page}>' if ' ' in page else page})" if match.re is _BODY else alias
        if kind == "mark":
            return match["mark"]
        if kind == "comment":
            self.unseen.append(_restore(match["comment"], kept))
            return ""
        if kind in ("keep", "after"):
            return match[kind]
        if kind in ("text", "label", "spare"):
            return self._reference(match, kept)
        if kind in ("tag", "attributes"):
            return self._tag(match)
        if kind == "entity":
            found = html.unescape(match[0])
            return " " if found == "\xa0" else found.replace("\x00", "")
        return "" if kind in ("anchor", "attribute_line") else match[0]

    def _reference(self, match: re.Match[str], kept: list[str]) -> str:
        text, label = match["text"], match["label"]
        found = self._known(label or text)
        if found is None:
            inner = f"{text}]" if label is None else f"{text}][{label}]"
            return f"[{_BODY.sub(lambda again: self._replace(again, kept), inner)}"
        url, title = found
        if len(url) + len(title) > _LONG and not self._first_use(label or text):
            return f"[{text}]"
        if "!" in text:
            text = _IMAGE.sub(self._image, text)
        url = f"<{url}>" if " " in url else url
        return f'[{text}]({url} "{title}")' if title else f"[{text}]({url})"

    def _first_use(self, label: str) -> bool:
        """Return whether a very long target is used for the first time: repeating it would make texts explode."""
        name = self._normalize(label)
        first = name not in self._spelled
        self._spelled.add(name)
        return first

    def _tag(self, match: re.Match[str]) -> str:
        name, attributes = match["tag"], match["attributes"]
        lower, closing = name.lower(), match[0].startswith("</")
        if lower == "a":
            return self._anchor(attributes, closing=closing)
        if lower in BREAKING:
            return "\n" if lower == "br" else " "
        if lower in INLINE:
            return said(attributes) if lower in ("img", "input") else ""
        if self._components and (name[0].isupper() or "." in name):
            return f"{said(attributes)} "
        return match[0]

    def _anchor(self, attributes: str, *, closing: bool) -> str:
        if closing:
            return f"]({self._links.pop()})" if self._links else ""
        href = _HREF.search(attributes)
        if not href or self._links:
            return ""
        self._links.append((href[1] or href[2] or href[3] or "").replace(" ", "%20"))
        return "["


def without_payload(text: str) -> str:
    """Return *text* without the base64 content of data URIs."""
    return _PAYLOAD.sub("", text) if "base64," in text else text


def _without_attributes(text: str) -> str:
    """Drop ``{#id .class}`` from the end of a heading."""
    text = text.rstrip()
    while text.endswith("}"):
        start = text.rfind("{")
        if start < 0 or text[start + 1] not in ":.#-":
            break
        text = text[:start].rstrip()
    return text


def _protect(text: str, *, math: bool = False) -> tuple[str, list[str]]:
    """Replace code spans (and math) by marks that no pattern touches."""
    kept: list[str] = []
    if "`" in text:
        text = _protect_code(text, kept)
    if math and "$" in text:
        text = _MATH.sub(lambda match: _keep(match[0], kept), text)
    return text, kept


def _protect_code(text: str, kept: list[str]) -> str:
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(text)]
    following: list[int] = [0] * len(runs)
    last: dict[int, int] = {}
    for at in range(len(runs) - 1, -1, -1):
        start, end = runs[at]
        following[at] = last.get(end - start, 0)
        last[end - start] = at
    parts, done, at = [], 0, 0
    while at < len(runs):
        start, other = runs[at][0], following[at]
        if other and (start == 0 or text[start - 1] != "\\"):
            parts += [text[done:start], _keep(text[start : runs[other][1]], kept)]
            done, at = runs[other][1], other
        at += 1
    return "".join((*parts, text[done:]))


def _keep(text: str, kept: list[str]) -> str:
    kept.append(text)
    return f"\x00{len(kept) - 1}\x00"


def _code(span: str) -> str:
    """Return the content of a code span."""
    inner = span.strip("`").replace("\n", " ")
    return inner[1:-1] if len(inner) > 2 and inner[0] == inner[-1] == " " else inner


def _restore(text: str, kept: list[str]) -> str:
    if not kept:
        return text
    for _ in range(3 if "\x00" in text else 0):
        text = _KEPT.sub(lambda match: kept[int(match[1])], text)
    return text
