"""`!echo`: the same words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.rig import Rig

from bots.access.permissions import Permissions
from bots.commands.catalogue import handle_chat_command
from bots.registry.render import render
from bridge.world import Position

pytestmark = pytest.mark.anyio


STRANGERS = Permissions(owners=frozenset({"Olga"}), trusted=frozenset({"Alex"}))


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = await Rig.found(tmp_path, STRANGERS)
    await rig.bot("Alice", Position(0.5, 64, 0.5))
    yield rig
    await rig.aclose()


async def test_echo_says_the_same_words(rig: Rig) -> None:
    result = await handle_chat_command(rig.bots["Alice"], "Steve", "!echo こんにちは  世界")
    assert result.as_json() == {"success": True, "message": "こんにちは  世界"}
    assert render(result) == ["こんにちは 世界"]
