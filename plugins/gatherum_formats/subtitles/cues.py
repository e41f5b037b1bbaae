"""Subtitles from their cues to sections.

What is said within about a minute makes one section, so that it can be found as one and played from its beginning.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gatherum import Locator, SectionBuilder, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Report, Section

_BLOCK: Final = 60_000
_PAUSE: Final = 15_000
_TIME: Final = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,:](\d{1,3}))?"
_ARROW: Final = re.compile(rf"\s*{_TIME}\s*-+>\s*{_TIME}")
_COMMA: Final = re.compile(rf"\s*{_TIME}\s*,\s*{_TIME}\s*$")
_DIALOGUE: Final = re.compile(rf"Dialogue:\s*[^,]*,\s*{_TIME}\s*,\s*{_TIME}\s*,")
_VOICE: Final = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_TAG: Final = re.compile(r"<[^<>\n]{0,200}>|\{[^{}\n]{0,200}\}")
_NOT_SAID: Final = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")
_SEEN: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """What is shown from one moment to another.

    Attributes:
        start: In milliseconds.
        end: In milliseconds.
        lines: What is said.
        speaker: Who says it, if the file tells.
    """

    start: int
    end: int
    lines: tuple[str, ...]
    speaker: str = ""


def read_cues(text: str, name: str, extension: str, report: Report) -> Iterator[Section]:
    """Yield what is said, a minute or so at a time.

    Args:
        text: The file's text.
        name: What it is called in problems.
        extension: What it is written in.
        report: Told of metadata.

    Raises:
        UnreadableError: There are no cues in it.
    """
    lines = text.split("\n")
    _describe(lines, extension, report)
    cues = list(_dialogue(lines) if extension in (".ass", ".ssa") else _cues(lines))
    if not cues:
        raise UnreadableError("corrupt", f"{name} has no cues")
    builder = SectionBuilder()
    begun = last = cues[0].start
    recent: list[str] = []
    for cue in cues:
        if not begun <= cue.start < begun + _BLOCK or cue.start - last > _PAUSE:
            yield from builder.close()
            begun, recent = cue.start, []
        new = [line for line in cue.lines if line not in recent]
        recent = [*recent, *new][-_SEEN:]
        last = max(cue.end, cue.start)
        said = " ".join(new).replace(" \n", "\n").strip()
        if said:
            said = f"{cue.speaker}: {said}" if cue.speaker else said
            yield from builder.add(said, locator=Locator.time(cue.start, last), separator="\n")
    yield from builder.close()


def _cues(lines: list[str]) -> Iterator[Cue]:
    """Yield the cues of SubRip, WebVTT and YouTube's format: a line of times, then text up to a blank line."""
    times: tuple[int, int] | None = None
    said: list[str] = []
    skipping = False
    for index, line in enumerate([*lines, ""]):
        match = (_ARROW.match(line) if "->" in line else _COMMA.match(line) if "," in line else None) if line else None
        if match:
            if times and said:
                yield _cue(times, said)
            times, said, skipping = (_moment(match, 1), _moment(match, 5)), [], False
        elif not line.strip():
            following = lines[index + 1].strip() if index + 1 < len(lines) else ""
            if times and said and (not following or _begins(lines, index + 1)):
                yield _cue(times, said)
                times, said = None, []
            skipping = False
        elif times is None and _NOT_SAID.match(line):
            skipping = True
        elif times is not None and not skipping:
            said.append(line.strip())


def _begins(lines: list[str], at: int) -> bool:
    """Tell whether a cue, or a part that is not said, begins in a line: its number or name, then its times."""
    return any("->" in line or _COMMA.match(line) or _NOT_SAID.match(line) for line in lines[at : at + 2])


def _cue(times: tuple[int, int], said: list[str]) -> Cue:
    voice = _VOICE.search(said[0])
    if said[-1].isdigit() and len(said) > 1:
        said = said[:-1]  # the next cue's number, where no blank line parts them
    lines = tuple(text for at, line in enumerate(said) if (text := _line(line, at)))
    return Cue(start=times[0], end=times[1], lines=lines, speaker=voice[1].strip() if voice else "")


def _line(line: str, at: int) -> str:
    """Return a line of a cue; one that another speaker begins, by name or by a dash, begins with a line end."""
    text, voice = _plain(line), _VOICE.search(line)
    if not at or not text:
        return text
    return f"\n{voice[1].strip()}: {text}" if voice else f"\n{text}" if text[0] in "-–—" else text


def _dialogue(lines: list[str]) -> Iterator[Cue]:
    """Yield the lines of dialogue of SubStation Alpha, in the order of time."""
    cues: list[Cue] = []
    order = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]
    for line in lines:
        if line.startswith("Format:") and "Text" in line:
            order = [name.strip().lower() for name in line[7:].split(",")]
        match = _DIALOGUE.match(line)
        if not match:
            continue
        fields = line.split(":", 1)[1].split(",", len(order) - 1)
        speaker = fields[order.index("name")].strip() if "name" in order and len(fields) == len(order) else ""
        if "\\p1" in fields[-1]:
            continue
        said = _plain(fields[-1].replace("\\N", " ").replace("\\n", " ").replace("\\h", " "))
        cues.append(Cue(start=_moment(match, 1), end=_moment(match, 5), lines=(said,) if said else (), speaker=speaker))
    yield from sorted(cues, key=lambda cue: cue.start)


def _moment(match: re.Match[str], group: int) -> int:
    hours, minutes, seconds, fraction = match.group(group, group + 1, group + 2, group + 3)
    milliseconds = int((fraction or "0").ljust(3, "0"))
    return (int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)) * 1000 + milliseconds


def _plain(text: str) -> str:
    return " ".join(html.unescape(_TAG.sub("", text)).split())


def _describe(lines: list[str], extension: str, report: Report) -> None:
    for line in lines[:40]:
        name, colon, value = line.partition(":")
        if not colon or "->" in line:
            continue
        if extension == ".vtt" and name == "Language":
            report.metadata(language=value.strip())
        elif extension in (".ass", ".ssa") and name == "Title":
            report.metadata(title=value.strip())
