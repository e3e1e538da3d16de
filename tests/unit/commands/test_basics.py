"""`!status`: how the bot is; and other short commands."""

import pytest
from support.rig import STRANGERS, Rig, in_words, rig_with_alice, run_json, until

from bots.access.origin import Origin, Person
from bridge.actions import Wait
from bridge.errors import BridgeDown
from bridge.world import PlayerName, Position

STEVE, ALEX = Person(PlayerName("Steve")), Person(PlayerName("Alex"))
rig = rig_with_alice(Position(0.5, 64, 0.5), STRANGERS)


async def test_status_tells_how_the_bot_is(rig: Rig) -> None:
    rig.world.give("Alice", "stone_axe")
    result = await run_json(rig.bots["Alice"], "!status")
    world = result.pop("world")
    assert result == {
        "success": True, "bot": "Alice", "online": True, "doing": [], "latestSequence": 0,
        "linesWithheld": 0, "lately": None, "stage": None, "lastDeath": None,
    }  # fmt: skip
    here = {"x": 0, "y": 64, "z": 0}
    assert (world["position"], world["isDay"], world["health"]) == (here, True, 20)
    assert (world["items"], world["held"], world["worn"]) == (1, "stone_axe", [])


async def test_status_answers_without_a_world(rig: Rig) -> None:
    rig.bridge.kick("Alice", "out")
    result = await run_json(rig.bots["Alice"], "!status", STEVE)
    assert (result["success"], result["online"]) == (True, False)
    told = await in_words(rig.bots["Alice"], "!status", STEVE)
    assert told == ["Alice is in no world right now; idle."]


async def test_status_names_what_runs(rig: Rig) -> None:
    await rig.bots["Alice"].begin(Wait(1_000_000))
    assert (await run_json(rig.bots["Alice"], "!status"))["doing"] == ["wait"]


async def test_status_tells_tools_materials_and_places(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    for item, count in (("iron_pickaxe", 1), ("oak_log", 70), ("apple", 2)):
        rig.world.give("Alice", item, count)
    await run_json(alice, "!navigation register home")
    world = (await run_json(alice, "!status"))["world"]
    assert world["tools"] == {"iron_pickaxe": 1}
    assert world["materials"] == {"oak_log": 70, "apple": 2}
    assert world["locations"] == ["home"]
    told = "With me iron_pickaxe and 2 other kinds of things"
    assert (await in_words(alice, "!status"))[1] == f"{told}; I know home."
    assert (await in_words(alice, "!status", STEVE))[1] == f"{told}."


@pytest.mark.parametrize(
    ("given", "worn", "told"),
    [
        ((), {}, "With me no tools and nothing else."),
        (("apple",), {}, "With me no tools and 1 other kind of thing."),
        (("apple", "bread"), {}, "With me no tools and 2 other kinds of things."),
        ((), {"head": "iron_helmet"}, "With me no tools and nothing else; I wear iron_helmet."),
    ],
)
async def test_kinds_are_counted_as_people_count_and_what_is_worn_is_told(
    rig: Rig, given: tuple[str, ...], worn: dict[str, str], told: str
) -> None:
    rig.world.body("Alice").worn.update(worn)
    for item in given:
        rig.world.give("Alice", item)
    assert (await in_words(rig.bots["Alice"], "!status"))[1] == told


# `!stop`: ends what runs, for those who may.


@pytest.mark.parametrize("is_bridge_gone", [False, True])
async def test_stop_ends_the_action_and_what_registered_also_without_a_bridge(
    rig: Rig, is_bridge_gone: bool
) -> None:
    alice, ended = rig.bots["Alice"], list[str]()
    await alice.begin(Wait(1_000_000))
    if is_bridge_gone:
        rig.bridge.faults.fail_next("cancel", BridgeDown("cancel", "Node died"))
    with alice.running("answering Steve", lambda: ended.append("answer")):
        result = await run_json(alice, "!stop it please")
    assert result["stoppedActions"] == ["wait", "answering Steve"]
    assert (result["success"], ended) == (True, ["answer"])
    await until(lambda: is_bridge_gone or rig.bridge.running_actions == 0)


async def test_stop_with_nothing_to_stop_is_no_failure(rig: Rig) -> None:
    result = await run_json(rig.bots["Alice"], "!stop", STEVE)
    assert result == {"success": True, "stoppedActions": [], "message": "Nothing was running."}


@pytest.mark.parametrize(
    ("origin", "may"), [(STEVE, True), (ALEX, True), (Person(PlayerName("Eve")), False)]
)
async def test_a_player_stops_what_he_started_and_a_trusted_one_everything(
    rig: Rig, origin: Origin, may: bool
) -> None:
    alice = rig.bots["Alice"]
    await alice.begin(Wait(1_000_000), started_by=STEVE)
    result = await run_json(alice, "!stop", origin)
    assert result["success"] is may
    assert result.get("reason") == (None if may else "not_permitted")
    assert bool(alice.doing) is not may or rig.bridge.running_actions == 0


# `!echo`: the same words.


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("こんにちは  世界", "こんにちは  世界"),
        *((text, text) for text in ('{"a":1}', "{hello")),
        ('{"message": "hi"}', "hi"),
    ],
)
async def test_echo_says_the_same_words(rig: Rig, rest: str, said: str) -> None:
    result = await run_json(rig.bots["Alice"], f"!echo {rest}")
    assert result == {"success": True, "message": said}
    assert await in_words(rig.bots["Alice"], f"!echo {rest}") == [said]
