"""Tell what a document says about itself, once it has been read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gatherum import Report
    from gatherum_formats.xmldoc.walk import Walk


def describe(walk: Walk, report: Report, *, language: str = "") -> None:
    """Tell the facts that were gathered; those whose names begin with "+" as the file names them."""
    facts = walk.facts
    report.metadata(
        title=_first(facts, "title"),
        authors=tuple(dict.fromkeys(facts.get("authors", ()))),
        tags=tuple(dict.fromkeys(facts.get("tags", ()))),
        description=_first(facts, "description"),
        created=_first(facts, "created"),
        modified=(facts.get("modified") or [""])[-1],
        language=language or _first(facts, "language"),
    )
    for name, said in facts.items():
        if name.startswith("+"):
            values = list(dict.fromkeys(said))
            key = name[1:] if name != "+self" else "self "
            report.metadata(**{key: values[0] if len(values) == 1 else values})
    if walk.hidden:
        report.problem("hidden_text", "the document has remarks that its readers do not see")


def _first(facts: dict[str, list[str]], name: str) -> str:
    return next(iter(facts.get(name, ())), "")
