"""The values that handlers produce: sections, and the document made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from gatherum.locator import WHOLE, Locator
from gatherum.problems import Problem

Kind = Literal[
    "prose",
    "code",
    "table",
    "list",
    "quote",
    "math",
    "caption",
    "alt",
    "form",
    "note",
    "footnote",
    "endnote",
    "comment",
    "header",
    "output",
    "toc",
    "metadata",
]
Layer = Literal["body", "notes", "annotation", "furniture", "metadata", "hidden"]
State = Literal["read", "partial", "unreadable", "unsupported", "skipped"]

KINDS: Final = frozenset(get_args(Kind))
LAYERS: Final = frozenset(get_args(Layer))


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A run of text of one kind under one heading.

    Consecutive sections with the same heading path belong together: they are the pieces of one section of the
    document, split where kind or layer changes. A heading without text of its own still gives one section whose
    ``text`` is empty, so that the outline is whole.

    Attributes:
        text: Readable Markdown without the heading itself: tables as pipe tables, lists with their marks or numbers,
            code fenced with its language, math as TeX, images as their alternative text, notes as ``[^n]``.
        heading: The titles from the root of the document to this section; empty before the first heading.
        level: The depth of the last title in its document, 1 to 9; 0 before the first heading.
        kind: What the text is.
        layer: Who it is for. Body and notes are what readers read, annotations are comments upon it, furniture
            repeats from page to page, metadata describes, and hidden text is not shown to readers at all.
        locator: Where in the file it stands.
        language: BCP 47 tag of the text, where the file states it.
    """

    text: str
    heading: tuple[str, ...] = ()
    level: int = 0
    kind: Kind = "prose"
    layer: Layer = "body"
    locator: Locator = WHOLE
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What a document says about itself.

    Attributes:
        title: Its title, or "".
        authors: The people who wrote it.
        created: When it was first made, as ISO 8601; "" if unknown.
        modified: When it was last changed, as ISO 8601; "" if unknown.
        language: BCP 47 tag; "" if unknown.
        tags: Keywords and categories.
        description: A summary or abstract.
        extra: Everything else, as the file names it: front matter, core properties. Plain values, as JSON has them.
    """

    title: str = ""
    authors: tuple[str, ...] = ()
    created: str = ""
    modified: str = ""
    language: str = ""
    tags: tuple[str, ...] = ()
    description: str = ""
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What was read of one source.

    Attributes:
        path: The source as the caller named it.
        state: ``read`` in full, ``partial``, ``unreadable``, ``unsupported`` (no handler) or ``skipped`` (by rule).
        format: What it is, as an extension without its dot ("docx"); "" if unknown.
        handler: The name of the handler that read it; "" if none.
        metadata: What the document says about itself.
        sections: Its text, in reading order.
        problems: What could not be read, and why.
    """

    path: str
    state: State
    format: str = ""
    handler: str = ""
    metadata: Metadata = field(default_factory=Metadata)
    sections: tuple[Section, ...] = ()
    problems: tuple[Problem, ...] = ()
