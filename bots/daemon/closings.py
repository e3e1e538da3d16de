"""What bots say that wants no answer: all of it, so that other bots' lines are recognised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args

from bots.responder.rules import phrases
from bots.text.closing import Closings
from bots.text.language import Language
from bots.words import languages, table

APOLOGY = "Sorry, something went wrong in me; it is in the log."
FORGETFUL = "I cannot write anything down right now, so I did not take that in. Try again later."
TOO_MANY_COMMANDS = "That is too many commands; wait {seconds:g} s."
OF_COMMANDS = (APOLOGY, FORGETFUL, TOO_MANY_COMMANDS)


@cache
def closings() -> Closings:
    """All of them."""
    return Closings(texts())


def texts() -> Iterator[str]:
    """Refusals, help and notices; what commands say; small talk."""
    yield from OF_COMMANDS
    for section in ("closing", "idle"):
        for language in languages():
            yield from _sentences(table(section, language), section == "idle")
    for language in get_args(Language):
        for _, phrase in phrases.rows(language):
            yield from phrase.says


def _sentences(part: Any, in_lists: bool) -> Iterator[str]:
    match part:
        case Mapping():
            for below in part.values():
                yield from _sentences(below, in_lists)
        case list():
            yield from part
        case str() if not in_lists:
            yield part
