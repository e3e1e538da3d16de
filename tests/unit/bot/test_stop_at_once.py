"""“stop” takes effect at once; no model and no decision delays it."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest
from support.daemons import Town, calling
from support.rig import until

from bots.access.permissions import Permissions
from bots.app import Daemon
from bots.responder import command_tools as tools
from bots.responder.case.inbox import MOST_LINES
from bridge.fake.body import Person
from bridge.world import Position
from llm.function_model import Answer, FunctionModel
from llm.model import Question

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _nothing_is_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "AT_ONCE_S", 0.05)


NEAR = Position(9.5, 64, 8.5)
FOLLOWING = calling("navigation_follow", "On my way.", username="Steve")


def follows_then_hangs(question: Question) -> Answer | Awaitable[Answer]:
    """Follows Steve when asked to; thinks of anything else for longer than anybody waits."""
    asked = '"says":"Follow me, please"}' in question.turns[-1].text
    return FOLLOWING(question) if asked else asyncio.sleep(3_600, "late")


def facts(daemon: Daemon, name: str) -> list[dict[str, Any]]:
    return [dict(trace.facts) for trace in daemon.trace.recent(name)]


async def follows(daemon: Daemon, steve: Person) -> None:
    steve.whisper("Alice", "Follow me, please")
    assert (await steve.hears()).text == "On my way."
    await until(lambda: daemon.bot("Alice").doing == ["!navigation follow"])


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("stop", "I have stopped."),
        ("Alice, stop it please!", "I have stopped."),
        ("止まって", "やめました。"),
    ],
)
async def test_a_model_that_hangs_does_not_delay_a_stop(line: str, answer: str, town: Town) -> None:
    steve = town.world.person("Steve", NEAR)
    model = FunctionModel(follows_then_hangs)
    async with town.up(model) as daemon:
        await follows(daemon, steve)
        asked = len(model.questions)
        steve.whisper("Alice", line)
        assert (await steve.hears()).text == answer
        assert daemon.bot("Alice").doing == []
        made = facts(daemon, "decision.made")[-1]
        assert (made["source"], made["why"], made["tools"]) == ("rules", "stop_asked", ["stop"])
        assert facts(daemon, "event.noticed") == []  # the end of the following is no news
        assert len(model.questions) == asked


async def test_a_stop_ends_what_is_thought_of_and_what_was_asked_for_before(town: Town) -> None:
    carol, steve = (town.world.person(name, NEAR) for name in ("Carol", "Steve"))
    model = FunctionModel(lambda question: asyncio.sleep(3_600, "late"))
    async with town.up(model) as daemon:
        carol.whisper("Alice", "hello")
        await until(lambda: len(model.questions) == 1)
        assert daemon.bot("Alice").doing == ["answer to Carol"]
        steve.whisper("Alice", "Follow me, please")
        await until(lambda: len(facts(daemon, "message.heard")) == 2)
        steve.whisper("Alice", "stop")
        assert (await steve.hears()).text == "I have stopped."
        await until(lambda: len(facts(daemon, "decision.dropped")) == 1)
        assert facts(daemon, "decision.dropped")[0]["speaker"] == "Carol"
        assert facts(daemon, "decision.made")[0]["lines"] == 2
        assert daemon.bot("Alice").doing == []
    assert len(model.questions) == 1


async def test_with_nothing_to_stop_a_line_is_the_models(town: Town) -> None:
    steve = town.world.person("Steve", NEAR)
    model = FunctionModel(lambda question: "No harm done.")
    async with town.up(model):
        steve.whisper("Alice", "never mind")
        assert (await steve.hears()).text == "No harm done."


async def test_what_others_had_begun_is_not_stopped_for_a_guest(town: Town) -> None:
    steve, guest = (town.world.person(name, NEAR) for name in ("Steve", "Guest"))
    async with town.up(FunctionModel(follows_then_hangs)) as daemon:
        alice = daemon.bot("Alice")
        await follows(daemon, steve)
        alice.permissions = Permissions(owners=frozenset({"Steve"}))
        guest.whisper("Alice", "stop")
        assert "Somebody else asked me for that" in (await guest.hears()).text
        assert alice.doing == ["!navigation follow"]


async def test_a_stop_is_obeyed_however_many_commands_the_speaker_gave(town: Town) -> None:
    steve = town.world.person("Steve", NEAR)
    async with town.up(FunctionModel(follows_then_hangs)) as daemon:
        await follows(daemon, steve)
        for _ in range(100):
            daemon._shared.limit.admit("Steve")
        steve.whisper("Alice", "stop")
        assert (await steve.hears()).text == "I have stopped."


async def test_a_model_that_stops_everything_still_says_so(town: Town) -> None:
    def answer(question: Question) -> Answer | Awaitable[Answer]:
        if "Stay where you are" in question.turns[-1].text:
            return calling("stop", "I stay here.")(question)
        return FOLLOWING(question)

    steve = town.world.person("Steve", NEAR)
    async with town.up(FunctionModel(answer)) as daemon:
        await follows(daemon, steve)
        steve.whisper("Alice", "Stay where you are, will you, until I am back")
        assert (await steve.hears()).text == "I stay here."
        assert daemon.bot("Alice").doing == []
        assert facts(daemon, "event.noticed") == []


async def test_of_very_many_lines_before_a_stop_the_newest_are_answered_with_it(town: Town) -> None:
    steve = town.world.person("Steve", NEAR)
    async with town.up(FunctionModel(follows_then_hangs)) as daemon:
        steve.whisper("Alice", "hello")
        await until(lambda: daemon.bot("Alice").doing == ["answer to Steve"])
        for number in range(MOST_LINES + 5):
            steve.whisper("Alice", f"line {number}")
        await until(lambda: len(facts(daemon, "message.heard")) == MOST_LINES + 6)
        steve.whisper("Alice", "止まって")
        assert (await steve.hears()).text == "やめました。"
        assert facts(daemon, "decision.made")[0]["lines"] == MOST_LINES
