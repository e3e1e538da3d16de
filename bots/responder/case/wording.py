"""Facts of a snapshot in words, and the words people use for items: English and Japanese."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from bots.catalogue.counted import item, listed
from bots.catalogue.japanese import names_in
from bots.words import sentence, table
from bridge.world import DAY_TICKS, PlayerSighting, Position, WorldSnapshot

SUNRISE_HOUR = 6  # of tick 0
MOST_ITEMS = 6  # kinds named in one sentence
MOST_PLAYERS = 4

_PARTS_OF_DAY: tuple[tuple[int, str], ...] = (
    *((2_000, "early_morning"), (5_000, "morning"), (7_000, "noon"), (11_000, "afternoon")),
    *((13_000, "evening"), (22_500, "night"), (DAY_TICKS, "dawn")),
)
"""Until which tick each part lasts."""


def place(position: Position) -> str:
    at = position.block
    return f"{at.x:.0f} {at.y:.0f} {at.z:.0f}"


def dimension(name: str, language: str) -> str:
    plain = name.removeprefix("minecraft:")
    named: str = table("names.dimension", language).get(plain, plain)
    return named


def part_of_day(ticks: int, language: str) -> str:
    part = next((part for until, part in _PARTS_OF_DAY if ticks < until), None)
    if part is None:
        raise ValueError(f"{ticks} ticks is no time of a day")
    return sentence(f"time.part.{part}", language)


def clock_time(ticks: int) -> str:
    """Ticks of a day as hours and minutes."""
    minutes = ticks * 24 * 60 // DAY_TICKS + SUNRISE_HOUR * 60
    return f"{minutes // 60 % 24}:{minutes % 60:02d}"


def item_counts(world: WorldSnapshot) -> Counter[str]:
    counts: Counter[str] = Counter()
    for stack in world.items:
        counts[stack.name] += stack.count
    return counts


def items(counts: Counter[str], language: str) -> str:
    """The most plentiful kinds, and how many kinds more there are."""
    named = [item(name, count, language) for name, count in counts.most_common(MOST_ITEMS)]
    more = len(counts) - len(named)
    if more:
        named.append(sentence("count.more_kinds", language, n=more))
    return listed(named, language)


def seen_players(world: WorldSnapshot) -> list[tuple[PlayerSighting, float]]:
    """Players in view with their distance, nearest first."""
    seen = [(player, world.distance_to(player)) for player in world.players]
    near = [(player, distance) for player, distance in seen if distance is not None]
    return sorted(near, key=lambda sighting: sighting[1])


_WORDS: Mapping[str, str] = table("names.group", "ja")
"""Words for groups of items, Japanese and English, with the pattern of their ids."""


def meant_by(words: str, items: Iterable[str]) -> list[str]:
    """The items that these words name: by id, part of an id, group, or Japanese name."""
    return [item for item in items if _is_called(words.strip(), item)]


def is_group(words: str) -> bool:
    """Whether these words name a group of items, as `food` does."""
    return words in _WORDS or words.removesuffix("s") in _WORDS


def _is_called(words: str, item: str) -> bool:
    group = _WORDS.get(words) or _WORDS.get(words.removesuffix("s"))
    if group is not None and re.fullmatch(group, item):
        return True
    if words in names_in("ja").get(item, ""):
        return True
    parts = {_singular(part) for part in item.split("_")}
    return {_singular(word) for word in re.split(r"[ _]", words)} <= parts


def _singular(word: str) -> str:
    return re.sub(r"(?<=ch)es$|(?<=sh)es$|(?<=x)es$|s$", "", word)
