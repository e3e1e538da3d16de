"""The actions of `bridge.actions` in the simulated world; each says in its docstring how it
fails. Times are virtual seconds and follow the game where the game has a rule."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bridge.actions import Action
from bridge.fake.actions.animals import fish, hunt, use_on
from bridge.fake.actions.blocks import collect_drops, dig, pillar, place, toss
from bridge.fake.actions.items import (
    close_container,
    craft,
    deposit,
    eat,
    equip,
    fill,
    open_container,
    smelt,
    take_off,
    till,
    withdraw,
)
from bridge.fake.actions.moving import approach, follow, look_at, move_to, wait
from bridge.fake.actions.scene import ActionFailed, Done, Scene

__all__ = ["ACTIONS", "ActionFailed", "Scene", "perform"]

ACTIONS: Mapping[str, Callable[[Scene, Any], Awaitable[Done]]] = {
    "move_to": move_to,
    "approach": approach,
    "follow": follow,
    "look_at": look_at,
    "wait": wait,
    "dig": dig,
    "place": place,
    "collect_drops": collect_drops,
    "craft": craft,
    "smelt": smelt,
    "open_container": open_container,
    "deposit": deposit,
    "withdraw": withdraw,
    "close_container": close_container,
    "equip": equip,
    "take_off": take_off,
    "eat": eat,
    "toss": toss,
    "pillar": pillar,
    "hunt": hunt,
    "use_on": use_on,
    "fill": fill,
    "till": till,
    "fish": fish,
}


BESIDE_A_CONTAINER = frozenset({"deposit", "withdraw", "close_container", "look_at", "wait"})


async def perform(scene: Scene, action: Action) -> Done:
    """Do it, in virtual time. Raises ActionFailed.

    An action that needs both hands puts an open container away first."""
    if action.kind not in BESIDE_A_CONTAINER:
        scene.body.window = None
    return await ACTIONS[action.kind](scene, action)
