"""A bot's history as a model reads it in a talk; who said what cannot be forged.

own words          assistant turns
a person's         {"from":"Steve","says":"…"}
another bot's      (Bob said) "…"  or, in Japanese,  （Bobの発言） "…"
outside of it      {"from":"Steve","says":"…","who":"trusted","when":"2 hours ago"}

Every line of a user turn is one message. Its words, and a person's name, are JSON strings: no
line break, quote or bracket can end them, so nobody can pose as somebody else.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from bots.chat.message import AnyDelivery, Delivery, Message
from bots.responder.case.quoting import BY_RULES, Retelling, quoted
from bots.text.language import language_of
from llm.model import Turn

NOTHING_SEEN_TO: Mapping[int, tuple[str, ...]] = MappingProxyType({})
_UNPLAIN = re.compile(r"[^\w.\-]")
"""Characters that no bot's name has and that could end an annotation."""


def view_of(
    history: Sequence[Message],
    bots: Container[str],
    seen_to: Mapping[int, tuple[str, ...]] = NOTHING_SEEN_TO,
    told: Retelling | None = None,
) -> tuple[Turn, ...]:
    """One bot's lines as turns, oldest first; `bots` are the names of all our bots.

    `seen_to` has the bots that see to a request outside of the talk, by utterance. `told` tells
    the lines of other conversations; None: there are none."""
    said = (message for message in history if message.was_said)
    return tuple(_told(one, told) or _turn(one, bots, seen_to) for one in said)


def annotated(bot: str, words: str) -> str:
    """Another bot's words."""
    name = _UNPLAIN.sub("_", bot)
    head = f"（{name}の発言）" if language_of([words]) == "ja" else f"({name} said)"
    return f"{head} {quoted(words)}"


def _told(message: Message, told: Retelling | None) -> Turn | None:
    """A line that was said outside of the talk, with whom to and when."""
    line = None if told is None or message.circle == told.circle else told.line_of(message)
    return None if line is None else line.turn


def _turn(message: Message, bots: Container[str], seen_to: Mapping[int, tuple[str, ...]]) -> Turn:
    said, words = message.utterance, message.text or ""
    if message.role == "assistant":
        if said.asked_by is not None:  # somebody else's words in our mouth
            order = {"from": said.asked_by, "to": _to(said.delivery), "had_you_say": words}
            return Turn("user", quoted(order))
        if said.kind == "by_rules":
            return Turn("user", quoted({BY_RULES: words}))
        return Turn("assistant", words)
    if said.speaker in bots:
        return Turn("user", annotated(said.speaker, words))
    line: dict[str, Any] = {"from": said.speaker, "says": words}
    if said.id in seen_to:
        line["seen_to_by"] = list(seen_to[said.id])
    return Turn("user", quoted(line))


def _to(aim: AnyDelivery | None) -> str:
    return aim.target if isinstance(aim, Delivery) else "several"
