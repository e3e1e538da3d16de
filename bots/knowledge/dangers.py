"""What hurt a bot, and where: what it comes to know of dangers, and what happened at places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from bots.access.origin import Person, called
from bots.access.sources import FACTS, Sources
from bots.bot.knowing import Entry, Tag, tag
from bridge.events import BotHurt
from bridge.world import Position

NEARLY = 6.0  # half-hearts: with so few left it was a near death
WORTH_KNOWING = 2.0  # half-hearts; a scratch is forgotten
AGAIN_AFTER = timedelta(minutes=1)
"""Blows of the same one, one after another, are one lesson."""
AROUND = 16  # blocks: where something hurts is known no more exactly, so that it is one place
TOPIC = "danger"

How: TypeAlias = Literal["hurt", "nearly", "died"]
KEPT: dict[How, timedelta] = {
    "hurt": timedelta(days=14),
    "nearly": timedelta(days=60),
    "died": timedelta(days=180),
}
_THINGS = frozenset({"fall", "lava", "fire", "drowning", "hunger", "explosion"})
"""What is no creature."""


@dataclass(frozen=True, slots=True)
class Danger:
    """One time that a bot was hurt badly enough to remember it."""

    how: How
    words: str
    """As happened at a place: a zombie hurt me there."""
    entry: Entry
    position: Position
    dimension: str


class Dangers:
    """Makes of blows what is worth remembering, for one bot."""

    def __init__(self, source_of_name: Callable[[Person], Sources]) -> None:
        self._source_of_name = source_of_name
        self._known_at: dict[tuple[How, str], datetime] = {}

    def learn(self, event: BotHurt) -> Danger | None:
        """What a blow teaches; None where it is nothing new, or nobody knows what hurt."""
        how: How = "died" if event.health <= 0 else "nearly" if event.health <= NEARLY else "hurt"
        by = event.player or event.by
        if how == "hurt" and (not by or event.lost < WORTH_KNOWING):
            return None
        if how != "died" and self._is_known(how, by, event.at):
            return None
        return _danger(event, how, self._sources(event))

    def _is_known(self, how: How, by: str, now: datetime) -> bool:
        recent = {one: at for one, at in self._known_at.items() if now - at < AGAIN_AFTER}
        is_known = (how, by) in recent
        self._known_at = {**recent, (how, by): now}
        return is_known

    def _sources(self, event: BotHurt) -> Sources:
        return FACTS if event.player is None else self._source_of_name(Person(event.player))


def _danger(event: BotHurt, how: How, sources: Sources) -> Danger:
    where = f"{_place(event, how)} in the {event.dimension}"
    entry = Entry(
        f"{_told(event, how, where)}.",
        sources,
        "insight",
        TOPIC,
        tags=frozenset(_tags(event)),
        situations=frozenset({event.dimension} - {"overworld"}),
        learnt_from="seen",
        expires_at=event.at + KEPT[how],
    )
    words = _told(event, how, "near there")
    return Danger(how, words, entry, event.position, event.dimension)


def _place(event: BotHurt, how: How) -> str:
    """Of a death the very block, where the bot's things lie."""
    at = event.position.block
    if how == "died":
        return f"at {at.x:g} {at.y:g} {at.z:g}"
    x, y, z = (round(n / AROUND) * AROUND for n in (at.x, at.y, at.z))
    return f"around {x:g} {y:g} {z:g}"


def _told(event: BotHurt, how: How, where: str) -> str:
    cause = _cause(event)
    if how == "died":
        return f"I died {where}{f': {cause} killed me' if cause else ''}"
    did = "nearly killed me" if how == "nearly" else "hurt me"
    told = f"{cause or 'something'} {did} {where}"
    return told[:1].upper() + told[1:]


def _cause(event: BotHurt) -> str:
    if event.player is not None:
        return called(event.player)
    if event.by in _THINGS or not event.by:
        return {"fall": "a fall", "explosion": "an explosion"}.get(event.by, event.by)
    name = event.by.replace("_", " ")
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _tags(event: BotHurt) -> set[Tag]:
    if event.player is not None:
        return {tag("player", event.player)}
    return {tag("mob", event.by)} if event.by and event.by not in _THINGS else set()
