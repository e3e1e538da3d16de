"""Arguments that make no sense: every command answers with its usage, and nothing happens."""

import pytest
from support.rig import Rig, rig_with_alice, run_json

from bridge.world import Position

rig = rig_with_alice(Position(0.5, 64, 0.5), Steve=Position(2, 64, 0.5))

NAMED = '{"name": "a", '
TO_STEVE = '{"username": "Steve", '

WRONG: dict[str, tuple[str, ...]] = {
    "chat <username> <message>": (
        *("", "Steve", "  ", "{", '{"username": "Steve"', '{"username": ' + "[" * 7000),
        *('{"username": "Steve"}', f'{TO_STEVE}"message": ""}}', f'{TO_STEVE}"message": 5}}'),
        *('{"username": 5, "message": "hi"}', f'{TO_STEVE}"message": "hi", "loud": true}}'),
        *(f'{TO_STEVE}"message": "\\ud800"}}', "Steve " + "x" * 9000, "Steve \ud800"),
        *(f'{TO_STEVE}"message": "hi", "maxDistance": {wrong}}}'
          for wrong in ("NaN", "Infinity", "-Infinity", "1e999", "-1", "0", '"x"', '"30"', "true",
                        "null", "[1]", "9" * 400)),
    ),
    "forget <what>": ("",),
    "history [usernames] [limit] or !history {": (
        *('{"limit": 0}', '{"limit": "5"}', '{"since": -1}', '{"since": NaN}', "0"),
        *('{"type": "gossip"}', '{"usernames": [1]}', '{"usernames": {"a": 1}}'),
        '{"username": null, "x": 1}',
    ),
    "idle on": (
        *('{"intervalMs": 499}', '{"playerLookChance": 1.5}', '{"pitchMin": 20, "pitchMax": 10}'),
        *('{"yawJitter": -1}', '{"playerRange": NaN}', "soon"),
    ),
    "info [type]": ("players", "all please", '{"type": 1}', '{"kind": "all"}'),
    "info recipesFor <item>": ("", "stick 0", "stick many"),
    "info recipesUsing <ingredients>": (
        *("", '{"ingredients": []}', '{"ingredients": 5}'),
        '{"ingredients": ["stick"], "mode": "xor"}',
    ),
    "info scanBlocks [type] [range]": (
        *('{"minYOffset": 3, "maxYOffset": 2}', '{"range": 0}', '{"range": 1000}'),
        *('{"range": "x"}', '{"coneAngle": 0}', '{"maxResults": 0}', '{"kind": "stone"}'),
        *('{"yaw": "NaN"}', '{"types": [' + ", ".join(['"stone"'] * 65) + "]}"),
    ),
    "info vision": ("north", '{"pitch": 91}', '{"renderWait": -1}', '{"zoom": 2}'),
    "look direction": ("", "north 0", "0 91", '{"yaw": NaN, "pitch": 0}', "{"),
    "look player": ("",),
    "look watch": (f'{TO_STEVE}"intervalMs": 100}}',),
    "navigation chestDeposit <item> [count]": ("dirt 0", "dirt -2", "dirt many"),
    "navigation dropItem": ("", "bread 0", "bread -2", "bread many", "bread 1.5"),
    "navigation follow": ("", *(f'{TO_STEVE}"distance": {far}}}' for far in (1, 17, '"far"'))),
    "navigation gotoCoords <x> <y> <z>": (
        *("", "12 64", "12 64 x", '{"x": 1, "y": 2}', '{"coords": "here"}'),
        '{"coords": [1, 2, 4e7]}',
    ),
    "navigation moveInDirection": (
        *("", "0", "-5", "1001", "nan", "5 north", '{"distance": 5, "verticalMode": "up"}'),
    ),
    "navigation register <name>": (
        *("", '{"name": ""}', '{"name": "   "}', '{"name": "a\\u0007"}', '{"name": "spawn"}'),
        *('{"name": "Ｓpawn"}', f'{{"name": "{"a" * 33}"}}', f'{NAMED}"coords": [1, 2]}}'),
        *(f'{NAMED}"x": 1, "y": 2}}', f'{NAMED}"coords": [1, 2, "NaN"]}}'),
        *(f'{NAMED}"coords": [1e12, 2, 3]}}', f'{NAMED}"colour": "red"}}'),
    ),
    "recall [words] or": ('{"limit": 0}', '{"limit": 1001}', '{"since": "soon"}', '{"offset": -1}'),
    "remember <words>": ("", '{"words": "x", "days": 0}', "x" * 301),
    "skill gather": (
        *("", "oak_log many", "oak_log 0", '{"itemName": "oak_log", "maxDistance": "x"}'),
        *('{"itemName": "oak_log", "maxDistance": 1000}', '{"itemName": "oak_log", "colour": 1}'),
    ),
    "skill jump": ("21",),
}  # fmt: skip


def command_of(usage: str) -> str:
    return usage.partition(" [")[0].partition(" <")[0]


@pytest.mark.parametrize(
    ("usage", "text"),
    [(usage, f"!{command_of(usage)} {wrong}") for usage, all_ in WRONG.items() for wrong in all_],
    ids=lambda text: text[:60].encode("ascii", "replace").decode(),
)
async def test_wrong_arguments_are_answered_with_the_usage_alone(
    rig: Rig, usage: str, text: str
) -> None:
    alice = rig.bots["Alice"]
    result = await run_json(alice, text)
    assert (result["success"], result["reason"]) == (False, "invalid_format")
    assert result["usage"].startswith(f"!{usage}")
    assert result["example"].startswith(f"!{command_of(usage)}")
    assert (alice.doing, rig.bridge.sent, alice.get_conversation_history()) == ([], [], [])
    assert alice.locations.all() == ()


@pytest.mark.parametrize(
    "text",
    [
        *("!look direction 0", "!look player Steve", "!look watch Steve", "!chat Steve hello"),
        *("!refresh", "!info scanBlocks oak_log"),
    ],
)
async def test_in_no_world_a_command_that_needs_one_says_so(rig: Rig, text: str) -> None:
    rig.bridge.kick("Alice", "out")
    result = await run_json(rig.bots["Alice"], text)
    assert (result["success"], result["reason"]) == (False, "not_connected")
    assert result["message"] == "Alice is not in a world right now."
