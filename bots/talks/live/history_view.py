"""A bot's history as a model reads it in a talk; who said what cannot be forged.

own words          assistant turns
a person's         {"from":"Steve","says":"…"}
another bot's      (Bob said) "…"  or, in Japanese,  （Bobの発言） "…"

Every line of a user turn is one message. Its words, and a person's name, are JSON strings: no
line break, quote or bracket can end them, so nobody can pose as somebody else.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from bots.chat.message import AnyDelivery, Delivery, Message
from bots.responder.case.quoting import quoted
from bots.text.language import language_of
from llm.model import Turn

WINDOW = 20  # newest messages that reach the model

_UNPLAIN = re.compile(r"[^\w.\-]")
"""Characters that no bot's name has and that could end an annotation."""


@dataclass(frozen=True, slots=True)
class Aloud:
    """A talk in public chat, which must not reveal private lines."""

    since: int
    """The number of the bot's last message before the talk."""
    participants: Container[str]
    """Whatever these said since then, they said to everybody in the talk."""

    def is_for_all(self, message: Message) -> bool:
        in_talk = message.sequence > self.since and message.utterance.speaker in self.participants
        return message.public or in_talk


def view_of(
    history: Sequence[Message], bots: Container[str], aloud: Aloud | None = None
) -> tuple[Turn, ...]:
    """One bot's history as turns, oldest first; `bots` are the names of all our bots."""
    said = [m for m in history if m.utterance.kind == "conversation" and m.text is not None]
    seen = [message for message in said if aloud is None or aloud.is_for_all(message)]
    turns = (_turn(message, bots) for message in seen[-WINDOW:])
    return tuple(turn for turn in turns if turn is not None)


def annotated(bot: str, words: str) -> str:
    """Another bot's words."""
    name = _UNPLAIN.sub("_", bot)
    head = f"（{name}の発言）" if language_of([words]) == "ja" else f"({name} said)"
    return f"{head} {quoted(words)}"


def _turn(message: Message, bots: Container[str]) -> Turn | None:
    said, words, aim = message.utterance, message.text or "", message.utterance.delivery
    if message.role == "assistant":
        if aim is not None and not aim.delivered:
            return None  # nobody heard it
        if said.asked_by is not None:  # somebody else's words in our mouth
            order = {"from": said.asked_by, "to": _to(aim), "had_you_say": words}
            return Turn("user", quoted(order))
        return Turn("assistant", words)
    if said.speaker in bots:
        return Turn("user", annotated(said.speaker, words))
    return Turn("user", quoted({"from": said.speaker, "says": words}))


def _to(aim: AnyDelivery | None) -> str:
    return aim.target if isinstance(aim, Delivery) else "several"
