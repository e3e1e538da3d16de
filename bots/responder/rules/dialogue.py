"""The dialogue of two bots, read from the history of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from bots.chat.message import Message
from bots.responder.rules.topics.manners import is_farewell
from bots.text.language import normal

PAUSE_ENDS = timedelta(seconds=90)  # after a longer silence, the next line begins a new talk


@dataclass(frozen=True, slots=True)
class Talk:
    """Lines between a bot and another bot, oldest first."""

    lines: tuple[tuple[str, str], ...]
    """(speaker, words)"""

    @property
    def turns(self) -> int:
        return len(self.lines)

    def parted(self, speaker: str) -> bool:
        """Whether the last line of this speaker was a goodbye."""
        last = next((words for who, words in reversed(self.lines) if who == speaker), "")
        return is_farewell(normal(last))

    def is_over(self, bot: str, fellow: str) -> bool:
        """Both said goodbye: nothing is left to answer."""
        return self.parted(bot) and self.parted(fellow)


def talk_with(history: Sequence[Message], bot: str, fellow: str) -> Talk:
    """The talk of the newest lines; it began after a long silence or a person's line."""
    lines: list[tuple[str, str]] = []
    later: Message | None = None
    for message in reversed(history):
        if later is not None and later.heard_at - message.heard_at > PAUSE_ENDS:
            break
        if message.utterance.speaker not in (bot, fellow):
            break
        if message.text is not None and _between(message, bot, fellow):
            lines.append((message.utterance.speaker, message.text))
            later = message
    return Talk(tuple(reversed(lines)))


def _between(message: Message, bot: str, fellow: str) -> bool:
    if message.utterance.kind != "conversation":
        return False
    if message.utterance.speaker == fellow:
        return True
    delivery = message.utterance.delivery
    return delivery is not None and delivery.meant_for(fellow)
