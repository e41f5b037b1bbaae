"""Every built-in handler passes the suite that plugin authors are given."""

import struct
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from compound import compound, message
from format_samples import samples

from gatherum import Handler, load_registry
from gatherum.testing import HandlerSuite

REGISTRY = load_registry()
# The old Office formats are read through an optional library; their own tests say what holds without it.
BUILT_IN = [handler for info, handler in REGISTRY.plugins.handlers if info.built_in and handler.name != "legacy"]
SCRATCH = tempfile.TemporaryDirectory(prefix="gatherum-samples-")


def files(handler: Handler) -> tuple[Path, ...]:
    """Write the samples of a handler to files."""
    paths = []
    for number, (extension, data) in enumerate(samples(REGISTRY, handler, damaged=False)[:3]):
        path = Path(SCRATCH.name, f"{handler.name}-{number}{extension}")
        path.write_bytes(data)
        paths.append(path)
    return tuple(paths)


def pdf(size: int) -> bytes:
    """Return a document with as many pages as it takes."""
    pages = size // 500
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%b]>>" % (pages, b" ".join(b"%d 0 R" % (4 + 2 * at) for at in range(pages))),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for at in range(pages):
        about = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>>>>>"
        lines = (b"BT /F 12 Tf 72 %d Td (Boat %d comes in at %d.) Tj ET\n" % (80 + 60 * up, at, up) for up in range(6))
        shown = b"".join(lines)
        objects += [about % (5 + 2 * at), b"<</Length %d>>stream\n%b\nendstream" % (len(shown), shown)]
    out, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
    return out + end % (len(objects) + 1, table, len(objects) + 1, len(out))


def dbase(size: int) -> bytes:
    records = size // 21
    field = b"BOAT".ljust(11, b"\0") + b"C" + bytes(4) + b"\x14" + bytes(15)
    head = struct.pack("<B3BIHH20x", 3, 124, 1, 1, records, 65, 21)
    return head + field + b"\r" + b" a boat in a harbour " * records


MAIL = "MIME-Version: 1.0\nContent-Type: text/html\n\n"
EVENTS = "[Events]\nFormat: Layer, Start, End, Name, Text\n"
CUE = "00:00:01.000 --> 00:00:02.000\nBoat {} comes in\n\n"
EVENT = "Dialogue: 0,0:00:01.00,0:00:02.00,Ada,Boat {} comes in\n"
LARGER: dict[str, Callable[[int], bytes | str]] = {
    ".pdf": pdf,
    ".dbf": dbase,
    ".msg": lambda size: compound(message({0x0037: "Tides", 0x0C1A: "Ada", 0x1000: "High water\r\n" * (size // 24)})),
    ".mhtml": lambda size: MAIL + "<h1>Boats</h1><p>come in</p>\n" * (size // 29),
    ".tex": lambda size: (
        r"\section{Boats} \emph{come} in\footnote{at dawn}." + "\n\n" + "Boats $x^2$ come.\n" * (size // 18)
    ),
    ".vtt": lambda size: "WEBVTT\n\n" + "".join(map(CUE.format, range(size // 48))),
    ".ass": lambda size: EVENTS + "".join(map(EVENT.format, range(size // 48))),
    ".opml": lambda size: "<opml><body>" + "<outline text='Boats'/>" * (size // 24) + "</body></opml>",
    ".ini": lambda size: "".join(f"[boat {number}]\nsize = 12\n" for number in range(size // 22)),
}
"""Formats of which nothing longer is made by repeating what is in a sample."""


class BuiltIn(HandlerSuite):
    """The suite, with larger documents of every format."""

    def enlarged(self, name: str, data: bytes, size: int) -> bytes | None:
        make = LARGER.get(Path(name).suffix)
        larger = make(size) if make else super().enlarged(name, data, size)
        return larger.encode() if isinstance(larger, str) else larger


for each in BUILT_IN:
    name = f"Test{each.name.title().replace('-', '')}"
    globals()[name] = type(name, (BuiltIn,), {"handler": each, "samples": files(each)})


@pytest.mark.parametrize("handler", BUILT_IN, ids=lambda handler: handler.name)
def test_it_has_a_sample(handler: Handler) -> None:
    assert files(handler)


@pytest.mark.parametrize("handler", BUILT_IN, ids=lambda handler: handler.name)
def test_a_larger_document_of_it_can_be_made(handler: Handler) -> None:
    suite = type("Suite", (BuiltIn,), {"handler": handler, "samples": files(handler)})()
    for path in files(handler):
        small, large = (suite.enlarged(path.name, path.read_bytes(), size) for size in (8 << 10, 64 << 10))
        assert small
        assert large
        assert suite._shown(path.name, large) > 2 * suite._shown(path.name, small), path.name
