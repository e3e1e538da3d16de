"""One talk of real bots: its machine, its runner, its I/O, its incoming lines and its seats."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from bots.access.origin import Origin, Person, speaker_of
from bots.access.sources import Sources
from bots.chat.attendance import Attendance, GiveBack
from bots.chat.natural_message import NaturalMessage
from bots.clock import Times
from bots.errors import CommandError
from bots.observability.trace import TraceLog
from bots.responder.limits import Clockwork
from bots.responder.records.record import DecisionRecorder
from bots.responder.rules.phrases.foreign import asks_for_quiet
from bots.talks.live.bot_io import BotIO, TalkServices
from bots.talks.live.door import Door, Seats
from bots.talks.live.incoming import IncomingLines
from bots.talks.live.runner import Answer, Observer, TalkRunner
from bots.talks.live.storage import Beginning, TalkStore
from bots.talks.machine import events
from bots.talks.machine.events import EndReason, Participant, TalkEffect, TalkEvent
from bots.talks.machine.machine import GroupTalk
from bots.talks.machine.state import Line
from bridge.world import PlayerName


class LiveTalk:
    """A talk under way. No method but `wait` and `run` blocks; effects show in `machine`."""

    def __init__(
        self,
        number: int,
        beginning: Beginning,
        machine: GroupTalk,
        services: TalkServices,
        *,
        attendance: Attendance,
        store: TalkStore,
        times: Times,
        trace: TraceLog,
        recorder: DecisionRecorder,
        observer: Observer,
        resumed_ms: int | None,
        seen_to: Mapping[int, tuple[str, ...]],
    ) -> None:
        self.number, self.beginning, self.machine = number, beginning, machine
        self._services, self._attendance = services, attendance
        self._record, self._times = store.record_of(number), times
        self._trace, self._observer = trace, observer
        self._recorder, self._asked = recorder, ""
        self._io = BotIO(
            number,
            services,
            lambda: machine.participants,
            machine.policy,
            beginning.started_by,
            self._record,
            seen_to,
        )
        self._clockwork = Clockwork(services.handful, times.stopwatch)
        self._runner = TalkRunner(machine, self._io, times, observer=self, resumed_ms=resumed_ms)
        self._incoming = IncomingLines(
            self._io,
            self._runner,
            lambda: machine.participants,
            conversation=services.conversation,
            known_bots=services.known_bots,
            clockwork=self._clockwork,
        )
        self._door = Door(lambda: machine.participants, self._let_in, self._io.tell, times.sleep)
        self._seats = Seats(
            attendance,
            self,
            services.bot,
            name=f"talk {number}",
            started_by=beginning.started_by,
            leave=self.leave,
        )
        self._is_hushed = False
        self._over = asyncio.Event()

    def begin_with(self, message: NaturalMessage, give_back: GiveBack) -> None:
        """Take the line that has asked for this talk."""
        self._incoming.hear(message, give_back)

    # To observe it.

    @property
    def topic(self) -> str:
        return self.machine.policy.topic

    @property
    def topic_sources(self) -> Sources:
        """Where the topic comes from: it is for all in the talk, and of bots alone for anybody."""
        return self._io.topic_sources()

    @property
    def lines(self) -> Sequence[Line]:
        """The lines so far."""
        return self.machine.lines

    async def wait(self) -> EndReason | None:
        """Wait for the end; returns why it ended, None when the program ended first."""
        await self._over.wait()
        return self._runner.ended

    # For participants.

    def join(self, who: Participant) -> bool:
        """Take part; False when a person in the talk is asked first, who may say no.

        Raises CommandError too_many: so many ask already."""
        if self._door.is_open_to(who.name):
            self._let_in(who)
            return True
        if not self._door.knock(who):
            raise CommandError("too_many", "Too many ask to join that talk; try again later.")
        return False

    def bring(self, who: Participant, *, by_participant: bool) -> bool:
        """Let somebody take part whom another one brings; False when the persons in the talk are
        asked first, as one who takes no part has brought a person.

        Raises CommandError too_many: so many ask already."""
        if by_participant or who.kind == "bot":
            self._let_in(who)
            return True
        return self.join(who)

    def leave(self, name: str, why: str = "left") -> None:
        self._runner.tell(events.Left(name, why))

    def end(self, by: str) -> None:
        self._runner.tell(events.EndAsked(by))

    def pause(self, by: str) -> None:
        self._runner.tell(events.Paused(by))

    def resume(self, by: str) -> None:
        self._runner.tell(events.Resumed(by))

    def say(self, speaker: str | Origin, text: str, to: str | None = None) -> None:
        """Say something as a person or the operator; no bot has heard it yet."""
        origin = Person(PlayerName(speaker)) if isinstance(speaker, str) else speaker
        if not self._door.answers(speaker_of(origin), text):
            self._incoming.say(origin, text, to)

    # Called by `Attendance`.

    def hear(self, message: NaturalMessage, give_back: GiveBack) -> bool:
        if isinstance(message.origin, Person) and asks_for_quiet(message.content, message.bot):
            is_first, self._is_hushed = not self._is_hushed, True
            self.end(message.from_)
            return not is_first  # one of them says that they are
        whispered = not message.public and message.from_ not in self._services.known_bots.ours
        if whispered and self._door.answers(message.from_, message.content):
            return True
        if whispered and self._services.channel == "public":
            return False  # all that is said here is for everybody, and a whisper is not
        if message.asked_by is not None and self.machine.is_paused:
            return False  # somebody waits for the answer
        self._incoming.hear(message, give_back)
        return True

    def overhear(self, bot: str, speaker: str, text: str, at: datetime) -> None:
        is_persons = speaker not in self._services.known_bots.ours
        if is_persons and asks_for_quiet(text, bot):
            self._services.hush()
            self.end(speaker)
        else:
            self._incoming.overhear(bot, speaker, text, at)

    def busy(self, bot: str, busy: bool) -> None:
        self._runner.tell(events.BecameBusy(bot) if busy else events.BecameFree(bot))

    # Running it.

    async def run(self) -> None:
        """Run it to its end; owned by `Talks`."""
        try:
            why = await self._runner.run()
            await self._incoming.finish()
            lines = len(self.machine.lines)
            cap = self.machine.closing
            self._trace.note("talk.ended", talk=self.number, why=why, cap=cap, lines=lines)
        finally:
            self._seats.follow(())
            self._over.set()
            await self._door.aclose()
            await self._incoming.aclose()
            await self._io.aclose()
        await self._record.settle(self._times.sleep)

    def _let_in(self, who: Participant) -> None:
        self._runner.tell(events.Joined(who))

    def tell(self, event: TalkEvent) -> None:
        """Queue an event for the machine."""
        self._runner.tell(event)

    async def on_transition(
        self, at_ms: int, event: TalkEvent | None, effects: tuple[TalkEffect, ...]
    ) -> None:
        """Store the event, trace the effects, follow the seats, then tell the observer."""
        if any(isinstance(effect, events.Say) for effect in effects):
            for one in self.machine.participants:
                if one.kind == "person":  # before all that waits: a machine may answer meanwhile
                    self._clockwork.answered_first(one.name)
        if event is not None and self.machine.ended is None:
            await self._record.add(at_ms, event)
        for effect in effects:
            self._note(effect)
            if isinstance(effect, events.Ended):
                await self._record.end(effect.why)
        self._incoming.took(event)
        if isinstance(event, events.Spoke):
            facts = {"speaker": event.name, "text": event.text}
            self._trace.note("talk.heard", None, talk=self.number, **facts)
        elif isinstance(event, events.Delivered):
            for name, why_not in event.hearing.items():
                if why_not == "player_not_found" and name not in self._services.known_bots.ours:
                    self.leave(name, "left the server")
        self.seat()
        await self._observer.on_transition(at_ms, event, effects)

    async def on_answer(self, effect: events.Think, answer: Answer) -> None:
        where = {"talk": self.number, "turn": effect.turn}
        facts = {key: value for key, value in answer.facts.items() if key != "prompt"}
        self._trace.note("talk.thought", effect.speaker, **where, text=answer.text, **facts)
        facts.pop("raw", None)
        self._recorder.talked(effect.speaker, answer.text, facts, **where)
        await self._observer.on_answer(effect, answer)

    def seat(self) -> None:
        """Give every participant a seat; a newcomer may be busy with something else.

        Seats are kept until the last lines are said, as those still belong to this talk."""
        for newcomer in self._seats.follow(self.machine.participants):
            if self._attendance.is_elsewhere(newcomer.name):
                self._runner.tell(events.BecameBusy(newcomer.name))

    def _note(self, effect: TalkEffect) -> None:
        match effect:
            case events.SpeakerChosen():
                facts = asdict(effect)
                self._trace.note("speaker.chosen", effect.next, talk=self.number, **facts)
            case events.Say():
                facts = {"talk": self.number, "turn": effect.turn, "to": effect.to}
                if self._services.channel == "public":
                    facts["public"] = True
                self._trace.note("talk.said", effect.speaker, text=effect.text, **facts)
            case events.Think():
                self._asked = effect.speaker
            case events.CancelThinking():
                where = {"talk": self.number, "turn": effect.turn}
                self._recorder.dropped(self._asked, "talk", effect.why, **where)
            case _:
                pass
