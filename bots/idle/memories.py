"""What bots come back to of their own accord: what people wished for, what talks were about, what
people want to be called. Only what everybody who hears it may know.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from bots.access.origin import Person, is_operator
from bots.access.sources import MayKnow, Sources
from bots.access.visibility import hearers_of
from bots.bot.bot import Bot
from bots.chat.message import Message
from bots.clock import Stopwatch
from bots.idle.seen import Seen, TalkedOf, Wished
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.fact import Fact, of_person
from bots.text.excerpt import excerpt
from bridge.world import PlayerName

AGAIN_AFTER_S = 1_800.0
"""The same words of a person are spoken of again no sooner."""
LONGEST = 90  # characters that are repeated
SHORTEST = 8


@dataclass(frozen=True, slots=True)
class Memory:
    """Something a bot may come back to, and where the words come from."""

    seen: Seen
    sources: Sources
    at: datetime


class Memories:
    """Of all bots of a daemon, found on their cards and in their histories."""

    def __init__(self, bots: Container[str], stopwatch: Stopwatch) -> None:
        self._bots, self._stopwatch = bots, stopwatch
        self._told_at: dict[str, float] = {}

    def of(self, bot: Bot, people: Iterable[str]) -> Memory | None:
        """The newest that these people may hear of and that was not spoken of lately."""
        may_know = _known_to(bot, people)
        wishes = (
            one for person in bot_cards(bot).persons for one in _wishes(bot, person, may_know)
        )
        known = [*wishes, *self._asked(bot, may_know)]
        return self._told(sorted(known, key=lambda one: one.at, reverse=True))

    def wish_of(self, bot: Bot, person: str) -> Memory | None:
        """What somebody wished for, to be told to them alone."""
        wishes = list(_wishes(bot, person, _known_to(bot, [person])))[::-1]
        found = self._told(wishes)
        if found is None or not isinstance(found.seen, Wished):
            return None
        return replace(found, seen=replace(found.seen, is_here=True))

    def name_of(self, bot: Bot, person: str, people: Iterable[str]) -> tuple[str, Sources] | None:
        """What somebody wants to be called, if these people may know it."""
        facts = bot_cards(bot).facts(of_person(person), _known_to(bot, people))
        names = [one for one in facts if one.kind == "called" and one.teller == person]
        return (names[-1].words, names[-1].sources) if names else None

    def _asked(self, bot: Bot, may_know: MayKnow) -> Iterator[Memory]:
        """What persons asked in talks."""
        for message in bot.attended_history():
            said, words = message.utterance, message.text or ""
            asks = words.rstrip().endswith(("?", "？")) and SHORTEST <= len(words) <= LONGEST
            is_of_talk = said.talk is not None and self._is_persons(message)
            if asks and is_of_talk and may_know(said.sources):
                seen = TalkedOf(said.speaker, excerpt(words, LONGEST))
                yield Memory(seen, said.sources, message.heard_at)

    def _is_persons(self, message: Message) -> bool:
        return (
            message.was_said
            and message.role == "user"
            and message.speaker not in self._bots
            and not is_operator(message.speaker)
        )

    def _told(self, newest_first: Iterable[Memory]) -> Memory | None:
        """The first of these that was not spoken of lately; now it is."""
        now = self._stopwatch()
        self._told_at = {w: at for w, at in self._told_at.items() if now - at < AGAIN_AFTER_S}
        found = next((one for one in newest_first if _words(one) not in self._told_at), None)
        if found is not None:
            self._told_at[_words(found)] = now
        return found


def bot_cards(bot: Bot) -> Cards:
    """The cards of a bot."""
    cards = bot.services.get(Cards)
    assert cards is not None, "every session provides them"
    return cards


def _known_to(bot: Bot, people: Iterable[str]) -> MayKnow:
    level_of = bot.permissions.level_of
    hearers = hearers_of([Person(PlayerName(name)) for name in people], level_of)
    return lambda sources: sources.is_for(hearers)


def _wishes(bot: Bot, person: str, may_know: MayKnow) -> Iterator[Memory]:
    """What somebody said they want or like, oldest first."""
    for fact in bot_cards(bot).facts(of_person(person), may_know):
        if fact.kind in ("wishes", "likes") and len(fact.said) >= SHORTEST and _is_own(fact):
            yield Memory(Wished(person, fact.said), fact.sources, fact.at)


def _is_own(fact: Fact) -> bool:
    return fact.teller == fact.about.name


def _words(memory: Memory) -> str:
    return memory.seen.words if isinstance(memory.seen, Wished | TalkedOf) else ""
