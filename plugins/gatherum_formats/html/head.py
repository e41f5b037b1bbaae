"""What a page says about itself, and what it keeps from its readers: head, scripts, style sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum_formats.html.inline import say_alt
from gatherum_formats.html.style import hiding_selectors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gatherum_formats.html.walk import Walk

    Attrs = Mapping[str, str]


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
