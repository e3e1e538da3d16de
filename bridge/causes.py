"""What hurt a bot, decided from the signs that came with the loss of health; and how sure that is.

told     the server names it: a death message, a damage event, the hurt that it shows
seen     what the bot sensed just then explains it: a blow, a fall, lava, no air, no food
guessed  a hint short of that: a push away from a zombie that was not seen to strike
None     nobody knows

A blow is seen where a being within reach swings its arm and the server pushes the bot away from
it at once. That somebody stands near is no sign of anything.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from bridge.world import player_name

Certainty: TypeAlias = Literal["told", "seen", "guessed"]
CauseKind: TypeAlias = Literal["creature", "player", "thing"]
SignKind: TypeAlias = Literal[
    "line", "damage", "status", "swing", "push", "near", "explosion", "fall", "inside"
]
KINDS, HOW = get_args(CauseKind), get_args(Certainty)


class Being(NamedTuple):
    """Who may have hurt a bot."""

    kind: CauseKind
    name: str
    """Of a creature its kind, of a player the name."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What hurt or killed a bot."""

    kind: CauseKind
    name: str
    """The kind of creature, the name of the player, or a thing: fall, lava, fire, drowning, hunger,
    explosion, void, command …"""
    how: Certainty

    def as_json(self) -> dict[str, str]:
        return {"by": self.name, "kind": self.kind, "how": self.how}


def read_cause(row: object) -> Cause | None:
    """What `Cause.as_json` wrote; None for anything else."""
    if not isinstance(row, Mapping) or row.get("kind") not in KINDS or row.get("how") not in HOW:
        return None
    return Cause(row["kind"], str(row.get("by", "")), row["how"])


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that came with a loss of health; host/signs.cjs collects them."""

    kind: SignKind
    what: str = ""
    """line: the key of the death message. damage: the type. inside: lava, fire, burning …"""
    by: Being | None = None
    way: tuple[float, float] = (0.0, 0.0)
    """x and z. swing, near: from the being to the bot. push: whereto."""
    size: float = 0.0
    """status: its number. fall: blocks. explosion: how hard it pushed the bot."""


def cause_of(signs: Iterable[Sign], lost: float) -> Cause | None:
    """What took so many half-hearts; None where nothing speaks for anything."""
    found = tuple(signs)
    for kind in ("line", "damage", "status"):
        for sign in _of(found, kind):
            if (damage := _damage(sign)) is not None:
                return _told(damage, sign, found)
    return next(_sensed(found, lost), None)


# --- what the server tells ---------------------------------------------------------------------

_THINGS: Mapping[str, str] = {
    damage: thing
    for thing, damages in {
        "fire": "in_fire on_fire campfire",
        "lava": "lava",
        "magma_block": "hot_floor",
        "lightning": "lightning_bolt",
        "suffocation": "in_wall",
        "crowding": "cramming",
        "drowning": "drown",
        "hunger": "starve",
        "cactus": "cactus",
        "fall": "fall ender_pearl",
        "collision": "fly_into_wall",
        "command": "generic_kill",
        "void": "out_of_world",
        "magic": "magic indirect_magic",
        "withering": "wither",
        "dragon_breath": "dragon_breath",
        "sweet_berry_bush": "sweet_berry_bush",
        "freezing": "freeze",
        "stalagmite": "stalagmite",
        "falling_block": "falling_block falling_stalactite",
        "anvil": "anvil falling_anvil",
        "world_border": "outside_border",
        "explosion": "explosion player_explosion bad_respawn_point fireworks",
        "arrow": "arrow",
        "trident": "trident",
        "fireball": "fireball unattributed_fireball wither_skull",
    }.items()
    for damage in damages.split()
}
_DOINGS = """
mob mob_attack mob_attack_no_aggro player player_attack arrow trident spear thrown spit fireball
mob_projectile unattributed_fireball wither_skull indirect_magic thorns sting sonic_boom mace_smash
wind_charge explosion player_explosion fireworks
"""
_BY_BEINGS = frozenset(_DOINGS.split())
"""Damage that is the doing of whoever is named with it."""
_STATUSES: Mapping[float, str] = {36: "drown", 37: "on_fire", 44: "sweet_berry_bush", 57: "freeze"}
"""How a player shows a hurt; from 1.12 to 1.19.3. Any other hurt is 2."""


def _damage(sign: Sign) -> str | None:
    """The type of damage, as 1.19.4 and later name them; None of what tells none."""
    if sign.kind == "status":
        return _STATUSES.get(sign.size)
    if sign.kind == "damage":
        return sign.what.removeprefix("minecraft:")
    if sign.what.startswith("death.fell."):
        return "fall"
    name = sign.what.removeprefix("death.attack.").split(".")[0]  # fall.player: it fled
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _told(damage: str, sign: Sign, found: Sequence[Sign]) -> Cause | None:
    thing = _THINGS.get(damage)
    is_unknown = thing is None and sign.kind == "damage"  # of a mod: with whose doing it is
    if sign.by is not None and (damage in _BY_BEINGS or is_unknown):
        return Cause(*sign.by, "told")
    is_inside = {sign.what for sign in _of(found, "inside")}
    if thing == "void" and "void" not in is_inside:
        thing = "command"  # /kill is told as the void up to 1.19.4
    elif damage == "on_fire" and "lava" in is_inside:
        thing = "lava"
    return None if thing is None else Cause("thing", thing, "told")


# --- what the bot sensed -----------------------------------------------------------------------

_MOST_LOST: Mapping[str, float] = {
    **{"lava": 4, "fire": 2, "burning": 1, "drowning": 2, "hunger": 1, "void": 4}
}
"""Half-hearts at once, without armour."""
_SAFE_FALL = 3  # blocks
_ALIGNED = 0.7  # cosine: a push leads away from whoever struck, with some play


def _sensed(found: Sequence[Sign], lost: float) -> Iterator[Cause]:
    """The best first."""
    pushes, swings, nears = (tuple(_of(found, kind)) for kind in ("push", "swing", "near"))
    strikers = _pushing(pushes, swings)
    yield from (Cause(*one, "seen") for one in strikers if len(set(strikers)) == 1)
    explosions = tuple(_of(found, "explosion"))
    yield from (Cause("thing", "explosion", "seen") for one in explosions if one.size > 0)
    yield from (Cause(*one, "guessed") for one in (*strikers, *_pushing(pushes, nears)))
    yield from _surroundings(found, lost)
    swinging = (sign.by for sign in swings if sign.by and sign.by.kind == "creature")
    yield from (Cause(*one, "guessed") for one in swinging)
    yield from (Cause("thing", "explosion", "guessed") for _ in explosions)


def _pushing(pushes: Sequence[Sign], beings: Sequence[Sign]) -> list[Being]:
    """Those from whom a push leads away."""
    pushed = [sign for push in pushes for sign in beings if _cosine(push.way, sign.way) > _ALIGNED]
    return [sign.by for sign in pushed if sign.by is not None]


def _cosine(one: tuple[float, float], other: tuple[float, float]) -> float:
    lengths = math.hypot(*one) * math.hypot(*other)
    return (one[0] * other[0] + one[1] * other[1]) / lengths if lengths else 0.0


def _surroundings(found: Sequence[Sign], lost: float) -> Iterator[Cause]:
    """What it fell, and what it was in, where these take so much."""
    if any(lost <= math.ceil(sign.size - _SAFE_FALL) for sign in _of(found, "fall")):
        yield Cause("thing", "fall", "seen")
    for sign in _of(found, "inside"):
        if lost <= _MOST_LOST[sign.what]:
            yield Cause("thing", sign.what.replace("burning", "fire"), "seen")


def _of(found: Iterable[Sign], kind: str) -> Iterator[Sign]:
    return (sign for sign in found if sign.kind == kind)


def parse_sign(wire: Mapping[str, Any]) -> Sign:
    """One sign as the host tells it. Raises KeyError, TypeError or ValueError."""
    by = wire.get("by")
    x, z = wire.get("way", (0.0, 0.0))
    return Sign(
        wire["kind"],
        str(wire.get("what", "")),
        None if by is None else Being(by[0], player_name(by[1])),
        (float(x), float(z)),
        float(wire.get("size", 0)),
    )
