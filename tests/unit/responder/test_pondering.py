"""Who waits for an answer sees that the bot thinks: after 2 s it looks at them, up, and back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from support.live_talks import policy
from support.rig import Rig, run_json, until

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
from bots.skills.idle import SHOWN_AFTER_S, pondering
from bridge.fake import FakeBridge, FakeWorld, VirtualClock
from bridge.world import Position
from llm.function_model import FunctionModel
from llm.model import Question

SOUTH = 180
UP = 15.0  # degrees


def yaw(rig: Rig) -> float:
    return round(rig.world.body("Alice").yaw)


async def test_it_looks_at_who_waits_then_up_then_back_and_ends_with_the_answer(rig: Rig) -> None:
    alice = await rig.bot("Alice", Position(0.5, 64, 0.5))
    rig.world.person("Steve", Position(0.5, 64, 6.5))
    body, clock = rig.world.body("Alice"), rig.world.clock
    with pondering(alice, "Steve"):
        await clock.advance(SHOWN_AFTER_S - 0.1)
        assert (yaw(rig), body.pitch) == (0, 0)
        await clock.advance(0.2)
        assert (yaw(rig), round(body.pitch)) == (SOUTH, 0)
        await clock.advance(0.5)
        assert body.pitch > UP
        await clock.advance(1)
        assert round(body.pitch) == 0
    body.pitch = -30
    await clock.advance(20)
    assert body.pitch == -30


async def test_work_keeps_the_head(rig: Rig) -> None:
    alice = await rig.bot("Alice", Position(0.5, 64, 0.5))
    rig.world.person("Steve", Position(0.5, 64, 6.5))
    walking = asyncio.create_task(run_json(alice, "!navigation gotoCoords 200 64 0"))
    await until(lambda: alice.is_at_work)
    with pondering(alice, "Steve"):
        for _ in range(20):
            await rig.world.clock.advance(0.2)
            assert rig.world.body("Alice").pitch == 0
    walking.cancel()
    await asyncio.gather(walking, return_exceptions=True)


@asynccontextmanager
async def slow_to_answer(
    folder: Path, answers: asyncio.Event
) -> AsyncIterator[tuple[Daemon, FakeWorld]]:
    """A daemon whose model answers when it is let."""

    async def answer(_question: Question) -> str:
        await answers.wait()
        return "Now I know."

    clock = VirtualClock()
    world = FakeWorld(clock)
    settings = Settings(
        data_dir=folder,
        bots=BotsSettings(names=("Alice", "Bob")),
        talk=TalkSettings(small_talk=False),
        idle=IdleSettings(enabled=False),
        dashboard=DashboardSettings(enabled=False),
        llm=LlmSettings(briefing=False),
    )
    model = FunctionModel(answer)
    bridge, times = FakeBridge(world), Times.of(clock)
    async with Daemon(settings, bridge=bridge, model=model, times=times) as daemon:
        assert await daemon.all_joined(5)
        yield daemon, world
        answers.set()


async def test_a_person_who_whispers_sees_it(tmp_path: Path) -> None:
    answers = asyncio.Event()
    async with slow_to_answer(tmp_path, answers) as (_daemon, world):
        steve = world.person("Steve", Position(8.5, 64, 14.5))
        steve.whisper("Alice", "What is the meaning of all this?")
        await until(lambda: world.body("Alice").pitch > UP, within_s=5)
        answers.set()
        assert (await steve.hears()).text == "Now I know."


async def test_a_person_in_a_talk_sees_it(tmp_path: Path) -> None:
    answers = asyncio.Event()
    async with slow_to_answer(tmp_path, answers) as (daemon, world):
        world.person("Steve", Position(8.5, 64, 14.5))
        await daemon.talk("Alice", "Bob", "Steve", policy=policy(turns=2))
        pitches = [world.body(name) for name in ("Alice", "Bob")]
        await until(lambda: any(body.pitch > UP for body in pitches), within_s=5)
