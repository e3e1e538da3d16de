"""The trace only observes: without any readers, all decisions are the same."""

import json
from collections.abc import Iterator
from itertools import count

import pytest
from support.daemons import Town, operator_of
from support.rig import until

from bots.app import Daemon
from bots.commands.catalogue import handle_chat_command
from bots.observability.trace import TraceLog, TraceReader
from bots.responder.reflection.reflections import BotReflection
from bridge.world import Position
from llm.function_model import Answer, FunctionModel
from llm.model import Question

NEAR = Position(12.5, 64, 8.5)
THOUGHT = {
    "summary": "A meadow.",
    "plan": ["dig"],
    "goal": "",
    "confidence": 0.5,
    "alternatives": [],
}


@pytest.fixture(autouse=True)
def _trace_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every reader has dropped everything, and nothing can be looked back on."""

    def recent(self: TraceLog, name: str | None = None) -> Iterator[object]:
        return iter(())

    monkeypatch.setattr(TraceReader, "put", lambda self, trace: None)
    monkeypatch.setattr(TraceLog, "recent", recent)


def model() -> FunctionModel:
    def answer(question: Question) -> Answer:
        return json.dumps(THOUGHT) if question.schema else "Hello."

    return FunctionModel(answer)


def reflection_of(daemon: Daemon) -> BotReflection:
    reflection = daemon.bot("Alice").services.get(BotReflection)
    assert reflection is not None
    return reflection


async def test_danger_is_told_to_whoever_the_bot_works_for(town: Town) -> None:
    steve = town.world.person("Steve", NEAR)
    async with town.up(None) as daemon:
        steve.whisper("Alice", "Follow me")
        assert (await steve.hears()).text.startswith("I follow you.")
        await until(lambda: daemon.bot("Alice").jobs.current is not None)
        town.world.set_health("Alice", 6.0)
        assert (await steve.hears()).text.startswith("I was hurt: health 20 to 6 of 20.")


async def test_the_next_decision_is_told_of_the_end_of_a_command(town: Town) -> None:
    steve, hello = town.world.person("Steve", NEAR), model()
    async with town.up(hello) as daemon:
        result = await handle_chat_command(daemon.bot("Alice"), "Steve", "!skill eat bread")
        assert not result.success
        steve.whisper("Alice", "hello")
        await steve.hears()
    assert '"of":"!skill eat"' in hello.questions[0].turns[-1].text


async def test_a_bot_is_briefed_when_it_joins(town: Town) -> None:
    async with town.up(model(), briefing=True) as daemon:
        await until(lambda: reflection_of(daemon).newest("briefing"))


async def test_answered_messages_are_rounds_after_which_it_thinks_things_over(town: Town) -> None:
    steve = town.world.person("Steve", NEAR)
    async with town.up(model(), periodic_every_s=0.001) as daemon:
        for _ in range(2):
            assert reflection_of(daemon).newest("periodic") is None
            steve.whisper("Alice", "hello")
            await steve.hears()
        await until(lambda: reflection_of(daemon).newest("periodic"))


async def test_an_operator_gets_the_answer_to_the_message(town: Town) -> None:
    async with town.up(model()) as daemon:
        told = await operator_of(daemon).message("Alice", "hello")
    assert (told["success"], told["answer"], told["source"]) == (True, "Hello.", "model")


async def test_an_operator_approves_a_decision_and_has_one_made_anew(town: Town) -> None:
    hello = model()
    async with town.up(hello, briefing=True) as daemon:
        operator = operator_of(daemon)
        await until(lambda: reflection_of(daemon).newest("briefing"))
        thought = reflection_of(daemon).newest("briefing")
        assert thought is not None
        assert thought.decision is not None
        assert (await operator.approve(thought.decision))["success"]
        approved = reflection_of(daemon).newest("briefing")
        assert approved is not None
        assert approved.status == "approved"
        heard = await operator.message("Alice", "hello")
        asked = len(hello.questions)
        assert heard["answer"] == "Hello."
        find = daemon.responders.recorder.find
        number = next(number for number in count(thought.decision + 1) if find(number))
        assert (await operator.approve(number)) == {"success": True, "decision": number}
        assert daemon.responders.recorder.is_approved(number)
        anew = await operator.reanalyse(number)
        assert anew == {"success": True, "decision": number, "started": True}
        await until(lambda: len(hello.questions) > asked)
        assert (await operator.approve(number + 1_000))["reason"] == "unknown_decision"


async def test_what_nobody_asked_for_is_not_decided_anew(town: Town) -> None:
    async with town.up(model()) as daemon:
        said = daemon.responders.recorder.talked("Alice", "Look, Bob.", {"source": "rules"}, talk=1)
        refused = await operator_of(daemon).reanalyse(said)
    assert (refused["success"], refused["reason"]) == (False, "nobody_asked")
