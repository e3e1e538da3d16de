"""Who is charged for a decision: the person who asked, or strangers, or the bots' own share."""

from __future__ import annotations

from bots.access.origin import Level, Person
from bots.access.sources import LevelOf, Sources, joined
from bots.responder.case.case import Case
from llm.engine.budget import Asker, Payer

_ASKERS: dict[Level, Asker] = {
    Level.OWNER: "owner",
    Level.TRUSTED: "trusted",
    Level.PLAYER: "stranger",
}


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
