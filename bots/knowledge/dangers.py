"""What hurt a bot, and where: what it comes to know of dangers, and what happened at places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from bots.access.origin import Person
from bots.access.sources import FACTS, Sources
from bots.bot.knowing import Entry, Tag, tag
from bots.text.causes import UNKNOWN, doer, of_what
from bridge.causes import Cause
from bridge.events import BotDied, BotHurt
from bridge.world import PlayerName, Position

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


@dataclass(frozen=True, slots=True)
class Danger:
    """One time that a bot was hurt badly enough to remember it."""

    how: How
    words: str
    """As happened at a place: a zombie hurt me there."""
    entry: Entry
    position: Position
    dimension: str
    at: datetime


class Dangers:
    """Makes of blows and deaths what is worth remembering, for one bot."""

    def __init__(self, source_of_name: Callable[[Person], Sources]) -> None:
        self._source_of_name = source_of_name
        self._known_at: dict[tuple[How, Cause | None], datetime] = {}

    def learn(self, event: BotHurt | BotDied) -> Danger | None:
        """What a blow or a death teaches; None where it is nothing new, or a scratch. A hurt that
        is a guess teaches nothing, and no entry tells a guess without its `perhaps`."""
        sources = self._sources(event.cause)
        if isinstance(event, BotDied):
            return _danger("died", event, event.death.position, sources)
        is_known = event.cause is not None and event.cause.how != "guessed"
        if event.health <= 0:
            return None  # the death follows
        how: How = "nearly" if event.health <= NEARLY else "hurt"
        if how == "hurt" and (not is_known or event.lost < WORTH_KNOWING):
            return None
        if self._is_known(how, event.cause, event.at):
            return None
        return _danger(how, event, event.position, sources)

    def _is_known(self, how: How, cause: Cause | None, now: datetime) -> bool:
        recent = {one: at for one, at in self._known_at.items() if now - at < AGAIN_AFTER}
        is_known = (how, cause) in recent
        self._known_at = {**recent, (how, cause): now}
        return is_known

    def _sources(self, cause: Cause | None) -> Sources:
        if cause is None or cause.kind != "player":
            return FACTS
        return self._source_of_name(Person(PlayerName(cause.name)))


def _danger(how: How, event: BotHurt | BotDied, position: Position, sources: Sources) -> Danger:
    where = f"{_place(position, how)} in the {event.dimension}"
    is_guess = event.cause is not None and event.cause.how == "guessed"
    entry = Entry(
        f"{_told(how, event.cause, where)}.",
        sources,
        "insight",
        TOPIC,
        tags=frozenset(_tags(event.cause)),
        situations=frozenset({event.dimension} - {"overworld"}),
        learnt_from="concluded" if is_guess else "seen",
        expires_at=event.at + KEPT[how],
    )
    words = _told(how, event.cause, "near there").removesuffix(UNKNOWN)  # a card adds when
    return Danger(how, words, entry, position, event.dimension, event.at)


def _place(position: Position, how: How) -> str:
    """Of a death the very block, where the bot's things lie."""
    at = position.block
    if how == "died":
        return f"at {at.x:g} {at.y:g} {at.z:g}"
    x, y, z = (round(n / AROUND) * AROUND for n in (at.x, at.y, at.z))
    return f"around {x:g} {y:g} {z:g}"


def _told(how: How, cause: Cause | None, where: str) -> str:
    if how == "died":
        return f"I died {where}{of_what(cause)}"
    did = "nearly killed me" if how == "nearly" else "hurt me"
    told = f"{'something' if cause is None else doer(cause)} {did} {where}"
    return told[:1].upper() + told[1:]


def _tags(cause: Cause | None) -> set[Tag]:
    """Whom it is about; a guess is about nobody."""
    if cause is None or cause.how == "guessed" or cause.kind == "thing":
        return set()
    return {tag("player" if cause.kind == "player" else "mob", cause.name)}
