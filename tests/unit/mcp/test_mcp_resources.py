"""The world as resources of the MCP server, and notices when they change."""

import asyncio
import json
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest
from mcp import MCPError
from mcp.client.subscriptions import ResourceUpdated
from mcp_types import ResourceUpdatedNotification
from support.mcp_site import EARLIER, Heard, McpSite, data_of

from bots.mcp.resources import MOST_MESSAGES, Client, changed_by
from bots.mcp.running_daemon import RunningDaemon

pytestmark = pytest.mark.slow

HISTORY = "townsfolk://bots/Alice/history"


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


async def test_talks_are_told_once_whoever_is_in_them(site: McpSite) -> None:
    site.daemon.outcome = {"success": True, "talk": 4, "topic": "a bridge"}
    async with site.client() as client:
        talks = (await read(client, "townsfolk://talks"))["talks"]
    assert [talk["topic"] for talk in talks] == ["a bridge"]


async def test_talks_of_two_daemons_with_equal_numbers_are_two(
    site: McpSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [{"name": "Alice", "daemon": "east"}, {"name": "Bob", "daemon": "west"}]
    told = {"success": True, "daemon": "east", "bots": bots}
    monkeypatch.setattr(RunningDaemon, "bots", AsyncMock(return_value=told))
    site.daemon.outcome = {"success": True, "talk": 3, "topic": "a bridge"}
    async with site.client() as client:
        talks = (await read(client, "townsfolk://talks"))["talks"]
    assert [talk["talk"] for talk in talks] == [3, "3@west"]


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


async def test_without_a_daemon_reading_says_how_to_start_one(tmp_path: Path) -> None:
    async with McpSite(tmp_path).client() as client:
        assert len((await client.list_resources()).resources) == 3
        with pytest.raises(MCPError, match="townsfolk up"):
            await client.read_resource("townsfolk://bots")


async def test_a_listener_is_told_what_changed(site: McpSite) -> None:
    async with site.client() as client, client.listen(resource_subscriptions=[HISTORY]) as changes:
        await site.read_events()
        site.daemon.trace.note("message.heard", "Bob", text="not Alice's")
        site.daemon.trace.note("message.heard", "Alice", text="hello")
        async with asyncio.timeout(10):
            changed = await anext(aiter(changes))
    assert changed == ResourceUpdated(HISTORY)


async def test_a_listener_hears_of_the_daemon_that_was_started_anew(site: McpSite) -> None:
    async with site.client() as client, client.listen(resource_subscriptions=[HISTORY]) as changes:
        await site.read_events()
        await site.end()
        await site.start()
        await site.read_events()
        site.daemon.trace.note("message.heard", "Alice", text="hello again")
        async with asyncio.timeout(10):
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
    client = Client(session)  # type: ignore[arg-type]
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
