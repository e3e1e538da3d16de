"""What bots say that wants no answer: all of it, so that other bots' lines are recognised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from bots.responder.attempt import WORDS as PATIENCE
from bots.responder.budget import SPENT
from bots.responder.case.inbox import CROWDED
from bots.responder.limits import NOTICES, TOO_MANY_FIXED, TOO_MANY_LINES
from bots.responder.rules import phrases
from bots.responder.rules.about_me import HELP, HOW_TO_ASK, HOW_TO_STOP
from bots.responder.rules.answers import CAN, NOT_ANSWERING, NOT_UNDERSTOOD, UNSURE_AGAIN
from bots.responder.rules.outcomes import NOT_YOURS, WAS_IDLE
from bots.responder.rules.requests.read import TOO_MANY
from bots.responder.rules.requests.read import UNSURE as UNCLEAR
from bots.text.closing import Closings
from bots.text.language import Language
from bots.words import table

APOLOGY = "Sorry, something went wrong in me; it is in the log."
FORGETFUL = "I cannot write anything down right now, so I did not take that in. Try again later."
TOO_MANY_COMMANDS = "That is too many commands; wait {seconds:g} s."

UNREAD = (NOT_UNDERSTOOD, NOT_ANSWERING, CAN, *UNSURE_AGAIN)
REFUSALS = (*UNREAD, UNCLEAR, TOO_MANY, HOW_TO_ASK, NOT_YOURS, WAS_IDLE)
HELPS = (HELP, HOW_TO_STOP)
NOTICED = (*NOTICES.values(), TOO_MANY_LINES, TOO_MANY_FIXED, CROWDED, SPENT)
OF_COMMANDS = (APOLOGY, FORGETFUL, TOO_MANY_COMMANDS, *PATIENCE.values())
LANGUAGES: tuple[Language, ...] = ("en", "ja")


@cache
def closings() -> Closings:
    """All of them."""
    return Closings(texts())


def texts() -> Iterator[str]:
    for words in (*REFUSALS, *HELPS, *NOTICED):
        yield from words
    yield from OF_COMMANDS
    yield from small_talk()
    for language in LANGUAGES:
        for _, phrase in phrases.rows(language):
            yield from phrase.says


def small_talk() -> Iterator[str]:
    """The sentences of idle bots."""
    for language in LANGUAGES:
        yield from _lists_in(table("idle", language))


def _lists_in(part: Any) -> Iterator[str]:
    if isinstance(part, Mapping):
        for below in part.values():
            yield from _lists_in(below)
    elif isinstance(part, list):
        yield from part
