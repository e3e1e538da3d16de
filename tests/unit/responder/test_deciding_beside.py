"""Events and lines together: no speaker waits for an event, and no event is lost."""

import asyncio
from collections.abc import Awaitable

import pytest
from support.daemons import Town, calling
from support.rig import until

from bots.app import Daemon
from bots.commands.catalogue import handle_chat_command
from bots.responder import command_tools as tools
from bridge import FakeBridge
from bridge.world import Position
from llm.function_model import Answer, FunctionModel
from llm.model import Question

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _nothing_is_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "AT_ONCE_S", 0.05)


NEAR = Position(9.5, 64, 8.5)
HURT = "I was hurt: health 20 to 15 of 20."
FOLLOWING = calling("navigation_follow", "On my way.", username="Steve")


def shown(question: Question) -> str:
    return question.turns[-1].text


async def hurt(daemon: Daemon, bridge: FakeBridge) -> None:
    """Something happens that asks for no decision."""
    bridge.world.set_health("Alice", 15.0)
    await until(lambda: list(daemon.trace.recent("health.changed")))


def told_in(daemon: Daemon) -> list[bool]:
    """For each decision whether it is on record as told of the hurt."""
    return [HURT in made.facts["events"] for made in daemon.trace.recent("decision.made")]


async def test_who_speaks_does_not_wait_for_what_is_thought_of_an_event(town: Town) -> None:
    thought_out = asyncio.Event()

    async def slowly() -> Answer:
        await thought_out.wait()
        return "I follow you no more."

    def answer(question: Question) -> Answer | Awaitable[Answer]:
        if "Follow me" in shown(question):
            return FOLLOWING(question)
        return "Hello." if '"says"' in shown(question) else slowly()

    steve = town.world.person("Steve", NEAR)
    model = FunctionModel(answer)
    async with town.up(model) as daemon:
        steve.whisper("Alice", "Follow me, please")
        assert (await steve.hears()).text == "On my way."
        asked = len(model.questions)
        await daemon.bot("Alice").stop()
        await until(lambda: len(model.questions) > asked)
        steve.whisper("Alice", "Are you there?")
        assert (await steve.hears()).text == "Hello."
        thought_out.set()
        assert (await steve.hears()).text == "I follow you no more."
    assert '"of":"!navigation follow"' in shown(model.questions[-1])  # it was being told then


async def test_an_event_waits_for_who_spoke_first(town: Town) -> None:
    thought_out = asyncio.Event()

    async def slowly() -> Answer:
        await thought_out.wait()
        return "Hello."

    def answer(question: Question) -> Answer | Awaitable[Answer]:
        if "Follow me" in shown(question):
            return FOLLOWING(question)
        return slowly() if '"says"' in shown(question) else "I follow you no more."

    steve, carol = (town.world.person(name, NEAR) for name in ("Steve", "Carol"))
    model = FunctionModel(answer)
    async with town.up(model) as daemon:
        steve.whisper("Alice", "Follow me, please")
        await steve.hears()
        asked = len(model.questions)
        carol.whisper("Alice", "Are you there?")
        await until(lambda: len(model.questions) > asked)
        job = daemon.bot("Alice").jobs.current
        assert job is not None
        await job.stop()
        await until(lambda: list(daemon.trace.recent("event.noticed")))
        steve.whisper("Alice", "!status")  # by the time of its answer it could be thought of
        await steve.hears()
        assert daemon.bot("Alice").doing == ["answer to Carol"]
        thought_out.set()
        assert (await carol.hears()).text == "Hello."
        while (await steve.hears()).text != "I follow you no more.":
            pass  # the rest of the status


async def test_events_of_a_decision_that_fell_back_are_told_with_the_next_and_then_no_more(
    town: Town,
) -> None:
    bugs = ["a bug of the model"]

    def answer(question: Question) -> Answer:
        if bugs:
            raise ValueError(bugs.pop())
        return "Hello."

    steve = town.world.person("Steve", NEAR)
    model = FunctionModel(answer)
    async with town.up(model) as daemon:
        await hurt(daemon, town.bridge)
        for _ in range(3):
            steve.whisper("Alice", "Are you there?")
            await steve.hears()
        await until(lambda: len(told_in(daemon)) == 3)
        assert told_in(daemon) == [False, True, False]
    assert [HURT in shown(question) for question in model.questions] == [True, True, False]


async def test_events_of_a_decision_that_was_dropped_are_told_with_the_next(town: Town) -> None:
    def answer(question: Question) -> Answer | Awaitable[Answer]:
        return asyncio.sleep(3_600, "late") if "slowly" in shown(question) else "Hello."

    steve = town.world.person("Steve", NEAR)
    async with town.up(FunctionModel(answer)) as daemon:
        await hurt(daemon, town.bridge)
        steve.whisper("Alice", "Think slowly")
        await until(lambda: daemon.bot("Alice").doing == ["answer to Steve"])
        await daemon.bot("Alice").stop()
        await until(lambda: list(daemon.trace.recent("decision.dropped")))
        steve.whisper("Alice", "Are you there?")
        await steve.hears()
        await until(lambda: told_in(daemon) == [True])


async def test_whose_job_gave_way_to_anothers_wish_is_told_so(town: Town) -> None:
    steve, carol = (town.world.person(name, NEAR) for name in ("Steve", "Carol"))
    async with town.up(None) as daemon:
        steve.whisper("Alice", "ついてきて")
        assert (await steve.hears()).text == "ついていきます。"
        carol.whisper("Alice", "follow me")
        assert "I follow you" in (await carol.hears()).text
        told = (await steve.hears()).text
        assert told == "ほかの人に別のことを頼まれたので、やめました。"
        carol.whisper("Alice", "come here")
        assert (await carol.hears()).text == "Here I am."
        await until(lambda: len(list(daemon.trace.recent("job.finished"))) == 3)
        assert [e.facts["speaker"] for e in daemon.trace.recent("event.noticed")] == ["Steve"]


async def test_what_rules_began_and_a_model_took_on_is_not_gone_on_with_by_rules(
    town: Town,
) -> None:
    is_broken = asyncio.Event()

    def answer(question: Question) -> Answer:
        if is_broken.is_set():
            raise ValueError("a bug of the model")
        return FOLLOWING(question)

    steve = town.world.person("Steve", NEAR)
    async with town.up(FunctionModel(answer)) as daemon:
        alice = daemon.bot("Alice")
        is_broken.set()
        steve.whisper("Alice", "follow me, then come here")
        assert "I follow you" in (await steve.hears()).text
        is_broken.clear()
        await alice.stop()
        assert (await steve.hears()).text == "It is over."
        steve.whisper("Alice", "Follow me, please")
        assert (await steve.hears()).text == "On my way."
        is_broken.set()
        await handle_chat_command(alice, "Olga", "!navigation stopFollow")
        assert (await steve.hears()).text == "I follow Steve no more."
        assert alice.doing == []
