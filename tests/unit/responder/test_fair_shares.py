"""A whole daemon among strangers: who is answered, by what, and who pays."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from support.daemons import Town, answer_to
from support.live_talks import is_summary
from support.rig import until

from bots.app import Daemon
from bots.settings.settings import (
    ChatSettings,
    LimitSettings,
    PermissionSettings,
)
from bridge.world import Position
from llm.engine.budget import Budget
from llm.function_model import FunctionModel
from llm.model import Completion, Usage

HERE = Position(8.5, 64, 8.5)


@asynccontextmanager
async def among_strangers(
    town: Town,
    model: FunctionModel,
    *,
    lines_per_minute: int = 20,
    **llm: Any,
) -> AsyncIterator[Daemon]:
    sections = {
        "chat": ChatSettings(pace=False),
        "limits": LimitSettings(player_lines_per_minute=lines_per_minute),
        "permissions": PermissionSettings(owners=("Olga",)),
    }
    async with town.with_settings(model, "Alice", "Bob", llm=llm, **sections) as daemon:
        yield daemon


def budget_of(daemon: Daemon) -> Budget:
    return daemon.responders.engine.budget


def says_hi(tokens: int = 1_000) -> FunctionModel:
    """A model whose answers cost something."""
    said = Completion("Hi.", "claude-sonnet-5-5", Usage(tokens, 10), "end")
    return FunctionModel(lambda _question: said)


def replies(daemon: Daemon) -> int:
    return len(list(daemon.trace.recent("reply.sent")))


async def test_strangers_pay_from_their_share_and_owners_do_not(town: Town) -> None:
    mallory, olga = (town.world.person(name, HERE) for name in ("Mallory", "Olga"))
    async with among_strangers(town, says_hi()) as daemon:
        mallory.whisper("Alice", "hello")
        await mallory.hears()
        of_strangers = budget_of(daemon).spent("strangers")
        olga.whisper("Alice", "hello")
        await olga.hears()
        assert 0 < of_strangers == budget_of(daemon).spent("strangers")
        assert budget_of(daemon).spent("unreserved") == of_strangers < budget_of(daemon).spent()


@pytest.mark.slow
@pytest.mark.parametrize(("asker", "charged"), [("Mallory", True), ("Olga", False)])
async def test_a_round_that_a_strangers_chat_opens_is_charged_to_strangers(
    town: Town, asker: str, charged: bool
) -> None:
    person = town.world.person(asker, HERE)
    async with among_strangers(town, says_hi()) as daemon:
        for name in ("Alice", "Bob"):
            town.world.teleport(name, HERE)
        person.whisper("Alice", "!chat Bob what do you think of dragons?")
        await until(lambda: replies(daemon) >= 2, 30)
        spent = budget_of(daemon)
        assert 0 < spent.spent("background") < spent.spent()  # the first answer is the asker's
        assert spent.spent("strangers") == (spent.spent() if charged else 0)


@pytest.mark.parametrize(("asker", "charged"), [("Mallory", True), ("Olga", False)])
async def test_notes_and_analyses_of_what_strangers_said_are_charged_to_strangers(
    town: Town, asker: str, charged: bool
) -> None:
    """A hundred strangers with five lines each cost half as much again as their share: notes of
    what they had said were made at the bots' own expense."""
    person, model = town.world.person(asker, HERE), says_hi()
    async with among_strangers(town, model, periodic_every_s=0.001) as daemon:
        for number in range(6):
            await answer_to(daemon, person, f"Do you know what I saw at the lake, part {number}?")

        def is_thought_over() -> bool:
            asked = model.questions
            analysed = any("the thoughtful mind" in one.system for one in asked)
            return analysed and any(map(is_summary, asked))

        await until(is_thought_over)
        await until(lambda: not budget_of(daemon).held())
        spent = budget_of(daemon)
        assert 0 < spent.spent("background") < spent.spent()
        assert spent.spent("strangers") == (spent.spent() if charged else 0)


async def test_strangers_under_ever_new_names_leave_the_owner_a_model(town: Town) -> None:
    """Each under a new name, until their share is used up; then rules answer them."""
    strangers = [town.world.person(f"Mallory{number}", HERE) for number in range(40)]
    olga, model = town.world.person("Olga", HERE), says_hi(tokens=20_000)
    async with among_strangers(town, model) as daemon:
        for one in strangers:
            one.whisper("Alice", "What do you think of dragons?")
        for one in strangers:
            await one.hears()
        spent, asked = budget_of(daemon), len(model.questions)
        assert asked < len(strangers)
        assert spent.spent() == spent.spent("strangers") < spent.caps.everything / 4
        olga.whisper("Alice", "What do you think of dragons?")
        assert (await olga.hears()).text == "Hi."
        assert len(model.questions) > asked
        assert spent.spent() > spent.spent("strangers")


async def test_beyond_the_limit_a_players_lines_are_recorded_told_once_and_counted(
    town: Town,
) -> None:
    mallory = town.world.person("Mallory", HERE)
    async with among_strangers(town, says_hi(), lines_per_minute=2) as daemon:
        for number in range(6):
            mallory.whisper("Alice", f"line {number}")
        alice = daemon.bot("Alice")
        await until(lambda: len(list(daemon.trace.recent("line.withheld"))) == 4)
        await until(lambda: "I answer 2 lines" in " ".join(line.text for line in mallory.inbox))
        told = [line.text for line in mallory.inbox if line.text.startswith("I answer 2 lines")]
        assert len(told) == 1
        heard = [m.text for m in alice.get_conversation_history(username="Mallory")]
        assert [text for text in heard if text and text.startswith("line")] == [
            f"line {number}" for number in range(6)
        ]
        assert daemon.roster.find("Alice").as_json()["linesWithheld"] == 4
