"""What the benchmark of nights makes of what it saw."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from benchmarks.nights import Nights, TimedBridge, World, figures
from bots.bot.bot import Bot
from bots.reflexes.choosing import Kind, Reaction
from bridge.actions import Eat, MoveTo
from bridge.events import ActionId, MonstersNear
from bridge.js import JSBridge
from bridge.node import NodeRuntime
from bridge.world import BotName, Position

ALICE = BotName("Alice")
NOW = datetime.now(UTC)


def lived(world: World, deaths: int, used_s: float, *first_ms: float) -> Nights:
    return Nights(world, 1, 10, 4, ["Alice 3 s zombie"] * deaths, list(first_ms), used_s)


def test_deaths_count_of_each_bot_and_night_and_all_bounds_must_hold() -> None:
    peaceful, without = lived("peaceful", 0, 10), lived("without", 20, 12)
    good = figures([peaceful, without, lived("reflexes", 1, 13, 90, 120, 300)])
    assert good["deaths"] == {"peaceful": 0, "reflexes": 0.025, "without": 0.5}
    assert (good["first_ms"], good["processor"]) == ({50: 120, 95: 300}, 1.3)
    assert good["holds"]
    for bad in [
        lived("reflexes", 2, 13, 90),
        lived("reflexes", 1, 14, 90),
        lived("reflexes", 1, 13, 160),
        lived("reflexes", 1, 13),
    ]:
        assert not figures([peaceful, without, bad])["holds"]


@pytest.mark.parametrize(
    ("kind", "is_calm", "is_timed"),
    [("flee", True, True), ("eat", True, False), (None, True, False), ("flee", False, False)],
)
async def test_only_what_calls_for_a_step_is_timed(
    kind: Kind | None,
    is_calm: bool,
    is_timed: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def begun(*_: Any, **__: Any) -> None: ...

    monkeypatch.setattr(JSBridge, "begin", begun)
    bridge = TimedBridge(NodeRuntime(tmp_path, tmp_path), tmp_path / "log")
    bot = cast("Bot", SimpleNamespace(name=ALICE, actions=SimpleNamespace(is_calm=is_calm)))
    bridge.told(bot, MonstersNear(ALICE, (), NOW - timedelta(seconds=1)))
    bridge.chose(ALICE, NOW.timestamp(), kind and Reaction(kind))
    await bridge.begin(ALICE, ActionId("1"), Eat("bread"))
    assert bridge.first_ms == []
    for number in range(2):
        await bridge.begin(ALICE, ActionId(str(number)), MoveTo(Position(1, 64, 1)))
    assert [ms >= 1000 for ms in bridge.first_ms] == [True] * is_timed
