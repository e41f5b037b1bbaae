"""Elements that stand inside a line: links, pictures, formulas, form controls, and what is never read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

from gatherum_formats._html_blocks import BREAK, Block
from gatherum_formats._html_math import MathGatherer
from gatherum_formats._html_style import hiding_selectors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gatherum_formats._html_walk import Walk

    Attrs = Mapping[str, str]
    Undo = Callable[[], None]

_LONGEST_LINK: Final = 2000
_LONGEST_CODE: Final = 1000
_LONGEST_LABEL: Final = 16
_LONGEST_EXPONENT: Final = 5
_MOST_PIECES: Final = 500
_EXPONENT: Final = re.compile(r"[-+−–]?\d{1,4}")
_UNSAFE: Final = re.compile(r"\s*(?:javascript|vbscript|data|about|blob|file)\s*:", re.IGNORECASE)
_PERMALINK: Final = re.compile(
    r"\b(?:headerlink|permalink|heading-?anchor|anchor(?:js)?-?link|anchor)\b", re.IGNORECASE
)
_BACKLINK: Final = frozenset(("doc-backlink", "backlink"))
_REFERENCE: Final = frozenset(("doc-noteref", "noteref"))
_REFERENCE_CLASSES: Final = frozenset(("footnote-ref", "footnote-reference", "footnoteref", "noteref"))
_UNSEEN_INPUTS: Final = frozenset(("hidden", "password", "file", "image", "color", "range"))


def link(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Write ``[text](url)``, or refer to a note."""
    href = attrs.get("href")
    if not href:
        return None
    kinds = {*attrs.get("role", "").split(), *attrs.get("epub:type", "").split()}
    if kinds & _BACKLINK or (walk.in_note and href.startswith("#") and "back" in attrs.get("class", "")):
        walk.mute()
        return None
    if "#" in href and (kinds & _REFERENCE or _refers(attrs)):
        return _reference(walk, href)
    if href.startswith("#"):
        if walk.flow.solid == "heading" and _PERMALINK.search(attrs.get("class", "")):
            walk.mute()
            return None
        return _named(walk, attrs.get("title", ""))
    if walk.flow.solid:
        return None
    url = _address(walk, href)
    if not url:
        return None
    parts, start, flow = walk.inline, len(walk.inline), walk.flow
    turn = flow.turn

    def undo() -> None:
        if flow.turn != turn or walk.inline is not parts:
            return
        if _longer(parts, start, _LONGEST_LINK):
            return
        raw = "".join(parts[start:]).replace(BREAK, " ")
        text, target = " ".join(raw.split()), url
        if text and text != url and f"mailto:{text}" != url:
            hint = " ".join(attrs.get("title", "").split()).replace('"', "'")
            if hint and len(hint) <= _LONGEST_LINK and hint.casefold() not in f"{text} {url}".casefold():
                target = f'{url} "{hint}"'
            lead, trail = " " if raw[0].isspace() else "", " " if raw[-1].isspace() else ""
            parts[start:] = [f"{lead}[{text}]({target}){trail}"]

    return undo


def _refers(attrs: Attrs) -> bool:
    """Say whether a link is marked as reference to a note the way converters do it."""
    if "data-footnote-ref" in attrs or attrs.get("rel") == "footnote":
        return True
    return not _REFERENCE_CLASSES.isdisjoint(attrs.get("class", "").lower().split())


def _named(walk: Walk, hint: str) -> Undo | None:
    """Let the title of a button-like link say what its sign means."""
    parts, start = walk.inline, len(walk.inline)
    if not hint or walk.flow.solid:
        return None

    def undo() -> None:
        if walk.inline is not parts or _longer(parts, start, _LONGEST_LABEL):
            return
        if not any(letter.isalnum() for piece in parts[start:] for letter in piece):
            parts.append(f" {hint} ")

    return undo


def _longer(parts: list[str], start: int, limit: int) -> bool:
    """Say whether the pieces from *start* are too long for what they stand in, without joining them."""
    return len(parts) - start > _MOST_PIECES or sum(map(len, parts[start:])) > limit


def _address(walk: Walk, href: str) -> str:
    href = href.strip()
    if _UNSAFE.match(href) or len(href) > _LONGEST_LINK:
        return ""
    if walk.address is not None:
        href = walk.address(href)
    elif walk.base:
        try:
            href = urljoin(walk.base, href)
        except ValueError:
            return ""
    href = "%20".join(href.split())
    return f"<{href}>" if "(" in href or ")" in href else href


def _reference(walk: Walk, href: str) -> Undo:
    parts, start, flow = walk.inline, len(walk.inline), walk.flow

    def undo() -> None:
        if walk.inline is not parts:
            return
        if _longer(parts, start, _LONGEST_LABEL):
            parts.append(f"[^{href.rpartition('#')[2]}]")
            return
        label = "".join("".join(parts[start:]).replace(BREAK, " ").split()).strip("[](){}.^*†‡")
        label = label or href.rpartition("#")[2]
        parts[start:] = [] if flow.solid else [f"[^{label}]"]
        flow.after.append(Block(kind="reference", text=label, anchor=walk.key(href), first=walk.line, last=walk.line))

    return undo


def picture(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Say what a picture shows."""
    say_alt(walk, attrs.get("alt") or attrs.get("title") or attrs.get("aria-label") or "")


def say_alt(walk: Walk, text: str) -> None:
    """Put alternative text among the pieces of the paragraph."""
    text = " ".join(text.split())
    if text:
        walk.inline.append(f" {text} ")
        walk.flow.alts.append(text)


def line_break(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Break the line."""
    walk.inline.append(BREAK)


def raised(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Keep exponents apart from what they stand upon."""
    parts, start = walk.inline, len(walk.inline)
    if not start or not parts[-1][-1:].isalnum():
        return None

    def undo() -> None:
        if walk.inline is not parts or _longer(parts, start, _LONGEST_EXPONENT):
            return
        if _EXPONENT.fullmatch("".join(parts[start:])):
            parts.insert(start, "^")

    return undo


def quoted(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """Write quotation marks."""
    return surround(walk, "“", "”")


def apart(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """Keep what looks like a box of its own apart from its neighbours."""
    return surround(walk, " ", " ")


def reading(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """Write a ruby text in parentheses."""
    return surround(walk, "(", ")")


def surround(walk: Walk, before: str, after: str) -> Undo:
    """Put marks around what follows."""
    walk.inline.append(before)
    return lambda: walk.inline.append(after)


def spoken(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Keep code inside a line recognisable, and its language where it is a block."""
    if walk.flow.solid:
        if walk.flow.solid == "pre":
            walk.code = code_language(attrs) or walk.code
        return None
    parts, start, flow = walk.inline, len(walk.inline), walk.flow
    turn = flow.turn

    def undo() -> None:
        if flow.turn == turn and walk.inline is parts and not _longer(parts, start, _LONGEST_CODE):
            text = "".join(parts[start:])
            if text.strip() == text != "" and "`" not in text and BREAK not in text and "](" not in text:
                parts[start:] = [f"`{text}`"]

    return undo


_LANGUAGE: Final = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|highlight|brush:)[-: ]?\s*([\w+#.-]+)", re.I)


def code_language(attrs: Attrs) -> str:
    """Return the language that a block of code is marked with."""
    given = attrs.get("data-lang") or attrs.get("data-language")
    if given and re.fullmatch(r"[\w+#.-]{1,40}", given):
        return given
    names = attrs.get("class", "")
    match = _LANGUAGE.search(names[:400])
    if match:
        return match[1] if match[1] not in ("default", "none", "text") else ""
    kinds = names.split()
    return next((kind for kind in kinds if kind.lower() != "sourcecode"), "") if "sourceCode" in kinds else ""


def formula(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Begin a formula."""
    walk.math = MathGatherer(attrs)


def script(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Pass over a script, unless it holds a formula."""
    math = attrs.get("type", "").lower().startswith("math/tex")
    walk.mute((lambda text: walk.inline.append(f"${text.strip()}$" if text.strip() else "")) if math else None)


def style(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Learn from a style sheet what the page hides."""
    if attrs.get("media", "all").lower() in ("all", "screen", ""):
        walk.mute(lambda text: setattr(walk, "hiding", walk.hiding | hiding_selectors(text)))
    else:
        walk.mute()


def title(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Take the page's title, or that of a drawing."""
    if walk.drawing:
        walk.mute(lambda text: say_alt(walk, text))
    else:
        walk.mute(lambda text: setattr(walk, "title", walk.title or " ".join(text.split())))


def unread(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Pass over what readers never see."""
    walk.mute()


def meta(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Take what the page says about itself."""
    name = attrs.get("name") or attrs.get("property") or attrs.get("http-equiv") or attrs.get("itemprop")
    if name and attrs.get("content"):
        walk.fields.setdefault(name.strip().lower(), " ".join(attrs["content"].split()))


def base(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Take the address that links are relative to."""
    if attrs.get("href", "").startswith(("http://", "https://")):
        walk.base = walk.base or attrs["href"].strip()


def drawing(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """Enter a drawing: its texts are kept apart, its titles describe it."""
    walk.drawing += 1
    say_alt(walk, attrs.get("aria-label", ""))

    def undo() -> None:
        walk.drawing -= 1

    return undo


def drawn_text(walk: Walk, tag: str, attrs: Attrs) -> Undo | None:
    """Part the texts of a drawing."""
    if not walk.drawing or (tag == "tspan" and "x" not in attrs and "y" not in attrs):
        return None
    walk.inline.append(BREAK)
    return lambda: walk.inline.append(BREAK)


def description(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Describe a drawing."""
    if walk.drawing:
        walk.mute(lambda text: say_alt(walk, text))


def drawn_metadata(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Pass over what a drawing program notes for itself."""
    if walk.drawing:
        walk.mute()


def alternative(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Read one branch of a switch: the one in MathML, else the one for everybody."""
    if tag == "case" and "mathml" in attrs.get("required-namespace", "").lower():
        walk.switched = True
    elif tag == "case" or walk.switched:
        walk.mute()
        walk.switched = False


def control(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Say what a form control shows."""
    kind = attrs.get("type", "text").lower()
    if kind in ("checkbox", "radio"):
        walk.inline.append("☒ " if "checked" in attrs else "☐ ")
        return
    if kind == "image":
        picture(walk, tag, attrs)
    if kind not in _UNSEEN_INPUTS:
        text = attrs.get("value") or attrs.get("placeholder") or ""
        if text.strip() and len(text) <= _LONGEST_LINK:
            walk.inline.append(f" {text} ")
            walk.flow.controls = True


def option(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """Say a choice of a form."""
    if attrs.get("label") and tag == "optgroup":
        walk.inline.append(f"{attrs['label']}: ")
    walk.flow.controls = True
    parts = walk.inline
    return lambda: parts.append(", ") if "".join(parts[-1:]).strip() not in ("", ",") else None


def choice(walk: Walk, tag: str, attrs: Attrs) -> Undo:
    """End a choice without a comma."""
    walk.flow.controls = True

    def undo() -> None:
        while walk.inline and walk.inline[-1].strip() in ("", ","):
            walk.inline.pop()
        walk.inline.append(" ")

    return undo


def written(walk: Walk, tag: str, attrs: Attrs) -> None:
    """Say what is filled in."""
    walk.flow.controls = True
