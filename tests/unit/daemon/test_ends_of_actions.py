"""The end of an action takes effect on arrival, however long storing whispers takes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support.held_commits import commits_held
from support.rig import Rig, rig_with_alice, run_json, until

from bridge.fake import Person
from bridge.world import Position

GO = "!navigation gotoCoords 6 64 0"
WITHIN_S = 3.0  # less than the store waits for a lock
rig = rig_with_alice(Position(0.5, 64, 0.5))


@pytest.fixture
def steve(rig: Rig) -> Person:
    return rig.world.person("Steve", Position(3.5, 64, 0.5))


def heard(rig: Rig) -> list[str | None]:
    return [message.text for message in rig.bots["Alice"].get_conversation_history()]


@asynccontextmanager
async def walking_while_a_whisper_is_stored(
    rig: Rig, steve: Person, folder: Path
) -> AsyncIterator[asyncio.Task[dict[str, Any]]]:
    """Two whispers: the first is held in the store, so the second waits."""
    alice = rig.roster.sessions[0]
    running = asyncio.create_task(run_json(alice.bot, GO))
    await until(lambda: rig.bridge.action_of("Alice"))
    with commits_held(folder):
        steve.whisper("Alice", "one")
        steve.whisper("Alice", "two")
        await until(lambda: len(alice.mailbox) == 1)
        yield running
        assert heard(rig) == []
    await until(lambda: heard(rig) == ["one", "two"])


async def test_a_job_ends_while_a_whisper_before_it_is_not_stored_yet(
    rig: Rig, steve: Person, tmp_path: Path
) -> None:
    async with walking_while_a_whisper_is_stored(rig, steve, tmp_path) as running:
        await rig.world.clock.advance(60.0)
        async with asyncio.timeout(WITHIN_S):
            assert (await running)["success"] is True


async def test_a_lost_connection_ends_a_job_while_a_whisper_is_not_stored_yet(
    rig: Rig, steve: Person, tmp_path: Path
) -> None:
    async with walking_while_a_whisper_is_stored(rig, steve, tmp_path) as running:
        rig.bridge.drop_connection("Alice")
        async with asyncio.timeout(WITHIN_S):
            result = await running
        assert (result["success"], result["reason"]) == (False, "disconnected")
