"""Tools begin what a person asks for, and its end is reported when it comes."""

from pathlib import Path

import anthropic  # noqa: F401 - loading it takes longer than an answer may
import pytest
from support.daemons import Town, calling, daemon_on
from support.rig import until

from bots.responder import command_tools as tools
from bridge import FakeBridge
from bridge.world import Position
from llm.engine.prices import DOLLAR
from llm.fake_api import Call, FakeClaude, Reply
from llm.function_model import Answer, FunctionModel
from llm.model import Completion, Question, Usage

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _nothing_is_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "AT_ONCE_S", 0.05)


async def test_what_a_person_asks_for_is_begun_and_its_end_is_whispered(town: Town) -> None:
    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    model = FunctionModel(calling("navigation_follow", "On my way.", username="Steve"))
    async with town.up(model) as daemon:
        steve.whisper("Alice", "Follow me, please")
        assert (await steve.hears()).text == "On my way."
        await daemon.bot("Alice").stop()
        assert (await steve.hears()).text == "It is over."
        first, second = daemon.trace.recent("decision.made")
        assert (first.facts["trigger"], first.facts["tools"]) == ("message", ["navigation_follow"])
        assert (second.facts["trigger"], second.facts["tier"]) == ("stop", "haiku")


async def test_a_model_is_told_what_the_bot_is_at(town: Town) -> None:
    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    model = FunctionModel(calling("navigation_follow", "On my way.", username="Steve"))
    async with town.up(model) as daemon:
        steve.whisper("Alice", "Follow me, please")
        await steve.hears()
        await until(lambda: daemon.bot("Alice").doing == ["!navigation follow"])
        steve.whisper("Alice", "What are you doing?")
        await steve.hears()
    told = [question.turns[-1].text for question in model.questions if not question.rounds]
    assert ["doing: !navigation follow" in text for text in told] == [False, True]


async def test_claude_acts_through_tools_and_tells_the_end_over_http(town: Town) -> None:
    follow = Reply(calls=(Call("navigation_follow", {"username": "p1"}),))
    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    claude = FakeClaude(follow, Reply("On my way."), Reply("I stopped."))
    async with (
        claude.serving(),
        town.up(None, base_url=claude.url) as daemon,
    ):
        await daemon.responders.warm()  # on a busy machine that alone takes seconds
        steve.whisper("Alice", "Follow me, please")
        assert (await steve.hears()).text == "On my way."
        assert daemon.bot("Alice").doing == ["!navigation follow"]
        await daemon.bot("Alice").stop()
        assert (await steve.hears()).text == "I stopped."
        costs = [made.facts["cost_usd"] for made in daemon.trace.recent("decision.made")]
        spent = daemon.responders.engine.budget.spent()
    assert [request["model"] for request in claude.requests] == [
        "claude-sonnet-5-5",
        "claude-sonnet-5-5",
        "claude-haiku-5-5",
    ]
    assert sum(costs) * DOLLAR == pytest.approx(spent)
    assert spent > 0
    assert daemon.responders.engine.budget.held() == 0


async def test_rules_tell_what_a_model_did_before_it_failed(town: Town) -> None:
    def use_tool_and_fail(question: Question) -> Answer:
        if question.rounds:
            raise ValueError("a bug of the model")
        return calling("navigation_follow", "", username="Steve")(question)

    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    async with town.up(FunctionModel(use_tool_and_fail)) as daemon:
        steve.whisper("Alice", "Follow me, please")
        assert (await steve.hears()).text == "I am at it: navigation follow."
        made = next(daemon.trace.recent("decision.made"))
        assert (made.facts["source"], made.facts["why"]) == ("rules", "failed")


async def test_the_end_of_something_begun_is_told_without_a_model_too(town: Town) -> None:
    asked: list[Question] = []

    def once(question: Question) -> Answer:
        asked.append(question)
        if len(asked) > 2:
            raise ValueError("a bug of the model")
        return calling("navigation_follow", "On my way.", username="Steve")(question)

    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    async with town.up(FunctionModel(once)) as daemon:
        steve.whisper("Alice", "Follow me, please")
        assert (await steve.hears()).text == "On my way."
        await daemon.bot("Alice").stop()
        assert "stopped" in (await steve.hears()).text


async def test_a_model_is_told_of_the_blocks_of_note_around(town: Town) -> None:
    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    model = FunctionModel(lambda question: "There is b1.")
    async with town.up(model):
        for x, name in ((6, "lava"), (10, "iron_ore"), (11, "iron_ore"), (12, "glass")):
            town.world.set_block(Position(x, 64, 9), name)
        steve.whisper("Alice", "What is here?")
        assert (await steve.hears()).text == "There is lava."
    told = model.questions[0].turns[-1].text
    assert "b1,lava,1,2,6,64,9" in told
    assert "b2,iron_ore,2,2,10,64,9" in told
    assert "b3," not in told  # of each kind the nearest; glass is nothing to note


async def test_at_the_cap_the_rules_answer_and_say_so_once(town: Town) -> None:
    steve = town.world.person("Steve")
    model = FunctionModel(lambda question: "by the model")
    async with town.up(model, cost_limit_usd=0.000001) as daemon:
        answers = []
        for _ in range(2):
            steve.whisper("Alice", "Where are you?")
            answers.append((await steve.hears()).text)
        await until(lambda: len(list(daemon.trace.recent("decision.made"))) == 2)
    assert ["8 64 8" in answer for answer in answers] == [True, True]
    assert ["budget" in answer for answer in answers] == [True, False]
    assert model.questions == []


async def test_what_calls_cost_is_in_the_ledger_after_a_restart(tmp_path: Path) -> None:
    def answer(question: Question) -> Answer:
        return Completion("Hello.", "claude-sonnet-5-5", Usage(1_000, 10))

    spent = []
    for _ in range(2):
        bridge = FakeBridge()
        steve = bridge.world.person("Steve")
        async with daemon_on(bridge, tmp_path, FunctionModel(answer)) as daemon:
            steve.whisper("Alice", "hello")
            await steve.hears()
            spent.append(daemon.responders.engine.budget.spent())
    assert spent[0] > 0
    assert spent[1] == 2 * spent[0]
