"""What lets clients in over HTTP: addresses, exact names, and a token that is nobody else's."""

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from gatherum.cli.serve import serve_command
from gatherum.config import load_settings
from gatherum.errors import ConfigError, GatherumError
from gatherum.server.http_address import Address, listen, origins
from gatherum.server.http_guard import Rules
from gatherum.server.http_token import TokenError, token_of

DEFAULT = Address(host="127.0.0.1", port=7342)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("", "127.0.0.1", 7342),
        ("8000", "127.0.0.1", 8000),
        ("0", "127.0.0.1", 0),
        (":8000", "127.0.0.1", 8000),
        ("localhost:8000", "localhost", 8000),
        ("[::1]:8000", "::1", 8000),
    ],
)
def test_an_address_is_a_port_with_or_without_a_host(text: str, host: str, port: int) -> None:
    assert Address.parse(text, DEFAULT) == Address(host=host, port=port)


@pytest.mark.parametrize("text", ["x", "70000", "1:2:3", "::1:80", "localhost:", "localhost", "[::1]", "80x", "٨٠"])
def test_what_is_no_address_is_wrong_usage(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\[HOST:\]PORT|brackets"):
        Address.parse(text, DEFAULT)
    done = CliRunner().invoke(serve_command, [f"--http={text}", "--project", str(tmp_path), "--quiet"])
    assert done.exit_code == 2


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_an_address_of_this_machine_is_for_this_machine(host: str) -> None:
    listener = listen(Address(host=host, port=0))
    try:
        port = listener.address.port
        assert listener.loopback
        assert listener.hosts(()) == {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
    finally:
        listener.close()


def test_every_address_is_not_for_this_machine_alone_and_needs_names() -> None:
    listener = listen(Address(host="0.0.0.0", port=0))
    try:
        assert not listener.loopback
        assert "evil.test" not in listener.hosts(("docs.example.com",))
        with pytest.raises(ConfigError, match=r"server\.allowed_hosts"):
            listener.hosts(())
    finally:
        listener.close()


def test_a_port_out_of_range_is_named() -> None:
    with pytest.raises(ConfigError, match=r"server\.port is 65536"):
        listen(Address(host="127.0.0.1", port=65536))


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1", "x" * 300])
def test_an_address_of_another_machine_is_refused(host: str) -> None:
    with pytest.raises(GatherumError, match=host):
        listen(Address(host=host, port=0))


@pytest.mark.parametrize(
    "host", ["", "*", "*.example.com", "http://docs.example.com", "docs.example.com:*", "a b", "docs.example.com/x"]
)
def test_names_with_patterns_are_refused(host: str) -> None:
    listener = listen(Address(host="127.0.0.1", port=0))
    try:
        with pytest.raises(ConfigError, match="allowed_hosts"):
            listener.hosts((host,))
    finally:
        listener.close()


@pytest.mark.parametrize(
    "origin", ["", "*", "null", "docs.example.com", "https://*.example.com", "https://example.com/", "http://a:*"]
)
def test_origins_with_patterns_are_refused(origin: str) -> None:
    with pytest.raises(ConfigError, match="allowed_origins"):
        origins((origin,))


def admits(token: bytes | None, *shown: bytes) -> bool:
    rules = Rules(hosts=frozenset(), origins=frozenset(), token=token)
    return rules.admits([(b"host", b"x"), *((b"authorization", each) for each in shown)])


def test_only_the_token_itself_opens() -> None:
    token = b"abcdefghijklmnopqrstuvwxyz"
    assert admits(token, b"Bearer " + token)
    assert admits(token, b"bearer  " + token)
    for shown in (token, b"Basic " + token, b"Bearer", b"Bearer ", b"Bearer " + token[:-1], b"Bearer " + token + b"a"):
        assert not admits(token, shown)
    assert not admits(token)
    assert not admits(token, b"Bearer " + token, b"Bearer " + token)
    assert not admits(token, b"Bearer \xff")
    assert admits(None)


def test_a_token_is_made_once_random_and_its_owners_alone(tmp_path: Path) -> None:
    file, other = tmp_path / "a.key", tmp_path / "b.key"
    token = token_of(file)
    assert len(token) >= 43
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert token_of(file) == token
    assert token_of(other) != token


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o602, 0o620, 0o666])
def test_a_token_that_others_can_reach_is_not_used(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "own.key"
    file.write_text("a" * 40, encoding="ascii")
    file.chmod(mode)
    with pytest.raises(TokenError, match="others can") as caught:
        token_of(file)
    assert "chmod 600" in caught.value.hint


@pytest.mark.parametrize("content", [b"", b"short", b"with spaces in the middle of it", b"\xff" * 40, b"x" * 2000])
def test_a_file_without_a_token_is_named_and_not_quoted(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "own.key"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(TokenError, match=r"own\.key holds no token") as caught:
        token_of(file)
    assert not content.strip() or content.decode("latin-1") not in str(caught.value)


def test_a_token_file_that_cannot_be_is_said(tmp_path: Path) -> None:
    with pytest.raises(TokenError, match="no/such"):
        token_of(tmp_path / "no/such/key")
    with pytest.raises(TokenError):
        token_of(tmp_path)


def test_a_token_file_is_relative_to_the_settings_that_name_it(tmp_path: Path) -> None:
    file = tmp_path / "gatherum.toml"
    file.write_text("[server]\ntoken_file = 'own.key'\n", encoding="utf-8")
    assert load_settings(file, environ={}).server.token_file == str(tmp_path / "own.key")
    assert load_settings(environ={}).server.token_file == ""


def test_a_token_file_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(TokenError, match="is no file"):
        token_of(tmp_path / "pipe")
