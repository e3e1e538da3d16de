"""Whatever was said before, by whom and where: nobody is shown more, and no word does more.

A bot's model repeats every word it reads, so its own lines carry others' words on. What somebody
may know is counted here from who said a word, and where, not from the sources the program keeps.
"""

import asyncio
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.live_talks import is_summary
from support.obedience import LEVELS, lab_in, read_in, tools_of

from bots.access.origin import Level, Person
from bots.commands.catalogue import commands
from bots.responder.command_tools import tool_name
from bots.responder.main_tools import MAIN_TOOLS
from bridge.world import PlayerName
from llm.model import Question

pytestmark = pytest.mark.slow

WORD = re.compile(r"word(\d+)x")
PEOPLE = ("Owner", "Tess", "Mallory", "Eve")
COMMANDS = {tool_name(command): command for command in commands}
RUNS = {tool.name: tool.command for tool in MAIN_TOOLS}


@dataclass(frozen=True)
class Line:
    speaker: str
    public: bool
    is_asked: bool
    """Alice answers it; else it only lies in her history."""


lines = st.builds(Line, st.sampled_from(PEOPLE), st.booleans(), st.booleans())


def level_of(name: str) -> Level:
    return LEVELS.level_of(Person(PlayerName(name)))


def repeats(question: Question) -> str:
    words = dict.fromkeys(WORD.findall("\n".join(turn.text for turn in question.turns)))
    return " ".join(f"word{number}x" for number in list(words)[-20:]) or "Hello."


def may_know(hearer: Line, said: Line) -> bool:
    if said.public:
        return True
    if hearer.public:
        return False
    return level_of(hearer.speaker) >= Level.TRUSTED or hearer.speaker == said.speaker


def may_be_offered(tool: str, asker: Line, said: Sequence[Line]) -> bool:
    """Whether everybody may use a tool whose words were shown."""
    if tool == "ask_for":
        return True
    command, speakers = COMMANDS[RUNS[tool]], {one.speaker for one in said} | {asker.speaker}
    others = {name for name in speakers if name != asker.speaker}
    if command.personal and any(level_of(name) < Level.TRUSTED for name in others):
        return False
    return all(level_of(name) >= command.level for name in speakers)


async def played(history: Sequence[Line], folder: Path) -> list[tuple[Line, Question]]:
    """Every question of a model, with the line it answers."""
    asked: list[tuple[Line, Question]] = []
    async with lab_in(folder, repeats) as lab:
        for number, line in enumerate(history):
            words = f"hello word{number}x"
            if not line.is_asked:
                await lab.heard(line.speaker, words, public=line.public)
                continue
            before = len(lab.model.questions)
            reply = await lab.asks(line.speaker, words, public=line.public)
            asked += [(line, one) for one in lab.model.questions[before:] if not is_summary(one)]
            told = None if line.public else frozenset({line.speaker})
            await lab.said(reply.decision.text, reply.sources.released_to(told))
    return asked


@given(st.lists(lines, min_size=2, max_size=12))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_nobody_is_shown_or_offered_more_than_all_the_words_permit(history: list[Line]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for asker, question in asyncio.run(played(history, Path(folder))):
            said = [history[int(number)] for number in WORD.findall(read_in(question))]
            assert all(may_know(asker, one) for one in said)
            assert all(may_be_offered(tool, asker, said) for tool in tools_of(question))


@given(st.lists(lines, min_size=2, max_size=8))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_owners_are_shown_everything(history: list[Line]) -> None:
    last = Line("Owner", public=False, is_asked=True)
    with tempfile.TemporaryDirectory() as folder:
        asker, question = asyncio.run(played([*history, last], Path(folder)))[-1]
        read = {int(number) for number in WORD.findall(read_in(question))}
    assert asker is last
    assert read == set(range(len(history) + 1))
