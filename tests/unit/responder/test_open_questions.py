"""A question that a bot asked back is remembered for a minute, one for each speaker."""

import pytest
from support.steve_by_rules import FakeTools, Steve

WHICH = "make a pickaxe"
PICKAXE = "inventory.{}_pickaxe:+1"
NAMES = {*FakeTools().names, "navigation_goto"}


@pytest.mark.parametrize(
    ("answer", "made"),
    [
        *(("stone", ["stone"]), ("the stone one", ["stone"]), ("a stone one pls", ["stone"])),
        *(("wooden", ["wooden"]), ("the wooden one", ["wooden"]), ("wood", ["wooden"])),
        *(("iron pickaxe", ["iron"]), ("i want the iron one", ["iron"]), ("stoen", ["stone"])),
        *(("the first one", ["wooden"]), ("the second", ["stone"]), ("the last one", ["iron"])),
        *(("any", ["wooden"]), ("i dont care", ["wooden"]), ("you choose", ["wooden"])),
        *(("stone and iron", ["stone", "iron"]), ("all of them", ["wooden", "stone", "iron"])),
        *(("Alice, diamond!", ["diamond"]), ("石のやつ", ["stone"]), ("どれでもいい", ["wooden"])),
    ],
)
async def test_which_is_answered_in_a_word(answer: str, made: list[str]) -> None:
    steve = Steve()
    assert "Which pickaxe" in await steve.says(WHICH)
    assert "off" not in await steve.says(answer)
    steve.rules.forget("Steve")
    assert steve.goals[:1] == [PICKAXE.format(made[0])]


async def test_several_are_made_one_after_the_other() -> None:
    steve = Steve()
    await steve.says("make 2 swords")
    said = await steve.says("stone and iron")
    assert said == "All right: 2 stone swords."
    own = steve.under_way
    assert [one.fields["goal"] for one in own.then] == ["inventory.iron_sword:+2"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        *(("never mind", "All right, no pickaxe then."), ("nvm", "All right, no pickaxe then.")),
        *(("no", "All right, no pickaxe then."), ("both", "Which two do you mean?")),
        ("いいや", "わかりました、ツルハシはやめておきます。"),
    ],
)
async def test_which_may_be_answered_by_nothing_at_all(answer: str, told: str) -> None:
    steve = Steve()
    await steve.says(WHICH)
    assert not steve.asks_to_stop(answer)
    assert await steve.says(answer) == told
    assert steve.goals == []


async def test_stop_is_no_answer_but_a_stop() -> None:
    steve = Steve()
    await steve.says(WHICH)
    assert steve.asks_to_stop("stop")
    assert steve.asks_to_stop("STOOOP")


async def test_both_of_two_are_made() -> None:
    steve = Steve()
    await steve.says("make a bed")
    await steve.says("both")
    then = [one.fields["goal"] for one in steve.under_way.then]
    assert {*steve.goals, *then} == {"inventory.white_bed:+1", "inventory.red_bed:+1"}


@pytest.mark.parametrize("line", ["give me 3 ladders", "はしごを3個ちょうだい"])
@pytest.mark.parametrize("answer", ["yes", "yes please", "ok", "sure", "はい", "うん"])
async def test_yes_gets_what_was_offered(line: str, answer: str) -> None:
    steve = Steve()
    assert ("Shall I" in (said := await steve.says(line))) or "行きますか" in said
    await steve.says(answer)
    assert steve.goals == ["inventory.ladder:+3"]


async def test_a_misspelt_name_is_asked_for_once_and_yes_takes_it() -> None:
    steve = Steve()
    assert await steve.says("wooden sowrd") == "Shall I make a wooden sword?"
    await steve.says("yes")
    assert steve.goals == ["inventory.wooden_sword:+1"]


async def test_of_names_that_are_like_an_unknown_word_one_is_chosen() -> None:
    steve = Steve()
    assert "Did you mean" in await steve.says("get 2 oak lodges")
    await steve.says("the first one")
    assert steve.goals != []


async def test_a_question_is_dropped_for_a_new_order_and_that_is_told() -> None:
    steve = Steve()
    await steve.says(WHICH)
    assert await steve.says("get 2 dirt") == "I leave the pickaxe then. All right: 2 dirt."
    await steve.says("stone")
    assert steve.goals == ["inventory.dirt:+2"]


async def test_a_newer_question_takes_the_place_of_an_older_one_and_that_is_told() -> None:
    steve = Steve()
    await steve.says(WHICH)
    assert (await steve.says("make a sword")).startswith("I leave the pickaxe then. Which sword")
    await steve.says("stone")
    assert steve.goals == ["inventory.stone_sword:+1"]


async def test_a_question_on_the_side_leaves_it_open() -> None:
    steve = Steve()
    await steve.says(WHICH)
    await steve.says("where are you?")
    await steve.says("stone")
    assert steve.goals == [PICKAXE.format("stone")]


async def test_after_a_minute_it_is_closed_and_the_answer_hears_of_that() -> None:
    steve = Steve()
    await steve.says(WHICH)
    steve.now_s = 61.0
    assert "more than a minute" in await steve.says("stone")
    assert steve.goals == []
    assert "more than a minute" not in await steve.says("stone")


async def test_each_speaker_has_a_question_of_their_own() -> None:
    steve = Steve()
    await steve.says(WHICH)
    await steve.says("stone", speaker="Ann")
    assert steve.goals == []
    await steve.says("stone")
    assert steve.goals == [PICKAXE.format("stone")]


async def test_a_pronoun_is_the_thing_named_last() -> None:
    steve = Steve()
    await steve.says("make a torch")
    await steve.says("get 2 more of them")
    assert steve.under_way.then[0].fields["goal"] == "inventory.torch:+2"
    assert "what you mean by" in await Steve().says("place it")
