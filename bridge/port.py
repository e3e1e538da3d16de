"""The port between this program and Minecraft. Implementations: `JSBridge` (real bots in
Node) and `FakeBridge` (a world in memory); both pass `tests/contract`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from bridge.actions import Action, Gaze, Glance, Query
from bridge.events import ActionId, BotSpawned, BridgeEvent
from bridge.world import BotName, PlayerName, Position, WorldSnapshot

T = TypeVar("T")

ACTION_DEADLINE_S = 120.0
SHUNNED_AT = 8.0  # blocks; see host/acting/manners.cjs
SPAWN_TIMEOUT_S = 20.0
WHISPER_COMMANDS = ("tell", "msg", "w")
"""Vanilla's three of the same meaning; plugins may have taken some away."""
WHISPER_COMMAND = WHISPER_COMMANDS[0]
WIDE_VIEW_CHUNKS = 6
"""What servers send around a bot that asks for nothing else, if they send so far."""


@dataclass(frozen=True, slots=True)
class Accounts:
    """The bots that join with a Microsoft account, and where `townsfolk login` keeps its tokens."""

    folder: Path
    bots: frozenset[str]

    def file(self, bot: str) -> Path | None:
        """Where the tokens of a bot are; None when it joins without an account."""
        return self.folder / f"{bot}.json" if bot in self.bots else None


NO_ACCOUNTS = Accounts(Path(), frozenset())


@dataclass(frozen=True, slots=True)
class ServerAddress:
    host: str
    port: int
    version: str | None = None
    """None = ask the server."""
    on_join: tuple[str, ...] = field(default=(), repr=False)
    """Lines each bot sends as soon as it is in the world, `{bot}` its name; they may hold a
    password."""
    accounts: Accounts = NO_ACCOUNTS
    """Who joins with an account."""
    passwords: tuple[str, ...] = field(default=(), repr=False)
    """What of these lines is said to the server alone."""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    def unsaid(self, text: str) -> str:
        """What the server said, without the passwords that it may say back."""
        for password in self.passwords:
            text = text.replace(password, "***")
        return text


class Bridge(Protocol):
    """Drives every bot; small, async, plain values.

    Every operation on a bot that is not in a world raises `NotConnected`. When Node dies
    under a command it raises `BridgeDown`: whether the command ran is then unknown."""

    async def spawn(
        self,
        bot: BotName,
        server: ServerAddress,
        *,
        timeout_s: float = SPAWN_TIMEOUT_S,
        view_chunks: int = WIDE_VIEW_CHUNKS,
    ) -> BotSpawned:
        """Join a server, which sends so many chunks around the bot. Raises `SpawnFailed`. A bot
        already in a world is left as it is."""
        ...

    async def despawn(self, bot: BotName) -> None:
        """Leave the world; `BotDisconnected("requested")` follows."""
        ...

    async def snapshot(self, bot: BotName, *, blocks_within: int = 0) -> WorldSnapshot:
        """All the bot senses, in one crossing; with block counts in a cube of that reach."""
        ...

    async def whisper(
        self, bot: BotName, to: PlayerName, text: str, *, command: str = WHISPER_COMMAND
    ) -> None:
        """Send one private line by this command of the server; what the server says of it follows
        as `LineAnswered`. Raises `LineTooLong` when it does not fit with its header."""
        ...

    async def chat(self, bot: BotName, text: str) -> None:
        """Send one line of public chat, never a server command. Raises `LineTooLong`."""
        ...

    async def begin(
        self,
        bot: BotName,
        action_id: ActionId,
        action: Action,
        *,
        deadline_s: float = ACTION_DEADLINE_S,
        shunned: tuple[Position, ...] = (),
    ) -> None:
        """Start an action and return at once; one `ActionFinished` ends it. An action already
        under way ends first, as `replaced`. It rather walks around places to shun, unless it starts
        or ends within `SHUNNED_AT` of them."""
        ...

    async def cancel(self, bot: BotName) -> ActionId | None:
        """End the action under way; its id, or None when there was none."""
        ...

    async def query(self, bot: BotName, query: Query[T]) -> T:
        """Answer a question about the world around; returns at once."""
        ...

    async def glance(self, bot: BotName, gaze: Gaze) -> Glance:
        """Turn the head at once, beside everything else; an action under way keeps it."""
        ...

    async def see(self, bot: BotName, chunks: int) -> None:
        """Ask the server for so many chunks around a bot; it may send fewer. After a bot was told
        to see farther, what looks far waits until the land is there, 1.5 s at most."""
        ...

    async def pause(self, bot: BotName) -> None:
        """Stop reading this bot's socket (its mailbox is full); nothing is lost."""
        ...

    async def resume(self, bot: BotName) -> None:
        """Read this bot's socket again."""
        ...

    def events(self) -> AsyncIterator[BridgeEvent]:
        """All events of all bots in the order they happened; one reader."""
        ...

    async def aclose(self) -> None:
        """Bots leave, Node ends; safe to call twice."""
        ...
