"""Reads goals as people and programs write them: `inventory.stick:4 position:10,64,-5`.

Names are looked up in the version's; words such as `near:home` go with the goal before them. Goals
that cannot all be so at once, wherever the bot is, are refused.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal, Protocol

from bots.errors import CommandError
from bots.goals.goal import (
    EquipmentGoal,
    Goal,
    ItemGoal,
    PlacedAtGoal,
    PlacedGoal,
    PositionGoal,
    WithItem,
)
from bots.skills.belongings import belongs
from bots.text import suggest
from bots.text.numbers import as_whole
from bots.text.printable import excerpt
from bots.text.spelling import plain
from bridge.world import Position

RefusalReason = Literal[
    "invalid_format",
    "unknown_item",
    "unknown_block",
    "category",
    "contradictory",
    "unknown_version",
]
SHOWN = 80
"""Characters of user input that an error repeats."""
SUGGESTED = 3
_SYNONYMS = {"wood": "log", "tree": "log", "leaf": "leaves", "armor": "chestplate"}
_COMMON = ("oak_", "wooden_", "stone_", "iron_", "white_", "coal_")
MODIFIERS = NEAR, ANY = "near", "any"
SAME_PLACE = 1.0
"""A bot within this many blocks of a position stands there."""
MOST = 10_000
"""Highest count in one goal: four times what an inventory holds."""
BORDER = 30_000_000
"""Blocks from the middle of the world to its edge."""
SYNTAX = (
    "inventory.ITEM:n (n in all) or :+n (n more), placed.BLOCK:n, placed.BLOCK near:PLACE, "
    "placed.BLOCK@x,y,z, equipment.ITEM:true or :false, position:x,y,z; with:ITEM lets me use up "
    "what I would keep"
)
_BETWEEN = re.compile(r"\s+|[,;]\s*(?=[a-z_]+[.:]|any\b)")
_LOOSE = re.compile(r"\s*[:@]\s*|(?<=\d)\s*,\s*(?=[-+.\d])")
_AXIS = r"(-?\d+(?:\.\d+)?)"
_POINT = re.compile(rf"(@|\b(?:position|near):){_AXIS}[ ,]+{_AXIS}[ ,]+{_AXIS}(?![^\s,;])", re.I)
"""A point, with spaces between its numbers, as people read it aloud."""
_KINDS = ("inventory", "placed", "equipment", "position", "with")
_COUNT = re.compile(r"(\+?)(\d{1,9})")


class GoalRefused(CommandError):
    """The goal is malformed or names something unknown; `data["nearest"]` lists similar names."""

    def __init__(self, reason: RefusalReason, message: str, *nearest: str) -> None:
        super().__init__(reason, message, **({"nearest": list(nearest)} if nearest else {}))
        self._refused: RefusalReason = reason

    def within(self, where: str) -> GoalRefused:
        """The same error, prefixed with where it occurred."""
        nearest: Iterable[str] = self.data.get("nearest", ())
        return GoalRefused(self._refused, f"{where}: {self.message}", *nearest)


class WorldRefused(CommandError):
    """The JSON of a world has the wrong shape."""

    def __init__(self, message: str) -> None:
        super().__init__("invalid_world", message)


def quoted(text: str) -> str:
    """What somebody wrote, in quotation marks."""
    return repr(excerpt(text, SHOWN))


class Names(Protocol):
    """The names of one version of Minecraft; a Domain has them."""

    @property
    def version(self) -> str: ...
    @property
    def items(self) -> AbstractSet[str]: ...
    @property
    def blocks(self) -> AbstractSet[str]: ...
    @property
    def animals(self) -> AbstractSet[str]: ...


def item_named(word: str, names: Names) -> str:
    """The item of exactly this name. Raises GoalRefused for categories and unknown names."""
    return _exactly(word, "item", names.items, names.blocks, names.version)


def block_named(word: str, names: Names) -> str:
    """The block of exactly this name. Raises GoalRefused for categories and unknown names."""
    return _exactly(word, "block", names.blocks, names.items, names.version)


def near_named(word: str, names: Names) -> str:
    """The block or animal of exactly this name. Raises GoalRefused as `block_named` does."""
    name = plain(word)
    return name if name in names.animals else block_named(word, names)


def _exactly(
    word: str,
    kind: Literal["item", "block"],
    known: AbstractSet[str],
    others: AbstractSet[str],
    version: str,
) -> str:
    name = plain(word)
    if name in known:
        return name
    if name in others:
        other = "a block, not of an item" if kind == "item" else "an item, not of a block"
        sentence = f"{quoted(word)} is the name of {other}."
    elif members := _members(name.removeprefix("category."), known):
        shown = members[:SUGGESTED]
        listed = f"{', '.join(shown)}, …" if len(members) > len(shown) else ", ".join(shown)
        sentence = f"{quoted(word)} is a category of {len(members)} things. Name one: {listed}."
        raise GoalRefused("category", sentence, *shown)
    else:
        sentence = f"Minecraft {version} has no {kind} {quoted(word)}."
    near = suggest.similar(name, known, SUGGESTED)
    reason: RefusalReason = "unknown_item" if kind == "item" else "unknown_block"
    raise GoalRefused(reason, f"{sentence}{suggest.as_sentence(near)}", *near)


def _members(word: str, names: AbstractSet[str]) -> list[str]:
    """Names that end in this word, singular or plural; a category has at least two."""
    single = word.removesuffix("s")
    asked = _SYNONYMS.get(single, word)
    endings = tuple(f"_{one}" for one in (asked, f"{asked}s", asked.removesuffix("s")) if one)
    found = [name for name in names if name.endswith(endings)]
    return sorted(found, key=_commonest_first) if len(found) > 1 else []


def _commonest_first(name: str) -> tuple[int, str]:
    rank = next((n for n, start in enumerate(_COMMON) if name.startswith(start)), len(_COMMON))
    return rank, name


def phrases(words: Iterable[str]) -> Iterator[str]:
    """The words, those of a name of several words joined: `near:old mine`."""
    phrase = ""
    for word in words:
        is_bare = word.lower() not in MODIFIERS and not any(sign in word for sign in ".:@")
        if phrase.startswith(f"{NEAR}:") and is_bare:
            phrase += f" {word}"
            continue
        if phrase:
            yield phrase
        phrase = word
    if phrase:
        yield phrase


def _modified(goal: Goal, word: str) -> Goal:
    """The goal, as the word behind it says: `near:home`, `any`."""
    key, _, name = word.partition(":")
    if key.lower() == NEAR and not name.strip():
        raise _malformed(word, "the name is missing, as in near:home")
    if not isinstance(goal, PlacedGoal):
        sentence = f"{quoted(word)} goes with a goal such as placed.torch:4, not with {goal}."
        raise GoalRefused("invalid_format", sentence)
    if key.lower() == NEAR:
        return replace(goal, near=name.strip())
    return replace(goal, by_anyone=True)


def require_agreement(goals: tuple[Goal, ...]) -> None:
    """Raises GoalRefused contradictory."""
    for one, other in combinations(goals, 2):
        why = _against(one, other)
        if why:
            raise GoalRefused("contradictory", f"{one} and {other} cannot both be so: {why}.")


def _against(one: Goal, other: Goal) -> str:
    match one, other:
        case PositionGoal(at=here), PositionGoal(at=there):
            return "I stand in one place" if here.distance_to(there) > SAME_PLACE else ""
        case PlacedAtGoal(at=here), PlacedAtGoal(at=there):
            return "one block has room there" if here == there else ""
        case EquipmentGoal(), EquipmentGoal():
            if one.item == other.item:
                return "it is worn or not" if one.on != other.on else ""
            place = belongs(one.item)
            if not (one.on and other.on) or place != belongs(other.item):
                return ""
            return "one thing is in hand" if place == "hand" else "one thing is worn there"
    return ""


def parse_goals(asked: object, names: Names) -> tuple[Goal, ...]:
    """Parse a text, a list of texts, or an object such as `{"inventory.stick": 4}`.

    Raises GoalRefused, whose message says what is wrong and what would be right.
    """
    folded = unicodedata.normalize("NFKC", as_text(asked)).replace("minecraft:", "")
    tight = _LOOSE.sub(lambda between: between[0].strip(), folded)
    pointed = _POINT.sub(r"\1\2,\3,\4", tight)
    words = list(phrases(word for word in _BETWEEN.split(pointed) if word))
    if not words:
        raise GoalRefused("invalid_format", f"No goal is given. A goal is {SYNTAX}.")
    goals = tuple(dict.fromkeys(_goals(words, names)))
    if all(isinstance(goal, WithItem) for goal in goals):
        raise _malformed(words[0], "that says what may be used, not what for; name a goal as well")
    require_agreement(goals)
    return goals


def as_text(asked: object) -> str:
    """The goals as one line. Raises GoalRefused unless given a text, a list or an object."""
    if isinstance(asked, str):
        return asked.strip()
    if isinstance(asked, Mapping):
        return " ".join(_of_object(asked))
    if isinstance(asked, Sequence) and all(isinstance(one, str) for one in asked):
        return " ".join(asked).strip()
    shown = quoted(str(asked))
    raise GoalRefused("invalid_format", f"A goal is a text, not {shown}: {SYNTAX}.")


def _of_object(asked: Mapping[Any, Any], above: str = "") -> Iterator[str]:
    for key, value in asked.items():
        name = f"{above}.{key}" if above else str(key)
        if isinstance(value, Mapping) and name != "position":
            yield from _of_object(value, name)
        else:
            yield f"{name}:{_value(value)}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if (number := as_whole(value)) is not None:
        return str(number)
    if isinstance(value, Mapping):
        return ",".join(_value(value.get(axis)) for axis in "xyz")
    if isinstance(value, list):
        return ",".join(_value(one) for one in value)
    return str(value)


def _goals(words: Iterable[str], names: Names) -> list[Goal]:
    goals: list[Goal] = []
    for word in words:
        key, colon, value = word.partition(":")
        if key.lower() not in MODIFIERS:
            kind, _, name = key.partition(".")
            if kind.lower() not in _KINDS:
                raise GoalRefused(
                    "invalid_format", f"{quoted(word)} is no goal.{_meant(word, names)}"
                )
            if kind.lower() == "placed" and not colon:
                value = "1"
            if not value:
                shown = "true" if kind.lower() == "equipment" else 1
                examples = {"position": "position:10,64,-5", "with": "with:bookshelf"}
                example = examples.get(kind.lower(), f"{kind.lower()}.{name}:{shown}")
                raise _malformed(word, f"the value is missing, as in {example}")
            goals.append(_goal(kind.lower(), word, name, value, names))
        elif goals:
            goals[-1] = _modified(goals[-1], word)
        else:
            raise _malformed(word, "it goes behind a goal, as in placed.torch:4 near:home")
    return goals


def _goal(kind: str, word: str, name: str, value: str, names: Names) -> Goal:
    match kind:
        case "inventory":
            return ItemGoal(item_named(name, names), *_count(word, value))
        case "placed":
            called, at, point = name.partition("@")
            block = block_named(called, names)
            count, more = _count(word, value)
            if not at:
                return PlacedGoal(block, count, more)
            if (count, more) != (1, False):
                raise _malformed(word, "one block has room there")
            return PlacedAtGoal(block, _point(word, point, f"placed.{block}@10,64,-5").block)
        case "equipment":
            item, on = item_named(name, names), value.lower()
            if on not in ("true", "false"):
                why = f"say equipment.{item}:true to wear it, or :false to take it off"
                raise _malformed(word, why)
            return EquipmentGoal(item, on == "true")
        case "position":
            return PositionGoal(_point(word, "" if name else value, "position:10,64,-5"))
        case _:
            if name:
                raise _malformed(word, f"it is with:{name}, without a dot")
            return WithItem(item_named(value, names))


def _count(word: str, value: str) -> tuple[int, bool]:
    """The count, and whether it is on top of what there is."""
    written = _COUNT.fullmatch(value)
    if written is None:
        raise _malformed(word, f"{quoted(value)} is no count: 4 is four in all, +4 four more")
    count = int(written[2])
    if not 1 <= count <= MOST:
        raise _malformed(word, f"a count goes from 1 to {MOST:,}")
    return count, bool(written[1])


def _point(word: str, text: str, example: str) -> Position:
    try:
        axes = [float(axis) for axis in text.split(",")]
    except ValueError:
        axes = []
    if len(axes) != 3 or not all(map(math.isfinite, axes)):
        raise _malformed(word, f"a position is three numbers: {example}")
    if max(map(abs, axes)) > BORDER:
        raise _malformed(word, f"the world ends {BORDER:,} blocks from its middle")
    return Position(*axes)


def _malformed(word: str, why: str) -> GoalRefused:
    return GoalRefused("invalid_format", f"{quoted(word)}: {why}.")


def _meant(word: str, names: Names) -> str:
    """A suggestion for a word that is no goal, or the syntax of goals."""
    key, _, value = word.partition(":")
    kind, dot, name = key.partition(".")
    near = suggest.similar(kind, _KINDS) if dot or value else []
    if near:
        counted = "" if "@" in name else f":{value or 'n'}"
        return suggest.as_sentence([f"{near[0]}{dot}{name}{counted}"])
    near = [] if dot else suggest.similar(key, MODIFIERS)
    if near:
        return suggest.as_sentence([f"{near[0]}:{value}" if value else near[0]])
    if key.lower() in names.items:
        return suggest.as_sentence([f"inventory.{key.lower()}:{value or 'n'}"])
    return f" A goal is {SYNTAX}."
