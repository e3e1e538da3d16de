"""A server is asked what it is, whatever answers there."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest

from bridge.server_ping import NoAnswer, ServerStatus, ping
from bridge.versions import VERSIONS

TOLD = {
    "version": {"name": "§aPaper 1.20.4", "protocol": 765},
    "players": {"online": 3, "max": 20},
    "description": {"text": "ようこそ" * 40},
}


def packet(told: object) -> bytes:
    text = json.dumps(told).encode()
    body = b"\x00" + number(len(text)) + text
    return number(len(body)) + body


def number(value: int) -> bytes:
    low, high = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + number(high) if high else bytes([low])


@asynccontextmanager
async def answering(answer: bytes | None, heard: list[bytes] | None = None) -> AsyncIterator[int]:
    """Its port; it answers nothing, for ever, without an answer. What it is asked is noted."""
    asked = asyncio.Event()

    talking: list[asyncio.Task[None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        me = asyncio.current_task()
        assert me is not None
        talking.append(me)
        question = await reader.read(64)
        if heard is not None:
            heard.append(question)
        if answer is None:
            await asked.wait()
        writer.write(answer or b"")
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        asked.set()
        server.close()
        await asyncio.gather(*talking)


async def test_a_server_tells_version_and_players() -> None:
    async with answering(packet(TOLD)) as port:
        told = await ping("127.0.0.1", port)
    assert replace(told, latency_s=0.0, motd="") == ServerStatus("Paper 1.20.4", 765, 3, 20)
    assert told.latency_s > 0


@pytest.mark.parametrize(
    "description",
    ["§aHello\n  there", {"text": "§aHello", "extra": ["\nthere"]}, ["Hello ", {"text": "there"}]],
)
async def test_what_the_server_list_shows_is_one_plain_line(description: object) -> None:
    async with answering(packet({**TOLD, "description": description})) as port:
        assert (await ping("127.0.0.1", port)).motd == "Hello there"


async def test_it_asks_as_the_newest_version_that_bots_speak() -> None:
    """ViaVersion and ViaProxy answer with the version of whoever asks; ViaProxy knows no other."""
    asked: list[bytes] = []
    async with answering(packet(TOLD), asked) as port:
        await ping("127.0.0.1", port)
    assert asked[0][2:4] == number(VERSIONS.newest.protocol)


@pytest.mark.parametrize(("told", "checks"), [({"enforcesSecureChat": True}, True), ({}, False)])
async def test_a_server_of_signed_chat_checks_accounts(told: dict[str, bool], checks: bool) -> None:
    async with answering(packet({**TOLD, **told})) as port:
        assert (await ping("127.0.0.1", port)).checks_accounts is checks


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\xff" * 40,
        packet(TOLD)[:-9],
        packet([]),
        packet({"version": {}}),
        packet({"version": {"name": "x", "protocol": None}}),
    ],
)
async def test_what_is_no_server_is_told(answer: bytes) -> None:
    async with answering(answer) as port:
        with pytest.raises(NoAnswer, match="is no Minecraft server"):
            await ping("127.0.0.1", port)


async def test_silence_has_a_deadline() -> None:
    async with answering(None) as port:
        with pytest.raises(NoAnswer, match="did not answer within"):
            await ping("127.0.0.1", port, within_s=0.1)


async def test_a_port_where_nobody_listens_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(NoAnswer, match="Connection refused"):
        await ping("127.0.0.1", port)
