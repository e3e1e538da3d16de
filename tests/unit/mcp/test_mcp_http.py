"""The MCP server over HTTP: its token, its guard, and a client with the token."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ResourceUpdated
from support.mcp_site import EARLIER, WITHIN_S, Heard, McpSite, result_of

from bots.errors import SettingsError
from bots.mcp.serving import over_http
from bots.owned_tasks import until_first

pytestmark = pytest.mark.slow

HISTORY = "townsfolk://bots/Alice/history"


@asynccontextmanager
async def serving(folder: Path, port: int = 0) -> AsyncIterator[dict[str, str]]:
    """The server over HTTP; what its file tells clients."""
    ready = asyncio.Event()
    task = asyncio.create_task(over_http(folder, port, lambda _line: ready.set()))
    try:
        async with asyncio.timeout(WITHIN_S):
            await until_first(ready.wait(), asyncio.shield(task))
        yield json.loads((folder / "mcp.json").read_text())
    finally:
        task.cancel()
        await asyncio.wait({task})


def asker(token: str, **headers: str) -> httpx2.AsyncClient:
    shown = {"Authorization": f"Bearer {token}", **headers}
    return httpx2.AsyncClient(headers=shown, trust_env=False, timeout=WITHIN_S)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_with_the_token_commands_bots(site: McpSite, mode: Any) -> None:
    async with serving(site.folder) as file, asker(file["token"]) as http:
        way = streamable_http_client(file["url"], http_client=http)
        async with asyncio.timeout(30), Client(way, mode=mode) as client:
            called = await client.call_tool("echo", {"bot": "Bob", "text": "hello"})
    assert result_of(called)["text"] == "done"
    assert site.daemon.asked[0][1] == "Bob"


async def test_a_listener_over_http_is_told_what_changed(site: McpSite) -> None:
    async with serving(site.folder) as file, asker(file["token"]) as http:
        way = streamable_http_client(file["url"], http_client=http)
        async with (
            asyncio.timeout(30),
            Client(way) as client,
            client.listen(resource_subscriptions=[HISTORY]) as changes,
        ):
            await site.read_events()
            site.daemon.trace.note("message.heard", "Alice", text="hello")
            assert await anext(aiter(changes)) == ResourceUpdated(HISTORY)


@EARLIER
async def test_each_session_of_an_earlier_protocol_has_its_own_notices(site: McpSite) -> None:
    subscribed, other = Heard(), Heard()
    async with AsyncExitStack() as stack:
        file = await stack.enter_async_context(serving(site.folder))
        for heard, uri in ((subscribed, HISTORY), (other, "townsfolk://talks")):
            http = await stack.enter_async_context(asker(file["token"]))
            way = streamable_http_client(file["url"], http_client=http)
            connecting = Client(way, mode="legacy", message_handler=heard.notice)
            client = await stack.enter_async_context(connecting)
            await client.subscribe_resource(uri)
        await site.read_events()
        site.daemon.trace.note("message.heard", "Alice", text="hello")
        told = await subscribed.first()
        site.daemon.trace.note("talk.begun", "Alice", talk=1)
        assert (await other.first()).params.uri == "townsfolk://talks"
    assert told.params.uri == HISTORY
    assert len(subscribed.all) == len(other.all) == 1


@pytest.mark.parametrize(
    ("token", "headers", "status"),
    [
        ("wrong", {}, 401),
        ("", {"Host": "evil.example:8931"}, 403),
        ("", {"Origin": "http://evil.example"}, 403),
    ],
)
async def test_strangers_are_turned_away(
    site: McpSite, token: str, headers: dict[str, str], status: int
) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with serving(site.folder) as file, asker(token or file["token"], **headers) as http:
        reply = await http.post(file["url"], json=hello)
    assert reply.status_code == status
    if status == 401:
        assert "mcp.json" in reply.json()["message"]
    assert site.daemon.asked == []


async def test_the_token_stays_the_same_and_is_its_owners_alone(site: McpSite) -> None:
    async with serving(site.folder) as first:
        if os.name == "posix":
            assert (site.folder / "mcp.json").stat().st_mode & 0o077 == 0
    async with serving(site.folder) as second:
        assert second["token"] == first["token"]


async def test_a_taken_port_is_named_with_what_to_do(site: McpSite) -> None:
    async with serving(site.folder) as file:
        port = int(file["url"].rsplit(":", 1)[1].removesuffix("/mcp"))
        with pytest.raises(SettingsError, match="--port"):
            async with serving(site.folder, port):
                pass
