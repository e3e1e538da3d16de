"""No job runs on without gain, step or word: it says what it is at, and gives up what is stuck."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from support.acting import GROUND, put
from support.rig import Rig, alice_at, until

from bots.access.origin import Person
from bots.bot.bot import Bot
from bots.bot.events import BotEvent, WorkTold
from bots.bot.headway import SPAN_S
from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Failure, Result
from bots.errors import ActionFailed
from bots.registry.render import failure_of
from bridge.actions import Action, Dig, Equip, Follow, MoveTo, Smelt, Wait
from bridge.errors import BridgeTimeout
from bridge.fake import Person as Visitor
from bridge.fake.rules import BlockRule
from bridge.world import PlayerName, Position

AGES_S = 100_000.0
HERE = Position(8.5, GROUND, 8.5)
FAR = MoveTo(Position(90.5, GROUND, 8.5))
STEVE = Person(PlayerName("Steve"))
alice = alice_at(HERE)


class AtWork:
    """A job of Alice's that Steve asked for, and what it says meanwhile."""

    def __init__(self, rig: Rig, alice: Bot) -> None:
        self._rig, self._alice = rig, alice
        self.said: list[str] = []
        self.failed: list[str] = []
        alice.events.subscribe(self._take)

    def begin(self, work: Callable[[Job], Awaitable[Result]], *, is_idle: bool = False) -> Job:
        return self._alice.jobs.begin(
            JobSpec("!work", work, failure_of, AGES_S, STEVE, is_idle=is_idle)
        )

    def doing(self, *actions: Action, is_idle: bool = False) -> Job:
        """A job that does these, whether they fail or not."""

        async def work(job: Job) -> Result:
            for action in actions:
                try:
                    await job.act(action, deadline_s=AGES_S)
                except ActionFailed as failed:
                    self.failed.append(failed.reason)
            return Result()

        return self.begin(work, is_idle=is_idle)

    async def pass_s(self, seconds: float) -> None:
        await until(lambda: self._rig.bridge.running_actions)
        await self._rig.world.clock.advance(seconds)

    def _take(self, event: BotEvent) -> None:
        if isinstance(event, WorkTold):
            assert event.given_by == STEVE
            self.said.append(event.text)


@pytest.fixture
def work(rig: Rig, alice: Bot) -> AtWork:
    return AtWork(rig, alice)


@pytest.fixture
def hung(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walks in the simulated world never end, and lead nowhere."""

    async def for_ever(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("bridge.fake.actions.moving.walk", for_ever)


@pytest.mark.usefixtures("hung")
async def test_a_job_that_gets_nowhere_says_so_and_ends(rig: Rig, work: AtWork) -> None:
    job = work.doing(FAR)
    await work.pass_s(SPAN_S - 1)
    assert work.said == []
    await work.pass_s(2)
    assert work.said == ["I am still walking to 90 64 8 for !work."]
    await work.pass_s(SPAN_S)
    await job.wait()
    assert work.failed == ["stuck"]
    assert rig.bridge.running_actions == 0
    told = [dict(one.facts) for one in rig.trace.recent("job.stalled")]
    assert [one["ended"] for one in told] == [False, True]


@pytest.mark.usefixtures("hung")
async def test_a_job_may_try_something_else_after_what_was_stuck(work: AtWork) -> None:
    job = work.doing(FAR, Wait(1))
    await work.pass_s(2 * SPAN_S + 3)
    await job.wait()
    assert (work.failed, job.result().success) == (["stuck"], True)


@pytest.mark.usefixtures("hung")
async def test_what_nothing_else_is_tried_for_fails_with_a_sentence(work: AtWork) -> None:
    async def walk(job: Job) -> Result:
        await job.act(FAR, deadline_s=AGES_S)
        return Result()

    job = work.begin(walk)
    await work.pass_s(2 * SPAN_S + 1)
    await job.wait()
    result = job.result()
    assert isinstance(result, Failure)
    assert result.reason == "stuck"
    assert result.message == "I was walking to 90 64 8, and 60 s long nothing came of it."


async def test_a_slow_step_through_hard_ground_is_dug_to_its_end(rig: Rig, work: AtWork) -> None:
    rules = rig.world.rules.adding(blocks={"stone": BlockRule(9.0, "pickaxe", 0)})  # 45 s by hand
    rig.world.rules = rules
    put(
        rig,
        "stone",
        *((x, y, z) for x in range(9, 13) for y in range(63, 69) for z in range(5, 13)),
    )
    job = work.doing(MoveTo(Position(11.5, GROUND, 8.5), may_dig=True))
    for _ in range(40):
        await rig.world.clock.advance(10)
    await job.wait()
    assert (work.failed, job.result().success) == ([], True)


@pytest.mark.usefixtures("hung")
async def test_it_names_what_the_job_is_for_and_how_far_it_is(work: AtWork) -> None:
    async def gather(job: Job) -> Result:
        job.progress(0, 2, "gravel")
        for done in (1, 2):
            with pytest.raises(ActionFailed):
                await job.act(FAR, deadline_s=AGES_S)
            job.progress(done, 2, "gravel")
        return Result()

    work.begin(gather)
    for _ in range(4):
        await work.pass_s(SPAN_S + 1)
    head = "I am still walking to 90 64 8 for 2 gravel;"
    assert work.said == [f"{head} nothing came yet.", f"{head} 1 so far."]


@pytest.mark.usefixtures("hung")
async def test_what_comes_into_the_bag_counts_as_gain(rig: Rig, work: AtWork) -> None:
    work.doing(FAR)
    for _ in range(6):
        await work.pass_s(SPAN_S / 2)
        rig.world.give("Alice", "gravel")
    assert (work.failed, rig.bridge.running_actions) == ([], 1)


@pytest.mark.usefixtures("hung")
async def test_a_walk_counts_as_steps_but_its_minute_is_told_of(rig: Rig, work: AtWork) -> None:
    work.doing(FAR)
    for step in range(1, 11):
        await work.pass_s(SPAN_S / 2)
        rig.world.teleport("Alice", Position(HERE.x + step, HERE.y, HERE.z))
    assert (len(work.said), work.failed) == (2, [])


@pytest.mark.usefixtures("hung")
async def test_a_bot_that_turns_on_the_spot_is_stuck_all_the_same(rig: Rig, work: AtWork) -> None:
    job = work.doing(FAR)
    for step in range(1, 4):
        await work.pass_s(SPAN_S / 2)
        rig.world.teleport("Alice", Position(HERE.x + 0.4 * (step % 2), HERE.y, HERE.z))
    await work.pass_s(SPAN_S / 2 + 1)
    await job.wait()
    assert work.failed == ["stuck"]


@pytest.mark.parametrize(
    "action", [Wait(AGES_S), Follow(PlayerName("Steve"))], ids=lambda action: action.kind
)
async def test_what_waits_for_something_is_let_wait(rig: Rig, work: AtWork, action: Action) -> None:
    rig.world.person("Steve", Position(9.5, GROUND, 8.5))
    work.doing(action)
    await work.pass_s(20 * SPAN_S)
    assert (work.said, work.failed, rig.bridge.running_actions) == ([], [], 1)


@pytest.mark.usefixtures("hung")
async def test_time_spent_waiting_is_no_time_without_gain(rig: Rig, work: AtWork) -> None:
    work.doing(Wait(10 * SPAN_S), FAR)
    await work.pass_s(10 * SPAN_S + 1)
    await work.pass_s(SPAN_S - 3)
    assert work.said == []
    await work.pass_s(4)
    assert len(work.said) == 1


async def test_short_waits_between_are_no_step(rig: Rig, work: AtWork) -> None:
    rig.world.give("Alice", "stick")

    async def fidget(job: Job) -> Result:
        for _ in range(1000):
            await job.act(Equip("stick"))
            await rig.world.clock.sleep(1)
        return Result()

    work.begin(fidget)
    for _ in range(70):
        await rig.world.clock.advance(1)
    assert len(work.said) == 2


async def test_a_hard_block_is_dug_to_its_end(rig: Rig, work: AtWork) -> None:
    put(rig, "obsidian", (9, GROUND, 8))
    job = work.doing(Dig(Position(9, GROUND, 8), in_vain=True))
    await work.pass_s(100)
    assert len(work.said) >= 2
    for _ in range(30):
        await rig.world.clock.advance(10)
    await job.wait()
    assert (work.failed, rig.world.block(Position(9, GROUND, 8))) == ([], "air")


async def test_smelting_is_let_go_on_without_a_word_before_its_time(rig: Rig, work: AtWork) -> None:
    put(rig, "furnace", (9, GROUND, 8))
    rig.world.give("Alice", "iron_ore", 16)
    rig.world.give("Alice", "coal", 2)
    job = work.doing(Smelt("iron_ore", "coal", Position(9, GROUND, 8), 16))
    await work.pass_s(55)
    assert work.said == []
    await work.pass_s(120)
    await job.wait()
    assert (work.failed, job.result().success) == ([], True)


@pytest.mark.usefixtures("hung")
async def test_what_a_bot_does_unasked_ends_without_a_word(rig: Rig, work: AtWork) -> None:
    job = work.doing(FAR, is_idle=True)
    await work.pass_s(2 * SPAN_S + 1)
    await job.wait()
    assert (work.said, work.failed) == ([], ["stuck"])


@pytest.mark.usefixtures("hung")
async def test_a_bridge_that_fails_to_see_is_not_asked_again(rig: Rig, work: AtWork) -> None:
    work.doing(FAR)
    await work.pass_s(1)
    before = rig.bridge.snapshots
    rig.bridge.faults.fail_next("snapshot", BridgeTimeout("snapshot", 1.0), times=1000)
    await work.pass_s(SPAN_S)
    assert rig.bridge.snapshots - before <= 4
    assert len(work.said) == 1


# --- as people hear it ------------------------------------------------------------


async def buried_gravel(rig: Rig) -> Visitor:
    """Gravel far below a square; there is nothing to dig with but hands."""
    stone = [
        (x, y, z) for x in range(5, 12) for y in range(GROUND - 20, GROUND) for z in range(5, 12)
    ]
    put(rig, "stone", *stone)
    put(rig, "gravel", *((8, y, 8) for y in (GROUND - 18, GROUND - 17)))
    put(rig, "stone", (7, GROUND + 1, 8), (9, GROUND + 1, 8))  # a cleft, where it digs by hand
    return rig.world.person("Steve", Position(10.5, GROUND, 8.5))


@pytest.mark.usefixtures("alice")
async def test_whoever_asked_hears_within_a_minute_that_a_shaft_brought_nothing(rig: Rig) -> None:
    steve = await buried_gravel(rig)
    steve.whisper("Alice", '!skill gather {"itemName": "gravel", "count": 2}')
    await until(lambda: rig.bridge.running_actions)
    for _ in range(65):
        await rig.pass_time(1)

    def told() -> list[str]:
        return [line.text for line in steve.inbox if line.text.startswith("I am still")]

    await until(told)
    assert told()[-1].endswith("for 2 gravel; nothing came yet.")


async def test_a_quiet_bot_keeps_it_to_itself(rig: Rig, alice: Bot) -> None:
    alice.quiet = True
    steve = await buried_gravel(rig)
    steve.whisper("Alice", '!skill gather {"itemName": "gravel", "count": 2}')
    await until(lambda: rig.bridge.running_actions)
    while not list(rig.trace.recent("job.stalled")):
        await rig.world.clock.advance(1)
    await rig.world.clock.advance(1)
    assert [line.text for line in steve.inbox] == []
