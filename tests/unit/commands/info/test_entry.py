"""`!info item|block|mob|search|related`: what is known, in the language it was asked in."""

import json
from typing import Any

import pytest
from support.rig import Rig, run_json

from bots.access.origin import Person
from bots.bot.knowing import Wanted
from bots.commands.catalogue import handle_chat_command
from bots.registry.render import LINE, render
from bridge.world import BotName, PlayerName


async def says(rig: Rig, text: str) -> list[str]:
    return render(await handle_chat_command(rig.bots[BotName("Alice")], "Steve", f"!info {text}"))


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
async def test_a_thing_is_told_in_one_line(rig: Rig, text: str, told: str) -> None:
    (line,) = await says(rig, text)
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
        ("mob くりーぺー", "unknown_mob", "creeper"),
    ],
)
async def test_a_misspelt_name_is_answered_with_the_nearest(
    rig: Rig, text: str, reason: str, nearest: str | None
) -> None:
    result = await run_json(rig.bots[BotName("Alice")], f"!info {text}")
    assert (result["success"], result["reason"]) == (False, reason)
    if nearest is not None:
        assert nearest in result["nearest"]
        assert f"Did you mean {result['nearest'][0]}" in result["message"]


async def test_machines_get_every_fact(rig: Rig) -> None:
    result = await run_json(rig.bots[BotName("Alice")], "!info item iron_ingot")
    data = result["data"]
    assert result["type"] == data["kind"] == "item"
    assert (data["name"], data["japanese"], data["stackSize"]) == ("iron_ingot", "鉄インゴット", 64)
    assert data["cookedFrom"] == ["iron_ore"]
    assert data["recipes"] == [], "a block of iron is only taken to pieces"
    assert {"bucket", "shears", "iron_pickaxe"} <= set(data["usedFor"])
    assert "language" not in result


async def test_a_model_is_shown_a_sentence(rig: Rig) -> None:
    asked = await handle_chat_command(rig.bots[BotName("Alice")], "Steve", "!info mob 豚")
    told = "A pig is peaceful and has 5 hearts. It drops 1-3 porkchops."
    assert asked.as_shown() == {"mob": "pig", "known": told}


STEVE, EVE = Person(PlayerName("Steve")), Person(PlayerName("Eve"))


async def test_what_was_told_of_a_thing_is_told_with_it(rig_of_strangers: Rig) -> None:
    alice = rig_of_strangers.bots["Alice"]
    await handle_chat_command(alice, "Steve", "!remember the mill sells bread", STEVE)
    await handle_chat_command(alice, "Steve", "!remember the mill sells wheat", STEVE)
    result = await run_json(alice, "!info item bread", STEVE)
    assert [one["insight"] for one in result["knowledge"]] == ["the mill sells bread"]
    told = render(await handle_chat_command(alice, "Steve", "!info item bread", STEVE))
    assert "Steve claims, just now: “the mill sells bread”" in " ".join(told)
    known = {"name": "bread", "excludeIds": result["ids"]}
    again = await run_json(alice, f"!info item {json.dumps(known)}", STEVE)
    assert again["knowledge"] == []
    await alice.knowledge.prune()  # behind the marks
    (found,) = await alice.knowledge.search(Wanted("bread"))
    assert found.entry.used == 2
    assert (await run_json(alice, "!info item bread", EVE))["knowledge"] == []


# --- !info search ---------------------------------------------------------------------


async def found(rig: Rig, text: str) -> list[str]:
    result = await run_json(rig.bots[BotName("Alice")], f"!info search {text}")
    return [one["name"] for one in result["found"]]


async def test_every_name_with_the_words_or_like_them_is_found(rig: Rig) -> None:
    pickaxes = await found(rig, "pickaxe")
    assert {"wooden_pickaxe", "iron_pickaxe", "diamond_pickaxe"} == set(pickaxes) & {
        *("wooden_pickaxe", "iron_pickaxe", "diamond_pickaxe", "iron_axe")
    }
    assert await found(rig, "iron pick") == ["iron_pickaxe"]
    assert "diamond_pickaxe" in await found(rig, "ツルハシ")
    assert await found(rig, "creep") == ["creeper"]
    assert "bread" in await found(rig, "braed")


async def test_what_is_known_already_is_left_out(rig: Rig) -> None:
    others = await found(rig, '{"words": "iron pick", "excludeIds": ["iron_pickaxe"]}')
    assert "iron_pickaxe" not in others
    assert len(await found(rig, '{"words": "oak", "limit": 2}')) == 2


async def test_a_person_reads_names(rig: Rig) -> None:
    alice = rig.bots[BotName("Alice")]
    assert render(await handle_chat_command(alice, "Steve", "!info search iron pick")) == [
        "iron pickaxe"
    ]
    nothing = await handle_chat_command(alice, "Steve", "!info search qqqqqq")
    assert render(nothing) == ["I find nothing like that."]


# --- !info related --------------------------------------------------------------------


async def related(rig: Rig, text: str) -> dict[str, str]:
    result: dict[str, Any] = await run_json(rig.bots[BotName("Alice")], f"!info related {text}")
    return {one["name"]: one["how"] for one in result["related"]}


async def test_an_item_is_related_to_what_it_is_made_of_and_makes(rig: Rig) -> None:
    ways = await related(rig, '{"name": "iron ingot", "limit": 100}')
    assert ways["iron_ore"] == "cooked from"
    assert ways["bucket"] == "makes"
    assert ways["gold_ingot"] == "like it"
    assert "iron_ingot" not in ways


async def test_a_mob_leads_to_what_it_drops(rig: Rig) -> None:
    assert (await related(rig, "cow"))["leather"] == "drops"
    assert (await related(rig, "leather"))["cow"] == "left by"


async def test_a_walk_over_relations_leaves_out_what_it_has_seen(rig: Rig) -> None:
    ways = await related(rig, '{"name": "bread", "excludeIds": ["wheat"]}')
    assert "wheat" not in ways


async def test_an_unknown_thing_is_answered_with_the_nearest(rig: Rig) -> None:
    result = await run_json(rig.bots[BotName("Alice")], "!info related creper")
    assert result["reason"] == "unknown_item"
    assert "creeper" in result["nearest"]
