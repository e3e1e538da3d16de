"""HTTP on a real socket: its own port, the WebSocket, a quick end."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from socket import IPPROTO_TCP, TCP_NODELAY

import httpx2
import pytest
from support.http_stub import TOKEN, StubDaemon
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bots.daemon.shapes import Json
from bots.errors import SettingsError
from bots.http import server as http_server
from bots.http import websocket
from bots.http.security import Keys
from bots.http.server import HttpServer
from bots.observability.trace import KEPT
from bots.settings.settings import DashboardSettings

pytestmark = pytest.mark.slow
BEARER = {"Authorization": f"Bearer {TOKEN}"}
WITHIN_S = 30


@pytest.fixture
async def server(daemon: StubDaemon) -> AsyncIterator[HttpServer]:
    running = await HttpServer.start(daemon, DashboardSettings(), Keys(TOKEN))
    yield running
    await running.aclose()


def client_of(server: HttpServer) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=server.url, headers=BEARER, trust_env=False)


def stream(server: HttpServer, query: str = "", **headers: str) -> connect:
    address = f"{server.url.replace('http', 'ws')}ws{query}"
    # A bounded queue would keep the closing handshake waiting behind unread traces.
    given = {**BEARER, **headers}
    return connect(address, additional_headers=given, proxy=None, max_queue=None)


async def next_of(socket: ClientConnection) -> Json:
    async with asyncio.timeout(WITHIN_S):
        value = json.loads(await socket.recv())
    assert isinstance(value, dict)
    return value


async def test_it_serves_on_a_free_loopback_port(server: HttpServer) -> None:
    async with client_of(server) as client:
        reply = await client.get("/api/bots")
    assert server.url == f"http://127.0.0.1:{server.port}/"
    assert reply.json()["bots"][0]["name"] == "Alice"
    assert "server" not in reply.headers


async def test_the_body_of_an_answer_waits_for_no_acknowledgement(server: HttpServer) -> None:
    async with client_of(server) as client:
        await client.get("/api/bots")
        (connection,) = server._server.server_state.connections
        assert connection.transport is not None
        ours = connection.transport.get_extra_info("socket")
        assert ours.getsockopt(IPPROTO_TCP, TCP_NODELAY)


async def test_a_taken_port_is_named_with_what_to_do(server: HttpServer) -> None:
    settings = DashboardSettings(port=server.port)
    with pytest.raises(SettingsError, match=rf"port {server.port}.*--dashboard-port"):
        await HttpServer.start(StubDaemon(), settings, Keys(TOKEN))


async def test_signal_handlers_stay_as_they_were(server: HttpServer) -> None:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


async def test_its_end_waits_for_no_stream_and_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "CLOSE_WITHIN_S", 10 * WITHIN_S)
    daemon = StubDaemon()
    daemon.hold = asyncio.Event()
    server = await HttpServer.start(daemon, DashboardSettings(), Keys(TOKEN))
    async with (
        client_of(server) as client,
        stream(server) as first,
        stream(server) as second,
        asyncio.TaskGroup() as group,
    ):
        asking = group.create_task(client.post("/api/stop"))
        async with asyncio.timeout(WITHIN_S):
            await daemon.started.wait()
        async with asyncio.timeout(WITHIN_S):
            await server.aclose()
        for reader in (first, second):
            with pytest.raises(ConnectionClosed):
                await next_of(reader)
    assert asking.result().json()["reason"] == "shutting_down"


@pytest.mark.parametrize("attached", [True, False])
async def test_a_command_ends_with_its_asker_only_where_it_is_attached(
    server: HttpServer, daemon: StubDaemon, attached: bool
) -> None:
    daemon.hold = asyncio.Event()
    body = {"text": "!goal inventory.stick:1", "attached": attached}
    async with client_of(server) as client:
        asking = asyncio.create_task(client.post("/api/bots/Alice/commands", json=body))
        async with asyncio.timeout(WITHIN_S):
            await daemon.started.wait()
        asking.cancel()
        await asyncio.wait({asking})
    async with client_of(server) as client:
        if attached:
            async with asyncio.timeout(WITHIN_S):
                await daemon.cancelled.wait()
        assert (await client.get("/api/bots")).status_code == 200
    assert daemon.cancelled.is_set() is attached
    daemon.hold.set()


async def test_the_stream_tells_events_in_order(server: HttpServer, daemon: StubDaemon) -> None:
    async with stream(server) as socket:
        await refusal_of_words(socket)  # answered, so the stream listens
        daemon.trace.note("whisper.received", "Alice", chars=3)
        daemon.trace.note("reply.sent", "Alice")
        first, second = await next_of(socket), await next_of(socket)
    assert (first["name"], first["bot"], first["chars"]) == ("whisper.received", "Alice", 3)
    assert second["sequence"] == first["sequence"] + 1
    assert second["skipped"] == 0


async def refusal_of_words(socket: ClientConnection) -> Json:
    await socket.send("\x00{not json")
    return await next_of(socket)


async def test_positions_come_only_to_who_asks_and_the_newest_first(
    server: HttpServer, daemon: StubDaemon
) -> None:
    daemon.moved.put({**daemon.here, "timeOfDay": 1})
    daemon.moved.put({**daemon.here, "timeOfDay": 2})
    async with stream(server, "?positions=1") as watching, stream(server) as other:
        assert (await next_of(watching))["timeOfDay"] == 2
        await refusal_of_words(other)
        daemon.moved.put({**daemon.here, "timeOfDay": 3})
        daemon.trace.note("reply.sent", "Alice")
        assert (await next_of(other))["name"] == "reply.sent"
        told = [(await next_of(watching))["name"], (await next_of(watching))["name"]]
    assert sorted(told) == ["positions", "reply.sent"]


async def test_words_sent_into_the_stream_are_refused(server: HttpServer) -> None:
    async with stream(server) as socket:
        assert (await refusal_of_words(socket))["reason"] == "read_only"
        assert (await refusal_of_words(socket))["success"] is False


@pytest.mark.parametrize(("last", "told"), [(3, [4, 5]), (900, [1, 2, 3, 4, 5])])
async def test_a_reader_resumes_after_the_last_it_saw_unless_that_was_of_an_earlier_daemon(
    server: HttpServer, daemon: StubDaemon, last: int, told: list[int]
) -> None:
    for number in range(5):
        daemon.trace.note("step.taken", number=number)
    async with stream(server, f"?last={last}") as socket:
        assert [(await next_of(socket))["sequence"] for _ in told] == told


async def test_readers_of_batches_get_every_event_once_and_in_order(
    server: HttpServer, daemon: StubDaemon
) -> None:
    for number in range(5):
        daemon.trace.note("step.taken", number=number)
    async with stream(server, "?last=3&batch=1") as behind, stream(server, "?batch=1") as new:
        assert [one["sequence"] for one in await batch_of(behind)] == [4, 5]
        await refusal_of_words(new)  # answered, so the stream listens
        daemon.trace.note("step.taken")
        daemon.trace.note("token.shown", text=f"the token is {TOKEN}")
        for socket in (behind, new):
            got: list[Json] = []
            while len(got) < 2:
                got += await batch_of(socket)
            assert [(one["sequence"], one["skipped"]) for one in got] == [(6, 0), (7, 0)]
            assert TOKEN not in json.dumps(got)


async def batch_of(socket: ClientConnection) -> list[Json]:
    async with asyncio.timeout(WITHIN_S):
        batch = json.loads(await socket.recv())
    assert isinstance(batch, list)
    return batch


async def test_what_stays_on_this_machine_is_not_compressed(server: HttpServer) -> None:
    async with stream(server) as socket:
        assert socket.response is not None
        assert "Sec-WebSocket-Extensions" not in socket.response.headers


async def test_a_reader_is_told_how_many_are_lost(server: HttpServer, daemon: StubDaemon) -> None:
    for _ in range(KEPT + 10):
        daemon.trace.note("step.taken")
    async with stream(server, "?last=4") as socket:
        first = await next_of(socket)
    assert (first["sequence"], first["skipped"]) == (11, 6)


async def test_a_stream_without_following_ends(server: HttpServer, daemon: StubDaemon) -> None:
    daemon.trace.note("daemon.started")
    async with asyncio.timeout(WITHIN_S), stream(server, "?last=0&follow=0") as socket:
        assert [json.loads(line)["name"] async for line in socket] == ["daemon.started"]


async def test_a_slow_reader_slows_no_writer(server: HttpServer, daemon: StubDaemon) -> None:
    async with stream(server) as socket:
        await refusal_of_words(socket)
        for _ in range(5_000):
            daemon.trace.note("step.taken")
        first, second = await next_of(socket), await next_of(socket)
        assert first["skipped"] > 3_000
        assert second["skipped"] == 0


@pytest.mark.parametrize(
    ("query", "headers", "status"),
    [
        ("", {"Origin": "http://evil.example"}, 403),
        ("", {"Authorization": "Bearer wrong"}, 401),
        ("?token=wrong", {"Authorization": ""}, 401),
        ("?last=x", {}, 400),
        ("?last=-1", {}, 400),
        ("?follow=2", {}, 400),
    ],
)
async def test_the_stream_is_refused_before_it_opens(
    server: HttpServer, query: str, headers: dict[str, str], status: int
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with stream(server, query, **headers):
            pass
    assert refused.value.response.status_code == status
    assert json.loads(refused.value.response.body)["success"] is False


async def test_the_stream_opens_with_the_token_in_its_address(server: HttpServer) -> None:
    async with stream(server, f"?token={TOKEN}", Authorization="") as socket:
        assert (await refusal_of_words(socket))["reason"] == "read_only"


async def test_what_is_no_http_at_all_is_refused(server: HttpServer) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"\x00\xff\x16\x03 garbage\r\n\r\n")
    async with asyncio.timeout(WITHIN_S):
        answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    assert answer.startswith(b"HTTP/1.1 400")


async def test_a_mistake_of_ours_is_admitted_without_its_details(
    server: HttpServer, daemon: StubDaemon
) -> None:
    daemon.failure = KeyError("inner detail")
    async with client_of(server) as client:
        reply = await client.post("/api/stop")
    assert (reply.status_code, reply.json()["reason"]) == (500, "internal_error")
    assert "inner detail" not in reply.text


async def test_one_reader_too_many_is_refused_until_another_leaves(
    server: HttpServer, daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WebSockets were counted by nobody: each took a descriptor until there were none."""
    monkeypatch.setattr(websocket, "MOST_READERS", 2)
    async with stream(server, "?last=0"), stream(server, "?last=0") as second:
        with pytest.raises(InvalidStatus) as refused:
            await stream(server)
        assert refused.value.response.status_code == 503
        assert json.loads(refused.value.response.body or b"")["reason"] == "too_many_readers"
        second.transport.abort()
        async with await _once_there_is_room(server) as third:
            daemon.trace.note("message.heard", "Alice")
            assert (await next_of(third))["name"] == "message.heard"


async def _once_there_is_room(server: HttpServer) -> ClientConnection:
    async with asyncio.timeout(WITHIN_S):
        while True:
            with suppress(InvalidStatus):
                return await stream(server)
