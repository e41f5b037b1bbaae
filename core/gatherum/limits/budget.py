"""How much of a source may be read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Upper bounds for one source, in bytes unless said otherwise.

    Attributes:
        file_bytes: A whole file.
        member_bytes: One part of a zip archive, unpacked.
        archive_bytes: All parts read of one archive, unpacked.
        archive_entries: Parts in one archive.
        text_chars: Characters of all sections together.
        sections: Sections of one document.
        children: Depth of documents inside documents.
    """

    file_bytes: int = 256 << 20
    member_bytes: int = 64 << 20
    archive_bytes: int = 256 << 20
    archive_entries: int = 20_000
    text_chars: int = 64_000_000
    sections: int = 200_000
    children: int = 3
