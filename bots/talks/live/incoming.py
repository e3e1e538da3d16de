"""Lines that people say to a talk; those that come after its end are given back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from bots.access.origin import Fellow, KnownBots, Origin, Person, speaker_of
from bots.chat.attendance import GiveBack
from bots.chat.conversation import Conversation
from bots.chat.message import Filter, Message
from bots.chat.natural_message import NaturalMessage
from bots.chat.turn_taking import PublicRoom
from bots.errors import StoreUnwritable
from bots.owned_tasks import OwnedTasks
from bots.responder.limits import Clockwork, notice
from bots.talks.live.bot_io import BotIO
from bots.talks.live.runner import TalkRunner
from bots.talks.machine.events import Participant, Spoke, TalkEvent
from bridge.world import BotName, PlayerName


def keep() -> None:
    """The line is answered by the talk alone."""


class IncomingLines:
    """The incoming lines of one talk, passed on in the order in which they were said."""

    def __init__(
        self,
        io: BotIO,
        runner: TalkRunner,
        who: Callable[[], Sequence[Participant]],
        *,
        conversation: Conversation,
        known_bots: KnownBots,
        clockwork: Clockwork,
    ) -> None:
        self._io, self._runner, self._who = io, runner, who
        self._conversation, self._known_bots = conversation, known_bots
        self._clockwork = clockwork
        self._room = PublicRoom()
        self._tasks = OwnedTasks()
        self._in_order = asyncio.Lock()
        self._untaken: list[tuple[Spoke, GiveBack]] = []

    def say(self, origin: Origin, text: str, to: str | None) -> None:
        """A line that no bot has heard yet."""
        self._start(self._take_in(origin, text, None, to))

    def hear(self, message: NaturalMessage, give_back: GiveBack) -> None:
        """A bot of the talk received a line from a participant."""
        found = self._conversation.history(message.bot, Filter(since=message.sequence - 1))
        heard = next((one for one in found if one.sequence == message.sequence), None)
        if message.from_ in self._known_bots.ours:
            if heard is not None and heard.utterance.asked_by is not None:
                # A command had a bot say this to another bot of the talk; nobody else was told.
                speaker = heard.utterance.speaker
                others = [one.name for one in self._who() if one.name != speaker]
                hearing = {name: None if name == heard.bot else "not_told" for name in others}
                self._tell(Spoke(speaker, heard.text or "", hearing, heard.bot), give_back)
            return  # otherwise it is a line of this talk that arrived
        if message.public and heard is not None:
            said = message.bot, message.from_, message.content
            if not self._room.is_news(*said, heard.heard_at):
                return  # another bot of the talk has brought it
        origin, public = message.origin, message.public
        self._start(
            self._take_in(
                origin, message.content, heard, message.bot, public=public, give_back=give_back
            )
        )

    def overhear(self, bot: str, speaker: str, text: str, at: datetime) -> None:
        """A bot of the talk saw a participant's line in public chat; other bots report it too."""
        if self._room.is_news(bot, speaker, text, at) and speaker not in self._known_bots.ours:
            is_bot = speaker in self._known_bots
            origin = Fellow(BotName(speaker)) if is_bot else Person(PlayerName(speaker))
            self._start(self._take_in(origin, text, None, None, public=True))

    def took(self, event: TalkEvent | None) -> None:
        """The talk has taken this event."""
        self._untaken = [waiting for waiting in self._untaken if waiting[0] is not event]

    async def finish(self) -> None:
        """The talk is over: give back the lines it did not take."""
        while len(self._tasks):
            async with self._in_order:
                await asyncio.sleep(0)
        for _spoke, give_back in self._untaken:
            give_back()
        self._untaken = []

    async def aclose(self) -> None:
        await self._tasks.aclose()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.start(work, "incoming line of a talk")

    async def _take_in(
        self,
        origin: Origin,
        text: str,
        heard: Message | None,
        to: str | None,
        *,
        public: bool = False,
        give_back: GiveBack = keep,
    ) -> None:
        if isinstance(origin, Person):  # who answers like a machine would keep it going for ever
            hearing = self._clockwork.hear(origin.name, text)
            if words := notice(hearing, text):
                self._io.tell(origin.name, words)
            if hearing != "heard":
                return
        async with self._in_order:
            with suppress(StoreUnwritable):  # what cannot be recorded is not heard
                said = await self._io.person_said(origin, text, heard, to, public=public)
                whom = None if public else next(iter(said.meant_for), to)
                spoke = Spoke(speaker_of(origin), text, said.hearing, whom, said.seen_to_by)
                self._tell(spoke, keep if said.seen_to_by else give_back)

    def _tell(self, spoke: Spoke, give_back: GiveBack) -> None:
        self._untaken.append((spoke, give_back))
        self._runner.tell(spoke)
