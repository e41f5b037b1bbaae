"""Where in a file a piece of text stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from gatherum.text.cleaning import clean

Unit = Literal["document", "line", "page", "slide", "cell", "sheet", "chapter", "paragraph", "message", "time"]

_UNITS: Final = {unit: unit for unit in get_args(Unit)}
_LARGEST: Final = 1 << 53
"""Beyond it, not every program that reads JSON tells numbers apart."""
_LONGEST: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Locator:
    """A place or a range in a file, counted from 1 in the unit that its readers use.

    Made by the class methods below; locators of one unit sort in reading order.

    Attributes:
        unit: What is counted.
        start: The first one; 0 when the unit is the whole document.
        end: The last one, inclusive.
        name: The name that the unit goes by: a sheet, a chapter's file, a cell's id.
        anchor: A fragment inside it: an HTML id, a cell range.
        label: The place as a person would say it, for example "lines 40–62".
    """

    unit: Unit
    start: int = 0
    end: int = 0
    name: str = ""
    anchor: str = ""
    label: str = ""

    def __post_init__(self) -> None:
        if self.end < self.start:
            object.__setattr__(self, "end", self.start)
        if not self.label:
            object.__setattr__(self, "label", self._say())

    def __str__(self) -> str:
        return self.label

    def _say(self) -> str:
        if self.unit == "document":
            return "whole document"
        if self.unit == "sheet":
            rows = f"row {self.start}" if self.start == self.end else f"rows {self.start}–{self.end}"
            place = self.anchor or (rows if self.end else "")
            return f"sheet {self.name or '1'} {place}".rstrip()
        if self.unit == "time":
            return f"{_clock(self.start)}–{_clock(self.end)}"
        if self.start == self.end:
            return f"{self.unit} {self.start}"
        return f"{self.unit}s {self.start}–{self.end}"

    def to(self, other: Locator) -> Locator:
        """Return the range from this place to *other*; just this place if they cannot be joined."""
        if other.unit != self.unit or other.name != self.name or other.end <= self.end:
            return self
        return Locator(unit=self.unit, start=self.start, end=other.end, name=self.name, anchor=self.anchor)

    def sound(self) -> Locator:
        """Return this place with numbers that can be stored and names that can be shown.

        Raises:
            TypeError: It is counted in nothing, or by no numbers.
        """
        start, end, name, anchor, label = self.start, self.end, self.name, self.anchor, self.label
        if not _counts(self.unit, start, end):
            raise TypeError(f"a locator counts {self.unit!r} from {start!r} to {end!r}")
        if (
            type(self) is Locator
            and (type(start) is type(end) is int and 0 <= start <= end <= _LARGEST)
            and (type(name) is type(anchor) is type(label) is str and len(name) + len(anchor) + len(label) <= _LONGEST)
            and name.isprintable()
            and anchor.isprintable()
            and label.isprintable()
        ):
            return self
        start, end = (max(0, min(int.__index__(number), _LARGEST)) for number in (start, end))
        name, anchor, label = (clean(name)[:_LONGEST] for name in (name, anchor, label))
        return Locator(unit=_UNITS[self.unit], start=start, end=end, name=name, anchor=anchor, label=label)

    @classmethod
    def lines(cls, start: int, end: int = 0) -> Locator:
        """Lines of a text file."""
        return cls(unit="line", start=start, end=end)

    @classmethod
    def page(cls, start: int, end: int = 0) -> Locator:
        """Pages of a paginated file."""
        return cls(unit="page", start=start, end=end)

    @classmethod
    def slide(cls, number: int) -> Locator:
        """A slide, in the order in which it is shown."""
        return cls(unit="slide", start=number)

    @classmethod
    def cell(cls, number: int, *, name: str = "") -> Locator:
        """A notebook cell and its id."""
        return cls(unit="cell", start=number, name=name)

    @classmethod
    def sheet(cls, name: str, *, anchor: str = "", start: int = 0, end: int = 0) -> Locator:
        """A range of a spreadsheet, rows *start* to *end* or a range such as "A1:C9"."""
        return cls(unit="sheet", start=start, end=end, name=name, anchor=anchor)

    @classmethod
    def chapter(cls, number: int, *, name: str = "", anchor: str = "") -> Locator:
        """A chapter by its place in the book, with its file and the fragment in it."""
        return cls(unit="chapter", start=number, name=name, anchor=anchor)

    @classmethod
    def paragraph(cls, start: int, end: int = 0) -> Locator:
        """Paragraphs of a word processor document, tables counted as one each."""
        return cls(unit="paragraph", start=start, end=end)

    @classmethod
    def time(cls, start: int, end: int) -> Locator:
        """A stretch of a recording, in milliseconds."""
        return cls(unit="time", start=start, end=end)


def _counts(unit: object, *numbers: object) -> bool:
    return unit in _UNITS and all(isinstance(number, int) for number in numbers)


WHOLE = Locator(unit="document")


def _clock(milliseconds: int) -> str:
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
