"""Markdown and its dialects: GitHub's, Obsidian's, MyST, MkDocs, Pandoc, Quarto, R Markdown, MDX.

CommonMark's block structure, with tables, footnotes and definition lists, says where sections begin and what each run
of lines is; the text stays the author's own. What dialects add (directives, admonitions, wikilinks, comments,
components) is read for what it means. Headings inside quotations, lists and boxes are text of theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatherum import Handler, Locator, SectionBuilder, UnreadableError, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section, Source


class MarkdownHandler(Handler):
    """Read Markdown into sections with exact lines."""

    name = "markdown"
    title = "Markdown"
    extensions = (
        ".md",
        ".markdown",
        ".mdown",
        ".mkd",
        ".mkdn",
        ".mdwn",
        ".markdn",
        ".mdtext",
        ".mdtxt",
        ".mmd",
        ".mdx",
        ".qmd",
        ".rmd",
    )
    version = 1

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the sections of a Markdown file in reading order."""
        text = source.text(report)
        if not text.strip():
            raise UnreadableError("empty", f"{source.name} has no text")
        from gatherum_formats.markdown.sections import markdown_sections
        from gatherum_formats.shared.frontmatter import read_front_matter

        front = read_front_matter(text, report, plain_keys=source.extension == ".mmd")
        body = text.split("\n", front.lines)[front.lines :] if front.lines else [text]
        builder = SectionBuilder()
        if front.unread:
            yield from builder.add(
                front.unread, kind="metadata", layer="metadata", locator=Locator.lines(1, front.lines)
            )
        yield from markdown_sections(
            "".join(body), builder, report, first=front.lines + 1, mdx=source.extension == ".mdx"
        )
        yield from builder.close()


@hookimpl
def gatherum_handlers() -> list[Handler]:
    """Offer the handler."""
    return [MarkdownHandler()]
