"""What gatherum answers: one set of names for the command line, the Python API and MCP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from gatherum.document import Kind, Metadata, State
from gatherum.locator import Locator
from gatherum.problems import Code

Mode = Literal["hybrid", "keyword", "semantic"]
Strength = Literal["strong", "weak", "none"]
MOST_NAMED = 1000
"""How many documents an index report names."""

Verdict = Literal["searchable", "without_text", "unreadable", "unsupported", "skipped", "not_indexed", "outside"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """The places of a hit in the two lists that were fused, from 1; None where a list does not hold it.

    Attributes:
        keyword: Its place by BM25.
        semantic: Its place by cosine.
        cosine: The cosine itself, -1 to 1.
        bm25: The BM25 score itself.
    """

    keyword: int | None = None
    semantic: int | None = None
    cosine: float | None = None
    bm25: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A passage that answers a query.

    Attributes:
        id: Names the passage; `read` and the MCP tool ``fetch`` take it.
        path: The document, relative to its collection.
        collection: The collection's name; "" when the shelf has only one.
        title: The document's title.
        heading: The titles above the passage, root first.
        kind: What the passage is.
        text: The passage as readable Markdown.
        snippet: Its best lines, on one line.
        locator: The place in the file.
        line: Its first line in the document as `read` shows it, from 1.
        score: The fused score; comparable within one answer only.
        ranks: Where the score comes from.
        tokens: Its length by the embedding model's tokenizer.
    """

    id: str
    path: str
    collection: str
    title: str
    heading: tuple[str, ...]
    kind: Kind
    text: str
    snippet: str
    locator: Locator
    line: int
    score: float
    ranks: Ranks
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The answer to a query; iterating over it gives the hits.

    Attributes:
        query: The query as given.
        mode: How it was searched, which may be less than was asked for: see ``warnings``.
        strength: Whether the best hit is a ``strong`` match, a ``weak`` one, or there is ``none``.
        results: The hits, best first.
        more: Whether further hits exist.
        warnings: What the reader of this answer should know about it.
    """

    query: str
    mode: Mode
    strength: Strength
    results: tuple[Hit, ...] = ()
    more: bool = False
    warnings: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProblem:
    """A problem of one file.

    Attributes:
        path: The file, relative to its collection.
        collection: The collection's name; "" when the shelf has only one.
        code: The kind of problem.
        message: One sentence about this file.
        advice: What can be done.
        locator: The place in the file, where known.
    """

    path: str
    collection: str
    code: Code
    message: str
    advice: str
    locator: Locator | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLoss:
    """A file of which some words cannot be searched.

    Attributes:
        path: The file, relative to its collection.
        collection: The collection's name; "" when the shelf has only one.
        searchable: How many words of it should be searchable.
        reached: How many of these are in its passages.
    """

    path: str
    collection: str
    searchable: int
    reached: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """How a passage of one document does for a query.

    Attributes:
        id: Names the passage.
        heading: The titles above it, root first.
        locator: The place in the file.
        place: Its place in the answer, from 1; None if it is not among the first thousand.
        ranks: Where that place comes from.
    """

    id: str
    heading: tuple[str, ...]
    locator: Locator
    place: int | None = None
    ranks: Ranks = Ranks()


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a file is found, or is not.

    Attributes:
        path: The file, relative to its collection; as it was named, if it is in none.
        collection: The collection's name; "" when the shelf has only one.
        verdict: ``searchable``, ``without_text`` (read, but there is nothing to search), ``unreadable``,
            ``unsupported``, ``skipped``, ``not_indexed`` (not yet), or ``outside`` of what is gathered.
        reason: One sentence about the verdict.
        advice: What can be done; "" if there is nothing to do.
        rule: The rule, or the code of the problem, that leaves it out; "" if none does.
        state: How well it was read; None if it is not on the shelf.
        format: What it is.
        handler: Who read it.
        stale: Whether the file has changed since it was read.
        problems: What could not be read of it.
        words: How many words it has, by layer; headings are not counted.
        searchable: How many of them should be searchable: those of body, notes and annotations.
        reached: How many of these are in its passages.
        share: The same as a part of the whole, from 0 to 1.
        passages: How many passages it has.
        vectors: How many of them have a vector of the current model.
        query: The query that was asked about; "" if none was.
        matches: Its best passages for that query, best first.
        obstacles: What keeps it from being found by that query, or from being found early.
    """

    path: str
    collection: str
    verdict: Verdict
    reason: str
    advice: str = ""
    rule: str = ""
    state: State | None = None
    format: str = ""
    handler: str = ""
    stale: bool = False
    problems: tuple[FileProblem, ...] = ()
    words: Mapping[str, int] = field(default_factory=dict)
    searchable: int = 0
    reached: int = 0
    share: float = 1.0
    passages: int = 0
    vectors: int = 0
    query: str = ""
    matches: tuple[Match, ...] = ()
    obstacles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """What an index run did, in files unless said otherwise.

    Attributes:
        state: ``done``; ``busy`` when another process is writing to the shelf; ``stopped`` when the run was told to end
            early: what it had done is on the shelf, and the next run goes on from there.
        added: New files.
        changed: Files whose content, or whose handler, changed.
        moved: Files found under another path with the same content.
        removed: Files that are gone.
        unchanged: Files left alone.
        skipped: Files and folders left out by rule or unsupported.
        failed: Files of which nothing could be read.
        chunks: Passages written.
        embedded: Passages given a vector, or found to need none.
        seconds: How long it took.
        documents: The documents that are new, changed, moved or gone, as people see their paths; no more than
            `MOST_NAMED`.
        problems: Everything that could not be read.
        warnings: What the user should know about the run.
    """

    state: Literal["done", "busy", "stopped"] = "done"
    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    unchanged: int = 0
    skipped: int = 0
    failed: int = 0
    chunks: int = 0
    embedded: int = 0
    seconds: float = 0.0
    documents: tuple[str, ...] = field(default=(), repr=False)
    problems: tuple[FileProblem, ...] = field(default=(), repr=False)
    warnings: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineEntry:
    """One heading of a document.

    Attributes:
        level: Its depth, from 1; 0 for text before the first heading.
        title: Its last title.
        heading: The whole path.
        locator: Where it stands in the file.
        line: Its first line in the document as `read` shows it.
        chars: The length of its own text.
    """

    level: int
    title: str
    heading: tuple[str, ...]
    locator: Locator
    line: int
    chars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """The headings of a document.

    Attributes:
        path: The document.
        collection: Its collection; "" when the shelf has only one.
        title: Its title.
        lines: How many lines `read` shows.
        sections: Its headings, in reading order.
    """

    path: str
    collection: str
    title: str
    lines: int
    sections: tuple[OutlineEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A document's text, or a window of it.

    Attributes:
        id: Names the document.
        path: The document, relative to its collection.
        collection: Its collection; "" when the shelf has only one.
        title: Its title.
        text: The lines of the window, as readable Markdown.
        start: The first line of the window, from 1.
        end: The last line of the window.
        lines: How many lines the document has.
        metadata: What the document says about itself.
        stale: Whether the file has changed since it was indexed.
    """

    id: str
    path: str
    collection: str
    title: str
    text: str
    start: int
    end: int
    lines: int
    metadata: Metadata
    stale: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo:
    """A document on the shelf.

    Attributes:
        id: Names the document.
        path: Relative to its collection.
        collection: Its collection; "" when the shelf has only one.
        title: Its title.
        format: What it is.
        state: How well it was read.
        bytes: The file's size.
        modified: When the file was last changed, as ISO 8601 in UTC.
        chunks: Its passages.
    """

    id: str
    path: str
    collection: str
    title: str
    format: str
    state: State
    bytes: int
    modified: str
    chunks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionInfo:
    """A folder on the shelf.

    Attributes:
        name: Its name.
        root: The folder.
        documents: How many of its files are on the shelf.
    """

    name: str
    root: str
    documents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The state of a shelf.

    Attributes:
        shelf: Its folder.
        collections: What it gathers.
        documents: Files with text.
        chunks: Passages.
        embedded: Passages with a vector of the current model, or without a letter to make one of.
        model: The embedding model; "" when there is none.
        semantic: Whether semantic search works now.
        formats: Documents by format.
        problems: Everything that could not be read; empty unless asked for.
        problem_files: How many files have a problem.
        indexed: When the shelf last changed, as ISO 8601 in UTC; "" if never.
        bytes: The shelf's size on disk.
        version: The gatherum version that reads it.
        losses: The files of which some words cannot be searched; empty unless problems were asked for.
        warnings: What the user should know.
    """

    shelf: str
    collections: tuple[CollectionInfo, ...]
    documents: int
    chunks: int
    embedded: int
    model: str
    semantic: bool
    formats: dict[str, int]
    problem_files: int
    indexed: str
    bytes: int
    version: str
    problems: tuple[FileProblem, ...] = ()
    losses: tuple[FileLoss, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A moment of an index run.

    Attributes:
        stage: What is going on.
        done: Steps done.
        total: Steps in all; 0 while unknown.
        path: The file at hand; "" if none.
    """

    stage: Literal["scan", "read", "embed", "optimize"]
    done: int
    total: int
    path: str = ""
