"""Renders a result as lines: a few that fit into whispers, or all of them."""

from __future__ import annotations

from typing import Any

from bots.bot.result import Failure, Result
from bots.errors import CommandError, SpeechRefused, StoreError
from bots.text.sanitise import one_line
from bridge.errors import BotError, BridgeDown, BridgeTimeout, LineTooLong, NotConnected

LINE = 230  # characters: with `/tell` and the longest name still one chat line of 256
LINES = 8  # as many as a whispered history has; other results have fewer


def render(result: Result) -> list[str]:
    """At least one line, at most `LINES`, none longer than `LINE` characters.

    A whisper holds as many lines as it can: each whisper counts for the spam limit."""
    lines = plain_lines(result)
    between, packed = result.between_lines, list[str]()
    for line in lines[-LINES:] if result.newest_last else lines[:LINES]:
        cut = line if len(line) <= LINE else line[: LINE - 1] + "…"
        joined = f"{packed[-1]}{between}{cut}" if packed and between is not None else None
        if joined is not None and len(joined) <= LINE:
            packed[-1] = joined
        else:
            packed.append(cut)
    return packed


def plain_lines(result: Result) -> list[str]:
    """Everything a result tells, at least one line, as for a terminal."""
    lines = [*result.lines(), result.aside]
    return [flat for line in lines if (flat := one_line(line))] or ["Done."]


UNKNOWN = "whether that was done is unknown"


def failure_of(error: BotError, **facts: Any) -> Failure:
    """The result for an error; `facts` go into its JSON."""
    match error:
        case CommandError():
            return Failure(reason=error.reason, message=error.message, data={**error.data, **facts})
        case SpeechRefused():
            return Failure(reason=error.reason, message=str(error), data=facts)
        case NotConnected():
            reason, sentence = "not_connected", f"{error.bot} is not in a world right now."
        case BridgeDown():
            reason, sentence = "bridge_down", f"The link to Minecraft broke: {UNKNOWN}."
        case BridgeTimeout():
            reason, sentence = "timeout", f"Minecraft did not answer in time: {UNKNOWN}."
        case LineTooLong():
            reason, sentence = "too_long", f"A line has at most {error.limit} characters."
        case StoreError():
            reason, sentence = "store_failed", "The memory cannot be read or written just now."
        case _:
            reason, sentence = "bridge_failed", "Minecraft refused that just now."
    return Failure(reason=reason, message=sentence, data=facts)
