"""Whatever the bridge sends, the host answers it or refuses it, and Node lives on."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from bridge.errors import BridgeDown, BridgeError, BridgeTimeout, NotConnected
from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.world import BotName

pytestmark = [pytest.mark.real, pytest.mark.slow]

SEED, COMMANDS = 20_26, 600
ALICE = BotName("Alice")
HERE = [1, 64, 1]
RIGHT: dict[str, tuple[dict[str, Any], ...]] = {
    "snapshot": ({"blocks_within": 4},),
    "whisper": ({"to": "Steve", "text": "hi"},),
    "chat": ({"text": "hi"},),
    "cancel": ({},),
    "pause": ({},),
    "resume": ({},),
    "glance": ({"gaze": {"kind": "at_point", "position": HERE}},),
    "see": ({"chunks": 3}, {"chunks": 6}),
    "begin": tuple(
        {"id": "a-1", "action": action, "deadline_s": 1}
        for action in (
            {"kind": "move_to", "position": HERE, "within": 1, "may_dig": False},
            {"kind": "dig", "position": HERE},
            {"kind": "craft", "item": "stick", "count": 1, "table": None, "of": []},
            {"kind": "toss", "item": "stick", "count": 1, "player": "Steve"},
            {"kind": "open_container", "position": HERE},
            {"kind": "wait", "seconds": 1},
        )
    ),
    "query": tuple(
        {"query": query}
        for query in (
            {"kind": "find_blocks", "names": ["stone"], "radius": 4, "limit": 4, "in_cube": False},
            {"kind": "block_at", "position": HERE},
            {"kind": "footholds", "x": 1, "z": 1},
            {"kind": "lying_items", "radius": 8},
            {"kind": "opened_container"},
            {"kind": "whereabouts", "leave_out": ["Bob"]},
            {"kind": "player_gear", "player": "Steve"},
        )
    ),
    "no such thing": ({},),
    "constructor": ({},),
}
ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 1.5, 2**31, "", "x" * 500, "\x00", "\ud800", "村", "__proto__"),
    *([], [None], {}, {"kind": "__proto__"}, [[1, 2], 3], [1e6, -70, 1e6], {"length": 3}),
)
"""No vast numbers: a radius without end takes time without end, and Python bounds each."""


def odd(dice: random.Random, value: Any) -> Any:
    """This value with something in it replaced or left out."""
    if isinstance(value, dict | list) and value and dice.random() < 0.8:
        changed: Any = value.copy()
        at = dice.choice([*value]) if isinstance(value, dict) else dice.randrange(len(value))
        if dice.random() < 0.2:
            del changed[at]
        else:
            changed[at] = odd(dice, changed[at])
        return changed
    return dice.choice(ODD)


def commands(dice: random.Random) -> Iterator[tuple[str, Any]]:
    for _ in range(COMMANDS):
        operation = dice.choice([*RIGHT])
        yield operation, odd(dice, dice.choice(RIGHT[operation]))


async def test_every_odd_command_is_answered_by_the_same_node(
    bridge: JSBridge, address: ServerAddress
) -> None:
    await bridge.spawn(ALICE, address)
    node, outcomes = bridge.node_pid, set()
    for operation, args in commands(random.Random(SEED)):
        try:
            await bridge._run(operation, ALICE, args, 8.0)
            outcomes.add("done")
        except (BridgeDown, BridgeTimeout) as error:
            raise AssertionError(f"{operation} {args!r}") from error
        except NotConnected:  # the server kicks who says illegal characters
            await bridge.spawn(ALICE, address)
        except BridgeError as error:
            outcomes.add(type(error).__name__)
    assert {"done", "HostError"} <= outcomes
    assert bridge.node_pid == node
    await bridge.despawn(ALICE)
    await bridge.spawn(ALICE, address)
    assert (await bridge.snapshot(ALICE)).bot == ALICE
