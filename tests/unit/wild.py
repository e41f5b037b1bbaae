"""A handler that does what a file tells it to, and the recipe for workers that have it."""

from __future__ import annotations

import builtins
import gc
import json
import locale
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gatherum import Handler, Locator, Registry, Section
from gatherum.plugins import PluginInfo, Plugins
from gatherum.reader import Recipe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Glimpse, Report, Source


KEPT: list[object] = []


class Text(str):
    """A string of the plugin's own."""

    __slots__ = ()


class Number(int):
    """A number of the plugin's own."""

    __slots__ = ()


class OwnSection(Section):
    """A section of the plugin's own."""


class Unspeakable(Exception):  # noqa: N818
    """Cannot even be told."""

    def __str__(self) -> str:
        raise ValueError("no words")


def many_threads() -> None:
    threading.stack_size(64 << 10)
    for _ in range(40):
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()


DISTURBANCES = {
    "disturb environ": lambda: os.environ.update(TZ="Asia/Tokyo", ODD="1"),
    "disturb path": lambda: sys.path.insert(0, "/nowhere"),
    "disturb folder": lambda: os.chdir("/"),
    "disturb mask": lambda: os.umask(0),
    "disturb locale": lambda: locale.setlocale(locale.LC_ALL, "C.UTF-8"),
    "disturb filters": lambda: warnings.simplefilter("error"),
    "disturb signals": lambda: signal.signal(signal.SIGTERM, lambda *_: None),
    "disturb digits": lambda: sys.set_int_max_str_digits(0),
    "disturb collecting": gc.disable,
    "disturb builtins": lambda: setattr(builtins, "len", lambda _: 7),
    "disturb json": lambda: setattr(json, "loads", lambda _: 7),
    "disturb files": lambda: KEPT.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(200)),
    "disturb limits": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (50, 50)),
    "disturb threads": many_threads,
}


def surroundings() -> str:
    """Return what files read later must find as it was."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    mask = os.umask(0)
    os.umask(mask)
    number = os.open(os.devnull, os.O_RDONLY)
    os.close(number)
    return repr(
        (
            *(sorted(os.environ.items()), time.tzname, sys.path, Path.cwd(), mask, locale.setlocale(locale.LC_ALL)),
            *(warnings.filters, signal.getsignal(signal.SIGTERM), sys.get_int_max_str_digits(), gc.isenabled()),
            *(len([1]), json.loads("1"), number < 100, limit, threading.active_count() < 20),
        )
    )


class WildHandler(Handler):
    """Reads ``.wild`` files."""

    name, title, extensions = "wild", "Wild files", (".wild",)

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Do what the file says."""
        order = source.text().strip()
        if order.startswith("told "):
            order = order.removeprefix("told ")
            processes = (
                [os.getpid(), subprocess.Popen(["sleep", "1000"]).pid] if order == "hang child" else [os.getpid()]
            )
            written = source.path.with_name("written")
            written.write_text(" ".join(map(str, processes)), encoding="utf-8")
            written.rename(source.path.with_name("processes"))
        if order == "spin":
            re.match(r"(a|aa)+$", "a" * 200 + "b")  # holds the interpreter for longer than anybody lives
        if order.startswith("hang") and "noted" not in order:
            while True:
                time.sleep(0.01)
        elif order == "slow":
            time.sleep(0.4)
        elif order == "abort":
            os.abort()
        elif order == "exit":
            os._exit(7)
        elif order == "eat memory":
            bytearray(1 << 40)
        elif order == "leave":
            sys.exit(1)
        elif order == "interrupt":
            raise KeyboardInterrupt
        elif order == "raise":
            raise ValueError("odd")
        elif order == "print":
            print("CANARY")
            print("CANARY", file=sys.stderr)
            os.write(1, b"CANARY")
            os.write(2, b"CANARY")
        elif order.startswith("abort once"):
            mark = source.path.with_suffix(".tried")
            if not mark.exists():
                mark.touch()
                os.abort()
        elif order.startswith("abort noted"):
            with source.path.with_name("tries").open("a") as tries:
                tries.write(f"{source.name}\n")
            os.abort()
        elif order.startswith("hang noted"):
            with source.path.with_name("tries").open("a") as tries:
                tries.write(f"{source.name}\n")
            time.sleep(1000)
        elif order.startswith("spawn"):
            child = subprocess.Popen(["sleep", "1000"])
            source.path.with_name("child").write_text(str(child.pid))
            if order.endswith("hang"):
                time.sleep(1000)
        elif order == "disturb":
            os.chdir("/")
            sys.setrecursionlimit(77_777)
            os.close(0)
            sys.stdout = None
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        elif order in DISTURBANCES:
            DISTURBANCES[order]()
        elif order == "fork":
            if os.fork() == 0:
                order = "the copy"
        elif order == "surroundings":
            order = surroundings()
        elif order == "own types":
            report.metadata(title=Text("Title"), number=Number(7), **{Text("name"): Text("value")})
            report.problem("partial", Text("a problem"), Locator.lines(Number(3)))
            text, place = Text("own types"), Locator(unit=Text("line"), start=Number(1), label=Text("line 1"))
            yield OwnSection(text=text, heading=(Text("A"),), level=Number(1), kind=Text("code"), locator=place)
            return
        elif order == "problems":
            for number in range(5000):
                report.problem("partial", f"{number} " + "x" * 10_000)
            report.problem("no such code", "odd")
        elif order == "much metadata":
            report.metadata(
                description="x" * 9_000_000, tags=["t" * 9000] * 9000, **{f"n{n}": "x" * 999_999 for n in range(9)}
            )
        elif order == "deep headings":
            yield Section(text="x", heading=tuple(f"h{n}" for n in range(999)), level=9)
        elif order == "for ever":
            while True:
                yield Section(text="more")
        elif order == "scribble":
            for number in range(3, 20):
                with suppress(OSError):
                    os.write(number, b"\0\0\0\4rubbish")
        elif order == "unspeakable":
            raise Unspeakable
        elif order == "state":
            stdin = os.read(0, 10)
            order = f"{Path.cwd()} {sys.getrecursionlimit()} {stdin} {sys.stdout is None} {signal.getsignal(2)!r}"
        elif order == "process":
            order = str(os.getpid())
        elif order == "grow":
            KEPT.append(b"x" * (32 << 20))
        elif order == "close":
            os.close(1)
        elif order == "write":
            source.path.with_name("written").write_bytes(bytes(3 << 20))
        yield Section(text=order)


class AskedHandler(Handler):
    """Knows its files by their content, and has trouble with some that are not its own."""

    name, title, extensions = "asked", "Asked files", (".asked",)

    def recognise(self, glimpse: Glimpse) -> str | None:
        """Do what the file says."""
        if glimpse.head.startswith(b"asked hang"):
            time.sleep(1000)
        if glimpse.head.startswith(b"asked abort"):
            os.abort()
        if glimpse.head.startswith(b"asked raise"):
            raise ValueError("odd")
        if glimpse.head.startswith(b"asked leave"):
            sys.exit(3)
        return None

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Yield the file."""
        yield Section(text=source.text())


@dataclass(frozen=True, slots=True, kw_only=True)
class WildRecipe(Recipe):
    """Makes a registry with the wild handler, and one that is asked about each content."""

    def registry(self) -> Registry:
        """Return the registry."""
        info = PluginInfo(name="wild", distribution="tests", version="1", state="active")
        plugins = Plugins(infos=(info,), handlers=((info, WildHandler()), (info, AskedHandler())), models=())
        return Registry(plugins, limits=self.limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class SluggishRecipe(WildRecipe):
    """Makes the same registry, after longer than a file may take."""

    def registry(self) -> Registry:
        """Return the registry of the wild handler."""
        time.sleep(1.5)
        return WildRecipe.registry(self)
