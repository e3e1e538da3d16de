"""A line that no row fits is answered by the row that it is most like."""

import re

import pytest
from support.steve_by_rules import FakeTools, Steve

pytestmark = pytest.mark.anyio


class AllTools(FakeTools):
    def permits(self, name: str) -> bool:
        return True


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("my dog biscuit died today he fell in lava :(", "sorry|sad"),
        ("hiii alise its me im bak from skool", "Welcome back|Good to see you"),
        ("ok i need u to com over hear rite now", "navigation_gotoCoords"),
        ("wat do u even hav on u", "3 oak logs"),
        ("wat do i do if it goes ssssss", "Run back|Keep four steps"),
        ("how do u mak a torch agen i forgot", "torch"),
        ("do the torches stop the monsters coming", "dark|Light"),
        ("tell me a funny joke not a lame one", "creeper|skeleton|miner|sheep|cows"),
        ("whats 7 x 8 its for my homwork dont tell my mom", "56"),
        ("and wat about 12 takeaway 5 plus 3", "10"),
        ("how do u spell diamond", "D-I-A-M-O-N-D"),
        ("u wanna be my frend forever", "Steve"),
        ("i only hav half a hart left help meeee", "eat"),
        ("jayden keeps griefing my base make him stop", "grown-up"),
        ("This is Ellie's mum. Is she talking to strangers or are you a computer?", "program"),
        ("why dos my pick keep braking", "wear out|breaks"),
        ("can u go get my stuff it was by the river", "follow me"),
        ("dig a hole strate down to find dimonds", "position"),
        ("get me 3 wool off the sheeps", "white_wool:[+]3"),
        ("omg can u pls get me sum wood for my house its so small", "log"),
        ("kill that zombie i am scared", "skill_fight {'mob': 'zombie'}"),
        ("help, zombies!", "skill_fight"),
        ("i lost all my stuff i died in lava im so sad", "[Ll]ava"),
        ("wat do pandas eat", "Bamboo"),
        ("Are you recording what the children say to you?", "forget you"),
        ("whats ur favrite color mines purple", "Green|Blue"),
        ("ok nite nite alice c u tmrw xoxo", "Good night|Sleep well"),
    ],
)
async def test_what_is_said_besides_does_not_hide_what_is_meant(line: str, wanted: str) -> None:
    steve = Steve(tools=AllTools())
    said = await steve.says(line)
    did = [f"{call.name} {call.arguments}" for call in steve.tools.calls]
    assert re.search(wanted, " ".join([said, *did])), (said, did)


@pytest.mark.parametrize(
    ("line", "meant", "then"),
    [
        ("follow me but not too close ur creepy", "follow me", "navigation_follow"),
    ],
)
async def test_what_is_less_sure_is_asked_and_a_yes_does_it(
    line: str, meant: str, then: str
) -> None:
    steve = Steve(tools=AllTools())
    assert await steve.says(line) == f"Do you mean “{meant}”?"
    assert steve.tools.used == []
    await steve.says("yes")
    assert steve.tools.used == [then]


@pytest.mark.parametrize(
    "line",
    [
        "where do the cows sleep at night",
        "bob said follow me was his favourite song",
        "i never want to dig down again",
        "the frob is wugging",
        "should i come here tomorrow or next week",
    ],
)
async def test_what_only_sounds_like_a_request_does_nothing(line: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    assert not {"goal", "navigation_follow", "navigation_gotoCoords", "skill_sleep"} & set(
        steve.tools.used
    )
