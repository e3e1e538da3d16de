"""Refusals, help, notices, apologies and small talk are recognised; what people say is not."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.daemons import Town
from support.rig import until

from bots.app import Daemon
from bots.daemon.closings import APOLOGY, closings, texts
from bots.text.closing import FEWEST
from bots.text.lines import split
from bots.words import sentence
from llm.function_model import FunctionModel


def filled(text: str) -> str:
    return re.sub(r"\{[^{}]*\}", "three cows", text)


def test_what_wants_no_answer_is_recognised_in_each_language() -> None:
    assert {APOLOGY, "我没听懂。", "それはわかりません。"} <= set(texts())
    long = [text for text in texts() if len(re.sub(r"\{[^{}]*\}|\W", "", text)) >= FEWEST]
    assert [text for text in long if not closings().are_all(filled(text))] == []


def test_several_of_them_are_recognised_together_and_cut_into_chat_lines() -> None:
    why, can, help_ = (sentence(f"closing.{one}", "en") for one in ("not_answering", "can", "help"))
    unsure = f"{why} {can}"
    for line in (f"{unsure} {APOLOGY}", *split(f"{unsure} {help_}", 230)):
        assert closings().are_all(line), line


@pytest.mark.parametrize(
    "line",
    [
        *("Hello Alice!", "Good morning, Alice!", "hi", "How are you?", "follow me", "Stop."),
        *("You are welcome!", "I like this place.", "get 10 oak logs", "I was doing my homework."),
        *("こんにちは", "ありがとう！", "ついてきて", "", " ", "!", "…"),
        "Sorry, that is beyond me. !help tells what I can do. But where is my dog?",
    ],
)
def test_what_people_say_is_no_such_sentence(line: str) -> None:
    assert not closings().are_all(line)


@given(st.text(max_size=300))
def test_any_text_is_read_quickly_and_without_a_crash(line: str) -> None:
    assert closings().are_all(line) in (True, False)


async def test_a_fellow_who_did_not_understand_is_answered_by_no_model(town: Town) -> None:
    model = FunctionModel(lambda _: "Let us talk about it.")
    async with town.up(model, names=("Alice", "Bob")) as daemon:
        await daemon.bot("Alice").tell("Bob", APOLOGY, 30.0)
        await until(lambda: dropped(daemon))
        assert dropped(daemon) == ["wants_no_answer"]
        assert daemon.bot("Bob").get_conversation_history()[-1].text == APOLOGY
        assert model.questions == []


def dropped(daemon: Daemon) -> list[str]:
    return [str(one.facts["why"]) for one in daemon.trace.recent("decision.dropped")]
