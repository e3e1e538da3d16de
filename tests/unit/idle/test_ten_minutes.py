"""Ten minutes of four bots with shipped settings, and nobody who wants anything of them."""

import re
from collections import Counter
from pathlib import Path

import pytest

from bots.app import Daemon
from bots.clock import Times
from bots.settings.settings import (
    BotsSettings,
    DashboardSettings,
    IdleSettings,
    LlmSettings,
    Settings,
    TalkSettings,
)
from bots.text.language import normal
from bridge.fake import FakeBridge, FakeWorld, VirtualClock
from bridge.world import MobSighting, Position
from llm.function_model import FunctionModel
from llm.model import Question

pytestmark = pytest.mark.slow

TEN_MINUTES_S = 600
FEWEST_LINES, FEWEST_DOINGS = 40, 40
THINGS = {"poppy": (3, 5), "dandelion": (12, 4), "pumpkin": (15, 12), "torch": (6, 13)}


def a_place_with_things(clock: VirtualClock) -> FakeWorld:
    world = FakeWorld(clock)
    for name, (x, z) in THINGS.items():
        world.set_block(Position(x, 64, z), name)
    world.mobs.append(MobSighting("cow", Position(14, 64, 2), hostile=False, id=1))
    return world


async def ten_minutes(
    folder: Path, world: FakeWorld, model: FunctionModel
) -> tuple[list[str], Counter[str], int]:
    """What is said, what is done and how often, and the number of other decisions."""
    settings = Settings(
        data_dir=folder,
        bots=BotsSettings(names=("Alice", "Bob", "Cara", "Dan")),
        dashboard=DashboardSettings(enabled=False),
        llm=LlmSettings(briefing=False),
        idle=IdleSettings(enabled=True),
        talk=TalkSettings(small_talk=True),
    )
    bridge, times = FakeBridge(world), Times.of(world.clock, 3)
    async with Daemon(settings, bridge=bridge, model=model, times=times) as daemon:
        await daemon.all_joined()
        await world.clock.sleep(TEN_MINUTES_S)
        said = [str(one.facts["text"]) for one in daemon.trace.recent("smalltalk.said")]
        done = Counter(str(one.facts["command"]) for one in daemon.trace.recent("job.started"))
        return said, done, len(list(daemon.trace.recent("decision.made")))


def is_lively(said: list[str], done: Counter[str]) -> bool:
    sentences = Counter(normal(one) for line in said for one in re.split(r"(?<=[.!?])\s", line))
    assert [one for one, times_said in sentences.items() if times_said > 1] == []
    assert len(said) >= FEWEST_LINES
    assert done.total() >= FEWEST_DOINGS
    return len(done) >= len(THINGS)


async def test_four_bots_alone_do_and_say_much_and_never_the_same_and_ask_no_model(
    tmp_path: Path,
) -> None:
    def asked(question: Question) -> str:
        raise AssertionError(f"nobody is there to hear it: {question.turns[-1].text}")

    world = a_place_with_things(VirtualClock(idle_s=0.01))
    said, done, decided = await ten_minutes(tmp_path, world, FunctionModel(asked))
    assert is_lively(said, done)
    assert decided == 0


@pytest.mark.parametrize("with_model", [True, False])
async def test_a_visitor_hears_much_and_never_the_same(tmp_path: Path, with_model: bool) -> None:
    world = a_place_with_things(VirtualClock(idle_s=0.01))
    world.person("Steve", Position(9.5, 64, 9.5))
    words = (f"Words of number {number}." for number in range(1_000))
    model = FunctionModel(lambda question: next(words) if with_model else "")
    said, done, _ = await ten_minutes(tmp_path, world, model)
    assert is_lively(said, done)
    assert "visiting Steve" in done
