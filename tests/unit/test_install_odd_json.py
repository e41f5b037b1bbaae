"""JSON of every shape, with comments and commas in odd places: what goes in comes out to the byte."""

from __future__ import annotations

import json
import os
import random

from gatherum.install.entries import JsonServer
from gatherum.install.jsonc import parse
from gatherum.install.text import UneditableError

ROUNDS = int(os.environ.get("GATHERUM_FUZZ", "3000"))
SERVER = JsonServer(
    path=("mcpServers",), name="gatherum", entry={"command": "gatherum", "args": ["serve"]}, comments=True
)
SCALARS = (1, -2.5e3, True, None, "a//b", "/*x*/", 'ü"q\\', "{,}")
GAPS = ("", "", " ", "\n", "\n  ", "\t", " // c, }\n", "/* , } */", "\r\n", "/* a */ /* b */\n")


def some(chance: random.Random, depth: int) -> str:
    """Text of JSON with comments, at random."""
    kind = chance.random()
    if depth > 3 or kind < 0.3 * depth:
        return json.dumps(chance.choice(SCALARS), ensure_ascii=chance.random() < 0.5)
    items = [f"{gap(chance)}{some(chance, depth + 1)}{gap(chance)}" for _ in range(chance.randint(0, 3))]
    is_list = depth > 0 and kind > 0.75
    if not is_list:
        keys = [json.dumps(chance.choice(("mcpServers", "a", "b", f"x{number}"))) for number in range(len(items))]
        items = [f"{gap(chance)}{key}{gap(chance)}:{item}" for key, item in zip(keys, items, strict=True)]
    body = ",".join(items) + ("," + gap(chance) if items and chance.random() < 0.3 else "")
    return f"[{body or gap(chance)}]" if is_list else f"{{{body or gap(chance)}}}"


def gap(chance: random.Random) -> str:
    return chance.choice(GAPS)


def test_what_goes_in_comes_out_to_the_byte() -> None:
    chance = random.Random(7)
    done = 0
    for _ in range(ROUNDS):
        text = some(chance, 0)
        root = parse(text, comments=True)
        assert root
        try:
            edit = SERVER.add(text)
        except UneditableError:
            continue
        made = edit.apply(text)
        assert SERVER.held(made) == SERVER.entry, text
        without = {"mcpServers": {}} | root.plain
        after = parse(made, comments=True)
        assert after
        del after.plain["mcpServers"]["gatherum"]
        assert after.plain == without, text
        assert edit.undo(made) == text
        taken_out = parse(SERVER.remove(made).apply(made), comments=True)
        assert taken_out
        assert taken_out.plain == without, text
        done += 1
    assert done > ROUNDS / 3
