"""A talk of several as a pure machine: it is told what happened and wishes for what comes next.

One has the floor at a time: it thinks, its words are said, their hearers are told, the next one
is chosen. People take the floor whenever they speak. Whatever it is told, in whatever order, it
ends within its caps. No clock, no chance but the policy's seed: the same happenings at the same
times give the same wishes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bots.talks.machine import outlook as prospects
from bots.talks.machine import system_lines as announcing
from bots.talks.machine.events import (
    Announce,
    Answered,
    AnswerFailed,
    BecameBusy,
    BecameFree,
    Delivered,
    EndAsked,
    Ended,
    EndReason,
    Joined,
    Left,
    Participant,
    Paused,
    Resumed,
    SpeakerChosen,
    Spoke,
    TalkEffect,
    TalkEvent,
    TimePassed,
    WakeAt,
)
from bots.talks.machine.limits import Spending
from bots.talks.machine.order import Order
from bots.talks.machine.participants import Company
from bots.talks.machine.policy import TalkPolicy
from bots.talks.machine.state import Floor, Saying, TalkState, Thinking
from bots.talks.machine.transcript import UNCONFIRMED, Line, Transcript
from bots.talks.machine.turns import Turns


class GroupTalk:
    """Times are milliseconds of one clock that never goes back; an earlier one counts as now."""

    def __init__(self, roster: Sequence[Participant], policy: TalkPolicy, at_ms: int) -> None:
        company = Company(roster)
        order = Order(policy.order, company)
        spending = Spending(policy.caps, at_ms)
        self._state = TalkState(policy, company, order, spending, Transcript(), at_ms)
        self._turns = Turns(self._state)

    @classmethod
    def again(
        cls,
        roster: Sequence[Participant],
        policy: TalkPolicy,
        began_ms: int,
        record: Iterable[tuple[TalkEvent, int]],
    ) -> GroupTalk:
        """The talk as it stood after these happenings, e.g. those written down before a restart.

        What it wished for then is not wished again: tell it `unfinished()` to go on.
        """
        talk = cls(roster, policy, began_ms)
        talk.start(began_ms)
        for happening, at_ms in record:
            talk.take(happening, at_ms)
        talk._state.wake_ms = None
        return talk

    # How it stands.

    @property
    def policy(self) -> TalkPolicy:
        return self._state.policy

    @property
    def participants(self) -> tuple[Participant, ...]:
        return self._state.company.present

    @property
    def floor(self) -> Floor | None:
        return self._state.floor

    @property
    def speaking(self) -> str | None:
        """Who has the floor, thinking or saying."""
        return self._state.floor.choice.name if self._state.floor else None

    @property
    def lines(self) -> Sequence[Line]:
        return self._state.transcript.lines

    @property
    def turns(self) -> int:
        """Thoughts asked for so far."""
        return self._state.spending.turns

    @property
    def round(self) -> int:
        return self._state.order.round

    @property
    def spending(self) -> Spending:
        return self._state.spending

    @property
    def owed(self) -> tuple[str, ...]:
        """Bots whose answer somebody waits for, first in line first."""
        return self._state.order.owed

    @property
    def is_paused(self) -> bool:
        return self._state.is_paused

    @property
    def closing(self) -> EndReason | None:
        """The cap that came near, while bots say goodbye."""
        return self._state.closing

    @property
    def ended(self) -> EndReason | None:
        return self._state.ended

    @property
    def wakes_at_ms(self) -> int | None:
        return self._state.wake_ms

    def unfinished(self) -> TalkEvent:
        """What to tell a talk whose runner was lost: the outcome of what it waits for."""
        floor = self._state.floor
        if isinstance(floor, Thinking):
            return AnswerFailed(floor.turn, "restarted")
        if isinstance(floor, Saying):
            return Delivered(floor.line, dict.fromkeys(floor.to, UNCONFIRMED))
        return TimePassed()

    # What happens.

    def start(self, at_ms: int) -> list[TalkEffect]:
        """Begin; once, before anything is taken."""
        state = self._state
        state.now_ms = max(state.now_ms, at_ms)
        names = state.company.names
        state.wish(Announce(announcing.began(names, state.policy.topic), names))
        if state.policy.opening == "bot" and state.company.bots:
            state.order.opened()
        return self._gone_on()

    def take(self, happening: TalkEvent, at_ms: int) -> list[TalkEffect]:
        """Take in what happened; answers with what is to be done, in order.

        After the end only outcomes of lines already said still count, for the record.
        """
        state = self._state
        state.now_ms = max(state.now_ms, at_ms)
        if state.ended is None:
            self._take(happening)
            return self._gone_on()
        if isinstance(happening, Delivered):
            state.transcript.delivered(happening.line, happening.hearing)
        return []

    def _take(self, happening: TalkEvent) -> None:
        match happening:
            case Joined(who):
                self._join(who)
            case Left(name, why):
                self._leave(name, why)
            case Spoke():
                self._turns.spoke(happening)
            case Answered():
                self._turns.answered(happening)
            case AnswerFailed(turn):
                self._turns.failed(turn)
            case Delivered():
                self._turns.delivered(happening)
            case BecameBusy(name) | BecameFree(name):
                self._state.company.set_busy(name, isinstance(happening, BecameBusy))
            case TimePassed():
                self._state.wake_ms = None
            case Paused(by):
                self._pause(by)
            case Resumed(by):
                self._resume(by)
            case EndAsked():
                self._end("asked")

    def _join(self, who: Participant) -> None:
        if self._state.company.join(who):
            names = self._state.company.names
            self._state.wish(Announce(announcing.joined(who.name, names), names))

    def _leave(self, name: str, why: str) -> None:
        state = self._state
        if not state.company.leave(name):
            return
        names = state.company.names
        state.wish(Announce(announcing.left(name, why, names), (*names, name)))
        had_floor = isinstance(state.floor, Thinking) and state.floor.choice.name == name
        if had_floor:
            self._turns.drop_thought("left")
        state.order.left(name, had_floor=had_floor)

    def _pause(self, by: str) -> None:
        state = self._state
        if state.is_paused:
            return
        state.is_paused = True
        state.wish(Announce(announcing.paused(by), state.company.names))
        if (choice := self._turns.drop_thought("paused")) is not None:
            state.order.interrupted(choice)

    def _resume(self, by: str) -> None:
        state = self._state
        if not state.is_paused:
            return
        state.is_paused = False
        state.last_line_ms = state.last_turn_ms = state.now_ms
        state.wish(Announce(announcing.resumed(by), state.company.names))

    def _gone_on(self) -> list[TalkEffect]:
        """All that follows now, and when to look again."""
        if self._state.ended is None:
            self._turns.time_out()
            self._go_on()
        if self._state.ended is None:
            self._wish_to_wake()
        return self._state.taken_wishes()

    def _go_on(self) -> None:
        state = self._state
        why = prospects.ending(state)
        if why is None and state.is_floor_open and state.now_ms >= state.quiet_until_ms:
            prospects.mind_caps(state)
            choice = prospects.choice(state)
            if choice is not None:
                self._turns.begin(choice)
                return
            why = prospects.ending_for_want_of_speakers(state)
            self._tell_that_nobody_is_next()
        if why is not None:
            self._end(why)

    def _tell_that_nobody_is_next(self) -> None:
        if not self._state.is_idle:
            self._state.is_idle = True
            self._state.wish(
                SpeakerChosen(self._state.last_voice, None, prospects.idle_rule(self._state))
            )

    def _end(self, why: EndReason) -> None:
        self._turns.drop_thought("ended")
        self._state.ended = why
        self._state.wake_ms = None
        self._state.wish(Announce(announcing.ended(why), self._state.company.names))
        self._state.wish(Ended(why))

    def _wish_to_wake(self) -> None:
        at_ms = prospects.wake_ms(self._state)
        if at_ms != self._state.wake_ms:
            self._state.wake_ms = at_ms
            self._state.wish(WakeAt(at_ms))
