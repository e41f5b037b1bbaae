"""Where HTTP is served: addresses, their sockets, and the names under which clients may call them."""

from __future__ import annotations

import errno
import ipaddress
import os
import re
import socket
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from gatherum.errors import ConfigError, GatherumError

_BACKLOG: Final = 1024
_ABSENT: Final = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
_NAME: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?")
_ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A host and a port.

    Attributes:
        host: A name or an address; IPv6 without brackets.
        port: 0 for any that is free.
    """

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.authority}:{self.port}"

    @property
    def authority(self) -> str:
        """The host as it stands in a URL."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @classmethod
    def parse(cls, text: str, default: Address) -> Address:
        """Return the address that ``[HOST:]PORT`` names.

        Args:
            text: For example ``8000``, ``localhost:8000`` or ``[::1]:8000``; empty for the default.
            default: What holds for the parts that are not given.

        Raises:
            ValueError: It is no address.
        """
        if not text:
            return default
        host, _, port = text.rpartition(":")
        if not re.fullmatch(r"[0-9]{1,5}", port) or int(port) > 65535:
            raise ValueError(f"{text!r} is not [HOST:]PORT with a port from 0 to 65535")
        bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
        if ":" in bare and bare == host:
            raise ValueError(f"{text!r}: an IPv6 address stands in brackets, as in [::1]:{port}")
        return cls(host=bare or default.host, port=int(port))


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """Open sockets that nobody accepts from yet.

    Attributes:
        address: The host as it was named, and the port that was taken.
        sockets: One for each address of the host.
        loopback: Whether only this machine can reach them.
    """

    address: Address
    sockets: tuple[socket.socket, ...]
    loopback: bool

    @property
    def url(self) -> str:
        """The server's own URL, without a path."""
        wild = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - to recognise it
        return f"http://{Address(host=wild.get(self.address.host, self.address.host), port=self.address.port)}"

    def hosts(self, named: tuple[str, ...]) -> frozenset[str]:
        """Return every value of the Host header that is ours, in lower case.

        Args:
            named: More of them, from the settings.

        Raises:
            ConfigError: One of those is no host, or none is given though the server can be reached under any name.
        """
        everywhere = self.address.host in ("0.0.0.0", "::", "")  # noqa: S104 - to recognise it
        if everywhere and not named:
            raise ConfigError(
                f"the server would listen on every address of this machine ({self.address}), but "
                "server.allowed_hosts does not say under which names clients may call it",
                hint='Set for example: allowed_hosts = ["docs.example.com"].',
            )
        own = () if everywhere else (self.address.authority.lower(),)
        return frozenset(
            host
            for name in (*_LOOPBACK, *own, *map(_host, named))
            for host in ((name,) if _port(name) else (f"{name}:{self.address.port}", *_bare(name, self.address.port)))
        ) | frozenset(map(_host, named))

    def close(self) -> None:
        """Stop listening."""
        for each in self.sockets:
            each.close()


def listen(address: Address) -> Listener:
    """Open the sockets of an address.

    Raises:
        GatherumError: It cannot be had.
    """
    if not 0 <= address.port <= 65535:
        raise ConfigError(f"server.port is {address.port}", hint="It must be a number from 0 to 65535.")
    try:
        found = socket.getaddrinfo(address.host or None, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise GatherumError(
            f"HTTP cannot be served on {address}: there is no host {address.host!r}",
            hint=f"Name an address of this machine, such as 127.0.0.1. ({getattr(error, 'strerror', None) or error})",
        ) from None
    port = address.port
    sockets: list[socket.socket] = []
    with ExitStack() as undo:
        for family, kind, protocol, _, where in dict.fromkeys(found):
            try:
                opened = undo.enter_context(socket.socket(family, kind, protocol))
                _bind(opened, family, (where[0], port, *where[2:]))
            except OSError as error:
                if len(found) > 1 and error.errno in _ABSENT and (sockets or family == socket.AF_INET6):
                    continue  # a name of this machine may stand for IPv6 where that is switched off
                raise _untaken(address, error) from None
            port = opened.getsockname()[1]
            sockets.append(opened)
        undo.pop_all()
    loopback = all(ipaddress.ip_address(each.getsockname()[0].partition("%")[0]).is_loopback for each in sockets)
    return Listener(address=Address(host=address.host, port=port), sockets=tuple(sockets), loopback=loopback)


def origins(named: tuple[str, ...]) -> frozenset[str]:
    """Return the values of the Origin header that the settings allow.

    Raises:
        ConfigError: One is no origin.
    """
    for name in named:
        if not _ORIGIN.fullmatch(name.lower()):
            raise ConfigError(
                f"server.allowed_origins has {name!r}",
                hint="Write scheme, host and port, without a path and without *: https://docs.example.com.",
            )
    return frozenset(name.lower() for name in named)


def _bind(opened: socket.socket, family: int, where: tuple[object, ...]) -> None:
    if os.name == "posix":
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    opened.bind(where)
    opened.listen(_BACKLOG)
    opened.setblocking(False)


def _untaken(address: Address, error: OSError) -> GatherumError:
    reasons = {
        errno.EADDRINUSE: ("the port is taken by another program", "Choose another, or 0 for any that is free."),
        errno.EACCES: ("the port may not be used", "Choose one from 1024."),
        errno.EADDRNOTAVAIL: ("this machine has no such address", "Name one of its own, such as 127.0.0.1."),
    }
    reason, hint = reasons.get(error.errno or 0, (error.strerror or str(error), "Choose another address."))
    return GatherumError(f"HTTP cannot be served on {address}: {reason}", hint=hint)


def _host(name: str) -> str:
    if not _NAME.fullmatch(name.lower()):
        raise ConfigError(
            f"server.allowed_hosts has {name!r}",
            hint="Write a name as in docs.example.com, with a port if it is another one; not a URL, and no *.",
        )
    return name.lower()


def _port(name: str) -> str:
    match = _NAME.fullmatch(name)
    return (match[2] or "") if match else ""


def _bare(name: str, port: int) -> tuple[str, ...]:
    """Return the name alone where it means the port: clients leave 80 out."""
    return (name,) if port == 80 else ()
