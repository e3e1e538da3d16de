"""Which lines of a bot's history one decision may be made from.

Whoever has something done must not be misled by somebody who may do less: a decision with tools
shows only lines of those who stand at least as high as its speaker. Own words often repeat what
others said, so they count as the words of those they were said to.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from bots.access.origin import OPERATOR_NAME, Fellow, Level, Operator, Origin, Person
from bots.access.permissions import Permissions
from bots.chat.message import Delivery, GroupDelivery, Message
from bridge.world import BotName, PlayerName

LevelOf: TypeAlias = Callable[[str], Level]
"""What a speaker may do, by the name their lines are recorded under."""

ANYBODY = "@anybody"
"""Stands for whoever was there; no player can be called so."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """What may be shown; each view of a bot has summaries of its own."""

    level: Level
    """Of everyone whose words are in it, at least."""
    public: bool = False
    """Only what was said in public."""

    def shows(self, message: Message, level_of: LevelOf) -> bool:
        if self.public and not message.public:
            return False
        return self.trusts(sources_of(message), level_of)

    def trusts(self, sources: Iterable[str], level_of: LevelOf) -> bool:
        """Whether the words of all of these may be in it."""
        if self.level == Level.PLAYER:
            return True
        return all(name != ANYBODY and level_of(name) >= self.level for name in sources)


def sources_of(message: Message) -> frozenset[str]:
    """Whose words a message may hold."""
    said = message.utterance
    if message.role == "user":
        return frozenset({said.speaker})
    if said.asked_by is not None:
        return frozenset({said.asked_by})
    match said.delivery:
        case None:  # only the operator is answered without a line in the world
            return frozenset({OPERATOR_NAME})
        case Delivery(target=target):
            return frozenset({target})
        case GroupDelivery(hearers=hearers) if hearers:
            return frozenset(hearer.name for hearer in hearers)
    return frozenset({ANYBODY})


def standing(permissions: Permissions, bots: Container[str]) -> LevelOf:
    """Levels by the names that lines are recorded under; `bots` are all bots of ours."""

    def level_of(name: str) -> Level:
        return permissions.level_of(_origin(name, bots))

    return level_of


def _origin(name: str, bots: Container[str]) -> Origin:
    if name == OPERATOR_NAME:
        return Operator("exec")
    return Fellow(BotName(name)) if name in bots else Person(PlayerName(name))
