"""`!refresh`: everything is sensed anew in one crossing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.town import Town, run_json

from bots.commands.catalogue import handle_chat_command
from bots.registry.render import render
from bridge.world import Position

pytestmark = pytest.mark.anyio


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    town = await Town.found(tmp_path)
    await town.bot("Alice", Position(0.5, 64, 0.5))
    yield town
    await town.aclose()


async def test_a_refresh_takes_one_crossing_and_tells_its_time(town: Town) -> None:
    before = town.bridge.snapshots
    result = await run_json(town.bots["Alice"], "!refresh")
    assert set(result) == {"success", "durationMs"}
    assert result["durationMs"] >= 0
    assert town.bridge.snapshots == before + 1


async def test_the_whisper_tells_it(town: Town) -> None:
    lines = render(await handle_chat_command(town.bots["Alice"], "Steve", "!refresh"))
    assert lines == ["Looked around anew in 0 ms."]


async def test_outside_a_world_there_is_nothing_to_sense(town: Town) -> None:
    await town.bridge.despawn(town.bots["Alice"].name)
    result = await run_json(town.bots["Alice"], "!refresh")
    assert (result["success"], result["reason"]) == (False, "not_connected")
