"""Prompt parts: who a bot is, and quoting of everything that others said.

The instructions are made from files only. Whatever anybody said, names included, reaches the
model as JSON strings in user turns, so that no line can pose as another speaker or as us.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from bots.access.origin import Fellow, Level, Operator, is_operator
from bots.chat.message import (
    AnyDelivery,
    Circle,
    CircleKind,
    Delivery,
    GroupDelivery,
    Message,
    PublicDelivery,
)
from bots.responder.case.inbox import EventReport, PendingTurn
from bots.responder.case.persona import Persona
from bots.text.numbers import ago
from llm.engine.context import Line
from llm.model import Turn
from llm.prompts import CHARACTER

MAX_TOKENS = 1_000  # thinking included; the prompt asks for few words
LONGEST_LINE = 1_000  # characters; whispers are far shorter
BY_RULES = "rules_had_you_say"
"""Own words that no model chose: an apology for its silence, a fixed answer."""
SENSES = "# What you sense now"
"""Heads the last part of a question."""

THIS_HOUR = timedelta(hours=1)

_in_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
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
    return shown(_in_json(value))


def shown(text: str) -> str:
    """The text with invisible characters escaped."""
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def asker_row(turn: PendingTurn, level: Level) -> str:
    """The row that says whom the answer goes to, and what that one may do."""
    kinds = {Fellow: "bot", Operator: "operator"}
    asker: dict[str, Any] = {
        "name": turn.speaker,
        "who": kinds.get(type(turn.origin), level.name.lower()),
    }
    return quoted({"answer": {**asker, "in_public": True} if turn.public else asker})


def event_row(event: EventReport, when: str) -> str:
    """The row of an event."""
    about = {"of": event.about} if event.about else {}
    return quoted({"event": event.text, **about, "when": when})


def when(at: datetime, now: datetime) -> dict[str, str]:
    """How long ago something was. Within the hour nothing is said of it: by the minute, no prompt
    would begin as the one before, and none be found in a cache."""
    return {} if now - at < THIS_HOUR else {"when": ago(at, now)}


def turn_of(message: Message) -> Turn | None:
    """Own words as an assistant turn, others' as data; None if not said or not delivered."""
    said, text, aim = message.utterance, message.text, message.utterance.delivery
    if text is None or not message.was_said:
        return None
    if message.role == "user":
        return Turn("user", line_row(said.speaker, text))
    if said.asked_by is not None:  # words that somebody else had us say
        to = _to(aim, is_talk=said.talk is not None)
        return Turn("user", quoted({"from": said.asked_by, "to": to, "had_you_say": text}))
    if said.kind == "by_rules":
        return Turn("user", quoted({BY_RULES: text}))
    return Turn("assistant", text)


def line_of(message: Message) -> Line | None:
    """The turn of a message, cut to `LONGEST_LINE`, with where its words come from."""
    turn = turn_of(_cut(message))
    return None if turn is None else _line(message, turn)


@dataclass(frozen=True, slots=True)
class Retelling:
    """How earlier lines are told: with who said them, to whom, and when."""

    circle: Circle | None
    """The conversation of the answer; None: it goes to nobody. Own words in it need no addressee.
    """
    bots: Container[str]
    """The names of all known bots."""
    now: datetime

    def line_of(self, message: Message) -> Line | None:
        """As the plain `line_of`."""
        cut = _cut(message)
        if (turn := turn_of(cut)) is None:
            return None
        to_whom_it_goes = cut.circle == self.circle or cut.utterance.delivery is None
        if turn.role == "assistant" and to_whom_it_goes:
            return _line(message, turn)
        row = quoted({**self._told(cut), **when(cut.heard_at, self.now)})
        return _line(message, Turn("user", row))

    def _told(self, message: Message) -> dict[str, Any]:
        said, words = message.utterance, message.text
        if message.role == "user":
            to = {"to": _AMONG[kind]} if (kind := message.circle.kind) in _AMONG else {}
            # Of a person, what that one might do when it was said.
            who = "operator" if is_operator(said.speaker) else said.sources.level.name.lower()
            who = "bot" if said.speaker in self.bots else who
            return {"from": said.speaker, "says": words, "who": who, **to}
        to = {"to": _to(said.delivery, is_talk=said.talk is not None)}
        if said.asked_by is not None:
            return {"from": said.asked_by, **to, "had_you_say": words}
        return {**to, BY_RULES if said.kind == "by_rules" else "you_said": words}


_AMONG: Mapping[CircleKind, str] = {
    "talk": "the talk",
    "near": "all near",
    "public": "everybody",
}
"""Whom others' lines were said to; those for the bot alone say nothing of it."""


def shortened(words: str) -> str:
    return words if len(words) <= LONGEST_LINE else words[: LONGEST_LINE - 1] + "…"


def _cut(message: Message) -> Message:
    if message.text is None or len(message.text) <= LONGEST_LINE:
        return message
    said = replace(message.utterance, content=shortened(message.text))
    return replace(message, utterance=said)


def _line(message: Message, turn: Turn) -> Line:
    sources = frozenset({message.utterance.sources})
    return Line(message.sequence, turn, sources, message.heard_at)


def _to(aim: AnyDelivery | None, *, is_talk: bool) -> str:
    match aim:
        case Delivery(target=target):
            return target
        case PublicDelivery():
            return _AMONG["public"]
        case GroupDelivery() if is_talk:
            return _AMONG["talk"]
    return _AMONG["near"]


def line_row(speaker: str, words: str) -> str:
    """The row of a line that somebody said."""
    return quoted({"from": speaker, "says": words})
