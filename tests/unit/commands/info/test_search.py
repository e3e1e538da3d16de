"""`!info search`: parts of names, in English and Japanese."""

from support.rig import Rig, run_json

from bots.commands.catalogue import handle_chat_command
from bots.registry.render import render
from bridge.world import BotName


async def found(rig: Rig, text: str) -> list[str]:
    result = await run_json(rig.bots[BotName("Alice")], f"!info search {text}")
    return [one["name"] for one in result["found"]]


async def test_every_name_with_the_words_is_found(rig: Rig) -> None:
    pickaxes = await found(rig, "pickaxe")
    assert {"wooden_pickaxe", "iron_pickaxe", "diamond_pickaxe"} == set(pickaxes) & {
        *("wooden_pickaxe", "iron_pickaxe", "diamond_pickaxe", "iron_axe")
    }
    assert await found(rig, "iron pick") == ["iron_pickaxe"]
    assert "diamond_pickaxe" in await found(rig, "ツルハシ")
    assert await found(rig, "creep") == ["creeper"]


async def test_what_is_known_already_is_left_out(rig: Rig) -> None:
    others = await found(rig, '{"words": "iron pick", "excludeIds": ["iron_pickaxe"]}')
    assert "iron_pickaxe" not in others
    assert len(await found(rig, '{"words": "oak", "limit": 2}')) == 2


async def test_a_misspelt_word_finds_what_is_like_it(rig: Rig) -> None:
    assert "bread" in await found(rig, "braed")


async def test_a_person_reads_names(rig: Rig) -> None:
    alice = rig.bots[BotName("Alice")]
    assert render(await handle_chat_command(alice, "Steve", "!info search iron pick")) == [
        "iron pickaxe"
    ]
    nothing = await handle_chat_command(alice, "Steve", "!info search qqqqqq")
    assert render(nothing) == ["I find nothing like that."]
