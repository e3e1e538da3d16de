"""Prompt parts: who a bot is, and quoting of everything that others said.

The instructions are made from files only. Whatever anybody said, names included, reaches the
model as JSON strings in user turns, so that no line can pose as another speaker or as us.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bots.access.origin import Fellow, Operator
from bots.chat.message import AnyDelivery, Delivery, Message
from bots.responder.case.events import EventReport
from bots.responder.case.inbox import PendingTurn
from bots.responder.case.persona import Persona
from llm.engine.context import Line
from llm.model import Turn
from llm.prompts import CHARACTER

MAX_TOKENS = 1_000  # thinking included; the prompt asks for few words
LONGEST_LINE = 1_000  # characters; whispers are far shorter
SENSES = "# What you sense now"
"""Heads the last part of a question."""

_HEADING = re.compile(r"^(?=#{1,5} )", re.MULTILINE)
_UNSEEN = re.compile(
    r"[\u007f-\u00a0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
"""Control, invisible and bidi characters, line separators, halves of surrogate pairs."""


def character_of(persona: Persona) -> str:
    """The instructions that are a bot's own, behind those that all bots share."""
    return CHARACTER.substitute(files_of(persona))


def files_of(persona: Persona) -> dict[str, str]:
    """A bot's own files as they are filled into instructions, their headings below ours."""
    return {
        "name": persona.name,
        "persona": _HEADING.sub("#", persona.text),
        "memory": _HEADING.sub("#", persona.memory) or "Nothing special yet.",
    }


def quoted(value: Mapping[str, Any] | str) -> str:
    """JSON in one line, with invisible characters escaped."""
    return shown(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def shown(text: str) -> str:
    """The text with invisible characters escaped."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def asker_row(turn: PendingTurn) -> str:
    """The row that says whom the answer goes to."""
    kinds = {Fellow: "bot", Operator: "operator"}
    asker: dict[str, Any] = {
        "name": turn.speaker,
        "who_is": kinds.get(type(turn.origin), "player"),
    }
    return quoted({"answer": {**asker, "in_public": True} if turn.public else asker})


def event_row(event: EventReport) -> str:
    """The row of an event."""
    return quoted({"event": event.text, **({"of": event.about} if event.about else {})})


def turn_of(message: Message) -> Turn | None:
    """Own words as an assistant turn, others' as data; None if not said or not delivered."""
    said, text, aim = message.utterance, message.text, message.utterance.delivery
    if text is None or not message.was_said:
        return None
    if message.role == "user":
        return Turn("user", line_row(said.speaker, text))
    if said.asked_by is not None:  # words that somebody else had us say
        return Turn("user", quoted({"from": said.asked_by, "to": _to(aim), "had_you_say": text}))
    return Turn("assistant", text)


def line_of(message: Message) -> Line | None:
    """The turn of a message, cut to `LONGEST_LINE`, with where its words come from."""
    turn = turn_of(_cut(message))
    sources = frozenset({message.utterance.sources})
    return None if turn is None else Line(message.sequence, turn, sources)


def shortened(words: str) -> str:
    return words if len(words) <= LONGEST_LINE else words[: LONGEST_LINE - 1] + "…"


def _cut(message: Message) -> Message:
    if message.text is None or len(message.text) <= LONGEST_LINE:
        return message
    said = replace(message.utterance, content=shortened(message.text))
    return replace(message, utterance=said)


def _to(aim: AnyDelivery | None) -> str:
    return aim.target if isinstance(aim, Delivery) else "several"


def line_row(speaker: str, words: str) -> str:
    """The row of a line that somebody said."""
    return quoted({"from": speaker, "says": words})
