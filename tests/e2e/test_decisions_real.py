"""A person asks in plain words; a scripted model uses tools; the world shows what came of it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from e2e.daemon_process import LOOK_AGAIN_S, DaemonProcess, Site
from e2e.people import Player

pytestmark = pytest.mark.real

FETCHED_WITHIN_S = 90.0
PICKED_UP_WITHIN_S = 10.0
STORY = """
[[rule]]
when = '"from":"(?P<who>[^"]+)".*get me (?P<count>[0-9]+) oak planks'
once = true
call = { name = "goal", arguments = { goal = "inventory.oak_planks:{count}" } }

[[rule]]
when_result = "begun"
text = "On my way."

[[rule]]
when = "event.*goal"
once = true
[rule.call]
name = "navigation_dropItem"
arguments = { itemName = "oak_planks", count = 5, targetPlayer = "{who}" }

[[rule]]
when_result = '"success":true'
text = "Here are your planks."

[[rule]]
when = "event.*dropItem"
text = "Here are your planks."

[[rule]]
text = "Hello."
"""


@pytest.fixture
async def daemon(new_site: Callable[[], Site], tmp_path: Path) -> AsyncIterator[DaemonProcess]:
    script = tmp_path / "story.toml"
    script.write_text(STORY, encoding="utf-8")
    async with new_site().up(
        "--fake-llm", str(script), TOWNSFOLK_TALK__SMALL_TALK="false"
    ) as daemon:
        yield daemon
        assert daemon.tracebacks == []


async def test_planks_that_were_asked_for_are_made_handed_over_and_told_of(
    daemon: DaemonProcess, steve: Player
) -> None:
    assert await steve.asks("Alice", "Alice, get me 5 oak planks") == "On my way."
    told = await steve.hears("Alice", within_s=FETCHED_WITHIN_S, containing="Here")
    assert told == "Here are your planks."
    async with asyncio.timeout(PICKED_UP_WITHIN_S):
        while (await steve.sees()).count("oak_planks") != 5:  # noqa: ASYNC110
            await asyncio.sleep(LOOK_AGAIN_S)
    decisions = (await daemon.get("/api/decisions"))["decisions"]
    triggers = [made["trigger"] for made in decisions if made["speaker"] == steve.name]
    assert {"message", "action_ended"} <= set(triggers)
