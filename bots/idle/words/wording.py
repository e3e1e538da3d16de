"""Makes sentences from what was seen: true ones, and none that was said a short while ago.

Slots of the phrases: {to} who is spoken to, {speaker} who is replied to, {person}, how long they
were {away}, their {words}, what they may whisper to a bot ({follow}, {fetch}, {look}), {fellow},
{doing}, {name} and {thing} (a poppy, some sand), {animals}, {n}, {towards}, {clock}, {part}.
`!c` begins a sentence: {thing!c}.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from string import Formatter
from typing import Any, cast

from bots.catalogue.japanese import japanese_name
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
from bots.idle.words import english, japanese
from bots.idle.words.facts import known_of
from bots.idle.words.phrases import Phrases, Topic, one_of, plain_name
from bots.responder.case.persona import Temperament
from bots.responder.case.wording import clock_time, part_of_day
from bots.text.language import Language, normal
from bots.text.plurals import plural
from bots.text.when import told_days
from bridge.world import DAWN_TICK, DUSK_TICK

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ASKING: Mapping[Language, Mapping[str, str]] = {
    "en": {"follow": "follow me", "fetch": "get 10 oak logs", "look": "what do you see?"},
    "ja": {"follow": "ついてきて", "fetch": "オークの原木を10個集めて", "look": "何が見える？"},
}
"""What a person may whisper to a bot, whatever plays its mind."""
_TOPICS: Mapping[type[Seen], Topic] = {
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
        phrases = _phrases(voice.language, seen).said_by(voice.temperament)
        slots = _slots(seen, voice.language)
        return self._first_fresh(phrases, slots if to is None else {**slots, "to": to})

    def reply(self, voice: Voice, seen: Seen, speaker: str) -> str | None:
        """What to say to a fellow who has spoken of it; None when all was said already."""
        phrases = _phrases(voice.language, seen).replied_by(voice.temperament)
        return self._first_fresh(phrases, {**_slots(seen, voice.language), "speaker": speaker})

    def knows(self, seen: Seen) -> bool:
        """Whether there is something worth knowing about it."""
        return bool(known_of(kind_of(seen), "en"))

    def fact(self, voice: Voice, seen: Seen, speaker: str) -> str | None:
        """Something worth knowing about it; None when there is nothing, or all was told already."""
        return self._first_fresh(known_of(kind_of(seen), voice.language), {"speaker": speaker})

    def _first_fresh(self, phrases: Sequence[str], slots: Mapping[str, str]) -> str | None:
        fitting = [
            phrase
            for phrase in phrases
            if all(not name or name in slots for _, name, _, _ in _FORMAT.parse(phrase))
        ]
        self._rng.shuffle(fitting)
        for phrase in sorted(fitting, key=lambda one: self._used.get(one, 0)):
            text = _FORMAT.vformat(phrase, (), slots)
            if self._recent.are_fresh(text):
                self._used[phrase] = next(self._turns)
                return text
        return None


class _Format(Formatter):
    def convert_field(self, value: Any, conversion: str | None) -> Any:
        return f"{value[:1].upper()}{value[1:]}" if conversion == "c" else value


_FORMAT = _Format()


def _phrases(language: Language, seen: Seen) -> Phrases:
    book = japanese.PHRASES if language == "ja" else english.PHRASES
    return book[topic_of(seen)]


def topic_of(seen: Seen) -> Topic:
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
            return cast(Topic, topic)
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
            return {"person": person, **_ASKING[language]}
        case Found(item, carried):
            return {**_named(item, language), "n": f"{carried}"}
        case Walked(blocks, towards):
            return {"n": f"{blocks}", "towards": _in(language, towards)}
        case SawBlock(block, blocks, towards):
            return {
                **_named(block, language),
                "n": f"{blocks}",
                "towards": _in(language, towards),
            }
        case SawAnimals(animal, count):
            return {"animals": _animals(animal, count, language)}
        case SatByFire(fire):
            return _named(fire, language)
        case SawFellow(fellow, doing, what):
            doings = japanese.DOINGS if language == "ja" else english.DOINGS
            named = what if doing == "visiting" else _called(what, language)
            return {"fellow": fellow, "doing": doings[doing].format(what=named)}
        case Wished(person, words) | TalkedOf(person, words):
            return {"person": person, "words": words}


def _called(block: str, language: Language) -> str:
    return _japanese(block) if language == "ja" else plain_name(block)


def _named(block: str, language: Language) -> dict[str, str]:
    name = _called(block, language)
    if language == "ja":
        return {"name": name, "thing": name}
    return {"name": name, "thing": one_of(block)}


def _animals(animal: str, count: int, language: Language) -> str:
    if language == "ja":
        return _japanese(animal) if count == 1 else f"{count}匹の{_japanese(animal)}"
    name = animal.replace("_", " ")
    if count == 1:
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    number = _NUMBERS[count] if count < len(_NUMBERS) else f"{count}"
    return f"{number} {plural(name)}"


def _japanese(name: str) -> str:
    return japanese.NAMES.get(name) or japanese_name(name).replace("_", " ")


def _in(language: Language, towards: str) -> str:
    return japanese.TOWARDS[towards] if language == "ja" else towards


class RecentSentences:
    """The sentences of the last ten minutes."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._said_at: dict[str, float] = {}

    def are_fresh(self, text: str) -> bool:
        """Whether none of the sentences was said within the last ten minutes."""
        now = self._stopwatch()
        said = (self._said_at.get(sentence) for sentence in _sentences(text))
        return all(at is None or now - at >= AGAIN_AFTER_S for at in said)

    def said(self, text: str) -> None:
        """These sentences are said now."""
        now = self._stopwatch()
        old = [sentence for sentence, at in self._said_at.items() if now - at >= AGAIN_AFTER_S]
        for sentence in old:
            del self._said_at[sentence]
        self._said_at.update(dict.fromkeys(_sentences(text), now))


def _sentences(text: str) -> list[str]:
    return [normal(part) for part in _ENDS.split(text) if part.strip()]
