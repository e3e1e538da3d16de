"""Who pays for a decision, and who knows that the budget is spent."""

from __future__ import annotations

from datetime import timedelta

from bots.access.origin import Level, Person
from bots.access.sources import LevelOf, Sources, joined
from bots.clock import Stopwatch
from bots.responder.case.case import Case
from bots.text.language import Language
from bots.words import sentence
from llm.engine.budget import Asker, Payer

_ASKERS: dict[Level, Asker] = {
    Level.OWNER: "owner",
    Level.TRUSTED: "trusted",
    Level.PLAYER: "stranger",
}
_SPEAKERS = 1_000  # remembered; the one told longest ago is forgotten


def payer_of(case: Case, level_of: LevelOf) -> Payer:
    """Talk among bots is background; an answer to words that somebody had a bot say is not."""
    turn = case.turn
    if not turn.from_fellow:
        return Payer(case.bot, turn.speaker, asker=_ASKERS[case.level])
    asked = {message.sequence for message in turn.messages}
    lines = joined(line.utterance.sources for line in case.history if line.sequence in asked)
    if turn.is_small_talk:
        return among_bots(case.bot, lines, level_of)
    return answering_person(case.bot, lines, level_of)


def among_bots(bot: str, heard: Sources, level_of: LevelOf) -> Payer:
    """Of a bot that answers words of other bots, or thinks over what it heard."""
    people = [origin for origin in heard.origins if isinstance(origin, Person)]
    by_strangers = any(level_of(person) < Level.TRUSTED for person in people)
    return Payer(bot, None, background=True, asker="stranger" if by_strangers else None)


def answering_person(bot: str, heard: Sources, level_of: LevelOf) -> Payer:
    """Of a bot that answers a person's line in a talk, or by another bot's mouth."""
    return Payer(bot, None, asker=_ASKERS[heard.level_now(level_of)])


class BudgetNotice:
    """Remembers which speakers know that the budget is spent."""

    def __init__(self, stopwatch: Stopwatch, period: timedelta) -> None:
        self._stopwatch, self._period = stopwatch, period
        self._told: dict[str, float] = {}

    def due(self, speaker: str, language: Language) -> str:
        """The sentence, if this speaker has not had it in this period; else ''."""
        now, last = self._stopwatch(), self._told.pop(speaker, None)
        is_due = last is None or now - last >= self._period.total_seconds()
        self._told[speaker] = now if is_due or last is None else last
        if len(self._told) > _SPEAKERS:
            del self._told[next(iter(self._told))]
        return sentence("closing.spent", language) if is_due else ""
