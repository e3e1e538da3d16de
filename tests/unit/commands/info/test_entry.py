"""`!info item|block|mob|search|related`: what is known, in the language it was asked in."""

import json
from typing import Any

import pytest
from support.rig import Rig, in_words, run_json

from bots.access.origin import Person
from bots.bot.bot import Bot
from bots.bot.knowing import Wanted
from bots.commands.catalogue import handle_chat_command
from bots.registry.render import LINE
from bridge.world import PlayerName


@pytest.fixture
def alice(rig: Rig) -> Bot:
    return rig.bots["Alice"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("item bread", "1 bread takes 3 wheat, at a crafting table. It restores 5 food points."),
        ("item Torches", "4 torches take 1 coal or charcoal and 1 stick, by hand."),
        ("item leather", "Cows (0-2) drop leather."),
        ("block stone", "Stone takes any pickaxe. It drops cobblestone."),
        ("block iron ore", "Iron ore takes a stone pickaxe or better."),
        ("block bedrock", "Bedrock cannot be broken."),
        ("mob creepers", "A creeper is hostile and has 10 hearts."),
        ("mob cow", "A cow is peaceful and has 5 hearts. It drops 1-3 beef and 0-2 leather."),
        ("item パン", "パンは、作業台で小麦×3から1個作れます。食べると満腹度が5回復します。"),
        ("block 石", "石は掘れます（ツルハシが必要）。掘ると丸石が出ます。"),
        ("mob 牛", "ウシはおとなしく、体力はハート5個分です。"),
    ],
)
async def test_a_thing_is_told_in_one_line(alice: Bot, text: str, told: str) -> None:
    (line,) = await in_words(alice, f"!info {text}")
    assert line.startswith(told)
    assert len(line) <= LINE


@pytest.mark.parametrize(
    ("text", "reason", "nearest"),
    [
        ("item brad", "unknown_item", "bread"),
        ("item つるはじ", "unknown_item", None),
        ("item 松名", "unknown_item", None),
        ("block beadrock", "unknown_block", "bedrock"),
        ("mob creper", "unknown_mob", "creeper"),
        ("related creper", "unknown_item", "creeper"),
        ("mob くりーぺー", "unknown_mob", "creeper"),
    ],
)
async def test_a_misspelt_name_is_answered_with_the_nearest(
    alice: Bot, text: str, reason: str, nearest: str | None
) -> None:
    result = await run_json(alice, f"!info {text}")
    assert (result["success"], result["reason"]) == (False, reason)
    if nearest is not None:
        assert nearest in result["nearest"]
        assert f"Did you mean {result['nearest'][0]}" in result["message"]


async def test_machines_get_every_fact(alice: Bot) -> None:
    result = await run_json(alice, "!info item iron_ingot")
    data = result["data"]
    assert result["type"] == data["kind"] == "item"
    assert (data["name"], data["japanese"], data["stackSize"]) == ("iron_ingot", "鉄インゴット", 64)
    assert data["cookedFrom"] == ["iron_ore"]
    assert data["recipes"] == [], "a block of iron is only taken to pieces"
    assert {"bucket", "shears", "iron_pickaxe"} <= set(data["usedFor"])
    assert "language" not in result


async def test_a_model_is_shown_a_sentence(alice: Bot) -> None:
    asked = await handle_chat_command(alice, "Steve", "!info mob 豚")
    told = "A pig is peaceful and has 5 hearts. It drops 1-3 porkchops."
    assert asked.as_shown() == {"mob": "pig", "known": told}


STEVE, EVE = Person(PlayerName("Steve")), Person(PlayerName("Eve"))


async def test_what_was_told_of_a_thing_is_told_with_it(rig_of_strangers: Rig) -> None:
    alice = rig_of_strangers.bots["Alice"]
    await handle_chat_command(alice, "Steve", "!remember the mill sells bread", STEVE)
    await handle_chat_command(alice, "Steve", "!remember the mill sells wheat", STEVE)
    result = await run_json(alice, "!info item bread", STEVE)
    assert [one["insight"] for one in result["knowledge"]] == ["the mill sells bread"]
    told = await in_words(alice, "!info item bread", STEVE)
    assert "Steve claims, just now: “the mill sells bread”" in " ".join(told)
    known = {"name": "bread", "excludeIds": result["ids"]}
    again = await run_json(alice, f"!info item {json.dumps(known)}", STEVE)
    assert again["knowledge"] == []
    await alice.knowledge.prune()  # behind the marks
    (found,) = await alice.knowledge.search(Wanted("bread"))
    assert found.entry.used == 2
    assert (await run_json(alice, "!info item bread", EVE))["knowledge"] == []


# --- !info search ---------------------------------------------------------------------


async def found(alice: Bot, text: str) -> list[str]:
    result = await run_json(alice, f"!info search {text}")
    return [one["name"] for one in result["found"]]


@pytest.mark.parametrize(
    ("text", "some", "others"),
    [
        ("pickaxe", {"wooden_pickaxe", "iron_pickaxe", "diamond_pickaxe"}, {"iron_axe"}),
        ("ツルハシ", {"diamond_pickaxe"}, set()),
        ("braed", {"bread"}, set()),
        ('{"words": "iron pick", "excludeIds": ["iron_pickaxe"]}', set(), {"iron_pickaxe"}),
    ],
)
async def test_names_with_the_words_or_like_them_are_found_but_not_those_known_already(
    alice: Bot, text: str, some: set[str], others: set[str]
) -> None:
    names = set(await found(alice, text))
    assert (some - names, others & names) == (set(), set())


async def test_a_name_that_fits_alone_is_found_alone_and_no_more_than_wanted(alice: Bot) -> None:
    assert await found(alice, "iron pick") == ["iron_pickaxe"]
    assert await found(alice, "creep") == ["creeper"]
    assert len(await found(alice, '{"words": "oak", "limit": 2}')) == 2


async def test_a_person_reads_names(alice: Bot) -> None:
    assert await in_words(alice, "!info search iron pick") == ["iron pickaxe"]
    assert await in_words(alice, "!info search qqqqqq") == ["I find nothing like that."]


# --- !info related --------------------------------------------------------------------


async def related(alice: Bot, text: str) -> dict[str, str]:
    result: dict[str, Any] = await run_json(alice, f"!info related {text}")
    return {one["name"]: one["how"] for one in result["related"]}


@pytest.mark.parametrize(
    ("text", "ways", "without"),
    [
        ('{"name": "iron ingot", "limit": 100}',
         {"iron_ore": "cooked from", "bucket": "makes", "gold_ingot": "like it"}, "iron_ingot"),
        ("cow", {"leather": "drops"}, "cow"),
        ("leather", {"cow": "left by"}, "leather"),
        ('{"name": "bread", "excludeIds": ["wheat"]}', {}, "wheat"),
    ],
)  # fmt: skip
async def test_a_thing_leads_to_others_but_not_to_itself_or_to_what_was_seen(
    alice: Bot, text: str, ways: dict[str, str], without: str
) -> None:
    told = await related(alice, text)
    assert ({name: told.get(name) for name in ways}, without in told) == (ways, False)
