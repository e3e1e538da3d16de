"""Turns errors into results: every error that a user can meet has a reason and a sentence."""

from __future__ import annotations

from typing import Any

from bots.bot.result import Failure
from bots.errors import CommandError, SpeechRefused, StoreError
from bridge.errors import BotError, BridgeDown, BridgeTimeout, LineTooLong, NotConnected

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
