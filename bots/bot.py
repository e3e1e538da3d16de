"""One bot as everything above it sees it: three separate outputs, senses, deeds, an ear."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container
from contextlib import AbstractContextManager

import structlog

from bots.clock import Clock
from bots.conversation.conversation import Conversation
from bots.conversation.message import Content, Message
from bots.conversation.receipts import Receipts
from bots.deeds import Deed, Deeds
from bots.natural_message import NaturalHandler, NaturalMessage, NaturalMessages
from bots.origin import Origin
from bots.permissions import Permissions
from bots.speech.governor import Governor
from bots.stoppables import MayStop, Stoppables, anything
from bots.telling import Telling, Told
from bridge.actions import Action
from bridge.events import ActionFinished
from bridge.port import ACTION_DEADLINE_S, Bridge
from bridge.world import BotName, PlayerName, WorldSnapshot

__all__ = ["Bot", "NaturalMessage", "Told"]

log = structlog.get_logger()

HEARING_RANGE = 15.0  # blocks (seed 000)


class Bot:
    """A bot of ours. Nothing here decides; commands, answers and goals do, through it."""

    def __init__(
        self,
        name: BotName,
        bridge: Bridge,
        *,
        conversation: Conversation,
        governor: Governor,
        receipts: Receipts,
        permissions: Permissions,
        clock: Clock,
        fellows: Container[str] = (),
        hearing_range: float = HEARING_RANGE,
    ) -> None:
        self.name = name
        self.hearing_range = hearing_range
        self.permissions = permissions
        self.deeds = Deeds(name, bridge, clock)
        self._bridge, self._governor, self._conversation = bridge, governor, conversation
        self._telling = Telling(name, bridge, governor, conversation, receipts, fellows)
        self._stoppables = Stoppables()
        self._natural_messages = NaturalMessages()

    def system_log(self, message: str) -> None:
        """Write to the program's log, and nowhere else."""
        log.info("bot.noted", bot=self.name, message=message)

    async def speak(
        self,
        username: str,
        message: str,
        *,
        max_wait_s: float | None = None,
        gives_way: bool = False,
    ) -> tuple[str, ...]:
        """Whisper, and record nothing; the lines as they were sent. Raises `SpeechRefused`.

        With `gives_way` it waits until all answers are out."""
        return await self._governor.say(
            PlayerName(username), message, max_wait_s=max_wait_s, gives_way=gives_way
        )

    async def add_message(
        self, speaker: str, content: Content, type: str = "conversation"
    ) -> Message:
        """Record in this bot's history, and say nothing."""
        return await self._conversation.add(self.name, speaker, content, type)

    def get_conversation_history(
        self,
        *,
        username: str | None = None,
        usernames: Collection[str] | None = None,
        type: str | None = None,
        since: int | None = None,
        limit: int | None = None,
    ) -> list[Message]:
        """The newest messages in time order; filters combine."""
        return self._conversation.history(
            self.name, username=username, usernames=usernames, type=type, since=since, limit=limit
        )

    def latest_sequence(self) -> int:
        """The number of the newest message of this bot's history, 0 when it is empty."""
        return self._conversation.latest_sequence(self.name)

    async def tell(
        self,
        username: str,
        text: str,
        max_distance: float,
        *,
        asked_by: str | None = None,
        may_order: bool = False,
    ) -> Told:
        """Whisper to a player within range and record how that went.

        `asked_by` is whose words these are, unless the bot's own. `may_order` lets a leading
        `!` or `/` through: only for what an operator typed."""
        return await self._telling.tell(
            username, text, max_distance, asked_by=asked_by, may_order=may_order
        )

    async def reply(self, username: str, text: str) -> Told:
        """Whisper back to somebody who spoke, in range or not, and record it."""
        return await self._telling.reply(username, text)

    def on_natural_message(self, handler: NaturalHandler) -> Callable[[], None]:
        """Call `handler`, sync or async, for each natural message; returns the undo."""
        return self._natural_messages.subscribe(handler)

    def fire(self, message: NaturalMessage) -> None:
        """Hand a recorded natural message to the handlers; returns at once."""
        self._natural_messages.fire(message)

    async def snapshot(self, *, blocks_within: int = 0) -> WorldSnapshot:
        """All this bot senses, in one crossing."""
        return await self._bridge.snapshot(self.name, blocks_within=blocks_within)

    async def begin(
        self,
        action: Action,
        *,
        deadline_s: float = ACTION_DEADLINE_S,
        started_by: Origin | None = None,
    ) -> Deed:
        """Start an action and return at once; the one under way ends as `replaced`."""
        return await self.deeds.begin(action, deadline_s=deadline_s, started_by=started_by)

    async def act(
        self,
        action: Action,
        *,
        deadline_s: float = ACTION_DEADLINE_S,
        started_by: Origin | None = None,
    ) -> ActionFinished:
        """Do an action and wait for its end, whatever the end is."""
        return await self.deeds.wait(
            await self.begin(action, deadline_s=deadline_s, started_by=started_by)
        )

    def running(
        self, name: str, stop: Callable[[], object], started_by: Origin | None = None
    ) -> AbstractContextManager[None]:
        """Let `!stop` call `stop` for as long as the block lasts."""
        return self._stoppables.running(name, stop, started_by)

    @property
    def doing(self) -> list[str]:
        """What runs now: the action first, then what registered as running."""
        deed = self.deeds.current
        return [*([deed.name] if deed else []), *self._stoppables.names]

    async def stop(self, may_stop: MayStop = anything) -> list[str]:
        """End everything that runs and may be ended; its names. Works without a bridge."""
        stopped = self._stoppables.stop(may_stop)
        return [*await self.deeds.stop(may_stop), *stopped]

    async def aclose(self) -> None:
        """End the handlers of natural messages that still run."""
        await self._natural_messages.aclose()
