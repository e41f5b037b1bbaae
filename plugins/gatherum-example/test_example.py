from pathlib import Path

from gatherum_example import ShoutHandler

import gatherum
from gatherum.testing import HandlerSuite

HELLO = Path(__file__).parent / "hello.shout"


class TestShout(HandlerSuite):
    handler = ShoutHandler()
    samples = (HELLO,)
    shows = {"hello.shout": ("GREETINGS", "hello, says the fox", "FAREWELLS")}


def test_lines_in_capitals_are_headings():
    document = gatherum.load_registry().read(HELLO)
    assert [section.heading for section in document.sections] == [("GREETINGS",), ("FAREWELLS",)]
    assert str(document.sections[0].locator) == "lines 2–3"
