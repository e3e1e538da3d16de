"""Lines that name no thing: the last line did. How many, of which kind, half of it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.asking_alice import ITEMS
from support.moments import WORLD
from support.steve_by_rules import AllTools, Steve

from bots.catalogue.names import Things
from bots.responder.rules.requests.amending import amended
from bots.text.spelling import expanded
from bridge.world import ItemStack

THINGS = Things(frozenset(ITEMS))


@pytest.mark.parametrize(
    ("line", "last", "count", "words"),
    [
        ("about 20 should do", "oak logs", 20, ""),
        ("make that 30 actually", "oak logs", 30, ""),
        ("gimme 5", "iron ingots", 5, ""),
        ("like 12 or so", "oak logs", 12, ""),
        ("bet gimme 5", "iron ingots", 5, ""),
        ("5こでいい", "棒", 5, ""),
        ("だいたい20個くらいでいいよ", "原木", 20, ""),
        ("オークでよろ", "原木", None, "オークの原木"),
        ("いしのやつがいい", "木のつるはし", None, "いしのつるはし"),
        ("lots", "oak logs", 32, ""),
        ("いっぱいね", "石", 32, ""),
        ("3こだよ", "羊毛", 3, ""),
    ],
)
def test_a_line_says_only_how_many_or_of_which_kind(
    line: str, last: str, count: int | None, words: str
) -> None:
    found = amended(line, "Alice", THINGS, last)
    assert found is not None
    assert (found.count, found.words, found.is_brief) == (count, words, True)


@pytest.mark.parametrize(
    "line",
    [
        "5",
        "i say 5",
        "and 5",
        "ダイヤだよ",
        "i am 8",
        "give me 5 bread",
        "i like it",
        "おうちがいい",
        "いいよ",
        "5さい",
    ],
)
def test_another_line_says_neither(line: str) -> None:
    found = amended(line, "Alice", THINGS, "oak logs")
    assert found is None


@pytest.mark.parametrize(
    ("lines", "goal"),
    [
        (("how do i make a stick", "make me 3 then"), "inventory.stick:+3"),
        (("how do i make a stick", "can u do like 3 of those"), "inventory.stick:+3"),
        (("get 10 oak logs", "gimme 5"), "inventory.oak_log:+5"),
        (("get 10 oak logs", "how do i make a stick", "get me 4"), "inventory.stick:+4"),
        (("get 10 oak logs", "and 5 sticks"), "inventory.stick:+5"),
        (("get 10 oak logs", "actually nvm make a stick"), "inventory.stick:+1"),
        (("how do i make a stick", "make one then"), "inventory.stick:+1"),
        (("how do i make a stick", "make me one i want a long one"), "inventory.stick:+1"),
        (("get 10 oak logs", "birch not oak the oak looks ugly"), "inventory.birch_log:+10"),
        (("棒ってどうやって作るの", "つくって"), "inventory.stick:+1"),
        (("棒ってどうやって作るの", "あと10個つくって"), "inventory.stick:+10"),
    ],
)
async def test_what_the_last_line_asked_about_is_made(lines: Sequence[str], goal: str) -> None:
    steve = Steve(tools=AllTools())
    for line in lines:
        await steve.says(line)
    now = steve.under_way
    assert now is not None
    goals = [one.fields.get("goal") for one in (now.request, *now.then)]
    assert [one for one in goals if one][-1] == goal


@pytest.mark.parametrize(
    ("lines", "name", "count"),
    [
        (("do u have bread", "ok give me 2"), "bread", 2),
        (("do u have bread", "give me half"), "bread", 3),
        (("do u have bread", "just 2"), "bread", 2),
        (("get 10 oak logs", "do u have bread", "like 4"), "bread", 4),
        (("パンもってる？", "3こでいいよ"), "bread", 3),
        (("give me half of the bread",), "bread", 3),
        (("パンある？", "2こちょうだい"), "bread", 2),
        (("パンある？", "半分ちょうだい"), "bread", 3),
        (("パンある？", "ちょうだい"), "bread", 5),
        (("パンちょうだい", "4こくらいでいいよ"), "bread", 4),
    ],
)
async def test_what_the_last_line_asked_about_is_given(
    lines: Sequence[str], name: str, count: int
) -> None:
    world = replace(WORLD, items=(ItemStack("bread", 5),))
    steve = Steve(tools=AllTools(), world=world)
    for line in lines:
        await steve.says(line)
    given = steve.tools.calls[-1].arguments or {}
    assert (given["itemName"], given["count"]) == (name, count)


async def test_a_thing_that_nobody_has_is_named_and_not_pointed_at() -> None:
    steve = Steve(tools=AllTools())
    await steve.says("how do i make a stick")
    assert "no stick" in await steve.says("give me it")


async def test_what_a_person_tells_at_length_is_no_order_and_no_riddle() -> None:
    said = await Steve(tools=AllTools()).says("been working in the garden since early morning")
    assert "!help" not in said
    assert "did not understand" not in said


async def test_one_of_several_kinds_of_another_thing_is_asked_for() -> None:
    steve = Steve(tools=AllTools())
    await steve.says("get 10 oak logs")
    assert (await steve.says("and a sword")).startswith("Which sword do you mean")


@pytest.mark.parametrize(
    "line", ["do we have enough bread", "we have enough bread for that, right?"]
)
async def test_whether_it_is_enough_is_no_stop(line: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    assert "stop" not in steve.tools.used


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("mind grabbing a few sticks", "goal"),
        ("would you mind making me a chest", "goal"),
        ("while youre at it get some coal", "goal"),
        ("let's catch some fish for that, could you", "goal"),
        ("you should probably eat something", "skill_eat"),
        ("could you help me set up a little farm", "goal"),
        ("can you just come and get me", "navigation_gotoCoords"),
    ],
)
async def test_what_is_asked_for_in_a_roundabout_way_is_done_or_asked_about(
    line: str, tool: str
) -> None:
    steve = Steve(tools=AllTools())
    if "Do you mean" in await steve.says(line):
        await steve.says("yes")
    assert tool in steve.tools.used


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("how do i make a stick", "and torches"), "no way to make torch"),
        (("how do i make a stick", "and torches", "what about bread"), "no way to make bread"),
        (("棒ってどうやって作るの", "たいまつは？"), "松明の作り方"),
        (("do u have bread", "what about oak logs"), "I have 3 oak logs"),
        (("can we tame a wolf", "what about a cat"), "I cannot tame a cat"),
        (("get 10 oak logs", "how much do u have now"), "I have 3 oak logs"),
        (("do you have torches", "how do i make it"), "no way to make torch"),
        (("たいまつほしい", "いまなんこ"), "たいまつは持っていません"),
    ],
)
async def test_the_last_question_is_asked_about_another_thing(
    lines: Sequence[str], told: str
) -> None:
    steve = Steve(tools=AllTools())
    *before, last = lines
    for line in before:
        await steve.says(line)
    assert told in await steve.says(last)


async def test_nobody_is_fought_who_is_somebodys_brother() -> None:
    steve = Steve(tools=AllTools())
    assert "人とは戦いません" in await steve.says("おにいちゃんのことやっつけてよ")
    assert "do not fight people" in await steve.says("kill my little brother now")
    assert not steve.tools.used


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("can u make a farm next to my house", "goal"),
        ("make a chest near the house", "goal"),
        ("build a house next to the lake", "skill_build"),
        ("ここがあたしたちのおうちだからおぼえててね", "navigation_register"),
        ("かまどで牛肉やいといて", "goal"),
    ],
)
async def test_where_it_is_to_be_does_not_change_what_it_is(line: str, tool: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    assert tool in steve.tools.used


async def test_a_monster_is_fought_before_anything_goes_on() -> None:
    steve = Steve(tools=AllTools())
    await steve.says("get 10 oak logs")
    assert "after this" not in await steve.says("kill that zombie")
    now = steve.under_way
    assert now is not None
    assert (now.request.command, now.then[0].command) == ("skill fight", "goal")


async def test_who_asks_for_a_guard_does_not_wait_for_a_walk() -> None:
    steve = Steve(tools=AllTools())
    await steve.says("come here")
    assert "after this" not in await steve.says("guard me")


@pytest.mark.parametrize(
    "line",
    [
        "did my stuff go away",
        "do mobs come if theres light",
        "does my bed go away when i sleep",
        "are there zombies in caves that follow me",
    ],
)
async def test_a_question_of_how_things_are_is_no_order(line: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    assert not {*steve.tools.used} - {"knowledge", "recall", "knows", "info_scanBlocks"}


async def test_a_line_leans_on_the_last_for_a_minute_and_is_no_question() -> None:
    steve = Steve(tools=AllTools())
    await steve.says("get 10 oak logs")
    await steve.says("like 4?")
    steve.now_s += 61
    await steve.says("lots")
    assert steve.goals == ["inventory.oak_log:+10"]


async def test_what_waits_behind_a_fight_goes_on_whatever_ends_it() -> None:
    for line in ("kill that skeleton", "stop fighting"):
        steve = Steve(tools=AllTools())
        for said in ("get 10 oak logs", "kill that zombie", line):
            await steve.says(said)
        now = steve.under_way
        assert now is not None
        assert "inventory.oak_log:+10" in str((now.request, *now.then))


async def test_what_is_handed_over_already_counts_when_more_is_wanted() -> None:
    steve = Steve(tools=AllTools())
    await steve.says("give me 1 oak log")
    steve.world = replace(WORLD, items=(ItemStack("oak_log", 2),))
    await steve.says("no wait, 2")
    assert (steve.tools.calls[-1].arguments or {})["count"] == 1


async def test_half_of_it_is_left_for_something_small_and_goes_on() -> None:
    steve = Steve(tools=AllTools(), world=replace(WORLD, items=(ItemStack("oak_log", 8),)))
    await steve.says("give me half of the oak logs")
    await steve.says("kill the zombie")
    now = steve.under_way
    assert now is not None
    assert [one.command for one in now.then] == ["navigation dropItem"]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("i dont mind waiting", "i dont mind waiting"),
        ("would you mind sharing", "can you share"),
        ("are you happy to see me", "are you happy to see me"),
        ("where would you", "where would you"),
        ("gold not yet", "gold not yet"),
        ("get a log off the ground", "get a log off the ground"),
        ("i know nobody likes them", "i know nobody likes them"),
        ("how should i know if you have it", "how should i know if you have it"),
        ("my hows your day", "my hows your day"),
        ("the bin that is full", "the bin that is full"),
        ("it is a simple axe", "it is a simple axe"),
        ("you could use a furnace", "you could use a furnace"),
        ("keep this as a surprise", "keep this as a surprise"),
        ("take me to school", "take me to school"),
        ("lightning rod", "lightning rod"),
    ],
)
def test_an_ordinary_line_is_left_as_it_is(line: str, read: str) -> None:
    assert expanded(line) == read


@pytest.mark.parametrize(
    "line",
    [
        "my mum put something in here",
        "is something coming for dinner",
        "theres a zombie movie on tv tonight",
        "i have a spider in my room",
        "take me to school",
        "they could use my help",
    ],
)
async def test_what_is_told_of_another_world_is_acted_on_in_none(line: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    assert not {*steve.tools.used} - {"knowledge", "recall"}
