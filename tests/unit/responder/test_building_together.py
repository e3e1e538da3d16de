"""A person plans with one bot what to build, in whispers."""

import pytest
from support.steve_by_rules import Steve

pytestmark = pytest.mark.anyio

NOT_OF_A_TALK = ("I did not understand", "beyond me", "no answer", "only a small house")


@pytest.mark.parametrize(
    "line",
    [
        "what shall we build here?",
        "hey Alice, what should we build?",
        "what do you want to build?",
        "how about a bridge?",
        "let's build a castle",
        "Shall WE build a house together?",
        "i want to build a big tower with you",
        "一緒に何を作ろうか",
        "橋を作ろうよ",
    ],
)
async def test_an_idea_to_build_together_is_taken_up(line: str) -> None:
    steve = Steve()
    said = await steve.says(line)
    assert said
    assert not any(refusal in said for refusal in NOT_OF_A_TALK)
    assert steve.tools.used == []


async def test_a_plan_is_talked_over_line_by_line() -> None:
    steve = Steve()
    await steve.says("what shall we build here?")
    assert "castle" in (await steve.says("no, a castle")).casefold()
    assert "800 cobblestone" in await steve.says("how big?")
    lines = [await steve.says(line) for line in ("what do we need?", "what first?", "nice idea")]
    assert len(set(lines)) == len(lines)


async def test_a_yes_takes_the_offer() -> None:
    steve = Steve()
    await steve.says("let's build a bridge")
    assert "logs" in await steve.says("what do we need for it?")
    await steve.says("yes")
    (call,) = steve.tools.calls
    assert (call.name, call.arguments) == ("skill_gather", {"itemName": "log", "count": 9})


async def test_the_plan_ends_with_a_line_of_another_kind() -> None:
    steve = Steve()
    await steve.says("let's build a bridge")
    await steve.says("get me 3 oak logs")
    assert steve.goals == ["inventory.oak_log:+3"]
    said = await steve.says("that frobs the wug")
    assert "bridge" not in said
    assert "planks" not in said


async def test_the_plan_is_forgotten_when_nobody_names_it_any_more() -> None:
    steve = Steve()
    await steve.says("let's build a bridge")
    for _ in range(8):
        await steve.says("why")
    said = await steve.says("how big?")
    assert not any(word in said for word in ("bridge", "planks", "row"))


@pytest.mark.parametrize("line", ["build me a castle", "is there a bridge near?", "where are you?"])
async def test_what_is_no_plan_of_both_is_answered_as_before(line: str) -> None:
    with_history = Steve()
    await with_history.says("hello")
    said = await with_history.says(line)
    assert "What comes to your mind" not in said
    assert "blocks would do" not in said
