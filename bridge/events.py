"""What happens to bots, parsed once in `wire.py`; everything later takes these types."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NewType, TypeAlias

from bridge.causes import Cause
from bridge.world import BotName, Death, ItemStack, MobSighting, PlayerName, Position

ActionId = NewType("ActionId", str)

Ending = Literal["kicked", "error", "end", "spawn_timeout", "node_died", "requested"]
"""How a connection ended: the server kicked, the socket failed, the socket closed,
it stayed silent past the spawn deadline, our Node died, we asked for it."""

NEAR = 16.0  # blocks
RINGS = (3.0, 6.0, 8.0, 12.0, NEAR)
"""How near a monster came counts by these distances."""
LEEWAY = 1.0
"""Blocks beyond a ring until a monster that was within it has left it."""

Outcome = Literal["done", "failed", "cancelled", "replaced", "deadline", "disconnected"]

FailureReason = Literal[
    "too_far",
    "no_path",
    "no_tool",
    "inventory_full",
    "missing_item",
    "unknown_item",
    "no_recipe",
    "not_found",
    "not_recognised",
    "blocked",
    "unconfirmed",
    "window_closed",
    "wrong_block",
    "not_edible",
    "not_hungry",
    "wrong_slot",
    "unseen_player",
    "died",
    "internal",
]


@dataclass(frozen=True, slots=True)
class WhisperReceived:
    """A private message, proven by the server's own private-message format."""

    bot: BotName
    sender: PlayerName
    text: str
    at: datetime
    dialect: str = "vanilla"
    """Whose format it was: a `DialectName`, or the server's own."""


@dataclass(frozen=True, slots=True)
class ChatHeard:
    """A line of public chat by another player."""

    bot: BotName
    sender: PlayerName
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class LineUnheard:
    """A line that names a player, in a format nobody told us of."""

    bot: BotName
    text: str
    at: datetime
    looks: Literal["private", "public", ""] = "private"
    """Like a whisper, like public chat, or like neither."""
    speaker: PlayerName | None = None
    """Whose line it seems to be, of public chat."""


RefusalKind = Literal["unknown_command", "forbidden", "not_found", "muted", "refused"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a server did not carry a line."""

    kind: RefusalKind
    words: str
    """The server's own."""
    key: str = ""
    """Their translation key, or ''."""


@dataclass(frozen=True, slots=True)
class LineAnswered:
    """What the server says of a line that a bot sent: that it went out, or why not."""

    bot: BotName
    to: PlayerName | None
    """None: it was public."""
    text: str
    """As it was given; '' of what the bot says on joining, which may hold a password."""
    refusal: Refusal | None
    at: datetime


@dataclass(frozen=True, slots=True)
class BotSpawned:
    bot: BotName
    version: str
    position: Position
    at: datetime


@dataclass(frozen=True, slots=True)
class BotDisconnected:
    bot: BotName
    ending: Ending
    text: str
    """What the server or the socket said: plain words, an error code, or ''."""
    at: datetime
    key: str = ""
    """The translation key of the server's words, as `multiplayer.disconnect.idling`, or ''."""


@dataclass(frozen=True, slots=True)
class HealthChanged:
    """Coalesced: only the newest of a burst arrives; a death is told by `BotDied`."""

    bot: BotName
    health: float
    food: float
    at: datetime


@dataclass(frozen=True, slots=True)
class BotHurt:
    """A bot lost health."""

    bot: BotName
    lost: float
    """Half-hearts."""
    health: float
    """What is left; at 0 a `BotDied` comes, too."""
    cause: Cause | None
    """What did it; None: nobody knows."""
    position: Position
    dimension: str
    at: datetime


@dataclass(frozen=True, slots=True)
class MonstersNear:
    """Other monsters than before are within `NEAR` blocks of a bot, or one came a ring nearer or
    went farther away. Coalesced: only the newest of a burst arrives."""

    bot: BotName
    monsters: tuple[MobSighting, ...]
    """All of them, nearest first; none any more: empty."""
    at: datetime


Harm: TypeAlias = Literal["lava", "fire", "burning", "buried", "airless", "night"]
"""burning: it is on fire, wherever it stands. buried: its head is inside of a whole block.
airless: half of its breath or less is left.
night: it is night in the overworld, and the world is not known to be peaceful."""


@dataclass(frozen=True, slots=True)
class BotEndangered:
    """What harms a bot where it is, told when that changes. Coalesced as `MonstersNear`."""

    bot: BotName
    by: frozenset[Harm]
    """Empty: it is out of it."""
    at: datetime


@dataclass(frozen=True, slots=True)
class BotDied:
    """A bot died. It may live again by now: what it was of is known a moment later."""

    bot: BotName
    death: Death
    """As snapshots tell it."""
    cause: Cause | None
    """What it died of; None: nobody knows."""
    dimension: str
    world: str
    """Which of several of a dimension, as in snapshots; '': the server tells none."""
    carried: tuple[ItemStack, ...]
    """What it had with it, as far as it knew."""
    at: datetime


@dataclass(frozen=True, slots=True)
class ItemGiven:
    """A bot picked up what another player had thrown."""

    bot: BotName
    player: PlayerName
    item: str
    count: int
    at: datetime
    meant_for: PlayerName | None = None
    """For whom it was thrown; None if for this bot, or for nobody."""


@dataclass(frozen=True, slots=True)
class HandOverSeen:
    """One player threw something to another, beside the bot."""

    bot: BotName
    giver: PlayerName
    taker: PlayerName
    at: datetime


@dataclass(frozen=True, slots=True)
class BlockPlaced:
    """Another player put a block down where a bot saw it, or was near as one went."""

    bot: BotName
    player: PlayerName
    block: str
    """What stands there now; `air` where one is gone."""
    position: Position
    dimension: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayerHurt:
    """Another player was hurt where a bot saw it; nobody tells it by what."""

    bot: BotName
    player: PlayerName
    position: Position
    dimension: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayerDied:
    """Another player died where a bot saw it."""

    bot: BotName
    player: PlayerName
    position: Position
    dimension: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    bot: BotName
    player: PlayerName
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    bot: BotName
    player: PlayerName
    at: datetime


@dataclass(frozen=True, slots=True)
class ActionProgress:
    """Coalesced: only the newest of a burst arrives."""

    bot: BotName
    action_id: ActionId
    done: int
    total: int
    at: datetime


@dataclass(frozen=True, slots=True)
class ActionFinished:
    """The one end of a begun action."""

    bot: BotName
    action_id: ActionId
    outcome: Outcome
    reason: FailureReason | None
    """Set when the outcome is `failed`."""
    message: str
    result: Mapping[str, Any] = field(default_factory=dict)
    at: datetime = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class BridgeLost:
    """A Node died or hung; a `BotDisconnected("node_died")` for each of its bots follows."""

    why: str
    at: datetime
    bots: tuple[BotName, ...] = ()
    """Those it carried."""
    host: int = 1
    """Which of the Node processes, from 1."""
    hosts: int = 1
    """How many there are."""


@dataclass(frozen=True, slots=True)
class BridgeRestored:
    """The Node is back; its bots may be spawned again."""

    after_s: float
    at: datetime
    host: int = 1
    hosts: int = 1


BridgeEvent: TypeAlias = (
    WhisperReceived
    | ChatHeard
    | LineUnheard
    | LineAnswered
    | BotSpawned
    | BotDisconnected
    | HealthChanged
    | BotHurt
    | MonstersNear
    | BotEndangered
    | BotDied
    | ItemGiven
    | HandOverSeen
    | BlockPlaced
    | PlayerHurt
    | PlayerDied
    | PlayerJoined
    | PlayerLeft
    | ActionProgress
    | ActionFinished
    | BridgeLost
    | BridgeRestored
)


class Arrivals:
    """First in, first out. Its bound is kept at the source: Node holds events back while
    many wait here (host/outbox.cjs)."""

    def __init__(self) -> None:
        self._unread: deque[BridgeEvent] = deque()
        self._woken = asyncio.Event()
        self._is_closed = self._is_taken = False

    def unread(self) -> int:
        """How many wait; right in any thread."""
        return len(self._unread)

    def put(self, events: Iterable[BridgeEvent]) -> None:
        self._unread.extend(events)
        self._woken.set()

    def close(self) -> None:
        """End the stream once what is unread has been read."""
        self._is_closed = True
        self._woken.set()

    async def read(self) -> AsyncIterator[BridgeEvent]:
        """Every event until closed. Raises RuntimeError for a second reader."""
        if self._is_taken:
            raise RuntimeError("events() has one reader")
        self._is_taken = True
        try:
            while await self._has_more():
                yield self._unread.popleft()
        finally:
            self._is_taken = False

    async def _has_more(self) -> bool:
        while not self._unread and not self._is_closed:
            self._woken.clear()
            await self._woken.wait()
        return bool(self._unread)
