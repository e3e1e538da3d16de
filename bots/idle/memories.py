"""What bots remember of people: what they wished for, what talks were about, what they want to be
called. Only what everybody who hears it may know.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace

from bots.access.origin import Level, Person, is_operator
from bots.access.sources import Sources
from bots.access.visibility import Visibility, hearers_of
from bots.bot.bot import Bot
from bots.chat.message import Message
from bots.clock import Stopwatch
from bots.idle.seen import Seen, TalkedOf, Wished
from bots.text.excerpt import excerpt
from bots.text.language import normal
from bridge.world import PlayerName

AGAIN_AFTER_S = 1_800.0
"""The same words of a person are spoken of again no sooner."""
LONGEST = 90  # characters that are repeated
SHORTEST = 8

_WISH = re.compile(
    r"\bi(?:'d| would)?(?: really)? (?:want|wish|hope|dream|love|like)\b(?! you\b)"
    r"|(?:たい|(?<!て)(?:ほしい|欲しい))(?:です|な|の|んだ|よ|ね)*[。！!]?$"
)
_NAME = re.compile(
    r"\b(?:my name is|call me|i am called) ([^\W\d_]{2,16})\b|名前は([^\W\d_]{1,12}?)(?:です|だ|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Memory:
    """Something a bot may come back to, and where the words come from."""

    seen: Seen
    sources: Sources


class Memories:
    """Of all bots of a daemon, found in their histories."""

    def __init__(self, fellows: Container[str], stopwatch: Stopwatch) -> None:
        self._fellows, self._stopwatch = fellows, stopwatch
        self._told_at: dict[int, float] = {}

    def of(self, bot: Bot, people: Iterable[str]) -> Memory | None:
        """The newest that these people may hear of and that was not spoken of lately."""
        for message in reversed(self._known(bot, people)):
            if self._was_told(message) or (seen := self._notable(message)) is None:
                continue
            return self._told(message, seen)
        return None

    def wish_of(self, bot: Bot, person: str) -> Memory | None:
        """What somebody wished for, to be told to them alone."""
        for message in reversed(self._known(bot, [person])):
            seen = self._notable(message)
            if isinstance(seen, Wished) and seen.person == person and not self._was_told(message):
                return self._told(message, replace(seen, is_here=True))
        return None

    def name_of(self, bot: Bot, person: str, people: Iterable[str]) -> tuple[str, Sources] | None:
        """What somebody wants to be called, if these people may know it."""
        for message in reversed(self._known(bot, people)):
            said = message.utterance
            if said.speaker == person and (found := _NAME.search(message.text or "")):
                return next(filter(None, found.groups())), said.sources
        return None

    def _known(self, bot: Bot, people: Iterable[str]) -> list[Message]:
        """What persons said to the bot, as far as these may know it."""
        level_of = bot.permissions.level_of
        view = Visibility(
            Level.PLAYER, hearers_of([Person(PlayerName(name)) for name in people], level_of)
        )
        return [
            message
            for message in bot.attended_history()
            if self._is_persons(message) and view.shows(message.utterance.sources, level_of)
        ]

    def _is_persons(self, message: Message) -> bool:
        speaker = message.utterance.speaker
        return (
            message.was_said
            and message.role == "user"
            and speaker not in self._fellows
            and not is_operator(speaker)
        )

    def _told(self, message: Message, seen: Seen) -> Memory:
        now = self._stopwatch()
        kept = {said: at for said, at in self._told_at.items() if now - at < AGAIN_AFTER_S}
        self._told_at = {**kept, message.utterance.id: now}
        return Memory(seen, message.utterance.sources)

    def _was_told(self, message: Message) -> bool:
        at = self._told_at.get(message.utterance.id)
        return at is not None and self._stopwatch() - at < AGAIN_AFTER_S

    def _notable(self, message: Message) -> Seen | None:
        said, words = message.utterance, message.text or ""
        is_order = any(letter.isdigit() for letter in words)
        if is_order or not SHORTEST <= len(words) <= LONGEST:
            return None
        if _WISH.search(normal(words)):
            return Wished(said.speaker, excerpt(words, LONGEST))
        if said.talk is not None and words.rstrip().endswith(("?", "？")):
            return TalkedOf(said.speaker, excerpt(words, LONGEST))
        return None
