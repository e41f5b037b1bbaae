"""The closed list of problem codes, each with what a person can do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from gatherum.locator import Locator

Code = Literal[
    "corrupt",
    "crashed",
    "denied",
    "drm",
    "empty",
    "encoding_guessed",
    "handler_failed",
    "hidden_text",
    "legacy_format",
    "missing_part",
    "not_a_file",
    "outside",
    "partial",
    "password_protected",
    "memory",
    "no_text",
    "timeout",
    "too_deep",
    "too_large",
    "unnameable",
    "unsupported",
    "vanished",
    "wrong_extension",
]

ADVICE: Final[dict[Code, str]] = {
    "corrupt": "The file is damaged. Open and save it again in its own program, or restore it from a backup.",
    "crashed": "Reading the file ended the reader process. The file is tried again when it or its handler changes.",
    "denied": "Give yourself permission to read the file, or exclude it.",
    "drm": "The book is locked by its vendor and cannot be read. Exclude it, or add a copy without the lock.",
    "empty": "The file has no content. Nothing to do.",
    "encoding_guessed": "The text was read in the likeliest encoding. Save it as UTF-8 to be sure of every letter.",
    "handler_failed": "The handler of this format failed. Report it to the plugin's author, with the file if you can.",
    "hidden_text": "The document carries text that its reader does not see. It is kept out of answers.",
    "legacy_format": "Save the file in the current format (.docx, .pptx, .xlsx) to have it read.",
    "missing_part": "A part that the document names is not in the file. The rest was read.",
    "not_a_file": "Only ordinary files are read: devices, pipes and sockets are left alone.",
    "outside": "The link leads out of the folder. Index its target as a folder of its own if you want it.",
    "partial": "A part of the document could not be read. The rest was.",
    "password_protected": "Save a copy without the password to have it read.",
    "memory": "Reading the file took more memory than allowed. Split the file, or raise reader.memory_mb.",
    "no_text": "The document holds pictures only. Run text recognition on it first.",
    "timeout": "Reading the file took longer than allowed. Split the file, or raise reader.seconds.",
    "too_deep": "The document is nested deeper than any honest document. The inner text was left out.",
    "too_large": "The file or a part of it is larger than allowed. Split it, or raise the limit named in the message.",
    "unnameable": "The file's name is not valid UTF-8. Rename it.",
    "unsupported": "No installed plugin reads this format. `gatherum formats` lists those that can be read.",
    "vanished": "The file was deleted or moved while it was being read.",
    "wrong_extension": "The file is not what its name says; it was read for what it is. Rename it.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that kept a source from being read in full.

    Attributes:
        code: One of the closed list above.
        message: One sentence about this very file.
        locator: The place in the file, where it is known.
    """

    code: Code
    message: str
    locator: Locator | None = None

    @property
    def advice(self) -> str:
        """What a person can do about it."""
        return ADVICE[self.code]
