"""Whether to fight monsters or to run, reckoned from what both sides deal and take.

The foes are fought one after the other, the nearest first, while all of them strike. Figures are
Java Edition's at normal difficulty; source: minecraft.wiki, the page of each mob, Armor, Damage.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from bridge.world import WorldSnapshot

Verdict: TypeAlias = Literal["fight", "flee"]


class Monster(NamedTuple):
    health: float
    damage: float
    """Half-hearts of one blow or shot on somebody without armour."""
    shoots: bool = False


MONSTERS: Mapping[str, Monster] = {
    "blaze": Monster(20, 6, shoots=True),
    "bogged": Monster(16, 4, shoots=True),
    "breeze": Monster(30, 6, shoots=True),
    "cave_spider": Monster(12, 4),  # with its poison
    "creeper": Monster(20, 43),
    "drowned": Monster(20, 3),
    "elder_guardian": Monster(80, 8, shoots=True),
    "ender_dragon": Monster(200, 10),
    "enderman": Monster(40, 7),
    "endermite": Monster(8, 2),
    "evoker": Monster(24, 6, shoots=True),
    "ghast": Monster(10, 9, shoots=True),
    "guardian": Monster(30, 6, shoots=True),
    "hoglin": Monster(40, 6),
    "husk": Monster(20, 3),
    "magma_cube": Monster(16, 6),
    "phantom": Monster(20, 2),
    "piglin": Monster(16, 8),
    "piglin_brute": Monster(50, 13),
    "pillager": Monster(24, 4, shoots=True),
    "ravager": Monster(100, 12),
    "shulker": Monster(30, 4, shoots=True),
    "silverfish": Monster(8, 1),
    "skeleton": Monster(20, 4, shoots=True),
    "slime": Monster(16, 4),
    "spider": Monster(16, 2),
    "stray": Monster(20, 4, shoots=True),
    "vex": Monster(14, 9),
    "vindicator": Monster(24, 13),
    "warden": Monster(500, 30),
    "witch": Monster(26, 6, shoots=True),
    "wither": Monster(300, 8, shoots=True),
    "wither_skeleton": Monster(20, 8),
    "zoglin": Monster(40, 6),
    "zombie": Monster(20, 3),
    "zombie_villager": Monster(20, 3),
    "zombified_piglin": Monster(20, 8),
}
UNKNOWN = Monster(50, 12)
NEUTRAL = frozenset({"enderman", "piglin", "zombified_piglin"})
"""Monsters that do nothing to those who do nothing to them."""
LEFT_ALONE = NEUTRAL | {"creeper"}
"""What a bot does not begin with for somebody else."""
BLOWS_PER_S = 1.0
LANDS = 0.5
"""Blows that land on somebody who strikes back: each of his pushes the foe away."""
LANDS_ON_SHIELD = 0.2
"""The same of one who holds up a shield between his own; measured on the embedded server."""
SHIELD = "shield"
SHOT_AT_S = 2.0  # on the way to whoever shoots

MATERIALS = ("wooden", "golden", "stone", "iron", "diamond", "netherite")
_SWORDS = dict(zip(MATERIALS, (4, 4, 5, 6, 7, 8), strict=True))
_AXES = dict(zip(MATERIALS, (7, 7, 9, 9, 9, 10), strict=True))
SWORD_S, AXE_S, HAND_S = 0.65, 1.3, 0.55
"""From blow to blow at full strength, as `Hunt` times them."""
_ARMOUR: Mapping[str, tuple[int, int, int, int]] = {
    "leather": (1, 3, 2, 1),
    "golden": (2, 5, 3, 1),
    "chainmail": (2, 5, 4, 1),
    "iron": (2, 6, 5, 2),
    "diamond": (3, 8, 6, 3),
    "netherite": (3, 8, 6, 3),
    "turtle": (2, 0, 0, 0),
}
PIECES = ("helmet", "chestplate", "leggings", "boots")
MOST_ARMOUR = 20

LEAST_LEFT = 5.0
"""Half-hearts that a fight has to leave."""


@dataclass(frozen=True, slots=True)
class Fighter:
    """The bot, as it would go into a fight."""

    health: float
    worn: Collection[str] = ()
    weapon: str | None = None


def fighter(world: WorldSnapshot) -> Fighter:
    """The bot as it is, with the best weapon that it carries."""
    return Fighter(world.health, world.worn, best_weapon(stack.name for stack in world.items))


def reckon(me: Fighter, foes: Sequence[str], *, beside: int = 0, way_out: bool = True) -> Verdict:
    """Fight what leaves enough health, and whatever there is no way out from. Each of those
    `beside` it draws as many blows; what they strike is not counted on."""
    if not way_out:
        return "fight"
    lost = loss(me, foes) / (1 + beside)
    return "fight" if me.health - lost >= LEAST_LEFT else "flee"


def loss(me: Fighter, foes: Sequence[str]) -> float:
    """Half-hearts that a fight with these is expected to cost."""
    damage, pause_s = blow(me.weapon)
    armour, fought_s, lost = points(me.worn), 0.0, 0.0
    lands = LANDS_ON_SHIELD if SHIELD in me.worn else LANDS
    for name in foes:
        foe = MONSTERS.get(name, UNKNOWN)
        fought_s += math.ceil(foe.health / damage) * pause_s
        struck_s = fought_s + SHOT_AT_S if foe.shoots else fought_s
        lost += struck_s * BLOWS_PER_S * lands * _through(armour, foe.damage)
    return lost


def blow(weapon: str | None) -> tuple[float, float]:
    """Half-hearts of one blow, and seconds to the next."""
    material, _, kind = (weapon or "").rpartition("_")
    if kind == "sword":
        return _SWORDS.get(material, 1), SWORD_S
    return (_AXES.get(material, 1), AXE_S) if kind == "axe" else (1, HAND_S)


def best_weapon(carried: Iterable[str]) -> str | None:
    """What deals most in the same time; None: the bare hand."""
    weapons = [name for name in carried if blow(name)[0] > 1]
    return max(weapons, key=lambda name: (blow(name)[0] / blow(name)[1], name), default=None)


def points(worn: Iterable[str]) -> int:
    """Armour points of what is worn."""
    return min(MOST_ARMOUR, sum(map(armour_of, worn)))


def armour_of(item: str) -> int:
    """Armour points of one piece; 0 of anything else."""
    material, _, piece = item.rpartition("_")
    return _ARMOUR[material][PIECES.index(piece)] if material in _ARMOUR and piece in PIECES else 0


def _through(armour: int, damage: float) -> float:
    """What comes through armour. Source: minecraft.wiki/w/Armor."""
    kept = max(armour / 5, armour - damage / 2)
    return damage * (1 - min(MOST_ARMOUR, kept) / 25)
