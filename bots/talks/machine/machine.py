"""A group talk as a pure state machine: it takes events and returns effects.

One bot has the floor at a time: it is asked for words, they are said, their delivery is reported,
the next speaker is chosen. People speak whenever they like. Whatever events come, in whatever
order, the talk ends within its caps. There is no clock and no chance but the policy's seed: the
same events at the same times give the same effects.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bots.talks.machine import events, system_lines
from bots.talks.machine.events import EndReason, Participant, TalkEffect, TalkEvent
from bots.talks.machine.order import Choice, SpeakerOrder
from bots.talks.machine.participants import Participants
from bots.talks.machine.policy import Spending, TalkPolicy
from bots.talks.machine.state import (
    NO_OWN_RULES,
    UNCONFIRMED,
    Floor,
    Line,
    OwnRules,
    Saying,
    TalkState,
    Thinking,
    Transcript,
    ms,
)
from bots.talks.machine.turns import Turns


class GroupTalk:
    """One talk. Times are milliseconds; one that is earlier than the last counts as the last."""

    def __init__(
        self,
        roster: Sequence[Participant],
        policy: TalkPolicy,
        at_ms: int,
        rules: OwnRules = NO_OWN_RULES,
    ) -> None:
        participants = Participants(roster)
        order = SpeakerOrder(policy.order, participants)
        spending = Spending(policy.caps, at_ms)
        self._state = TalkState(policy, participants, order, spending, Transcript(), at_ms, rules)
        self._turns = Turns(self._state)

    @classmethod
    def replay(
        cls,
        roster: Sequence[Participant],
        policy: TalkPolicy,
        began_ms: int,
        record: Iterable[tuple[TalkEvent, int]],
    ) -> GroupTalk:
        """The talk as it stood after these events, e.g. those stored before a restart.

        Its effects are not repeated; take `restart_event()` next to go on.
        """
        talk = cls(roster, policy, began_ms)
        talk.start(began_ms)
        for event, at_ms in record:
            talk.take(event, at_ms)
        talk._state.wake_ms = None
        return talk

    # State.

    @property
    def policy(self) -> TalkPolicy:
        return self._state.policy

    @property
    def participants(self) -> tuple[Participant, ...]:
        return self._state.participants.present

    @property
    def floor(self) -> Floor | None:
        return self._state.floor

    @property
    def speaking(self) -> str | None:
        """Who has the floor, whether thinking or speaking."""
        return self._state.floor.choice.name if self._state.floor else None

    @property
    def lines(self) -> Sequence[Line]:
        return self._state.transcript.lines

    @property
    def turns(self) -> int:
        """Turns given so far."""
        return self._state.spending.turns

    @property
    def round(self) -> int:
        return self._state.order.round

    @property
    def spending(self) -> Spending:
        return self._state.spending

    @property
    def owed(self) -> tuple[str, ...]:
        """Bots that owe an answer, the next one first."""
        return self._state.order.owed

    @property
    def is_paused(self) -> bool:
        return self._state.is_paused

    @property
    def closing(self) -> EndReason | None:
        """The cap that is nearly reached, while bots say goodbye."""
        return self._state.closing

    @property
    def ended(self) -> EndReason | None:
        return self._state.ended

    @property
    def wakes_at_ms(self) -> int | None:
        return self._state.wake_ms

    def restart_event(self) -> TalkEvent:
        """The event to take after a restart: whatever the talk was waiting for did not succeed."""
        floor = self._state.floor
        if isinstance(floor, Thinking):
            return events.AnswerFailed(floor.turn, "restarted")
        if isinstance(floor, Saying):
            return events.Delivered(floor.line, dict.fromkeys(floor.to, UNCONFIRMED))
        return events.TimePassed()

    # Events.

    def start(self, at_ms: int) -> list[TalkEffect]:
        """Begin the talk: call once, before `take`."""
        state = self._state
        state.now_ms = max(state.now_ms, at_ms)
        names = state.participants.names
        state.emit(events.Announce(system_lines.began(names, state.policy.topic), names))
        if state.policy.opening == "bot" and state.participants.bots:
            state.order.opened()
        return self._effects_now()

    def take(self, event: TalkEvent, at_ms: int) -> list[TalkEffect]:
        """Take an event; returns the effects to carry out, in order.

        After the end only `Delivered` still counts, for the record of who heard a line.
        """
        state = self._state
        state.now_ms = max(state.now_ms, at_ms)
        if state.ended is None:
            self._take(event)
            return self._effects_now()
        if isinstance(event, events.Delivered):
            state.transcript.delivered(event.line, event.hearing)
        return []

    def _take(self, event: TalkEvent) -> None:
        match event:
            case events.Joined(who):
                self._join(who)
            case events.Left(name, why):
                self._leave(name, why)
            case events.Spoke():
                self._turns.spoke(event)
            case events.Answered():
                self._turns.answered(event)
            case events.AnswerFailed(turn):
                self._turns.failed(turn)
            case events.Delivered():
                self._turns.delivered(event)
            case events.BecameBusy(name) | events.BecameFree(name):
                self._state.participants.set_busy(name, isinstance(event, events.BecameBusy))
            case events.TimePassed():
                self._state.wake_ms = None
            case events.Paused(by):
                self._pause(by)
            case events.Resumed(by):
                self._resume(by)
            case events.EndAsked():
                self._end("asked")

    def _join(self, who: Participant) -> None:
        if self._state.participants.join(who):
            names = self._state.participants.names
            self._state.emit(events.Announce(system_lines.joined(who.name, names), names))

    def _leave(self, name: str, why: str) -> None:
        state = self._state
        if not state.participants.leave(name):
            return
        names = state.participants.names
        state.emit(events.Announce(system_lines.left(name, why, names), (*names, name)))
        had_floor = isinstance(state.floor, Thinking) and state.floor.choice.name == name
        if had_floor:
            self._turns.cancel_thinking("left")
        state.order.left(name, had_floor=had_floor)

    def _pause(self, by: str) -> None:
        state = self._state
        if state.is_paused:
            return
        state.is_paused = True
        state.emit(events.Announce(system_lines.paused(by), state.participants.names))
        if (choice := self._turns.cancel_thinking("paused")) is not None:
            state.order.interrupted(choice)

    def _resume(self, by: str) -> None:
        state = self._state
        if not state.is_paused:
            return
        state.is_paused = False
        state.last_line_ms = state.last_turn_ms = state.now_ms
        state.emit(events.Announce(system_lines.resumed(by), state.participants.names))

    def _effects_now(self) -> list[TalkEffect]:
        """Whatever follows from the event, and when to wake up."""
        if self._state.ended is None:
            self._turns.time_out()
            self._go_on()
        if self._state.ended is None:
            at_ms = _wake_ms(self._state)
            if at_ms != self._state.wake_ms:
                self._state.wake_ms = at_ms
                self._state.emit(events.WakeAt(at_ms))
        return self._state.take_effects()

    def _go_on(self) -> None:
        state = self._state
        why = _ending(state)
        if why is None and state.is_floor_open and state.now_ms >= state.quiet_until_ms:
            _begin_goodbyes_near_caps(state)
            choice = _choice(state)
            if choice is not None:
                self._turns.begin(choice)
                return
            why = _ending_without_speakers(state)
            if not state.is_idle:
                state.is_idle = True
                state.emit(events.SpeakerChosen(state.last_voice, None, _idle_rule(state)))
        if why is not None:
            self._end(why)

    def _end(self, why: EndReason) -> None:
        self._turns.cancel_thinking("ended")
        self._state.ended = why
        self._state.wake_ms = None
        cap = self._state.closing
        self._state.emit(
            events.Announce(system_lines.ended(why, cap), self._state.participants.names)
        )
        self._state.emit(events.Ended(why))


def _ending(state: TalkState) -> EndReason | None:
    """Why the talk ends now, if it does. Only time cuts off a turn that is under way."""
    if not state.participants.is_talking:
        return "none_left"
    if state.now_ms >= state.spending.time_is_up_ms:
        return "time"
    if not state.is_floor_open:
        return None
    if state.closing is not None and not state.order.goodbyes_left:
        return "goodbye"
    if why := state.spending.reached(state.now_ms, state.participants.has_people):
        return why
    if state.transcript.lines and state.rules.stop is not None and state.rules.stop(state.so_far):
        return "rule"
    if not state.policy.goodbye and state.spending.repeats():
        return "repetition"
    return "silence" if state.now_ms >= _silence_ms(state) else None


def _begin_goodbyes_near_caps(state: TalkState) -> None:
    """Have the bots say goodbye while the caps still leave room for it."""
    if state.closing is not None or not state.policy.goodbye:
        return
    bots = len(state.participants.bots)
    near = state.spending.near(state.now_ms, state.participants.has_people, bots)
    state.closing = near or ("repetition" if state.spending.repeats() else None)
    if state.closing is not None:
        state.order.say_goodbyes()


def _choice(state: TalkState) -> Choice | None:
    """Who speaks now; None while bots must wait, or when nobody has a reason to speak."""
    if _bots_must_wait(state, 0):
        return None
    if state.closing is not None:
        return state.order.next_to_say_goodbye()
    if _everybody_is_silent(state):
        state.order.everybody_is_silent()
    if state.rules.order is not None and (state.spending.turns or state.transcript.lines):
        name = state.rules.order(state.so_far)
        return None if name is None else Choice(name, "own")
    if (owed := state.order.next_owed()) is not None:
        return owed
    if state.awaits_person or _bots_must_wait(state, len(state.order.owed)):
        return None
    return state.order.next() or _unasked(state)


def _ending_without_speakers(state: TalkState) -> EndReason | None:
    """Why the talk ends now that nobody is next; None while somebody may still speak."""
    if state.closing is not None:
        return None if _bots_must_wait(state, 0) else "goodbye"
    waits = state.participants.has_people or len(state.participants.free_bots) < len(
        state.participants.bots
    )
    return None if waits or _nudge_ms(state) is not None else "nobody_next"


def _idle_rule(state: TalkState) -> str:
    """Why nobody is next, as `SpeakerChosen.rule`."""
    if not state.participants.free_bots:
        return "all_busy"
    return "waiting_for_person" if state.participants.has_people else "nobody"


def _wake_ms(state: TalkState) -> int:
    """The earliest time at which the talk does something by itself."""
    times_ms = [state.spending.time_is_up_ms]
    if isinstance(state.floor, Thinking):
        times_ms.append(state.floor.since_ms + ms(state.policy.answer_within_s))
    elif isinstance(state.floor, Saying):
        times_ms.append(state.floor.said_ms + ms(state.policy.deliver_within_s))
    elif not state.is_paused:
        times_ms.append(_silence_ms(state))
        times_ms += [state.awaited_until_ms] if state.awaits_person else []
        times_ms += [at for at in (state.quiet_until_ms, _nudge_ms(state)) if at is not None]
    return min(at for at in times_ms if at > state.now_ms)


def _unasked(state: TalkState) -> Choice | None:
    """A new round among bots alone, or a nudge after a long silence."""
    if state.policy.order == "rounds" and not state.participants.has_people:
        if _everybody_is_silent(state):
            return None
        state.order.begin_bots_round()
        return state.order.next()
    nudge_ms = _nudge_ms(state)
    is_due = nudge_ms is not None and state.now_ms >= nudge_ms
    return state.order.next_unasked("silence") if is_due else None


def _bots_must_wait(state: TalkState, owed: int) -> bool:
    """Whether bots have used up their turns between a person's lines, `owed` answers reserved."""
    return state.participants.has_people and not state.spending.have_bots_turns(1 + owed)


def _everybody_is_silent(state: TalkState) -> bool:
    return state.spending.fruitless >= len(state.participants.bots)


def _silence_ms(state: TalkState) -> int:
    return state.last_line_ms + ms(state.policy.caps.silence_s)


def _nudge_ms(state: TalkState) -> int | None:
    """When a bot speaks unasked; None when none will."""
    after_s = state.policy.nudge_after_s
    has_order = state.policy.order == "rounds" or state.rules.order is not None
    if (
        after_s is None
        or has_order
        or not state.participants.free_bots
        or state.closing is not None
    ):
        return None
    return state.last_turn_ms + ms(after_s)
