"""A bot sees less far once it is left alone, and as far as before when anybody turns to it."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from support.rig import Rig, rig_with_alice, run_json, until

from bots.bot.bot import Bot
from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Result
from bots.bot.view_distance import ALONE_S, NARROW, WIDE
from bots.registry.render import failure_of
from bridge.actions import FindBlocks, Wait
from bridge.errors import BridgeTimeout
from bridge.fake.crossing import Operation
from bridge.looking import Behold, ReadRegion, ScanBlocks
from bridge.world import BotName, Position

rig = rig_with_alice(Position(0.5, 64, 0.5), Steve=Position(0.5, 64, 6.5))
AGES_S = 10_000.0


@pytest.fixture
def asked(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The operations of the bridge, in the order in which they crossed it."""
    operations: list[str] = []
    go = rig.bridge._crossing.go

    async def noted(operation: Operation, bot: BotName) -> None:
        operations.append(operation)
        await go(operation, bot)

    monkeypatch.setattr(rig.bridge._crossing, "go", noted)
    return operations


def sees(rig: Rig) -> int:
    return rig.bridge.view_chunks_of("Alice")


async def is_left_alone(rig: Rig, for_s: float = ALONE_S) -> None:
    await rig.world.clock.advance(for_s)
    await asyncio.sleep(0)


async def narrowed(rig: Rig) -> None:
    await is_left_alone(rig)
    await until(lambda: sees(rig) == NARROW)


async def widened(rig: Rig) -> None:
    rig.bots["Alice"].leisure.turned_to()
    await until(lambda: sees(rig) == WIDE)


def job(bot: Bot, *, is_idle: bool = False) -> Job:
    async def wait(job: Job) -> Result:
        await job.act(Wait(AGES_S), deadline_s=AGES_S)
        return Result()

    return bot.jobs.begin(JobSpec("waiting", wait, failure_of, AGES_S, is_idle=is_idle))


async def test_a_bot_sees_less_far_a_minute_after_the_last_word(rig: Rig, alice: Bot) -> None:
    assert sees(rig) == NARROW
    await widened(rig)
    await is_left_alone(rig, ALONE_S - 1)
    assert sees(rig) == WIDE
    await is_left_alone(rig, 1)
    await until(lambda: sees(rig) == NARROW)


@pytest.mark.parametrize("text", ["hello", "!status", "元気？"])
async def test_a_word_or_command_widens_it_for_a_minute(rig: Rig, alice: Bot, text: str) -> None:
    await narrowed(rig)
    rig.world.person("Steve").whisper("Alice", text)
    await until(lambda: sees(rig) == WIDE)
    await is_left_alone(rig, ALONE_S - 1)
    assert sees(rig) == WIDE
    await narrowed(rig)


async def test_what_a_job_asks_first_comes_after_the_wider_view(rig: Rig, alice: Bot) -> None:
    await narrowed(rig)
    seen: list[int] = []

    async def look(job: Job) -> Result:
        await job.snapshot()
        seen.append(sees(rig))
        return Result()

    await alice.jobs.begin(JobSpec("looking", look, failure_of, 5)).wait()
    assert seen == [WIDE]


async def test_a_query_comes_after_the_wider_view(rig: Rig, alice: Bot) -> None:
    await narrowed(rig)
    assert (await run_json(alice, '!info scanBlocks {"range": 4}'))["success"]
    assert sees(rig) == WIDE


LOOKS: list[tuple[Callable[[Bot], Awaitable[object]], str]] = [
    (lambda alice: alice.query(FindBlocks(("stone",), 40, 1)), "query"),
    (lambda alice: alice.query(ScanBlocks(("stone",), 40)), "query"),
    (lambda alice: alice.query(Behold()), "query"),
    (lambda alice: alice.query(ReadRegion()), "query"),
    (lambda alice: alice.snapshot(blocks_within=40), "snapshot"),
    (lambda alice: alice.begin(Wait(1)), "begin"),
]


async def test_a_program_that_looks_far_or_acts_gets_the_wider_view(
    rig: Rig, alice: Bot, asked: list[str]
) -> None:
    for look, operation in LOOKS:
        await narrowed(rig)
        await alice.query(FindBlocks(("stone",), 32, 1))
        await alice.snapshot(blocks_within=32)
        assert sees(rig) == NARROW
        await look(alice)
        assert asked[-2:] == ["see", operation]
        assert sees(rig) == WIDE


async def test_while_it_works_it_sees_far_however_long_that_takes(rig: Rig, alice: Bot) -> None:
    work = job(alice)
    await work.until_acting()
    for _ in range(3):
        await is_left_alone(rig)
    assert sees(rig) == WIDE
    await work.stop()
    await is_left_alone(rig)
    await narrowed(rig)


async def test_what_it_does_of_its_own_accord_needs_no_wide_view(rig: Rig, alice: Bot) -> None:
    stroll = job(alice, is_idle=True)
    await stroll.until_acting()
    await narrowed(rig)
    await stroll.stop()
    assert sees(rig) == NARROW


async def test_a_fellows_line_widens_it_but_small_talk_does_not(rig: Rig, alice: Bot) -> None:
    bob = await rig.bot("Bob", Position(0.5, 64, 3.5))
    await narrowed(rig)
    await bob.tell_all("Nice weather.", "normal", 15, kind="small_talk")
    await until(lambda: alice.get_conversation_history())
    assert sees(rig) == NARROW
    await bob.tell("Alice", "hello", 15)
    await until(lambda: sees(rig) == WIDE)


@pytest.mark.parametrize(("alone_s", "chunks"), [(0, WIDE), (2 * ALONE_S, NARROW)])
async def test_who_comes_back_into_the_world_sees_far_if_somebody_turned_to_it_just_now(
    rig: Rig, alice: Bot, alone_s: float, chunks: int
) -> None:
    await widened(rig)
    await is_left_alone(rig, alone_s)
    rig.bridge.drop_connection("Alice")
    session = rig.roster.find("Alice")
    await until(lambda: not session.online)
    await is_left_alone(rig, 5)
    await until(lambda: session.online)
    await until(lambda: sees(rig) == chunks)


async def test_a_bridge_that_fails_does_no_harm_and_is_asked_again(rig: Rig, alice: Bot) -> None:
    await narrowed(rig)
    rig.bridge.faults.fail_next("see", BridgeTimeout("see", 10))
    assert (await run_json(alice, "!status"))["success"]
    assert sees(rig) == NARROW
    assert (await run_json(alice, "!status"))["success"]
    await until(lambda: sees(rig) == WIDE)
    rig.bridge.faults.fail_next("see", BridgeTimeout("see", 10))
    await is_left_alone(rig)
    assert sees(rig) == WIDE
    alice.disturbed()
    await narrowed(rig)


async def test_out_of_the_world_nothing_is_asked(rig: Rig, alice: Bot) -> None:
    await rig.bridge.despawn(BotName("Alice"))
    session = rig.roster.find("Alice")
    await until(lambda: not session.online)
    alice.disturbed()
    await is_left_alone(rig, 1)
    assert (await run_json(alice, "!echo hi"))["success"]


@pytest.mark.parametrize("at_s", [0.1, 0.7, 1234.567, 1e6 / 3])
async def test_a_minute_ends_however_it_is_rounded(rig: Rig, alice: Bot, at_s: float) -> None:
    await is_left_alone(rig, at_s)
    await widened(rig)
    for _ in range(round(3 * ALONE_S) + 1):
        await rig.world.clock.advance(1 / 3)
    await until(lambda: sees(rig) == NARROW)
