"""Cards in sentences, English and Japanese: to the person themselves, to others, and to a model.

What somebody said is told as what they said, in their words.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from bots.access.origin import called
from bots.knowledge.cards.card import Card
from bots.knowledge.cards.fact import Fact, Kind, Meeting
from bots.text.language import Language, reading_length
from bots.text.when import told_ago, told_days

MOST_SHOWN = 320
"""Of a card that a model is shown, as Latin letters to read: about 90 tokens."""


class _Words(NamedTuple):
    """Of a fact: {who} is its person, {words} what was said, {said} and {by} who said it."""

    you: str
    other: str
    ja: str


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
        is_asker = name == self.asker
        first = self._ago(meeting.first_at)
        last_at = meeting.before(self.now) if is_asker else meeting.last_at
        last = None if last_at is None else self._ago(last_at)
        if self.language == "ja":
            return self._met_ja(None if is_asker else name, first, last)
        who = "We" if is_asker else f"{called(name)} and I"
        if last is None or last == first:
            return f"{who} first met {first}."
        return f"{who} first met {first} and last met {last}."

    def last_met(self, name: str, meeting: Meeting) -> str:
        """The answer to when they last met."""
        is_asker = name == self.asker
        at = meeting.before(self.now) if is_asker else meeting.last_at
        if self.language == "ja":
            who = "" if is_asker else f"{called(name)}さんとは"
            if at is None:
                return f"{self._ago(meeting.first_at)}、初めて会いました。"
            return f"{who}{self._ago(at)}に会ったのが最後です。"
        if at is None:
            return f"We met for the first time {self._ago(meeting.first_at)}."
        who = "We" if is_asker else f"{called(name)} and I"
        return f"{who} last met {self._ago(at)}."

    def fact(self, name: str, fact: Fact) -> str:
        words, is_asker = _SENTENCES[fact.kind], name == self.asker
        pattern = words.ja if self.language == "ja" else words.you if is_asker else words.other
        told = pattern.format(
            who=self._who(name),
            said=self._said(name, fact),
            by=self._by(name, fact),
            words=fact.words,
            count=fact.count,
            ago=self._ago(fact.at),
        )
        return told[:1].upper() + told[1:]

    def _who(self, name: str) -> str:
        if self.language == "ja":
            return "あなた" if name == self.asker else f"{called(name)}さん"
        return called(name)

    def _said(self, name: str, fact: Fact) -> str:
        """Who said it, of something about the asker."""
        teller = fact.teller
        if self.language == "ja":
            return f"{self._who(teller)}によると、" if teller not in ("", name) else ""
        if teller in ("", self.asker):
            return "you said" if teller else "I was told"
        return f"{called(teller)} said"

    def _by(self, name: str, fact: Fact) -> str:
        """Who said it, of something about somebody else."""
        teller = fact.teller
        if teller == self.asker:
            return "as you said"
        if teller == name:
            return "in their own words"
        return f"{called(teller)} says" if teller else "as I was told"

    def _met_ja(self, name: str | None, first: str, last: str | None) -> str:
        who = "" if name is None else f"{called(name)}さんとは"
        if last is None or last == first:
            return f"{who}{first}初めて会いました。"
        return f"{who}{first}初めて会い、最後に会ったのは{last}です。"

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
    told = _SHOWN[fact.kind].format(words=fact.words, count=fact.count)
    ago = told_ago(fact.at, now, "en")
    teller = fact.teller
    claimed = f", {called(teller)} claims" if teller not in ("", name) else ""
    if fact.kind in _TOLD and not teller:
        claimed = ", as you noted"
    return f"{told}{claimed}" if ago == "today" else f"{told}{claimed} ({ago})"


_TOLD: frozenset[Kind] = frozenset({"lives", "likes", "dislikes", "wishes", "promised"})
_SENTENCES: dict[Kind, _Words] = {
    "lives": _Words(
        "{said} you live “{words}”.",
        "{who} lives “{words}”, {by}.",
        "{said}{who}は「{words}」に住んでいるそうです。",
    ),
    "called": _Words(
        "{said} you want to be called {words}.",
        "{who} wants to be called {words}, {by}.",
        "{said}{who}は「{words}」と呼ばれたいそうです。",
    ),
    "likes": _Words(
        "{said} you like “{words}”.",
        "{who} likes “{words}”, {by}.",
        "{said}{who}は「{words}」が好きだそうです。",
    ),
    "dislikes": _Words(
        "{said} you do not like “{words}”.",
        "{who} does not like “{words}”, {by}.",
        "{said}{who}は「{words}」が好きではないそうです。",
    ),
    "wishes": _Words(
        "you said {ago}: “{words}”.",
        "{who} said {ago}: “{words}”.",
        "{who}は{ago}「{words}」と言いました。",
    ),
    "promised": _Words(
        "you promised {ago}: “{words}”.",
        "{who} promised {ago}: “{words}”.",
        "{who}は{ago}「{words}」と約束しました。",
    ),
    "was_promised": _Words(
        "I promised you {ago}: “{words}”.",
        "I promised {who} {ago}: “{words}”.",
        "私は{ago}、{who}に「{words}」と約束しました。",
    ),
    "asked_for": _Words(
        "you asked me {ago}: {words}.",
        "{who} asked me {ago}: {words}.",
        "{who}は{ago}、私に頼みました: {words}。",
    ),
    "gave": _Words(
        "you gave me {count} {words} {ago}.",
        "{who} gave me {count} {words} {ago}.",
        "{who}は{ago}、{words}を{count}個くれました。",
    ),
    "got": _Words(
        "I gave you {count} {words} {ago}.",
        "I gave {who} {count} {words} {ago}.",
        "私は{ago}、{who}に{words}を{count}個渡しました。",
    ),
    "noted": _Words(
        "I noted {ago}: “{words}”.",
        "I noted {ago} of {who}: “{words}”.",
        "{who}について{ago}書きとめたこと: 「{words}」。",
    ),
    "happened": _Words("{words} {ago}.", "{words} {ago}.", "{ago}: {words}。"),
    "visited": _Words(
        "I was there last {ago}.", "I was there last {ago}.", "最後に行ったのは{ago}です。"
    ),
}
_SHOWN: dict[Kind, str] = {
    "lives": "says they live “{words}”",
    "called": "wants to be called “{words}”",
    "likes": "says they like “{words}”",
    "dislikes": "says they dislike “{words}”",
    "wishes": "said “{words}”",
    "promised": "promised “{words}”",
    "was_promised": "you promised them “{words}”",
    "asked_for": "asked you: {words}",
    "gave": "gave you {count} {words}",
    "got": "got {count} {words} from you",
    "noted": "noted: “{words}”",
    "happened": "{words}",
    "visited": "you were there last",
}
