"""What stands inside the lines of wikitext: templates, links, references, tags."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

from gatherum_formats.markdown.tags import BREAKING, INLINE, said
from gatherum_formats.shared.fence import fenced

if TYPE_CHECKING:
    from collections.abc import Callable

FOLD: Final = "\x05"
"""Stands for a line end inside what was taken out."""
_COMMENT = re.compile("<!--")
_CODE = re.compile(
    r"<(?P<tag>syntaxhighlight|source|pre|nowiki|math|chem)\b(?P<attributes>[^<>]{0,400})(?<!/)>", re.IGNORECASE
)
_GALLERY = re.compile(r"<gallery\b[^<>]{0,400}>", re.IGNORECASE)
_REF = re.compile(r"<ref\b(?P<attributes>[^<>]{0,400}?)(?P<empty>/)?>", re.IGNORECASE)
_NAME = re.compile(r"""\bname\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s/>]+))""")
_LANGUAGE = re.compile(r"""\blang\s*=\s*["']?([\w+#-]+)""")
_TEMPLATE = re.compile(r"\{\{([^{}]*)\}\}")
_LINK = re.compile(r"\[\[([^\[\]]*)\]\]")
_EXTERNAL = re.compile(r"\[((?:https?:|ftp:|mailto:)?//?[^\s\[\]]+|mailto:[^\s\[\]]+)(?:[ \t]+([^\[\]\n]*))?\]")
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)((?:[^<>\"']++|\"[^\"]*\"|'[^']*'){0,200}+)>")
_WORD = re.compile(r"__[A-Z]{3,30}__")
_KEPT = re.compile("\x02(\\d+)\x02")
_OPTIONS = re.compile(
    r"(?:thumb(?:nail)?|frame(?:d|less)?|border|left|right|center|none|upright.*|\d*x?\d+px"
    r"|link=.*|class=.*|page=.*)$"
)


class Inline:
    """Make the lines of one page readable.

    Attributes:
        unseen: Comments.
        categories: The page's categories.
    """

    def __init__(self) -> None:
        self.unseen: list[str] = []
        self.categories: list[str] = []
        self._kept: list[tuple[str, str]] = []
        self._notes: list[tuple[str, str]] = []
        self._labels: dict[str, str] = {}
        self._count = 0

    def prepare(self, text: str) -> str:
        """Take out what reaches over lines (comments, code, references, templates); the number of lines stays."""
        text = self._cut(text, _COMMENT, lambda _: "-->", self._comment)
        text = self._cut(text, _CODE, lambda match: f"</{match['tag']}>", self._keep)
        text = self._cut(text, _GALLERY, lambda _: "</gallery>", self._gallery)
        text = self._cut(text, _REF, lambda match: "" if match["empty"] else "</ref>", self._reference)
        for _ in range(8):
            text, count = _TEMPLATE.subn(self._template, text)
            if not count:
                break
        return text

    def _cut(
        self,
        text: str,
        opening: re.Pattern[str],
        closing: Callable[[re.Match[str]], str],
        replace: Callable[[re.Match[str], str], str],
    ) -> str:
        parts, at = [], 0
        while match := opening.search(text, at):
            close = re.compile(closing(match), re.IGNORECASE).search(text, match.end())
            if close is None:
                break
            parts += [text[at : match.start()], replace(match, text[match.end() : close.start()])]
            parts.append(FOLD * text.count("\n", match.start(), close.start()))
            at = close.end()
        return "".join((*parts, text[at:]))

    def _comment(self, _match: re.Match[str], inner: str) -> str:
        if inner.strip():
            self.unseen.append(inner.strip())
        return ""

    def _keep(self, match: re.Match[str], inner: str) -> str:
        tag = match["tag"].lower()
        if tag in ("math", "chem"):
            kept = ("text", f"${' '.join(inner.split())}$")
        elif tag == "nowiki":
            kept = ("text", inner)
        elif "\n" in inner or tag == "pre":
            language = _LANGUAGE.search(match["attributes"])
            body = inner.strip("\n")
            kept = ("code", fenced(body, language[1] if language else ""))
        else:
            kept = ("text", f"`{inner}`")
        self._kept.append(kept)
        return f"\x02{len(self._kept) - 1}\x02"

    def _gallery(self, _match: re.Match[str], inner: str) -> str:
        """Return what is said of the pictures of a gallery, one a line."""
        said_ = (line.partition("|")[2].strip() for line in inner.split("\n"))
        return "<br>".join(filter(None, said_))

    def _reference(self, match: re.Match[str], inner: str) -> str:
        found = _NAME.search(match["attributes"])
        name = "".join(part or "" for part in found.groups()) if found else ""
        label = self._labels.get(name) if name else None
        if label is None:
            self._count += 1
            label = str(self._count)
            if name:
                self._labels[name] = label
        self._kept.append(("note", f"{label}\x03{inner}"))
        return f"[^{label}]\x02{len(self._kept) - 1}\x02"

    def _template(self, match: re.Match[str]) -> str:
        name, *parts = re.sub(r"\[\[[^\[\]]*\]\]", lambda link: link[0].replace("|", "\x04"), match[1]).split("|")
        texts = []
        for part in parts:
            key, equals, value = part.partition("=")
            text = value.strip() if equals and key.strip().isdecimal() else " ".join(part.split())
            if text.strip():
                texts.append(text.strip())
        function, colon, given = name.partition(":")
        if colon and not texts and function.strip().isalpha():  # {{formatnum:1234}}
            return given.strip() + FOLD * match[1].count("\n")
        said_ = ", ".join(texts).replace("\x04", "|")
        folds = FOLD * match[1].count("\n")
        return (f"{name.strip()}: {said_}" if said_ else "") + folds

    def code(self, line: str) -> str:
        """Return the block of code that *line* stands for; "" if it is no such line."""
        match = _KEPT.fullmatch(line.replace(FOLD, "").strip())
        if match is None or self._kept[int(match[1])][0] != "code":
            return ""
        return self._kept[int(match[1])][1]

    def take_notes(self) -> list[tuple[str, str]]:
        """Return the references met since this was last called: label and text."""
        notes, self._notes = self._notes, []
        return notes

    def plain(self, text: str) -> str:
        """Return a heading without marks."""
        return re.sub(r"\*{1,3}|\[\^\d+\]|\]\([^()]*\)|\[", "", self.text(text))

    def text(self, text: str) -> str:
        """Return the words of some lines as Markdown."""
        text = text.replace(FOLD, "")
        text = _LINK.sub(self._link, text)
        text = _LINK.sub(self._link, text)
        text = _EXTERNAL.sub(lambda match: f"[{match[2]}]({match[1]})" if match[2] else match[1], text)
        text = text.replace("'''''", "***").replace("'''", "**").replace("''", "*")
        text = _TAG.sub(self._tag, _WORD.sub("", text))
        text = html.unescape(text) if "&" in text else text
        return _KEPT.sub(self._restored, text)

    def _restored(self, match: re.Match[str]) -> str:
        if int(match[1]) >= len(self._kept):
            return ""
        kind, text = self._kept[int(match[1])]
        if kind != "note":
            return text
        label, _, inner = text.partition("\x03")
        if inner.strip():
            self._notes.append((label, " ".join(self.text(inner).split())))
        return ""

    def _link(self, match: re.Match[str]) -> str:
        target, *rest = match[1].split("|")
        space = target.strip().lstrip(":").partition(":")[0].casefold()
        if space in ("category", "kategorie", "catégorie", "categoría") and not target.strip().startswith(":"):
            self.categories.append(target.partition(":")[2].strip())
            return ""
        if space in ("file", "image", "datei", "fichier", "archivo", "media"):
            texts = [part.strip().removeprefix("alt=") for part in rest if not _OPTIONS.match(part.strip())]
            return " ".join(text for text in texts if text)
        label = rest[-1].strip() if rest else ""
        return f"[{label}]({target.strip().replace(' ', '_')})" if label else target.strip().lstrip(":")

    def _tag(self, match: re.Match[str]) -> str:
        name = match[1].lower()
        if name == "br":
            return "\n"
        if name in BREAKING or name in ("references", "gallery", "poem", "includeonly", "noinclude", "onlyinclude"):
            return " "
        return said(match[2]) if name == "img" else "" if name in INLINE else match[0]
