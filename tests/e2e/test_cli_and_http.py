"""A running daemon from the machine's side: `exec`, `say`, `log`, HTTP and MCP for any client."""

import asyncio
import json
import re
from contextlib import AsyncExitStack
from typing import Any

import httpx2
import pytest
from e2e.daemon_process import DaemonProcess, daemon_with
from e2e.people import Player
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ResourceUpdated
from support.mcp_site import Heard, result_of

pytestmark = pytest.mark.real

MESSAGES = "/api/bots/Alice/messages"


daemon = daemon_with(TOWNSFOLK_TALK__SMALL_TALK="false")


async def answered(daemon: DaemonProcess, steve: Player, question: str) -> None:
    """Ask Alice; her answer is whispered and recorded when this returns."""
    async with daemon.watching() as watch:
        await steve.whispers("Alice", question)
        await watch.next("reply.sent", speaker=steve.name)


# --- the command line ----------------------------------------------------------------


async def test_exec_prints_the_whole_result_as_json(daemon: DaemonProcess) -> None:
    ended = await daemon.site.townsfolk("exec", "Alice", "!info all")
    assert ended.code == 0
    assert ended.result["type"] == "all"
    data = ended.result["data"]
    named = {"inventory", "position", "locations", "nearbyPlayers", "players", "nearby"}
    assert named <= data.keys()
    assert {player["username"] for player in data["players"]["players"]} >= {"Bob"}
    assert data["nearby"]["summary"]["totalBlocks"] > 0


async def test_exec_tells_why_not_and_ends_with_one(daemon: DaemonProcess) -> None:
    ended = await daemon.site.townsfolk("exec", "Alice", "!chat Nobody hello")
    assert ended.code == 1
    assert (ended.result["success"], ended.result["reason"]) == (False, "player_not_found")
    assert ended.result["targetUsername"] == "Nobody"


async def test_who_does_not_wait_is_told_the_number_of_the_run(daemon: DaemonProcess) -> None:
    async with daemon.watching() as watch:
        ended = await daemon.site.townsfolk("exec", "--no-wait", "Bob", "!echo later")
        assert (ended.code, ended.result["started"]) == (0, True)
        run = await watch.next("job.finished", actionId=ended.result["actionId"])
    assert run["result"]["message"] == "later"


async def test_say_is_heard_and_answered_without_being_in_the_game(daemon: DaemonProcess) -> None:
    ended = await daemon.site.townsfolk("say", "Bob", "How", "are", "you?")
    assert ended.code == 0
    assert ended.result["source"] == "rules"
    asked, answered = (await daemon.history("Bob"))[-2:]
    assert (asked["content"], asked["role"]) == ("How are you?", "user")
    assert (answered["content"], answered["role"]) == (ended.result["answer"], "assistant")
    named = await daemon.site.townsfolk("say", "Bob", "Hello!", "--as", "Steve")
    assert "Steve" in named.result["answer"]
    assert (await daemon.history("Bob"))[-2]["speaker"] == "@Steve"


async def test_log_shows_what_happened(daemon: DaemonProcess) -> None:
    await daemon.post(MESSAGES, {"text": "remember the lighthouse"})
    plain = await daemon.site.townsfolk("log")
    facts = await daemon.site.townsfolk("log", "-v")
    lines = await daemon.site.townsfolk("log", "--json", "--bot", "Alice")
    assert re.search(r"^\S+  @operator → Alice +remember the lighthouse$", plain.out, re.M)
    assert "remember the lighthouse" in facts.out
    assert "decision.made" in facts.out
    assert "decision.made" not in plain.out
    traces = [json.loads(line) for line in lines.out.splitlines()]
    assert {"message.heard", "decision.made"} <= {trace["name"] for trace in traces}
    assert {trace["bot"] for trace in traces} == {"Alice"}


# --- HTTP ----------------------------------------------------------------------------


async def test_healthz_needs_no_token_and_tells_no_names(daemon: DaemonProcess) -> None:
    async with httpx2.AsyncClient(trust_env=False) as stranger:
        reply = await stranger.get(daemon.file["dashboard"]["url"] + "healthz")
    assert reply.status_code == 200
    assert reply.json() == {"ok": True, "bots": 2, "online": 2, "database": "ok", "ended": []}


async def test_history_is_filtered_and_continued(daemon: DaemonProcess, steve: Player) -> None:
    for number in range(3):
        await answered(daemon, steve, f"How are you? ({number})")
    since = (await daemon.history("Alice"))[-1]["sequence"]
    await answered(daemon, steve, "How are you? (3)")
    later = await daemon.get("/api/bots/Alice/history", since=since)
    assert [line["sequence"] for line in later["history"]] == [since + 1, since + 2]
    assert later["latestSequence"] == since + 2
    mine = await daemon.history("Alice", username=steve.name)
    assert [line["content"] for line in mine] == [f"How are you? ({n})" for n in range(4)]
    assert await daemon.history("Alice", username=steve.name, limit=2) == mine[-2:]
    replies = await daemon.history("Alice", username="Alice", type="bot_response", since=since)
    assert [line["role"] for line in replies] == ["assistant"]


async def test_the_stream_tells_it_all_and_is_resumed(daemon: DaemonProcess, steve: Player) -> None:
    async with daemon.watching() as watch:
        await steve.whispers("Alice", "What do you carry?")
        heard = await watch.next("message.heard", speaker=steve.name)
        made = await watch.next("decision.made", speaker=steve.name)
        sent = await watch.next("reply.sent", speaker=steve.name)
    assert heard["text"] == "What do you carry?"
    assert made["text"] == sent["text"]
    async with daemon.watching(last=heard["sequence"]) as resumed:
        assert await resumed.next("decision.made", speaker=steve.name) == made


async def test_two_hundred_readers_at_once_are_all_served(daemon: DaemonProcess) -> None:
    replies: list[Any] = await asyncio.gather(*(daemon.get("/api/bots") for _ in range(200)))
    assert all(len(reply["bots"]) == 2 for reply in replies)


# --- MCP -----------------------------------------------------------------------------


async def does(client: Client, tool: str, bot: str, **arguments: Any) -> dict[str, Any]:
    """The result of a tool, which must succeed."""
    called = await client.call_tool(tool, {"bot": bot, **arguments})
    result = result_of(called)
    assert not called.is_error, result
    return result


async def carries(client: Client, bot: str, item: str) -> int:
    """How many of an item a bot has."""
    [content] = (await client.read_resource(f"townsfolk://bots/{bot}")).contents
    items = json.loads(content.text)["inventory"]["items"]  # type: ignore[union-attr]
    return sum(row["count"] for row in items if row["name"] == item)


async def trade(client: Client, steve: Player) -> None:
    """Alice drops sand for Bob to pick up, and gets gravel for it."""
    for bot, item, other in (("Alice", "sand", "Bob"), ("Bob", "gravel", "Alice")):
        await steve.tells_server(f"/give {bot} {item} 3")
        async with asyncio.timeout(10):
            while await carries(client, bot, item) < 2:
                pass  # the server tells its player soon
        had = await carries(client, other, item)
        given = {"itemName": item, "count": 2, "targetPlayer": other}
        await does(client, "navigation_dropItem", bot, **given)
        assert await carries(client, other, item) == had + 2


async def test_a_client_over_stdio_has_two_bots_trade(daemon: DaemonProcess, steve: Player) -> None:
    way = StdioServerParameters(**daemon.site.command("mcp"))
    async with asyncio.timeout(90), Client(way) as client:
        bots = result_of(await client.call_tool("bots", {}))["bots"]
        assert {bot["name"] for bot in bots} == {"Alice", "Bob"}
        await trade(client, steve)


async def test_a_client_has_two_bots_trade_over_http(daemon: DaemonProcess, steve: Player) -> None:
    async with AsyncExitStack() as stack:
        file = await stack.enter_async_context(daemon.site.serving_mcp())
        shown = {"Authorization": f"Bearer {file['token']}"}
        http = httpx2.AsyncClient(headers=shown, trust_env=False, timeout=60)
        await stack.enter_async_context(http)
        way = streamable_http_client(file["url"], http_client=http)
        client = await stack.enter_async_context(Client(way))
        await trade(client, steve)
        await called_off(daemon, client)


async def called_off(daemon: DaemonProcess, client: Client) -> None:
    """Begin a long job, hear of its progress, and cancel the call: the job is stopped."""
    heard, alice = Heard(), "townsfolk://bots/Alice"
    async with daemon.watching() as watch, client.listen(resource_subscriptions=[alice]) as changes:
        goal = {"bot": "Alice", "goal": "inventory.dirt:+40"}
        work = asyncio.create_task(client.call_tool("goal", goal, None, heard.progress))
        told = await heard.first(lambda text: " of 40 " in text)
        assert await anext(aiter(changes)) == ResourceUpdated(alice)
        work.cancel()
        ended = await watch.next("job.finished", bot="Alice", command="!goal")
    await asyncio.wait({work})
    assert told.startswith("Alice: ")
    assert ended["result"]["reason"] == "stopped"
