"""Lines of the kinds that people typed to another builder bot, in words of our own.

The kinds were found by playing all 917 lines of `humanbot.input.txt`, which its authors gathered
from people at play (github.com/facebookresearch/craftassist), to these rules."""

import re

import pytest
from support.steve_by_rules import AllTools, Steve

LEFT_STANDING = "leave alone"
BUILDS = "only a small house"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("destroy the tower", LEFT_STANDING),
        ("destroy those blocks", LEFT_STANDING),
        ("smash this thing over there", LEFT_STANDING),
        ("break the fountain", LEFT_STANDING),
        ("demolish my barn", LEFT_STANDING),
        ("build a lighthouse", BUILDS),
        ("build me a big statue of a cat", BUILDS),
        ("can you build a swimming pool?", BUILDS),
        ("make a pyramid", BUILDS),
        ("塔を作って", "小さい家だけ"),
        ("あの門を壊して", "こわしません"),
        ("俺を倒して", "人とは戦|プレイヤー|戦いません"),
        ("建一个城堡", "只会盖小房子"),
        ("把那座桥拆了", "不拆"),
        ("destroy", LEFT_STANDING),
        ("kill me", "no people|Not with you"),
        ("attack me!", "no people|Not with you"),
        ("go die", "rather live|like it here"),
        ("show me what you can do", "follow me"),
    ],
)
async def test_what_it_does_not_do_is_told_and_nothing_is_begun(line: str, told: str) -> None:
    steve = Steve(tools=AllTools())
    said = await steve.says(line)
    assert re.search(told, said), said
    assert not steve.tools.used


# What stands beside a word that is known changes what is meant: none of these was heard right.
@pytest.mark.parametrize(
    ("line", "untrue"),
    [
        ("get me a parrot", "on it|One, two"),
        ("fetch me an umbrella", "on it|One, two"),
        ("go upstairs", "See you"),
        ("go inside the shed", "See you"),
        ("clear a 6 x 6 field", "36"),
        ("dig a 3x3 pit", "^9"),
        ("make a 5 by 4 floor", "^1.25|^20"),
        ("continue with the building", "grown-up"),
        ("fill that building with sand", "grown-up"),
        ("this is not right", "One, two"),
        ("make a rug", "small house: I get"),
        ("sheep", "bed"),
        ("square", "language"),
        ("lanterns", "language"),
        ("nicejob", "language"),
        ("destroy home", "Welcome"),
    ],
)
async def test_a_line_is_not_taken_for_another_that_shares_a_word(line: str, untrue: str) -> None:
    steve = Steve(tools=AllTools())
    said = await steve.says(line)
    assert not re.search(untrue, said), said
    assert not {"skill_fight", "skill_sleep", "skill_build"} & set(steve.tools.used)


@pytest.mark.parametrize(
    "line", ["dig to the far shore", "dance around the maypole", "jump over the moon and back"]
)
async def test_an_order_about_something_else_is_not_done_without_it(line: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    assert not steve.tools.used


@pytest.mark.parametrize(
    ("line", "distance", "yaw"),
    [
        ("go north", 8, 0),
        ("walk a bit to the east", 8, 270),
        ("move back", 8, 180),
        ("head left please", 8, 90),
        ("go 5 blocks to the right", 5, 270),
        ("walk forward", 8, None),
        ("北に行って", 8, 0),
        ("もう少し右に歩いて", 8, 270),
        ("ちょっと下がって", 8, 180),
        ("向左走", 8, 90),
        ("往北走一点", 8, 0),
    ],
)
async def test_it_walks_where_it_is_pointed(line: str, distance: int, yaw: int | None) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    (walk,) = steve.tools.calls
    assert walk.name == "navigation_moveInDirection"
    turned = {} if yaw is None else {"yaw": yaw}
    assert walk.arguments == {"distance": distance, **turned}


@pytest.mark.parametrize(
    ("line", "used"),
    [
        ("mine for coal", "coal"),
        ("can you dig for diamonds?", "diamond"),
        ("come to my position", "coords"),
        ("come down here please", "coords"),
        ("go over here", "coords"),
        ("pause for a moment", "{}"),
    ],
)
async def test_a_plain_order_in_other_words_is_done(line: str, used: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    assert used in str([call.arguments for call in steve.tools.calls])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("paint the room you sleep in", "I cannot paint the room I sleep in."),
        ("clean the cellar you are in", "I cannot clean the cellar I am in."),
        (
            "climb the hill and wave when you see me",
            "I cannot climb the hill and wave when I see you.",
        ),
    ],
)
async def test_what_it_cannot_is_said_back_as_it_was_said(line: str, told: str) -> None:
    assert await Steve(tools=AllTools()).says(line) == told


async def test_blocks_of_a_thing_are_the_thing() -> None:
    steve = Steve(tools=AllTools())
    await steve.says("collect 5 stone blocks")
    assert "stone" in str(steve.tools.calls[0].arguments)


@pytest.mark.parametrize("line", ["danke", "gracias", "merhaba", "bonjour", "ayuda"])
async def test_a_single_word_of_another_language_is_known(line: str) -> None:
    assert "language" in await Steve(tools=AllTools()).says(line)


@pytest.mark.parametrize(
    ("line", "used"),
    [
        ("help me build a house", "skill_build"),
        ("can you help me to make a house?", "skill_build"),
        ("help me dig", "goal"),
        ("help me get 3 logs", "skill_gather"),
        ("help me fight", "skill_fight"),
    ],
)
async def test_who_wants_help_with_something_is_helped_with_that(line: str, used: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    assert steve.tools.used == [used]
