"""A handler that does what a file tells it to, and the recipe for workers that have it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gatherum import Handler, Registry, Section
from gatherum.plugins import PluginInfo, Plugins
from gatherum.reader import Recipe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatherum import Glimpse, Report, Source


KEPT: list[bytes] = []


class WildHandler(Handler):
    """Reads ``.wild`` files."""

    name, title, extensions = "wild", "Wild files", (".wild",)

    def read(self, source: Source, report: Report) -> Iterator[Section]:
        """Do what the file says."""
        order = source.text().strip()
        if order == "hang":
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
