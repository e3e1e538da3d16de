"""Guesses what a player is up to, from what was seen of them and what they said.

Each sign speaks for the pursuits that it fits, and things that are seen for what can be made of
them. A guess is told as one, with its reasons.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from re import Pattern

from bots.bot.result import Facts, Number
from bots.catalogue.counted import thing
from bots.catalogue.handbook import Handbook

MOST_LIKELY = 5  # things
DOUBT = 1.5  # as much as one and a half signs that speak for something else
LEAST_HELD = 0.5  # of what a recipe needs, for its product to be likely
DEEP = 50  # height below which somebody is underground


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that was seen or said."""

    words: str
    """As a reason: holds an iron pickaxe."""
    weight: float
    items: tuple[str, ...] = ()
    """The things it is about."""


class LikelyThing(Facts):
    """Something that the player is likely to make or to need."""

    name: str
    probability: Number
    reason: str


class Guess(Facts):
    pursuit: str | None
    """What they are likely at; null where nothing speaks for anything."""
    confidence: Number
    """From 0 to 1."""
    reasons: tuple[str, ...]
    """The signs that speak for it."""
    likely: tuple[LikelyThing, ...]
    """The likeliest first."""


@dataclass(frozen=True, slots=True)
class _Pursuit:
    name: str
    things: Pattern[str]
    """Names of things that speak for it."""
    words: Pattern[str]
    """Words that speak for it."""
    needs: tuple[str, ...]
    """What people need for it."""


def guessed(handbook: Handbook, signs: Sequence[Sign]) -> Guess:
    """What these signs suggest."""
    scores = defaultdict[str, float](float)
    reasons = defaultdict[str, list[str]](list)
    for sign in signs:
        for pursuit in _PURSUITS:
            by_thing = any(pursuit.things.fullmatch(item) for item in sign.items)
            if by_thing or pursuit.words.search(sign.words.casefold()):
                scores[pursuit.name] += sign.weight
                reasons[pursuit.name].append(sign.words)
    best = max(scores, key=lambda name: scores[name], default=None)
    likely = tuple(_likely(handbook, signs, best))
    if best is None:
        return Guess(pursuit=None, confidence=0, reasons=(), likely=likely)
    others = sum(scores.values()) - scores[best]
    confidence = round(scores[best] / (scores[best] + others + DOUBT), 2)
    why = tuple(dict.fromkeys(reasons[best]))
    return Guess(pursuit=best, confidence=confidence, reasons=why, likely=likely)


def at_height(y: float) -> Sign | None:
    """That somebody is underground."""
    return Sign(f"is underground, at height {y:.0f}", 1.0) if y < DEEP else None


def _likely(
    handbook: Handbook, signs: Sequence[Sign], pursuit: str | None
) -> Iterator[LikelyThing]:
    seen = {item for sign in signs for item in sign.items if item in handbook.items}
    made = sorted(_made_of(handbook, seen), key=lambda one: (-one.probability, one.name))
    needs = next((one.needs for one in _PURSUITS if one.name == pursuit), ())
    needed = [
        LikelyThing(name=name, probability=0.3, reason=f"{pursuit} takes it")
        for name in needs
        if name in handbook.items and name not in seen
    ]
    yield from sorted([*made[:MOST_LIKELY], *needed], key=lambda one: -one.probability)[
        :MOST_LIKELY
    ]


def _made_of(handbook: Handbook, seen: set[str]) -> Iterator[LikelyThing]:
    """What is crafted from the things seen; the fewer things use an ingredient, the more it
    tells."""
    products = {made for item in seen for made in handbook.item(item).used_for} - seen
    for product in products:
        needs = handbook.item(product).recipes[:1]
        pools = [set(need.any_of) for recipe in needs for need in recipe.needs]
        has = [sorted(pool & seen)[0] for pool in pools if pool & seen]
        if not pools or len(has) < max(1, math.ceil(LEAST_HELD * len(pools))):
            continue
        doubt = math.prod(1 - 1 / math.log2(2 + len(handbook.item(one).used_for)) for one in has)
        probability = round((1 - doubt) * len(has) / len(pools), 2)
        named = " and ".join(thing(one, "en") for one in has)
        yield LikelyThing(name=product, probability=probability, reason=f"made with {named}")


_PURSUITS = tuple(
    _Pursuit(row["name"], re.compile(row["things"]), re.compile(row["words"]), tuple(row["needs"]))
    for row in tomllib.loads((files(__package__) / "intents.toml").read_text("utf-8"))["pursuit"]
)
