"""`!area allow | ask | forbid | forget | list`, and that every hand obeys."""

from typing import Any

import pytest
from support.acting import carry_out, fill, give, put
from support.rig import Rig, allowing, rig_with_alice, run_json

from bots.access.origin import Person
from bots.access.permissions import Permissions
from bots.bot.bot import Bot
from bots.bot.hands import FORBIDDEN
from bots.errors import ActionFailed
from bridge import actions
from bridge.world import MobSighting, PlayerName, Position

OLGA, ALEX, MALLORY = (Person(PlayerName(name)) for name in ("Olga", "Alex", "Mallory"))
HOUSE = Position(20, 64, 0)
rig = rig_with_alice(Position(0.5, 64, 0.5))
permissions = allowing(Permissions(owners=frozenset({"Olga"}), trusted=frozenset({"Alex"})))


async def corners(bot: Bot, text: str, who: Person = ALEX) -> tuple[Any, Any, float]:
    told = await run_json(bot, text, who)
    (area,) = told["areas"]
    return tuple(area["low"].values()), tuple(area["high"].values()), area["radius"]


async def test_an_area_is_a_circle_or_a_box(rig: Rig, alice: Bot) -> None:
    low, high, radius = await corners(alice, "!area forbid base 20 64 0 8")
    assert (low[0], low[2], high[0], high[2], radius) == (20, 0, 20, 0, 8)
    box = await corners(alice, "!area forbid our house 9 70 5, 3 60 8")
    assert box == ((3, 60, 5), (9, 70, 8), 0)
    both = '!area ask {"name": "hut", "coords": [1, 64, 1], "to": [3, 66, 3]}'
    assert await corners(alice, both) == ((1, 64, 1), (3, 66, 3), 0)


async def test_it_lies_where_the_asker_stands_or_at_its_name(rig: Rig, alice: Bot) -> None:
    rig.world.person("Alex", Position(7.5, 64, 3.5))
    low, _, radius = await corners(alice, "!area forbid garden")
    assert (low[0], low[2], radius) == (7, 3, 16)
    await run_json(alice, '!navigation register {"name": "mill", "coords": [30, 64, -4]}', ALEX)
    low, _, radius = await corners(alice, "!area forbid mill 5")
    assert (low[0], low[2], radius) == (30, -4, 5)
    here = await run_json(alice, "!area forbid here", ALEX)
    assert here["areas"][0]["name"] == "the place at 7 64 3"
    assert here["areas"][0]["saidBy"] == "Alex"


async def test_two_corners_can_be_walked_to(rig: Rig, alice: Bot) -> None:
    rig.world.person("Alex", Position(7.5, 64, 3.5))
    first = await run_json(alice, "!area forbid farm corner", ALEX)
    assert first["areas"] == []
    assert first["message"].startswith("That is one corner of farm.")
    rig.world.teleport("Alex", Position(-4.5, 66, 9.5))
    low, high, radius = await corners(alice, "!area forbid farm corner")
    assert (low[0], low[2], high[0], high[2], radius) == (-5, 3, 7, 9, 0)


async def test_strangers_change_nothing_and_trusted_ones_not_what_an_owner_said(alice: Bot) -> None:
    for text in ("allow base", "forbid base", "forget base", "list"):
        assert (await run_json(alice, f"!area {text}", MALLORY))["reason"] == "not_permitted"
    await run_json(alice, "!area forbid base 20 64 0 8", OLGA)
    for text in ("allow base", "forget base", "allow mine 21 64 0", "ask mine 21 64 0"):
        refused = await run_json(alice, f"!area {text}", ALEX)
        assert refused["reason"] == "not_permitted"
    assert (await run_json(alice, "!area forbid mine 21 64 0", ALEX))["success"]
    allowed = await run_json(alice, "!area allow base", OLGA)
    assert allowed["areas"][0]["rule"] == "allow"


async def test_what_was_said_can_be_listed_and_forgotten(alice: Bot) -> None:
    assert (await run_json(alice, "!area list", ALEX))["message"] == "I know no areas."
    await run_json(alice, "!area forbid base 20 64 0 8", ALEX)
    listed = await run_json(alice, "!area list", ALEX)
    assert listed["message"] == "base (forbid): 8 blocks round 20 0."
    unknown = await run_json(alice, "!area forget bas", ALEX)
    told = "I know no such area. Did you mean base? See !area list."
    assert (unknown["reason"], unknown["message"]) == ("not_found", told)
    assert (await run_json(alice, "!area forget base", ALEX))["success"]
    assert alice.areas.all() == ()


@pytest.mark.parametrize("text", ["base 1 2", "10 64 8", "base 1 2 3 4 5", "base 0", ""])
async def test_what_is_no_area_is_refused(alice: Bot, text: str) -> None:
    assert not (await run_json(alice, f"!area forbid {text}", ALEX))["success"]
    assert alice.areas.all() == ()


@pytest.mark.parametrize(
    "action",
    [
        actions.Dig(HOUSE),
        actions.Place("torch", HOUSE),
        actions.OpenContainer(HOUSE),
        actions.Smelt("beef", "coal", HOUSE),
        actions.Craft("chest", table=HOUSE),
        actions.Fill("bucket", HOUSE),
        actions.Pour("water_bucket", HOUSE),
        actions.Till("iron_hoe", HOUSE),
    ],
)
async def test_no_hand_touches_what_lies_in_a_forbidden_area(alice: Bot, action: Any) -> None:
    await run_json(alice, "!area forbid base 20 64 0 8", ALEX)
    with pytest.raises(ActionFailed) as refused:
        await alice.act(action)
    assert refused.value.reason == FORBIDDEN
    assert str(refused.value) == "I leave base alone, as Alex told me to."
    assert not alice.is_at_work
    await run_json(alice, "!area allow base", ALEX)
    running = await alice.begin(action)  # whatever comes of it: it is begun
    await running.stop()


async def test_it_builds_no_pillar_and_kills_and_shears_nothing_there(rig: Rig, alice: Bot) -> None:
    at = Position(4.5, 64, 0.5)
    rig.world.mobs += [MobSighting("cow", at, hostile=False, id=7)]
    rig.world.mobs += [MobSighting("zombie", at, hostile=True, id=8)]
    await run_json(alice, "!area forbid pen 4 64 0 8", ALEX)
    for action in (actions.Pillar("dirt", 2), actions.Hunt(7), actions.UseOn(7, "bucket")):
        with pytest.raises(ActionFailed) as refused:
            await alice.act(action)
        assert refused.value.reason == FORBIDDEN
    assert await alice.actions.hands.heed(actions.Hunt(8)) == actions.Hunt(8)


async def test_a_chest_open_before_it_was_forbidden_is_left(rig: Rig, alice: Bot) -> None:
    put(rig, "chest", (2, 64, 0))
    give(rig, dirt=3)
    assert (await carry_out(rig, "!navigation chestOpen 2 64 0"))["success"]
    await run_json(alice, "!area forbid base 2 64 0", ALEX)
    refused = await run_json(alice, "!navigation chestDeposit dirt", ALEX)
    assert refused["reason"] == FORBIDDEN
    with pytest.raises(ActionFailed):
        await alice.act(actions.Deposit("dirt"))


async def test_other_blocks_are_taken_than_those_of_an_area_and_where_there_are_none_it_is_named(
    rig: Rig, alice: Bot
) -> None:
    put(rig, "oak_log", (3, 64, 0), (0, 64, 12))
    await run_json(alice, "!area ask base 4 64 0 3", ALEX)
    assert (await carry_out(rig, "!skill gather oak_log 1"))["success"]
    assert rig.world.block(Position(3, 64, 0)) == "oak_log"
    assert rig.world.block(Position(0, 64, 12)) == "air"
    refused = await run_json(alice, "!skill gather oak_log 1", ALEX)
    assert refused["reason"] == FORBIDDEN
    assert "Say !area allow base" in refused["message"]


async def test_nothing_in_it_is_picked_up_or_dug_through(rig: Rig, alice: Bot) -> None:
    await run_json(alice, "!area forbid base 20 64 0 8", ALEX)
    for action in (actions.CollectDrops(), actions.MoveTo(HOUSE, may_dig=True)):
        told = await alice.actions.hands.heed(action)
        assert [zone.may_touch for zone in told.spared] == [False]  # type: ignore[union-attr]
    assert await alice.actions.hands.heed(actions.MoveTo(HOUSE)) == actions.MoveTo(HOUSE)


async def test_a_server_that_protects_land_is_believed(rig: Rig, alice: Bot) -> None:
    rig.world.set_block(Position(2, 64, 0), "dirt")
    rig.world.protect(Position(2, 64, 0), "You don't have permission to build here.")
    digging = await carry_out(rig, "!primitive digBlock 2 64 0")
    assert digging["reason"] == "blocked"
    again = await run_json(alice, "!primitive digBlock 2 64 0", ALEX)
    assert again["reason"] == FORBIDDEN
    assert "You don't have permission to build here." in again["message"]


async def test_here_means_the_place_beside_and_leaves_the_rest(rig: Rig, alice: Bot) -> None:
    rig.world.person("Alex", Position(7.5, 64, 3.5))
    await run_json(alice, '!navigation register {"name": "base", "coords": [6, 64, 4]}', ALEX)
    assert (await run_json(alice, "!area forbid here", ALEX))["areas"][0]["name"] == "base"
    may = await run_json(alice, "!area allow here", ALEX)
    assert may["areas"][0]["name"] == "the place at 7 64 3"
    rules = {area.name: area.rule for area in alice.areas.all()}
    assert rules == {"base": "forbid", "the place at 7 64 3": "allow"}


async def test_whoever_is_not_seen_has_to_say_which_place_is_meant(alice: Bot) -> None:
    refused = await run_json(alice, "!area forbid here", ALEX)
    assert refused["reason"] == "unseen_player"
    assert (await run_json(alice, "!area forbid here 3 64 3", ALEX))["success"]


async def test_a_bot_steps_out_of_an_area_to_put_its_table_down(rig: Rig, alice: Bot) -> None:
    rig.world.give("Alice", "oak_planks", 20)
    await run_json(alice, "!area forbid base 0 64 0 5", ALEX)
    made = await carry_out(rig, "!goal inventory.wooden_pickaxe:1")
    assert made["success"], made
    (placed,) = alice.placements.ours(None)
    assert alice.areas.at("overworld", placed.position) is None


async def test_goals_go_around_an_area_or_end_with_its_name(rig: Rig, alice: Bot) -> None:
    own, wild = Position(4, 64, 0), Position(0, 64, 12)
    for number, at in enumerate((own, wild)):
        rig.world.mobs += [MobSighting("cow", at, hostile=False, id=number)]
    await run_json(alice, "!area forbid pen 4 64 0 3", ALEX)
    assert (await carry_out(rig, "!goal inventory.beef:1"))["success"]
    assert [cow.position for cow in rig.world.mobs] == [own]
    again = await carry_out(rig, "!goal inventory.beef:4")
    assert again["because"] == FORBIDDEN
    assert again["message"].endswith("I leave pen alone, as Alex told me to.")
    assert [cow.position for cow in rig.world.mobs] == [own]


@pytest.mark.parametrize(
    ("said", "is_claim"),
    [
        ("Sorry, this land is claimed by Bob.", True),
        ("ここは保護されています。", True),
        ("Vote for this server here!", False),
    ],
)
async def test_only_a_refusal_in_words_makes_an_area(
    rig: Rig, alice: Bot, said: str, is_claim: bool
) -> None:
    rig.world.set_block(Position(2, 64, 0), "dirt")
    rig.world.protect(Position(2, 64, 0), said)
    assert not (await carry_out(rig, "!primitive digBlock 2 64 0"))["success"]
    assert bool(alice.areas.all()) is is_claim


async def test_goals_leave_a_chest_in_a_forbidden_area_shut(rig: Rig, alice: Bot) -> None:
    fill(rig, (3, 64, 0), {"stick": 4})
    await carry_out(rig, "!navigation chestOpen 3 64 0")
    await carry_out(rig, "!navigation chestClose")
    await run_json(alice, "!chest allow 3 64 0", ALEX)
    await run_json(alice, "!area forbid base 3 64 0 4", ALEX)
    got = await carry_out(rig, "!goal inventory.stick:1")
    assert not got["success"]
    await run_json(alice, "!area forget base", ALEX)
    assert (await carry_out(rig, "!goal inventory.stick:1"))["success"]


async def test_models_are_told_of_areas_near_and_not_their_names(rig: Rig, alice: Bot) -> None:
    async def told_at(x: float) -> str:
        rig.world.teleport("Alice", Position(x, 64, 0.5))
        return alice.area_at(await alice.snapshot())

    await run_json(alice, "!area forbid secret base 20 64 0 8", ALEX)
    await run_json(alice, "!area ask garden 60 64 0 8", ALEX)
    await rig.world.clock.advance(1)
    await run_json(alice, "!area allow path 22 64 0 2", ALEX)
    told = [await told_at(x) for x in (-30.5, 0.5, 15.5, 22.5, 60.5)]
    assert told == ["", "touch nothing 12 blocks off", "touch nothing", "", "ask before touching"]
    await run_json(alice, "!area forbid cellar 199 10 -1 201 20 1", ALEX)
    assert await told_at(200.5) == ""
