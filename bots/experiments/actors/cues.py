"""Bots that say the lines which the scenario wrote for them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bots.experiments.actors.actor import Asked, Heard, ThinkingFailed
from bots.experiments.scenario.parts import Cue, Member
from bots.talks.live.ports import Answer
from bots.text.word_match import says

TAKES_S = "takes_s"
"""The key in `Answer.facts` for the seconds that the scenario wants a turn to take."""


class CueActor:
    """Says the first unused cue that fits; nothing if none does."""

    def __init__(self, member: Member) -> None:
        self._member = member
        self._used: set[int] = set()
        self._read = 0
        self._known: set[str] = set()
        """The words of `knows` and `unaware` that were heard or said so far."""
        self._watched = {word for cue in member.cues for word in (*cue.knows, *cue.unaware)}

    def __call__(self, asked: Asked) -> Answer:
        self._listen(asked.heard)
        if asked.say_goodbye and self._member.goodbye:
            return _spoken(self._member.goodbye, asked, Cue())
        for number, cue in enumerate(self._member.cues):
            if number not in self._used and self._fits(cue, asked):
                if not cue.again:
                    self._used.add(number)
                return _played(cue, asked)
        return Answer("", facts={"source": "cues", "why": "no cue fits"})

    def _listen(self, heard: Sequence[Heard]) -> None:
        for line in heard[self._read :] if self._watched else ():
            self._known |= {word for word in self._watched if says(line.text, word)}
        self._read = len(heard)

    def _fits(self, cue: Cue, asked: Asked) -> bool:
        return (
            _is_heard(cue.hears, asked.new)
            and (not cue.knows or not self._known.isdisjoint(cue.knows))
            and self._known.isdisjoint(cue.unaware)
            and asked.near.issuperset(cue.near)
            and asked.near.isdisjoint(cue.away)
        )


def _is_heard(words: Collection[str], lines: Sequence[Heard]) -> bool:
    return not words or any(says(line.text, word) for line in lines for word in words)


def _played(cue: Cue, asked: Asked) -> Answer:
    if cue.fails:
        raise ThinkingFailed(cue.fails, **_timed(cue))
    return _spoken(cue.say, asked, cue)


def _spoken(words: Sequence[str], asked: Asked, cue: Cue) -> Answer:
    text = asked.rng.choice(words) if words else ""
    facts = {"source": "cues", **_timed(cue)}
    return Answer(_filled(text, asked), cue.next or None, cue.tokens, cue.cost_usd, facts=facts)


def _timed(cue: Cue) -> dict[str, float]:
    return {} if cue.takes_s is None else {TAKES_S: cue.takes_s}


def _filled(text: str, asked: Asked) -> str:
    """Replace `{last}` by the previous speaker and `{topic}` by the topic."""
    if "{" not in text:
        return text
    last = next((line.speaker for line in reversed(asked.heard) if line.speaker != asked.name), "")
    return text.replace("{last}", last).replace("{topic}", asked.topic)
