"""One talk of real bots: its machine, its runner and its stage, and who sits in it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from bots.access.origin import Origin, Person
from bots.chat.attendance import Attendance, GiveBack
from bots.chat.natural_message import NaturalMessage
from bots.clock import Times
from bots.observability.trace import TraceLog
from bots.responder.records.record import TraceRecorder
from bots.talks.live.listening import Listening
from bots.talks.live.live_stage import LiveStage, Surroundings
from bots.talks.live.runner import TalkRunner
from bots.talks.live.seats import Seats
from bots.talks.live.stage import NoWitness, Thought, Witness
from bots.talks.live.storage import Beginning, TalkStore
from bots.talks.machine.events import (
    BecameBusy,
    BecameFree,
    Delivered,
    DropThought,
    EndAsked,
    Ended,
    EndReason,
    Joined,
    Left,
    Participant,
    Paused,
    Resumed,
    Say,
    SpeakerChosen,
    Spoke,
    TalkEffect,
    TalkEvent,
    Think,
)
from bots.talks.machine.machine import GroupTalk
from bots.talks.machine.transcript import Line
from bridge.world import PlayerName


class LiveTalk:
    """A talk under way. The methods never wait; the talk itself says what came of them."""

    def __init__(
        self,
        number: int,
        beginning: Beginning,
        machine: GroupTalk,
        around: Surroundings,
        *,
        attendance: Attendance,
        store: TalkStore,
        times: Times,
        trace: TraceLog,
        witness: Witness | None = None,
        began_ms: int = 0,
        resumed: bool = False,
    ) -> None:
        self.number, self.beginning, self.machine = number, beginning, machine
        self._around, self._attendance, self._store = around, attendance, store
        self._trace, self._witness = trace, witness or NoWitness()
        self._recorder, self._thinker = TraceRecorder(trace), ""
        self._stage = LiveStage(around, lambda: machine.participants, machine.policy.topic)
        self._runner = TalkRunner(
            machine, self._stage, times, witness=self, began_ms=began_ms, resumed=resumed
        )
        self._listening = Listening(
            self._stage,
            self._runner,
            lambda: machine.participants,
            conversation=around.conversation,
            fellows=around.fellows,
        )
        self._seats = Seats(
            attendance,
            self,
            around.bot,
            name=f"talk {number}",
            started_by=beginning.started_by,
            leave=self.leave,
        )
        self._over = asyncio.Event()

    # For whoever watches.

    @property
    def topic(self) -> str:
        return self.machine.policy.topic

    @property
    def lines(self) -> Sequence[Line]:
        """What was said so far."""
        return self.machine.lines

    async def wait(self) -> EndReason | None:
        """Until it has ended; why it did, None when it broke off with the program."""
        await self._over.wait()
        return self._runner.ended

    # For whoever takes part.

    def join(self, who: Participant) -> None:
        self._runner.tell(Joined(who))

    def leave(self, name: str, why: str = "left") -> None:
        self._runner.tell(Left(name, why))

    def end(self, by: str) -> None:
        self._runner.tell(EndAsked(by))

    def pause(self, by: str) -> None:
        self._runner.tell(Paused(by))

    def resume(self, by: str) -> None:
        self._runner.tell(Resumed(by))

    def say(self, speaker: str | Origin, text: str, to: str | None = None) -> None:
        """Let a person, or the operator, say something that no bot has heard yet."""
        origin = Person(PlayerName(speaker)) if isinstance(speaker, str) else speaker
        self._listening.say(origin, text, to)

    # What the seats hand over.

    def hear(self, message: NaturalMessage, give_back: GiveBack) -> None:
        self._listening.hear(message, give_back)

    def overhear(self, bot: str, speaker: str, text: str, at: datetime) -> None:
        self._listening.overhear(bot, speaker, text, at)

    def busy(self, bot: str, busy: bool) -> None:
        self._runner.tell(BecameBusy(bot) if busy else BecameFree(bot))

    # Its life.

    async def run(self) -> None:
        """Go on until it has ended; owned by the daemon."""
        try:
            why = await self._runner.run()
            await self._listening.finish()
            lines = len(self.machine.lines)
            self._trace.note("talk.ended", talk=self.number, why=why, lines=lines)
        finally:
            self._seats.follow(())
            self._over.set()
            await self._listening.aclose()
            await self._stage.aclose()

    def tell(self, happening: TalkEvent) -> None:
        """Let the machine know of something."""
        self._runner.tell(happening)

    async def moment(
        self, at_ms: int, happening: TalkEvent | None, wishes: tuple[TalkEffect, ...]
    ) -> None:
        """Write it down, then let it be seen."""
        if happening is not None and self.machine.ended is None:
            await self._store.happened(self.number, at_ms, happening)
        for wish in wishes:
            self._note(wish)
            if isinstance(wish, Ended):
                await self._store.ended(self.number, wish.why)
        self._listening.took(happening)
        if isinstance(happening, Spoke):
            self._note_spoken(happening)
        elif isinstance(happening, Delivered):
            self._miss(happening.hearing)
        self.seat()
        await self._witness.moment(at_ms, happening, wishes)

    async def thought(self, wish: Think, thought: Thought) -> None:
        where = {"talk": self.number, "turn": wish.turn}
        facts = {key: value for key, value in thought.facts.items() if key != "prompt"}
        self._trace.note("talk.thought", wish.speaker, **where, text=thought.text, **facts)
        facts.pop("raw", None)
        self._recorder.talked(wish.speaker, thought.text, facts, **where)
        await self._witness.thought(wish, thought)

    def seat(self) -> None:
        """Who takes part by now has a seat; a newcomer may have other things in mind.

        Seats are kept until the last words are out: they are still of this talk."""
        for newcomer in self._seats.follow(self.machine.participants):
            if self._attendance.is_elsewhere(newcomer.name):
                self._runner.tell(BecameBusy(newcomer.name))

    def _miss(self, hearing: Mapping[str, str | None]) -> None:
        """People who left the server left the talk."""
        for name, why_not in hearing.items():
            if why_not == "player_not_found" and name not in self._around.fellows:
                self.leave(name, "left the server")

    def _note_spoken(self, spoke: Spoke) -> None:
        facts = {"speaker": spoke.name, "text": spoke.text}
        self._trace.note("talk.heard", None, talk=self.number, **facts)

    def _note(self, wish: TalkEffect) -> None:
        match wish:
            case SpeakerChosen():
                facts = asdict(wish)
                self._trace.note("speaker.chosen", wish.next, talk=self.number, **facts)
            case Say():
                facts = {"talk": self.number, "turn": wish.turn, "to": wish.to}
                if self._around.channel == "public":
                    facts["public"] = True
                self._trace.note("talk.said", wish.speaker, text=wish.text, **facts)
            case Think():
                self._thinker = wish.speaker
            case DropThought():
                where = {"talk": self.number, "turn": wish.turn}
                self._recorder.dropped(self._thinker, "talk", wish.why, **where)
            case _:
                pass
