"""The names of OpenDocument markup, written with their usual prefixes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element


@cache
def _namespaces() -> dict[str, str]:
    """Return prefix to namespace, from odfpy's table; it costs nothing to import that alone."""
    from odf.namespaces import nsdict

    return {prefix: namespace for namespace, prefix in nsdict.items()}


@cache
def clark(name: str) -> str:
    """Return a prefixed name such as ``text:p`` the way lxml writes it: ``{namespace}p``."""
    prefix, _, local = name.partition(":")
    return f"{{{_namespaces()[prefix]}}}{local}"


def attribute(element: _Element, name: str, default: str = "") -> str:
    """Return the attribute with this prefixed name, or *default*."""
    return element.get(clark(name), default)


def number(element: _Element, name: str, default: int, *, least: int = 0, most: int) -> int:
    """Return an attribute as a number between *least* and *most*; *default* if it is none."""
    text = element.get(clark(name))
    if text is None:
        return default
    text = text.strip()
    if not (text.isascii() and text.isdigit()):
        return default
    return most if len(text) > 9 else min(max(int(text), least), most)


def inner_text(element: _Element | None) -> str:
    """Return all text inside an element with its white space made single; "" for None."""
    return "" if element is None else " ".join("".join(element.itertext()).split())
