"""Lines as children type them, from `tests/data/children.toml`, are understood at first hearing."""

import re
import tomllib
from pathlib import Path

import pytest
from support.daemons import Town, answer_to
from support.steve_by_rules import AllTools, Steve

from bots.responder.rules.phrases import parts
from bots.text.spelling import expanded
from bridge.world import Position

LISTS = tomllib.loads((Path(__file__).parents[2] / "data/children.toml").read_text("utf-8"))
LINES = [(line, wanted) for rows in LISTS.values() for line, wanted in rows]


@pytest.mark.parametrize(("line", "wanted"), LINES)
async def test_a_child_is_understood(line: str, wanted: str) -> None:
    steve = Steve(tools=AllTools())
    said = await steve.says(line)
    did = [f"{call.name} {call.arguments}" for call in steve.tools.calls]
    assert re.search(wanted, " ".join([said, *did])), (said, did)


@pytest.mark.parametrize(
    "line",
    [
        "can u come",
        "plz can u come",
        "can u plz come",
        "come plz here",
        "hey alice r u there and can u come",
    ],
)
async def test_a_please_may_stand_anywhere(line: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    assert steve.tools.used == ["navigation_gotoCoords"]


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("my hamster is named Biscuit", "whats my hamster called", "Biscuit"),
        ("my bday is on friday!!!", "when is my bday", "friday"),
        ("im 8", "how old am i", "8"),
        ("i hav a dog", "what pets do i have", "dog"),
        ("my favrite color is purpel", "whats my favourite colour", "purple"),
        ("ぼくのいぬのなまえはポチだよ", "ぼくのいぬのなまえなに?", "ポチ"),
        ("わたしねこがすきなんだ", "わたしのすきなどうぶつおぼえてる?", "ねこ"),
    ],
)
async def test_what_a_child_tells_of_itself_is_told_again(
    town: Town, told: str, asked: str, answer: str
) -> None:
    lily = town.world.person("Lily", Position(10.5, 64, 8.5))
    async with town.up() as daemon:
        assert re.search("remember|覚えて", await answer_to(daemon, lily, told))
        assert answer in await answer_to(daemon, lily, asked)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("plzzz come hear", "please come here"),
        ("plzz get me wood", "please get me wood"),
        ("R U redy", "are you ready"),
        ("i dont no", "i dont know"),
        ("no longer", "no longer"),
        ("go to x=5 y 64", "go to x=5 y 64"),
        ("u_name sum1_2", "u_name sum1_2"),
        ("follow Sum", "follow Sum"),
    ],
)
def test_what_is_typed_is_written_out(typed: str, meant: str) -> None:
    assert expanded(typed, {"sum"}) == meant


@pytest.mark.parametrize(
    ("line", "known", "found"),
    [
        ("im 8 how old are you", {"im 8", "how old are you"}, ["im 8", "how old are you"]),
        ("hello, what is it", {"hello", "what is it"}, ["hello", "what is it"]),
        ("im a very old man you know where", {"where"}, []),
        (
            "are you there and can you jump",
            {"are you there", "can you jump"},
            ["are you there", "can you jump"],
        ),
        ("im 8 im 9", {"im 8", "im 9", "im 8 im 9"}, ["im 8 im 9"]),
        ("ねるね ばいばい", {"ねるね", "ばいばい"}, ["ねるね", "ばいばい"]),
    ],
)
def test_a_line_without_stops_is_parted_where_its_parts_are_known(
    line: str, known: set[str], found: list[str]
) -> None:
    assert parts(line, known.__contains__) == found


@pytest.mark.parametrize(
    "line",
    [
        "my brother said follow me but dont",
        "if i say come here you stay",
        "lol dont come here",
        "where can i get 10 oak logs",
        "lol bob come here",
        "come here. just kidding",
        "雨なら、来て",
        "来て。冗談だよ",
    ],
)
async def test_no_part_of_a_line_is_done_that_the_rest_may_take_back(line: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    looked = {"knows", "recall", "knowledge", "chest_list", "status"}
    assert [call.name for call in steve.tools.calls if call.name not in looked] == []
