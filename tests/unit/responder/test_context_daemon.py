"""A long talk with a whole daemon is summarised in the background and survives a restart."""

from pathlib import Path

import pytest
from support.daemons import daemon_on
from support.rig import until

from bridge import FakeBridge
from bridge.fake.body import Person
from llm.engine.context import LIMITS
from llm.function_model import FunctionModel
from llm.model import Question

pytestmark = pytest.mark.slow

NOTE = "Steve counts his sheep."


def is_summary(question: Question) -> bool:
    return question.system.startswith("You keep the notes")


def answer(question: Question) -> str:
    return NOTE if is_summary(question) else "Go on."


async def say(steve: Person, text: str) -> None:
    steve.whisper("Alice", text)
    heard = (await steve.hears()).text
    assert heard.removesuffix(" By the way, I am Alice, a bot made with townsfolk.") == "Go on."


async def test_a_long_talk_is_summarised_and_remembered_after_a_restart(tmp_path: Path) -> None:
    first, second = FunctionModel(answer), FunctionModel(answer)
    bridge = FakeBridge()
    async with daemon_on(bridge, tmp_path, first):
        steve = bridge.world.person("Steve")
        for number in range(6):
            await say(steve, f"sheep {number}")
        await until(lambda: any(map(is_summary, first.questions)))
    again = FakeBridge()
    async with daemon_on(again, tmp_path, second):
        await say(again.world.person("Steve"), "how many?")
    turns = second.questions[0].turns
    assert turns[0].text.startswith(f'{{"notes":"{NOTE}","among":"Steve"')
    assert len(turns) - 2 <= LIMITS.summarise_after
    said = "\n".join(turn.text for turn in turns)
    assert "sheep 0" not in said
    assert "sheep 5" in said
