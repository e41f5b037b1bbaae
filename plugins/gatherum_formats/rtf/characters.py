"""Character text of Rich Text Format: bytes in the code page of their font, Unicode with substitutes."""

from __future__ import annotations

from gatherum_formats.rtf.state import Flow, State
from gatherum_formats.rtf.text import SYMBOL_FONT, Font


class RtfCharacters:
    """Turn bytes and numbers into text, and hand it to the group that is open."""

    def __init__(self) -> None:
        self.codec = "cp1252"
        self.state = State(flow := Flow(), flow.parts, Font())
        self.raw = bytearray()
        self.unread = 0
        self.starred = self.fresh = False

    def text(self, text: bytes) -> None:
        """Take plain bytes."""
        self.starred = False
        self.fresh = self.fresh and text.isspace()
        if self.unread:
            cut = min(self.unread, len(text))
            self.unread -= cut
            text = text[cut:]
        if self.raw or not text.isascii() or self.state.font.symbol:
            self.raw += text
        else:
            self.emit(text.decode("ascii"))

    def hex(self, digits: bytes) -> None:
        """Take a byte given by its hexadecimal digits."""
        if self.unread:
            self.unread -= 1
        else:
            self.raw.append(int(digits, 16))

    def flush(self) -> None:
        """Decode the bytes taken so far: what follows may be in another code page."""
        if self.raw:
            font = self.state.font
            if font.symbol:
                text = "".join([SYMBOL_FONT.get(byte, "•") for byte in self.raw])
            else:
                text = self.raw.decode(font.codec or self.codec, errors="replace")
            self.raw.clear()
            self.emit(text)

    def emit(self, text: str) -> None:
        """Add text where the group at hand puts it."""
        state = self.state
        if state.sink is None or state.deleted:
            return
        if state.hidden and state.sink is state.flow.parts:
            state.flow.hidden.append(text)
        else:
            state.sink.append(text)

    def unicode(self, number: int) -> None:
        """Take a character given by its number, and drop its substitute that follows."""
        code = number & 0xFFFF
        if 0xF000 <= code <= 0xF0FF:
            self.emit(SYMBOL_FONT.get(code & 0xFF, "•") if self.state.font.symbol else "•")
        else:
            self.emit(chr(code))
        self.unread = self.state.skip
