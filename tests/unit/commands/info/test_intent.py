"""`!info intent`: a guess what somebody is up to, with its reasons."""

import pytest
from support.rig import Rig, in_words, run_json

from bots.access.origin import Person
from bots.bot.bot import Bot
from bots.bot.knowing import Wanted
from bots.registry.render import LINE
from bridge.world import PlayerName, Position

OLGA, STEVE, EVE = (Person(PlayerName(name)) for name in ("Olga", "Steve", "Eve"))


@pytest.fixture
def alice(rig_of_strangers: Rig) -> Bot:
    return rig_of_strangers.bots["Alice"]


async def test_who_holds_a_pickaxe_underground_is_mining(alice: Bot, rig_of_strangers: Rig) -> None:
    world = rig_of_strangers.world
    world.person("Steve", Position(0.5, 12, 0.5))
    world.give("Steve", "iron_pickaxe")
    result = await run_json(alice, "!info intent Steve", OLGA)
    assert (result["player"], result["guess"]["pursuit"]) == ("Steve", "mining")
    assert result["guess"]["reasons"] == ["holds an iron pickaxe", "is underground, at height 12"]
    (line,) = await in_words(alice, "!info intent steve", OLGA)
    assert line.startswith("Steve may be at mining (73 % sure): holds an iron pickaxe; ")
    assert len(line) <= LINE


async def test_things_alone_speak_for_what_is_made_of_them(alice: Bot) -> None:
    result = await run_json(alice, "!info intent sticks and iron ingots", OLGA)
    assert result["player"] is None
    reasons = {one["reason"] for one in result["guess"]["likely"]}
    assert reasons == {"made with iron ingot and stick"}


async def test_what_nothing_speaks_for_is_not_guessed(alice: Bot) -> None:
    (line,) = await in_words(alice, "!info intent", STEVE)
    assert line == "I cannot tell what steve is up to."


async def test_what_was_told_counts_for_who_may_know(alice: Bot, rig_of_strangers: Rig) -> None:
    rig_of_strangers.world.person("Steve", Position(0.5, 64, 0.5))
    await in_words(alice, "!remember I am going to build a castle", STEVE)
    result = await run_json(alice, "!info intent Steve", OLGA)
    assert result["guess"]["pursuit"] == "building"
    (number,) = result["basedOn"]
    await alice.knowledge.prune()  # behind the mark
    (found,) = await alice.knowledge.search(Wanted("castle"))
    assert (found.entry.id, found.entry.used) == (number, 1)
    left_out = f'!info intent {{"words": "Steve", "excludeIds": [{number}]}}'
    assert (await run_json(alice, left_out, OLGA))["guess"]["pursuit"] is None
    assert (await run_json(alice, "!info intent Steve", EVE))["guess"]["pursuit"] is None


async def test_what_helps_against_a_danger_is_told_as_a_warning(alice: Bot) -> None:
    command = '!remember {"words": "a water bucket puts lava out", "type": "counter"}'
    await in_words(alice, command, OLGA)
    result = await run_json(alice, "!info intent water bucket", OLGA)
    assert "a water bucket puts lava out" in result["warnings"][0]
