"""A bot has one job at a time; jobs are replaced, stopped, cut off and reported."""

import asyncio
from typing import Any

import pytest
from support.rig import PYTHON, Rig, asked_by, run_json, until

from bots.access.origin import Person
from bots.access.permissions import Permissions
from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.bot.result import Result
from bots.errors import ActionFailed, InvalidArguments
from bots.registry.args import Args, NoArgs
from bots.registry.registry import CommandContext, CommandRegistry, commands
from bridge.actions import CloseContainer, Craft, Dig, MoveTo, OpenContainer, Wait
from bridge.errors import BridgeDown
from bridge.fake import Person as Visitor
from bridge.world import PlayerName, Position

STEVE = Person(PlayerName("Steve"))
AGES_S = 100_000.0


class CountArgs(Args):
    times: int = 3


class Counted(Result):
    have: int


class Works:
    """`!work wait|count|dig|bug|shop` of a registry, with the program's `!stop` and `!echo`."""

    def __init__(self) -> None:
        self.registry = registry = CommandRegistry()
        self.tidied: list[str] = []
        self.tried: list[str] = []
        registry.command("work wait", NoArgs, world=True)(self._wait)
        registry.command("work count", CountArgs, world=True)(self._count)
        registry.command("work dig", NoArgs, world=True)(self._dig)
        registry.command("work craft", NoArgs, world=True)(self._craft)
        registry.command("work insist", NoArgs, world=True)(self._insist)
        registry.command("work bug", NoArgs, world=True)(self._bug)
        registry.command("work tidy", NoArgs, world=True)(self._tidy)
        registry.command("work refuse", NoArgs, world=True)(self._refuse)
        registry.command("work brief", NoArgs, world=True, deadline_s=0.05)(self._wait)
        registry.command("ask", NoArgs)(self._ask)
        for name in ("echo", "stop", "quiet"):
            known = commands.find(name)
            registry.command(name, known.args, overtakes=known.overtakes)(known.handler)

    async def _wait(self, context: CommandContext, _args: NoArgs) -> Result:
        """Wait."""
        await context.job.act(Wait(AGES_S), deadline_s=AGES_S)
        return Result()

    async def _count(self, context: CommandContext, args: CountArgs) -> Counted:
        """Do several actions in a row."""
        for done in range(args.times):
            await context.job.act(Wait(90), deadline_s=100)
            context.job.progress(done + 1, args.times, "waits")
        return Counted(have=args.times)

    async def _dig(self, context: CommandContext, _args: NoArgs) -> Result:
        """Dig out of reach."""
        await context.job.act(Dig(Position(90, 63, 90)))
        return Result()

    async def _craft(self, context: CommandContext, _args: NoArgs) -> Result:
        """Craft, and count."""
        await context.job.act(Craft("stick", 4))
        await context.job.act(Craft("stick", 8), counting="sticks")
        return Result()

    async def _insist(self, context: CommandContext, _args: NoArgs) -> Result:
        """Go on after every failure that may be caught."""
        for _ in range(5):
            try:
                await context.job.act(Wait(AGES_S), deadline_s=AGES_S)
            except ActionFailed as failed:
                self.tried.append(failed.reason)
        return Result()

    async def _tidy(self, context: CommandContext, _args: NoArgs) -> Result:
        """Clean up after itself."""
        try:
            await context.job.act(Wait(AGES_S), deadline_s=AGES_S)
        finally:
            self.tidied.append("begun")
            await context.job.act(MoveTo(Position(4.5, 64, 0.5)))
            self.tidied.append("done")
        return Result()

    async def _bug(self, _context: CommandContext, _args: NoArgs) -> Result:
        """Run into a bug."""
        raise ZeroDivisionError

    async def _refuse(self, _context: CommandContext, _args: NoArgs) -> Result:
        """Find the arguments wrong only later."""
        raise InvalidArguments("invalid_format", "There is no such thing.")

    async def _ask(self, context: CommandContext, _args: NoArgs) -> Result:
        """Ask for a job that is not there."""
        return Counted(have=len(context.job.id))


@pytest.fixture
def works() -> Works:
    return Works()


@pytest.fixture
async def alice(rig: Rig, works: Works) -> Bot:
    return await rig.bot("Alice", Position(0.5, 64, 0.5), works.registry)


@pytest.fixture
async def steve(rig: Rig, alice: Bot) -> Visitor:
    return rig.world.person("Steve", Position(3.5, 64, 0.5))


class Doing:
    """Gives Alice commands and lets time pass."""

    def __init__(self, rig: Rig, alice: Bot, registry: CommandRegistry) -> None:
        self._rig, self._alice, self._registry = rig, alice, registry

    async def run(self, text: str) -> dict[str, Any]:
        context = asked_by(self._alice, "Steve", self._registry)
        return (await self._registry.run(context, text)).as_json()

    async def begun(self, text: str) -> asyncio.Task[dict[str, Any]]:
        """The command once its first action is under way in the world."""
        before = self._rig.bridge.action_of("Alice")
        running = asyncio.create_task(self.run(text))
        await until(lambda: self._rig.bridge.action_of("Alice") not in (None, before))
        return running

    async def progressed(self, times: int) -> None:
        """Wait until progress was told so often."""
        await until(lambda: len(traced(self._rig, "job.progressed")) == times)

    async def pass_s(self, seconds: float) -> None:
        await self._rig.world.clock.advance(seconds)


@pytest.fixture
def doing(rig: Rig, alice: Bot, works: Works) -> Doing:
    return Doing(rig, alice, works.registry)


def traced(rig: Rig, name: str) -> list[dict[str, Any]]:
    return [dict(trace.facts) for trace in rig.trace.recent(name)]


# --- one job, several actions ------------------------------------------------------


async def test_several_actions_make_one_job(rig: Rig, alice: Bot, doing: Doing) -> None:
    running = await doing.begun('!work count {"times": 3}')
    for done in range(3):
        assert alice.doing == ["!work count"]
        await until(lambda: rig.bridge.running_actions)
        await doing.pass_s(91)
        await doing.progressed(done + 1)
    assert await running == {"success": True, "have": 3}
    assert alice.doing == []
    assert [facts["done"] for facts in traced(rig, "job.progressed")] == [1, 2, 3]
    (started,), (finished,) = traced(rig, "job.started"), traced(rig, "job.finished")
    assert started["actionId"] == finished["actionId"]
    assert finished["result"] == {"success": True, "have": 3}


async def test_the_progress_of_an_action_that_counts_is_the_jobs(rig: Rig, doing: Doing) -> None:
    rig.world.give("Alice", "oak_planks", 12)
    running = await doing.begun("!work craft")
    while not running.done():
        await doing.pass_s(1)
    assert await running == {"success": True}
    told = [(facts["done"], facts["what"]) for facts in traced(rig, "job.progressed")]
    assert told[-1] == (8, "sticks")
    assert {what for _, what in told} == {"sticks"}


async def test_a_failure_ends_the_command_with_its_reason(doing: Doing) -> None:
    result = await doing.run("!work dig")
    assert (result["success"], result["reason"]) == (False, "too_far")
    assert result["message"].endswith(".")
    result = await doing.run("!work refuse")
    assert (result["reason"], result["usage"]) == ("invalid_format", "!work refuse")
    with pytest.raises(RuntimeError, match="world=True"):
        await doing.run("!ask")


async def test_a_bug_is_raised_to_the_caller_and_ends_the_job(
    rig: Rig, alice: Bot, doing: Doing
) -> None:
    with pytest.raises(ZeroDivisionError):
        await doing.run("!work bug")
    assert alice.jobs.current is None
    (finished,) = traced(rig, "job.finished")
    assert (finished["result"]["success"], finished["result"]["reason"]) == (False, "internal")


# --- replaced -------------------------------------------------------------------------


async def test_a_new_job_replaces_the_old_one_alone(rig: Rig, alice: Bot, doing: Doing) -> None:
    old = await doing.begun("!work wait")
    with alice.running("answering Steve", lambda: pytest.fail("replaced too much")):
        new = await doing.begun("!work count 1")
        result = await old
        assert (result["success"], result["reason"]) == (False, "replaced")
        assert alice.doing == ["!work count", "answering Steve"]
    await doing.pass_s(91)
    assert (await new)["have"] == 1


async def test_the_old_job_is_torn_down_before_the_new_one_begins(
    rig: Rig, alice: Bot, works: Works, doing: Doing
) -> None:
    old = await doing.begun("!work tidy")
    begun = works.registry.begin(asked_by(alice, "Steve", works.registry), "!work wait")
    assert isinstance(await begun, Job)
    await until(lambda: works.tidied == ["begun"])
    assert alice.actions.current is not None
    assert alice.actions.current.name == "move_to"
    await doing.pass_s(10)
    assert (await old)["reason"] == "replaced"
    assert works.tidied == ["begun", "done"]
    await until(lambda: alice.actions.current is not None and alice.actions.current.name == "wait")


async def test_the_last_of_many_jobs_goes_on_alone(rig: Rig, alice: Bot, doing: Doing) -> None:
    first = await doing.begun("!work wait")
    others = [asyncio.create_task(doing.run("!work wait")) for _ in range(20)]
    reasons = [(await first)["reason"], *[(await other)["reason"] for other in others[:-1]]]
    assert reasons == ["replaced"] * 20
    await until(lambda: rig.bridge.running_actions == 1)
    assert alice.doing == ["!work wait"]
    await alice.stop()
    assert (await others[-1])["reason"] == "stopped"
    assert rig.bridge.running_actions == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *(
            (f"!{mistake}", {"success": False})
            for mistake in ("work count many", "work fly", "fly")
        ),
        ("!work wait now", {"success": False}),
        ("!work refuse", {"reason": "invalid_format"}),
        ("!echo hello", {"message": "hello"}),
    ],
)
async def test_mistakes_refusals_and_queries_replace_nothing(
    alice: Bot, doing: Doing, text: str, told: dict[str, Any]
) -> None:
    await doing.begun("!work wait")
    assert told.items() <= (await doing.run(text)).items()
    assert alice.doing == ["!work wait"]


async def test_a_command_that_is_not_permitted_replaces_nothing(
    rig: Rig, alice: Bot, works: Works, doing: Doing
) -> None:
    await doing.begun("!work wait")
    alice.permissions = Permissions(owners=frozenset({"Olga"}))
    assert (await doing.run("!work count"))["reason"] == "not_permitted"
    assert alice.doing == ["!work wait"]


async def test_an_action_in_the_clean_up_of_a_job_that_never_took_over_is_not_done(
    rig: Rig, alice: Bot, works: Works, doing: Doing
) -> None:
    held = asyncio.Event()

    async def hesitate(context: CommandContext, _args: NoArgs) -> Result:
        """Think for ever, then act."""
        try:
            await held.wait()
        finally:
            await context.job.act(Wait(AGES_S))
        return Result()

    works.registry.command("work hesitate", NoArgs, world=True)(hesitate)
    going_on = await doing.begun("!work wait")
    hesitating = asyncio.create_task(doing.run("!work hesitate"))
    await until(lambda: alice.doing == ["!work wait", "!work hesitate"])
    for job in alice.jobs.under_way[1:]:
        await job.stop()
    assert (await hesitating)["reason"] == "stopped"
    assert (alice.doing, going_on.done()) == (["!work wait"], False)
    assert rig.bridge.running_actions == 1


# --- stopped, cut off -----------------------------------------------------------------


async def test_stop_lists_the_job_by_its_command_and_tells_how_far_it_came(
    rig: Rig, alice: Bot, doing: Doing
) -> None:
    running = await doing.begun("!work count")
    await doing.pass_s(91)
    await doing.progressed(1)
    assert (await run_json(alice, "!stop", STEVE))["stoppedActions"] == ["!work count"]
    assert (alice.doing, rig.bridge.running_actions) == ([], 0)
    result = await running
    assert (result["reason"], result["message"]) == (
        "stopped",
        "The command !work count was stopped.",
    )
    assert result["progress"] == {"done": 1, "total": 3, "what": "waits"}


async def test_a_stop_closes_a_container_that_was_left_open(rig: Rig, alice: Bot) -> None:
    chest = Position(2, 64, 0)
    rig.world.set_block(chest, "chest")
    opened = asyncio.create_task(alice.act(OpenContainer(chest)))
    await until(lambda: rig.bridge.running_actions)
    while not opened.done():
        await rig.world.clock.advance(1)
    assert (await opened).outcome == "done"
    assert await alice.stop() == []
    assert (await alice.act(CloseContainer())).reason == "window_closed"


async def test_no_handler_carries_on_after_a_stop(
    rig: Rig, alice: Bot, works: Works, doing: Doing
) -> None:
    running = await doing.begun("!work insist")
    await alice.stop()
    assert (await running)["reason"] == "stopped"
    assert works.tried == []
    await asyncio.sleep(0)
    assert (alice.doing, rig.bridge.running_actions) == ([], 0)


async def test_a_player_may_not_stop_the_job_of_another(rig: Rig, alice: Bot, doing: Doing) -> None:
    await doing.begun("!work wait")
    alice.permissions = Permissions(owners=frozenset({"Olga"}))
    eve = await run_json(alice, "!stop", Person(PlayerName("Eve")))
    assert eve["reason"] == "not_permitted"
    assert "!work wait" in eve["message"]
    assert alice.doing == ["!work wait"]
    assert (await run_json(alice, "!stop", STEVE))["stoppedActions"] == ["!work wait"]


async def test_an_job_past_its_deadline_is_ended(rig: Rig, alice: Bot, doing: Doing) -> None:
    result = await doing.run("!work brief")
    assert (result["reason"], result["message"]) == (
        "deadline",
        "The command !work brief did not end within 0.05 s.",
    )
    assert (alice.doing, rig.bridge.running_actions) == ([], 0)


async def test_a_bot_that_leaves_the_world_has_ended_its_job(
    rig: Rig, alice: Bot, works: Works, doing: Doing
) -> None:
    running = await doing.begun("!work insist")
    rig.bridge.kick("Alice", "out")
    assert (await running)["reason"] == "disconnected"
    assert (works.tried, alice.doing) == ([], [])


async def test_a_caller_that_goes_away_ends_its_job(rig: Rig, alice: Bot, doing: Doing) -> None:
    running = await doing.begun("!work wait")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (alice.doing, rig.bridge.running_actions) == ([], 0)


async def test_a_bot_that_closes_ends_its_job(rig: Rig, alice: Bot, doing: Doing) -> None:
    running = await doing.begun("!work wait")
    await alice.aclose()
    assert (await running)["reason"] == "closing"
    assert rig.bridge.running_actions == 0


async def test_a_job_is_stopped_without_a_bridge(rig: Rig, alice: Bot, doing: Doing) -> None:
    running = await doing.begun("!work wait")
    for _ in range(3):
        rig.bridge.faults.fail_next("cancel", BridgeDown("cancel", "Node died"))
    assert "!work wait" in await alice.stop()
    assert (await running)["reason"] == "stopped"


async def test_an_job_stopped_while_its_action_begins_leaves_nothing(
    rig: Rig, alice: Bot, works: Works
) -> None:
    for pauses in range(12):
        context = asked_by(alice, "Steve", works.registry)
        begun = await works.registry.begin(context, "!work wait")
        assert isinstance(begun, Job)
        for _ in range(pauses):
            await asyncio.sleep(0)
        assert await alice.stop() == ["!work wait"]
        assert (begun.result().success, rig.bridge.running_actions) == (False, 0)
        assert alice.actions.current is None


# --- what the whisperer hears ---------------------------------------------------------


async def test_a_short_job_tells_its_end_alone(
    rig: Rig, alice: Bot, steve: Visitor, doing: Doing
) -> None:
    steve.whisper("Alice", "!work dig")
    assert "reach" in (await steve.hears()).text
    await doing.pass_s(300)
    assert len(steve.inbox) <= 1


async def test_a_long_job_tells_start_milestones_a_minute_apart_and_the_end(
    rig: Rig, alice: Bot, steve: Visitor, doing: Doing
) -> None:
    steve.whisper("Alice", '!work count {"times": 2}')
    await until(lambda: rig.bridge.running_actions)
    await doing.pass_s(2.5)
    assert (await steve.hears()).text == "On it: !work count. I tell you when it is done."
    await doing.pass_s(88)
    await doing.progressed(1)
    await until(lambda: rig.bridge.running_actions)
    await doing.pass_s(60)
    assert (await steve.hears()).text == "Still at !work count: 1 of 2 waits."
    await doing.pass_s(60)
    assert (await steve.hears()).text == "have: 2"
    (finished,) = traced(rig, "command.finished")
    assert finished["result"] == {"success": True, "have": 2}


async def test_a_quiet_bot_tells_the_end_alone(
    rig: Rig, alice: Bot, steve: Visitor, doing: Doing
) -> None:
    steve.whisper("Alice", "!quiet on")
    assert "quiet" in (await steve.hears()).text
    steve.whisper("Alice", '!work count {"times": 1}')
    await until(lambda: rig.bridge.running_actions)
    await doing.pass_s(91)
    assert (await steve.hears()).text == "have: 1"
    steve.whisper("Alice", "!quiet off")
    await steve.hears()
    assert alice.quiet is False


async def test_a_bug_at_work_is_apologised_for(rig: Rig, alice: Bot, steve: Visitor) -> None:
    steve.whisper("Alice", "!work bug")
    assert "something went wrong" in (await steve.hears()).text
    steve.whisper("Alice", "!echo still here")
    assert (await steve.hears()).text == "still here"


async def test_python_hears_the_end_alone(rig: Rig, alice: Bot, works: Works) -> None:
    context = CommandContext(alice, PYTHON, "tester", works.registry)
    running = asyncio.create_task(works.registry.run(context, "!work count 1"))
    await until(lambda: rig.bridge.running_actions)
    await rig.world.clock.advance(91)
    assert (await running).as_json() == {"success": True, "have": 1}
    assert rig.bridge.sent == []
