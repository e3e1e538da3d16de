"""Makes sentences from what was seen: true ones, and none that was said a short while ago.

The sentences are those of `idle` in `bots/words/`, for anybody and by temperament. Slots: {to} who
is spoken to, {speaker} who is replied to, {person}, how long they were {away}, their {words}, what
they may whisper to a bot ({follow}, {fetch}, {look}), {fellow}, {doing}, {name} and {thing} (a
poppy, some sand), {animals}, {n}, {towards}, {clock}, {part}.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from bots.catalogue.japanese import name_in
from bots.clock import Stopwatch
from bots.idle.seen import (
    Came,
    Found,
    HeardOf,
    HourTurned,
    KeptCompany,
    Left,
    SatByFire,
    SawAnimals,
    SawBlock,
    SawFellow,
    Seen,
    TalkedOf,
    Walked,
    WeatherTurned,
    Wished,
)
from bots.responder.case.persona import Temperament
from bots.responder.case.wording import clock_time, part_of_day
from bots.text.language import Language, normal
from bots.text.plurals import with_article
from bots.words import filled, sentence, slots_of, table
from bots.words.times import told_days
from bridge.world import DAWN_TICK, DUSK_TICK

_TOPICS: Mapping[type[Seen], str] = {
    Left: "left",
    Found: "found",
    Walked: "walked",
    SawBlock: "saw",
    SawAnimals: "animals",
    SatByFire: "fire",
    SawFellow: "fellow",
    KeptCompany: "company",
    TalkedOf: "talked_of",
}
_MASS = ("water", "lava", "sand", "gravel", "clay", "stone", "_ore", "cane", "obsidian", "ice")
AGAIN_AFTER_S = 600.0
_ENDS = re.compile(r"(?<=[.!?。！？])\s*")


@dataclass(frozen=True, slots=True)
class Voice:
    """Who speaks, in which language and manner."""

    name: str
    temperament: Temperament
    language: Language


class Wording:
    """Finds sentences for all bots of a daemon; whoever says one tells `recent`."""

    def __init__(self, recent: RecentSentences, rng: random.Random) -> None:
        self._recent, self._rng = recent, rng
        self._turns = count(1)
        self._used: dict[str, int] = {}
        """When each phrase was last filled in; those of long ago come first."""

    def remark(self, voice: Voice, seen: Seen, to: str | None) -> str | None:
        """What to say of it, to somebody or to all near; None when all was said already."""
        slots = _slots(seen, voice.language)
        phrases = _phrases(voice, seen, "says", voice.temperament)
        return self._first_fresh(phrases, slots if to is None else {**slots, "to": to})

    def reply(self, voice: Voice, seen: Seen, speaker: str) -> str | None:
        """What to say to a fellow who has spoken of it; None when all was said already."""
        phrases = _phrases(voice, seen, "replies", f"replies_{voice.temperament}")
        return self._first_fresh(phrases, {**_slots(seen, voice.language), "speaker": speaker})

    def knows(self, seen: Seen) -> bool:
        """Whether there is something worth knowing about it."""
        return kind_of(seen) in table("idle.fact", "en")

    def fact(self, voice: Voice, seen: Seen, speaker: str) -> str | None:
        """Something worth knowing about it; None when there is nothing, or all was told already."""
        facts = table("idle.fact", voice.language).get(kind_of(seen), ())
        return self._first_fresh(facts, {"speaker": speaker})

    def _first_fresh(self, phrases: Sequence[str], slots: Mapping[str, str]) -> str | None:
        fitting = [phrase for phrase in phrases if slots_of(phrase) <= slots.keys()]
        self._rng.shuffle(fitting)
        for phrase in sorted(fitting, key=lambda one: self._used.get(one, 0)):
            text = filled(phrase, slots)
            if self._recent.are_fresh(text):
                self._used[phrase] = next(self._turns)
                return text
        return None


def _phrases(voice: Voice, seen: Seen, of_all: str, own: str) -> Sequence[str]:
    topic = table(f"idle.{topic_of(seen)}", voice.language)
    return (*topic[own], *topic[of_all])


def is_topic(name: str) -> bool:
    """Whether there is something to say of it."""
    return "says" in table("idle", "en").get(name, ())


def topic_of(seen: Seen) -> str:
    match seen:
        case WeatherTurned(weather):
            return weather
        case HourTurned(time):
            return "night" if DUSK_TICK <= time < DAWN_TICK else "hour"
        case Came(days_away=days) if days:
            return "came_after"
        case Came():
            return "came_again" if seen.met_before else "came"
        case Wished():
            return "wished_here" if seen.is_here else "wished"
        case HeardOf(topic):
            return topic
        case _:
            return _TOPICS[type(seen)]


def kind_of(seen: Seen) -> str:
    """The block or animal that it is about; '' for other things."""
    match seen:
        case SawBlock(kind) | Found(kind) | SawAnimals(kind) | SatByFire(kind):
            return kind
        case SawFellow(doing="looking" | "picking" | "resting" | "watching"):
            return seen.what
        case _:
            return ""


def _slots(seen: Seen, language: Language) -> dict[str, str]:
    match seen:
        case WeatherTurned() | HeardOf():
            return {}
        case HourTurned(time):
            return {"clock": clock_time(time), "part": part_of_day(time, language)}
        case Came(person, _, days) if days:
            return {"person": person, "away": told_days(days, language)}
        case Came(person) | Left(person) | KeptCompany(person):
            return {"person": person, **table("idle.asking", language)}
        case Found(item, carried):
            return {**_named(item, language), "n": f"{carried}"}
        case Walked(blocks, towards):
            return {"n": f"{blocks}", "towards": sentence(f"idle.towards.{towards}", language)}
        case SawBlock(block, blocks, towards):
            way = sentence(f"idle.towards.{towards}", language)
            return {**_named(block, language), "n": f"{blocks}", "towards": way}
        case SawAnimals(animal, count):
            name = _called(animal, language)
            return {"animals": sentence("idle.counted", language, n=count, animal=name)}
        case SatByFire(fire):
            return _named(fire, language)
        case SawFellow(fellow, doing, what):
            named = what if doing == "visiting" else _called(what, language)
            told = sentence(f"idle.doing.{doing}", language, what=named)
            return {"fellow": fellow, "doing": told}
        case Wished(person, words) | TalkedOf(person, words):
            return {"person": person, "words": words}


def _called(block: str, language: Language) -> str:
    if language == "ja":
        return table("idle.names", "ja").get(block) or name_in("ja", block)
    return plain_name(block)


def _named(block: str, language: Language) -> dict[str, str]:
    name = _called(block, language)
    return {"name": name, "thing": name if language == "ja" else one_of(block)}


def plain_name(block: str) -> str:
    """In English; a trunk stands for its tree."""
    name = block.removeprefix("wall_").replace("_", " ")
    return f"{name.removesuffix(' log')} tree" if name.endswith(" log") else name


def one_of(block: str) -> str:
    """In English, with its article."""
    name = plain_name(block)
    return f"some {name}" if block.endswith(_MASS) else with_article(name)


class RecentSentences:
    """The sentences of the last ten minutes."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._said_at: dict[str, float] = {}

    def are_fresh(self, text: str) -> bool:
        """Whether none of the sentences was said within the last ten minutes."""
        now = self._stopwatch()
        said = (self._said_at.get(one) for one in _sentences(text))
        return all(at is None or now - at >= AGAIN_AFTER_S for at in said)

    def said(self, text: str) -> None:
        """These sentences are said now."""
        now = self._stopwatch()
        for old in [one for one, at in self._said_at.items() if now - at >= AGAIN_AFTER_S]:
            del self._said_at[old]
        self._said_at.update(dict.fromkeys(_sentences(text), now))


def _sentences(text: str) -> list[str]:
    return [normal(part) for part in _ENDS.split(text) if part.strip()]
