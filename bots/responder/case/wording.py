"""Facts of a snapshot in words, English and Japanese."""

from __future__ import annotations

from collections import Counter

from bots.catalogue.counted import item, listed
from bots.text.language import Language
from bridge.world import DAY_TICKS, PlayerSighting, Position, WorldSnapshot

SUNRISE_HOUR = 6  # of tick 0
MOST_ITEMS = 6  # kinds named in one sentence
MOST_PLAYERS = 4

_DIMENSIONS: dict[str, tuple[str, str]] = {
    "overworld": ("the overworld", "オーバーワールド"),
    "the_nether": ("the Nether", "ネザー"),
    "the_end": ("the End", "エンド"),
}
_PARTS_OF_DAY: tuple[tuple[int, str, str], ...] = (
    (2_000, "early morning", "早朝"),
    (5_000, "morning", "朝"),
    (7_000, "noon", "昼"),
    (11_000, "afternoon", "午後"),
    (13_000, "evening", "夕方"),
    (22_500, "night", "夜"),
    (DAY_TICKS, "dawn", "明け方"),
)
"""Until which tick each part lasts."""


def place(position: Position) -> str:
    at = position.block
    return f"{at.x:.0f} {at.y:.0f} {at.z:.0f}"


def dimension(name: str, language: Language) -> str:
    plain = name.removeprefix("minecraft:")
    return _DIMENSIONS.get(plain, (plain, plain))[language == "ja"]


def part_of_day(ticks: int, language: Language) -> str:
    for until, english, japanese in _PARTS_OF_DAY:
        if ticks < until:
            return japanese if language == "ja" else english
    raise ValueError(f"{ticks} ticks is no time of a day")


def clock_time(ticks: int) -> str:
    """Ticks of a day as hours and minutes."""
    minutes = ticks * 24 * 60 // DAY_TICKS + SUNRISE_HOUR * 60
    return f"{minutes // 60 % 24}:{minutes % 60:02d}"


def item_counts(world: WorldSnapshot) -> Counter[str]:
    counts: Counter[str] = Counter()
    for stack in world.items:
        counts[stack.name] += stack.count
    return counts


def items(counts: Counter[str], language: Language) -> str:
    """The most plentiful kinds, and how many kinds more there are."""
    named = [item(name, count, language) for name, count in counts.most_common(MOST_ITEMS)]
    more = len(counts) - len(named)
    if more:
        named.append(f"ほか{more}種類" if language == "ja" else f"{more} more kinds")
    return listed(named, language)


def seen_players(world: WorldSnapshot) -> list[tuple[PlayerSighting, float]]:
    """Players in view with their distance, nearest first."""
    seen = [(player, world.distance_to(player)) for player in world.players]
    near = [(player, distance) for player, distance in seen if distance is not None]
    return sorted(near, key=lambda sighting: sighting[1])
