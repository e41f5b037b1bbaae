"""A real server over HTTP for tests, and requests as raw as they come."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

HANG = 60.0
"""Seconds after which a test gives up; none is decided by how fast something was."""

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
MODERN = "2026-07-28"


@dataclass(kw_only=True)
class Served:
    """A running server."""

    process: subprocess.Popen[str]
    url: str
    port: int
    token: str
    lines: list[str] = field(default_factory=list)

    @property
    def log(self) -> str:
        return "".join(self.lines)

    def headers(self, **more: str) -> dict[str, str]:
        """The headers of a well-behaved client."""
        headers = {
            "Host": f"127.0.0.1:{self.port}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **({"Authorization": f"Bearer {self.token}"} if self.token else {}),
        }
        return {**headers, **{name.replace("_", "-"): value for name, value in more.items()}}

    def request(
        self,
        method: str = "POST",
        path: str = "/mcp",
        body: bytes | Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Send one request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANG)
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in (self.headers() if headers is None else headers).items():
                connection.putheader(name, value)
            if data is not None:
                connection.putheader("Content-Length", str(len(data)))
            connection.endheaders(data)
            answer = connection.getresponse()
            return Reply(status=answer.status, headers=dict(answer.getheaders()), body=answer.read())
        finally:
            connection.close()

    def call(self, query: str, **more: Any) -> Reply:
        """Search, in the revision without sessions."""
        arguments = {"query": query, **more}
        meta = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        params = {"name": "search", "arguments": arguments, "_meta": meta}
        headers = self.headers(MCP_Protocol_Version=MODERN, Mcp_Method="tools/call", Mcp_Name="search")
        return self.request(body={"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}, headers=headers)

    def raw(self, data: bytes = b"") -> socket.socket:
        """Open a connection and send some bytes."""
        opened = socket.create_connection(("127.0.0.1", self.port), timeout=HANG)
        if data:
            opened.sendall(data)
        return opened

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Tell the server to end, and return its exit code."""
        self.process.send_signal(number)
        return self.process.wait(HANG)


@dataclass(kw_only=True)
class Reply:
    """An answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def message(self) -> dict[str, Any]:
        """The protocol's message in it, however it was sent."""
        found = re.findall(rb"^data: (\{.*)$", self.body, re.MULTILINE)
        message: dict[str, Any] = json.loads(found[-1] if found else self.body)
        return message


@contextmanager
def serving(
    project: Path, *options: str, before: str = "", environment: Mapping[str, str] | None = None
) -> Iterator[Served]:
    """Run ``gatherum serve --http 0``.

    Args:
        project: Its shelf is served.
        options: More of the command line.
        before: Python to run in the server's process first.
        environment: More variables.
    """
    code = f"import sys\n{before}\nfrom gatherum.cli import main\nsys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "serve", "--project", str(project), *(options or ("--http", "0"))],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "GATHERUM_EMBEDDING_MODEL": "none", **(environment or {})},
    )
    assert process.stderr is not None
    lines: list[str] = []
    reader = threading.Thread(target=lambda: lines.extend(process.stderr or ()), daemon=True)
    try:
        for line in process.stderr:
            lines.append(line)
            if found := re.search(r" at (http://\S+:(\d+)/mcp)", line):
                break
        else:
            raise AssertionError(f"the server did not start: {''.join(lines)}")
        reader.start()
        file = project / ".gatherum" / "token.key"
        token = "" if "--no-token" in options else file.read_text(encoding="ascii").strip()
        yield Served(process=process, url=found[1], port=int(found[2]), token=token, lines=lines)
    finally:
        process.kill()
        process.wait(HANG)
        if reader.ident is not None:
            reader.join(HANG)
        process.stderr.close()
