"""Whether to fight monsters or to run, reckoned from what both sides deal and take.

The foes are fought one after the other, the nearest first, while all of them strike. Figures are
Java Edition's at normal difficulty, which are scaled for the others; source: minecraft.wiki, the
page of each mob, Armor, Damage, Difficulty.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal, NamedTuple, TypeAlias

from bridge.vanilla import HAND, WEAPONS, Blow
from bridge.world import Difficulty, WorldSnapshot

Verdict: TypeAlias = Literal["fight", "flee"]


class Monster(NamedTuple):
    health: float
    damage: float
    """Half-hearts of one blow or shot on somebody without armour."""
    shoots: bool = False


_TOLD = tomllib.loads((files(__package__) / "monsters.toml").read_text("utf-8"))
MONSTERS: Mapping[str, Monster] = {name: Monster(**told) for name, told in _TOLD.items()}
UNKNOWN = Monster(50, 12)
NEUTRAL = frozenset({"enderman", "piglin", "zombified_piglin"})
"""Monsters that do nothing to those who do nothing to them."""
BEASTS = frozenset(
    {"bee", "dolphin", "fox", "goat", "iron_golem", "llama", "panda", "polar_bear"}
    | {"trader_llama", "wolf"}
)
"""No monsters, but each strikes whoever it has something against."""
STRUCK_BACK = frozenset({"bee", "polar_bear"})
"""Of those, whom nobody can have tamed or built."""
LEFT_ALONE = NEUTRAL | {"creeper"}
"""What a bot does not begin with for somebody else."""
SWIMMERS = frozenset({"drowned"})
"""Monsters whom a bot does not meet in the water; by day they strike only those who are in it."""
BLOWS_PER_S = 1.0
LANDS = 0.5
"""Blows that land on somebody who strikes back: each of his pushes the foe away."""
LANDS_ON_SHIELD = 0.2
"""The same of one who holds up a shield between his own; measured on the embedded server."""
SHIELD = "shield"
SHOT_AT_S = 2.0  # on the way to whoever shoots

BOW = "bow"
SHOT = Blow(damage=8, pause_s=1.2)
"""An arrow of a bow drawn in full, on average."""
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

BLAST = 10.0
"""Half-hearts of a creeper that goes off 4 blocks away; source: minecraft.wiki/w/Explosion."""

HARDER = 1.5  # times as much is done at hard difficulty
LEAST_LEFT = 5.0
"""Half-hearts that a fight has to leave."""


@dataclass(frozen=True, slots=True)
class Fighter:
    """The bot, as it would go into a fight."""

    health: float
    worn: Collection[str] = ()
    weapon: str | None = None
    difficulty: Difficulty = "normal"
    """Of the world it is in."""


def fighter(world: WorldSnapshot) -> Fighter:
    """The bot as it is, with the best weapon that it carries."""
    weapon = best_weapon(stack.name for stack in world.items)
    return Fighter(world.health, world.worn, weapon, world.difficulty or "normal")


def reckon(me: Fighter, foes: Sequence[str], *, beside: int = 0, way_out: bool = True) -> Verdict:
    """Fight what leaves enough health, and whatever there is no way out from. Each of those
    `beside` it draws as many blows; what they strike is not counted on."""
    if not way_out:
        return "fight"
    lost = loss(me, foes) / (1 + beside)
    return "fight" if me.health - lost >= LEAST_LEFT else "flee"


def hits_and_runs(me: Fighter) -> bool:
    """Whether to strike a creeper and back out, again and again: with a sword, and health for one
    blast."""
    has_sword = (me.weapon or "").endswith("_sword")
    blast = _through(points(me.worn), _at(me.difficulty, BLAST))
    return has_sword and me.health - blast >= LEAST_LEFT


def loss(me: Fighter, foes: Sequence[str]) -> float:
    """Half-hearts that a fight with these is expected to cost."""
    mine = blow(me.weapon)
    armour, fought_s, lost = points(me.worn), 0.0, 0.0
    lands = LANDS_ON_SHIELD if SHIELD in me.worn else LANDS
    for name in foes:
        foe = MONSTERS.get(name, UNKNOWN)
        fought_s += math.ceil(foe.health / mine.damage) * mine.pause_s
        comes_near = foe.shoots and me.weapon != BOW
        struck_s = fought_s + SHOT_AT_S if comes_near else fought_s
        lost += struck_s * BLOWS_PER_S * lands * _through(armour, _at(me.difficulty, foe.damage))
    return lost


def blow(weapon: str | None) -> Blow:
    """What one blow with an item does, or one arrow of a bow."""
    return SHOT if weapon == BOW else WEAPONS.get(weapon or "", HAND)


def best_weapon(carried: Iterable[str], *, spares_tools: bool = False) -> str | None:
    """What deals most in the same time at hand; None: the bare hand. To spare the tools, only a
    sword or an axe is taken."""
    made_to_strike = ("_sword", "_axe", "trident")
    fit = [name for name in carried if name.endswith(made_to_strike) or not spares_tools]
    weapons = [name for name in fit if name in WEAPONS and _dealt(WEAPONS[name]) > _dealt(HAND)]
    return max(weapons, key=lambda name: (_dealt(WEAPONS[name]), name), default=None)


def _dealt(each: Blow) -> float:
    """Half-hearts a second."""
    return each.damage / each.pause_s


def points(worn: Iterable[str]) -> int:
    """Armour points of what is worn."""
    return min(MOST_ARMOUR, sum(map(armour_of, worn)))


def armour_of(item: str) -> int:
    """Armour points of one piece; 0 of anything else."""
    material, _, piece = item.rpartition("_")
    return _ARMOUR[material][PIECES.index(piece)] if material in _ARMOUR and piece in PIECES else 0


def _at(difficulty: Difficulty, damage: float) -> float:
    """What does so much at normal difficulty. Source: minecraft.wiki/w/Difficulty."""
    if difficulty == "easy":
        return min(damage / 2 + 1, damage)
    return damage * HARDER if difficulty == "hard" else damage


def _through(armour: int, damage: float) -> float:
    """What comes through armour. Source: minecraft.wiki/w/Armor."""
    kept = max(armour / 5, armour - damage / 2)
    return damage * (1 - min(MOST_ARMOUR, kept) / 25)
