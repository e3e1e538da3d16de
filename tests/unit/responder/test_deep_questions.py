"""A question that asks to think gets the dearest model and its time; nobody else waits for it."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from support.daemons import Town
from support.rig import until

from bots.app import Daemon
from bots.responder.case.inbox import asks_to_think
from bots.settings.settings import LlmSettings
from bots.words import sentence
from bridge.world import Position
from llm.function_model import FunctionModel
from llm.model import Question

PATIENCE = sentence("closing.patience", "en")
NEAR = Position(9.5, 64, 8.5)
DEEP = "Think hard, please: how do we keep creepers out of the village?"


@pytest.mark.parametrize(
    "line",
    [
        DEEP,
        "Alice, why is the farm not growing? What should we change? Explain it to me.",
        "How should we split the work among the four of us, so that the wall, the mine and the "
        "farm are all done before the night comes?",
        "Take your time. What is the best way to get to the Nether?",
        "Think it over: would you rather build of stone or of wood, and why?",
        "よく考えて。どうすれば村を守れますか?",
        "なぜ畑が育たないのですか?どうすればいいですか?",
    ],
)
def test_lines_that_ask_to_think(line: str) -> None:
    assert asks_to_think([line])


@pytest.mark.parametrize(
    "line",
    [
        "hi",
        "Where are you?",
        "Why?",
        "I think it is late, good night",
        "Get me 20 birch planks, please, and put them into the chest beside the door of my house; "
        "then come back to me, since I want to show you something at the lake.",
        "How should I call you?",
        "Do you have an axe? And where is Bob?",
        "どう思う?",
        "ついてきて",
    ],
)
def test_lines_that_do_not(line: str) -> None:
    assert not asks_to_think([line])


class Thinker:
    """A model that thinks about `DEEP` until it is let go on."""

    def __init__(self) -> None:
        self.may_go_on = asyncio.Event()
        self.model = FunctionModel(self._answer)

    async def _answer(self, question: Question) -> str:
        if "creepers" in question.turns[-1].text:
            await self.may_go_on.wait()
            return "A wall first, then torches."
        return "Hello."


@pytest.fixture
async def thinker() -> Thinker:
    return Thinker()


@pytest.fixture
async def daemon(town: Town, thinker: Thinker) -> AsyncIterator[Daemon]:
    async with town.up(thinker.model) as daemon:
        yield daemon


@pytest.mark.slow
async def test_the_asker_hears_that_the_bot_thinks_and_others_are_answered_meanwhile(
    daemon: Daemon, town: Town, thinker: Thinker
) -> None:
    steve, alex = (town.world.person(name, NEAR) for name in ("Steve", "Alex"))
    steve.whisper("Alice", DEEP)
    await until(lambda: thinker.model.questions)
    alex.whisper("Alice", "Hello Alice")
    assert (await alex.hears()).text == "Hello."
    assert (await steve.hears(8)).text == PATIENCE
    thinker.may_go_on.set()
    assert (await steve.hears()).text == "A wall first, then torches."
    said = daemon.roster.find("Alice").bot.get_conversation_history()
    assert PATIENCE not in [message.text for message in said]


async def test_a_stop_ends_the_thinking(daemon: Daemon, town: Town, thinker: Thinker) -> None:
    steve = town.world.person("Steve", NEAR)
    steve.whisper("Alice", DEEP)
    await until(lambda: thinker.model.questions)
    steve.whisper("Alice", "stop")
    await until(lambda: list(daemon.trace.recent("decision.dropped")))
    thinker.may_go_on.set()
    steve.whisper("Alice", "Hello again")
    heard = [(await steve.hears()).text for _ in range(2)]
    assert heard[-1] == "Hello."
    assert "A wall first, then torches." not in heard


async def test_where_no_more_time_is_given_it_is_a_question_like_others(
    town: Town, thinker: Thinker
) -> None:
    thinker.may_go_on.set()
    usual = LlmSettings().model_cut_s
    async with town.up(thinker.model, deep_cut_s=usual) as daemon:
        steve = town.world.person("Steve", NEAR)
        steve.whisper("Alice", DEEP)
        await steve.hears()
        (made,) = daemon.trace.recent("decision.made")
    assert (made.facts["tier"], made.facts["wanted"]) == ("sonnet", "opus")
    assert made.facts["lowered_by"] == ["deadline"]


async def test_words_that_a_person_has_a_bot_say_are_answered_as_that_person_s(
    town: Town, thinker: Thinker
) -> None:
    thinker.may_go_on.set()
    both = ("Alice", "Bob")
    async with town.up(thinker.model, names=both) as daemon:
        steve = town.world.person("Steve", NEAR)
        steve.whisper("Alice", f"!chat Bob {DEEP}")
        await until(lambda: list(daemon.trace.recent("decision.made")))
        (made, *_) = daemon.trace.recent("decision.made")
    assert (made.bot, made.facts["work"], made.facts["tier"]) == ("Bob", "person", "sonnet")
