"""The tools and resources that a client of MCP gets, over a stub of the daemon."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ResourceUpdated
from mcp_types import ImageContent, ResourceUpdatedNotification, TextContent
from support.mcp_site import EARLIER, WITHIN_S, Heard, McpSite, data_of, result_of

from bots.commands.catalogue import commands
from bots.daemon.shapes import HistoryQuery
from bots.errors import SettingsError
from bots.mcp import resources
from bots.mcp.resources import MOST_MESSAGES, changed_by
from bots.mcp.running_daemon import RunningDaemon
from bots.mcp.serving import over_http
from bots.mcp.tools import may_be_left, told_of
from bots.owned_tasks import until_first

pytestmark = pytest.mark.slow


async def test_every_command_is_a_tool_that_asks_for_a_bot(site: McpSite) -> None:
    async with site.client() as client:
        tools = {tool.title: tool for tool in (await client.list_tools()).tools}
    for command in commands:
        if command.secret or command.name == "history":
            continue
        tool = tools[f"!{command.name}"]
        required, fields = tool.input_schema["required"], tool.input_schema["properties"]
        assert required[0] == next(iter(fields)) == "bot"
        assert set(required) <= set(fields)
        assert command.summary in (tool.description or "")
    assert "!pin" not in tools
    fields = tools["!navigation goto"].input_schema["properties"]
    assert fields["name"]["description"] == "A place that was registered, or spawn."
    assert ("title" in fields["name"], "wait" in fields) == (False, True)


async def test_no_command_has_an_argument_that_the_tools_add() -> None:
    for command in commands:
        own = {"bot"} | ({"wait"} if may_be_left(command) else set())
        assert not own & set(command.schema.get("properties", {})), command.name


REFUSED = {"success": False, "reason": "out_of_range", "message": "Too far."}


@pytest.mark.parametrize(
    ("tool", "arguments", "command", "waits", "outcome"),
    [
        ("navigation_goto", {"name": "家"}, '!navigation goto {"name": "家"}', True, None),
        ("chat", {"message": "hi"}, '!chat {"message": "hi"}', True, REFUSED),
        (
            "goal",
            {"goal": "inventory.stick:1", "wait": False},
            '!goal {"goal": "inventory.stick:1"}',
            False,
            None,
        ),
    ],
)
async def test_a_call_runs_the_command_on_the_bot_and_a_refusal_is_an_error(
    site: McpSite,
    tool: str,
    arguments: dict[str, Any],
    command: str,
    waits: bool,
    outcome: dict[str, Any] | None,
) -> None:
    site.daemon.outcome = outcome or site.daemon.outcome
    async with site.client() as client:
        called = await client.call_tool(tool, {"bot": "Bob", **arguments})
    assert (result_of(called), called.is_error) == (site.daemon.outcome, outcome is not None)
    assert site.daemon.asked[0][:3] == ("command", "Bob", command)
    assert site.daemon.asked[0][-1] is waits


async def test_a_picture_comes_as_one_and_not_as_text(site: McpSite) -> None:
    site.daemon.outcome = {"success": True, "data": {"text": "a lake", "image": "aGVsbG8="}}
    async with site.client() as client:
        called = await client.call_tool("info_vision", {"bot": "Alice"})
    text, picture = called.content
    assert isinstance(text, TextContent)
    assert isinstance(picture, ImageContent)
    assert (picture.data, picture.mime_type) == ("aGVsbG8=", "image/png")
    assert "aGVsbG8=" not in text.text
    assert result_of(called)["data"] == {"text": "a lake", "image": None}


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("status", {}, "say which bot"),
        ("statis", {"bot": "Alice"}, "Did you mean status?"),
        ("status", {"bot": "Alise"}, "did you mean Alice?"),
        ("goal", {"bot": "Alice", "goal": "x", "wait": "no"}, "wait: write true or false"),
        ("say", {"bot": "Alice"}, "text"),
        ("history", {"bot": "Alice", "limit": 0}, "limit"),
    ],
)
async def test_a_wrong_call_says_what_would_be_right(
    site: McpSite, tool: str, arguments: dict[str, Any], told: str
) -> None:
    async with site.client() as client:
        called = await client.call_tool(tool, arguments)
    assert called.is_error
    assert told in result_of(called)["message"]


async def test_bots_words_and_history_are_tools_too(site: McpSite) -> None:
    async with site.client() as client:
        bots = result_of(await client.call_tool("bots", {}))["bots"]
        await client.call_tool("say", {"bot": "Alice", "text": "Hello!", "name": "Claude"})
        await client.call_tool("history", {"bot": "Alice", "before": 40, "limit": 5})
    assert [bot["name"] for bot in bots] == ["Alice", "Bob"]
    said, read = site.daemon.asked
    assert said == ("message", "Alice", "Hello!", "Claude")
    assert read == ("history", "Alice", HistoryQuery(before=40, limit=5))


async def test_events_since_the_last_look_are_a_tool_too(site: McpSite) -> None:
    site.daemon.trace.note("message.heard", "Alice", text="one")
    site.daemon.trace.note("message.heard", "Bob", text="two")
    async with site.client() as client:
        await site.read_events()
        site.daemon.trace.note("message.heard", "Alice", text="three")
        found = await all_events(client, 3)
        later = result_of(await client.call_tool("events", {"after": found[1]["sequence"]}))
        of_bob = result_of(await client.call_tool("events", {"bot": "Bob"}))
    assert [event["text"] for event in found] == ["one", "two", "three"]
    assert [event["text"] for event in later["events"]] == ["three"]
    assert [event["text"] for event in of_bob["events"]] == ["two"]


async def all_events(client: Any, count: int) -> list[dict[str, Any]]:
    async with asyncio.timeout(WITHIN_S):
        while True:
            events = result_of(await client.call_tool("events", {}))["events"]
            if len(events) >= count:
                return list(events)


async def test_without_a_daemon_every_call_says_how_to_start_one(tmp_path: Path) -> None:
    site = McpSite(tmp_path)
    async with site.client() as client:
        assert len((await client.list_tools()).tools) > 70
        called = await client.call_tool("status", {"bot": "Alice"})
        listed = await client.call_tool("bots", {})
    for refused in (called, listed):
        assert refused.is_error
        assert result_of(refused)["reason"] == "no_daemon"
        assert "townsfolk up" in result_of(refused)["message"]
    async with site.client() as client:
        assert len((await client.list_resources()).resources) == 3
        with pytest.raises(MCPError, match="townsfolk up"):
            await client.read_resource("townsfolk://bots")


async def test_the_next_call_after_a_restart_reaches_the_new_daemon(site: McpSite) -> None:
    async with site.client() as client:
        await client.call_tool("status", {"bot": "Alice"})
        await site.end(leaves_file=True)
        silent = await client.call_tool("status", {"bot": "Alice"})
        await site.start("tf_another-token-of-forty-characters-or-so")
        answered = await client.call_tool("status", {"bot": "Alice"})
    assert result_of(silent)["reason"] == "daemon_silent"
    assert "does not answer" in result_of(silent)["message"]
    assert not answered.is_error


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_cancelling_a_call_ends_its_command(site: McpSite, mode: Any) -> None:
    site.daemon.hold = asyncio.Event()
    async with site.client(mode) as client:
        work = asyncio.create_task(client.call_tool("goal", {"bot": "Bob", "goal": "x"}))
        async with asyncio.timeout(WITHIN_S):
            await site.daemon.started.wait()
            work.cancel()
            await site.daemon.cancelled.wait()
        await asyncio.wait({work})


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_progress_of_a_job_is_told_while_its_call_waits(site: McpSite, mode: Any) -> None:
    site.daemon.hold = asyncio.Event()
    heard = Heard()
    async with site.client(mode) as client:
        await site.read_events()
        work = asyncio.create_task(
            client.call_tool(
                "skill_gather", {"bot": "Bob", "itemName": "sand"}, None, heard.progress
            )
        )
        async with asyncio.timeout(WITHIN_S):
            await site.daemon.started.wait()
        facts = {"actionId": "Bob-job-1", "command": "!skill gather", "total": 8, "what": "sand"}
        site.daemon.trace.note("job.progressed", "Alice", **facts, done=7)  # another's
        site.daemon.trace.note("job.progressed", "Bob", **facts, done=3)
        told = await heard.first()
        site.daemon.hold.set()
        assert not (await work).is_error
    assert told == "Bob: 3 of 8 sand"


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            {"name": "job.progressed", "done": 3.0, "total": 8, "what": "sand", "stage": "step 1"},
            "step 1, 3 of 8 sand",
        ),
        ({"name": "job.progressed", "done": 3, "total": None, "what": "sand"}, "3 of ? sand"),
        ({"name": "goal.planned", "steps": ["gather 3 log", "craft 1 stick"]}, "the plan: gather"),
        ({"name": "goal.step_failed", "why": "No way leads there."}, "No way leads there."),
        ({"name": "job.started"}, None),
    ],
)
async def test_what_events_say_of_a_job_is_told_in_words(
    event: dict[str, Any], told: str | None
) -> None:
    said = told_of(event)
    assert said is None if told is None else said is not None and said.startswith(told)


# --- HTTP -----------------------------------------------------------------------------


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
        async with asyncio.timeout(WITHIN_S), Client(way, mode=mode) as client:
            called = await client.call_tool("echo", {"bot": "Bob", "text": "hello"})
    assert result_of(called)["text"] == "done"
    assert site.daemon.asked[0][1] == "Bob"


async def test_a_listener_over_http_is_told_what_changed(site: McpSite) -> None:
    async with serving(site.folder) as file, asker(file["token"]) as http:
        way = streamable_http_client(file["url"], http_client=http)
        async with (
            asyncio.timeout(WITHIN_S),
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


async def read(client: Any, uri: str) -> dict[str, Any]:
    [content] = (await client.read_resource(uri)).contents
    value = json.loads(content.text)
    assert isinstance(value, dict)
    return value


async def test_bots_talks_and_events_are_listed_with_each_bot(site: McpSite) -> None:
    async with site.client() as client:
        listed = {one.uri for one in (await client.list_resources()).resources}
        templates = (await client.list_resource_templates()).resource_templates
    assert {"townsfolk://bots", "townsfolk://talks", "townsfolk://events"} <= listed
    assert {HISTORY, "townsfolk://bots/Bob", "townsfolk://bots/Bob/nearby"} <= listed
    assert "townsfolk://bots/{bot}/nearby" in {one.uri_template for one in templates}


async def test_a_bot_and_what_is_near_it_are_read_from_what_it_senses(site: McpSite) -> None:
    near: dict[str, Any] = {
        "nearbyPlayers": {"players": []},
        "players": {"players": []},
        "nearby": {"blocks": []},
    }
    site.daemon.outcome = {"success": True, "data": {"position": {"x": 8}, **near}}
    async with site.client() as client:
        assert await read(client, "townsfolk://bots/Alice") == {
            **{"name": "Alice", "state": "online"},
            "position": {"x": 8},
        }
        assert await read(client, "townsfolk://bots/Alice/nearby") == near
        assert (await read(client, HISTORY))["history"] == []
    assert site.daemon.asked[0][2] == "!info all"


@pytest.mark.parametrize(("daemon", "numbers"), [("east", [3]), ("west", [3, "3@west"])])
async def test_talks_are_told_once_but_those_of_two_daemons_with_equal_numbers_are_two(
    site: McpSite, monkeypatch: pytest.MonkeyPatch, daemon: str, numbers: list[int | str]
) -> None:
    bots = [{"name": "Alice", "daemon": "east"}, {"name": "Bob", "daemon": daemon}]
    told = {"success": True, "daemon": "east", "bots": bots}
    monkeypatch.setattr(RunningDaemon, "bots", AsyncMock(return_value=told))
    site.daemon.outcome = {"success": True, "talk": 3, "topic": "a bridge"}
    async with site.client() as client:
        talks = (await read(client, "townsfolk://talks"))["talks"]
    assert [(talk["talk"], talk["topic"]) for talk in talks] == [(n, "a bridge") for n in numbers]


@pytest.mark.parametrize(
    ("uri", "told"),
    [
        ("townsfolk://moon", "no resource"),
        ("townsfolk://bots/Alise", "did you mean Alice"),
        ("townsfolk://bots/Alice/secrets", "no resource"),
    ],
)
async def test_what_is_no_resource_is_refused_in_words(site: McpSite, uri: str, told: str) -> None:
    async with site.client() as client:
        with pytest.raises(MCPError, match=told):
            await client.read_resource(uri)


async def test_a_listener_is_told_what_changed(site: McpSite) -> None:
    async with site.client() as client, client.listen(resource_subscriptions=[HISTORY]) as changes:
        await site.read_events()
        site.daemon.trace.note("message.heard", "Bob", text="not Alice's")
        site.daemon.trace.note("message.heard", "Alice", text="hello")
        async with asyncio.timeout(WITHIN_S):
            changed = await anext(aiter(changes))
    assert changed == ResourceUpdated(HISTORY)


async def test_a_listener_hears_of_the_daemon_that_was_started_anew(site: McpSite) -> None:
    async with site.client() as client, client.listen(resource_subscriptions=[HISTORY]) as changes:
        await site.read_events()
        await site.end()
        await site.start()
        await site.read_events()
        site.daemon.trace.note("message.heard", "Alice", text="hello again")
        async with asyncio.timeout(WITHIN_S):
            assert await anext(aiter(changes)) == ResourceUpdated(HISTORY)


@EARLIER
async def test_a_client_of_an_earlier_protocol_subscribes(site: McpSite) -> None:
    heard = Heard()
    async with site.client("legacy", message_handler=heard.take) as client:
        await client.subscribe_resource(HISTORY)
        await site.read_events()
        site.daemon.trace.note("message.heard", "Alice", text="hello")
        told = await heard.first(lambda one: isinstance(one, ResourceUpdatedNotification))
        await client.unsubscribe_resource(HISTORY)
    assert str(told.params.uri) == HISTORY


@EARLIER
async def test_events_are_log_messages_of_the_level_that_was_set(site: McpSite) -> None:
    heard = Heard()
    async with site.client("legacy", logging_callback=heard.take) as client:
        await client.set_logging_level("warning")
        await site.read_events()
        site.daemon.trace.note("message.heard", "Alice", text="hello")
        site.daemon.trace.note("reply.failed", "Alice", why="out of range")
        told = await heard.first()
    assert (told.level, data_of(told)["why"]) == ("warning", "out of range")


class Session:
    """Keeps what it is to send."""

    def __init__(self) -> None:
        self.sent = Heard()

    async def send_notification(self, notification: Any) -> None:
        await self.sent.take(data_of(notification.params))


async def test_a_client_that_falls_behind_is_told_how_much_it_missed() -> None:
    session = Session()
    client = resources.Client(session)  # type: ignore[arg-type]
    client.level = "info"
    for number in range(MOST_MESSAGES + 30):
        client.take({"name": "message.heard", "number": number, "skipped": 0}, frozenset())
    telling = asyncio.create_task(client.run())
    last = await session.sent.first(lambda one: one["number"] == MOST_MESSAGES + 29)
    telling.cancel()
    first = session.sent.all[0]
    assert (first["number"], first["skipped"]) == (30, 30)
    assert (len(session.sent.all), last["skipped"]) == (MOST_MESSAGES, 0)


def test_each_event_changes_what_it_is_about() -> None:
    assert "townsfolk://talks" in changed_by({"name": "talk.said", "bot": "Alice"})
    done = changed_by({"name": "job.finished", "bot": "Al ice"})
    assert {"townsfolk://bots/Al%20ice", "townsfolk://bots/Al%20ice/nearby"} <= done
    assert HISTORY not in changed_by({"name": "health.changed", "bot": "Alice"})
