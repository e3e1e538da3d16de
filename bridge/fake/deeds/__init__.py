"""The deeds of `bridge.actions` in the simulated world; each says in its docstring how it
fails. Times are virtual seconds and follow the game where the game has a rule."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bridge.actions import Action
from bridge.fake.deeds.blocks import collect_drops, dig, place, toss
from bridge.fake.deeds.keeping import close_container, deposit, open_container, withdraw
from bridge.fake.deeds.making import craft, smelt
from bridge.fake.deeds.moving import look_at, move_to, wait
from bridge.fake.deeds.pursuing import approach, follow
from bridge.fake.deeds.scene import DeedFailed, Done, Scene
from bridge.fake.deeds.using import eat, equip

__all__ = ["DEEDS", "DeedFailed", "Scene", "perform"]

DEEDS: Mapping[str, Callable[[Scene, Any], Awaitable[Done]]] = {
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
    "eat": eat,
    "toss": toss,
}


BESIDE_A_CONTAINER = frozenset({"deposit", "withdraw", "close_container", "look_at", "wait"})


async def perform(scene: Scene, action: Action) -> Done:
    """Do it, in virtual time. Raises DeedFailed.

    A deed that needs both hands puts an open container away first."""
    if action.kind not in BESIDE_A_CONTAINER:
        scene.body.window = None
    return await DEEDS[action.kind](scene, action)
