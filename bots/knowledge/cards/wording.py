"""Cards in sentences: to the person themselves, to others, and to a model.

What somebody said is told as what they said, in their words.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bots.access.origin import called
from bots.knowledge.cards.card import Card
from bots.knowledge.cards.fact import Fact, Kind, Meeting
from bots.text.language import Language, reading_length
from bots.words import filled, sentence, table
from bots.words.times import told_ago, told_days

MOST_SHOWN = 320
"""Of a card that a model is shown, as Latin letters to read: about 90 tokens."""


@dataclass(frozen=True, slots=True)
class CardWords:
    """To whom a card is told, in which language, and when."""

    language: Language
    asker: str
    now: datetime
    """With the zone whose days count."""

    def sentences(self, card: Card) -> list[str]:
        """All of a card."""
        met = [] if card.meeting is None else [self.met(card.name, card.meeting)]
        return [*met, *(self.fact(card.name, one) for one in card.facts)]

    def met(self, name: str, meeting: Meeting) -> str:
        """When they met, first and last; with the asker, the last time before now."""
        first, last_at = self._ago(meeting.first_at), self._last_at(name, meeting)
        last, who = None if last_at is None else self._ago(last_at), self._with(name)
        if last is None or last == first:
            return sentence("card.met", self.language, who=who, first=first)
        return sentence("card.met_and_last", self.language, who=who, first=first, last=last)

    def last_met(self, name: str, meeting: Meeting) -> str:
        """The answer to when they last met."""
        at = self._last_at(name, meeting)
        if at is None:
            return sentence("card.first_met", self.language, ago=self._ago(meeting.first_at))
        return sentence("card.last_met", self.language, who=self._with(name), ago=self._ago(at))

    def fact(self, name: str, fact: Fact) -> str:
        to_whom = "you" if name == self.asker else "other"
        told = sentence(
            f"card.{to_whom}.{fact.kind}",
            self.language,
            who=sentence("who.person", self.language, who=called(name)),
            said=self._told(fact.teller),
            by=self._told_of_other(name, fact.teller),
            words=fact.words,
            count=fact.count,
            ago=self._ago(fact.at),
        )
        return told[:1].upper() + told[1:]

    def _last_at(self, name: str, meeting: Meeting) -> datetime | None:
        return meeting.before(self.now) if name == self.asker else meeting.last_at

    def _with(self, name: str) -> str:
        if name == self.asker:
            return sentence("card.we", self.language)
        return sentence("card.and_i", self.language, who=called(name))

    def _told(self, teller: str) -> str:
        """Who said it, of something about the asker."""
        who = "nobody" if not teller else "you" if teller == self.asker else "other"
        return filled(table("card.told", self.language)[who], {"who": called(teller)})

    def _told_of_other(self, name: str, teller: str) -> str:
        """Who said it, of something about somebody else."""
        who = "other" if teller else "nobody"
        if teller:
            who = {self.asker: "you", name: "self"}.get(teller, "other")
        return filled(table("card.told_of_other", self.language)[who], {"who": called(teller)})

    def _ago(self, at: datetime) -> str:
        return told_ago(at, self.now, self.language)


def shown(card: Card, days_away: int, now: datetime) -> tuple[str, tuple[Fact, ...]]:
    """A card as a model is shown it, in one line, and the facts that are in it; '' where there is
    nothing worth a word. Somebody who has just come back was so many days away."""
    parts = list[str]()
    if card.meeting is not None and days_away:
        met = told_ago(card.meeting.first_at, now, "en")
        parts.append(f"first met {met}, back now after {told_days(days_away, 'en')} away")
    left, kept = MOST_SHOWN - sum(map(reading_length, parts)), list[Fact]()
    for fact in card.facts:
        part = _shown_fact(card.name, fact, now)
        left -= reading_length(part)
        if left < 0:
            break
        parts.append(part)
        kept.append(fact)
    return (f"{called(card.name)}: {'; '.join(parts)}" if parts else ""), tuple(kept)


def _shown_fact(name: str, fact: Fact, now: datetime) -> str:
    shown = table("own.shown", "en")[fact.kind]
    told = filled(shown, {"words": fact.words, "count": fact.count})
    ago = told_ago(fact.at, now, "en")
    teller = fact.teller
    claimed = f", {called(teller)} claims" if teller not in ("", name) else ""
    if fact.kind in _TOLD and not teller:
        claimed = ", as you noted"
    return f"{told}{claimed}" if ago == "today" else f"{told}{claimed} ({ago})"


_TOLD: frozenset[Kind] = frozenset({"lives", "own", "likes", "dislikes", "wishes", "promised"})
