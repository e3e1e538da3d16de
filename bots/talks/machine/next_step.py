"""What a talk does next as it stands: whether it ends, who speaks, when to wake up."""

from __future__ import annotations

from bots.talks.machine.events import EndReason
from bots.talks.machine.order import Choice
from bots.talks.machine.state import Saying, TalkState, Thinking, ms


def ending(state: TalkState) -> EndReason | None:
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
    if not state.policy.goodbye and state.spending.repeats():
        return "repetition"
    return "silence" if state.now_ms >= _silence_ms(state) else None


def begin_goodbyes_near_caps(state: TalkState) -> None:
    """Have the bots say goodbye while the caps still leave room for it."""
    if state.closing is not None or not state.policy.goodbye:
        return
    bots = len(state.participants.bots)
    near = state.spending.near(state.now_ms, state.participants.has_people, bots)
    state.closing = near or ("repetition" if state.spending.repeats() else None)
    if state.closing is not None:
        state.order.say_goodbyes()


def choice(state: TalkState) -> Choice | None:
    """Who speaks now; None while bots must wait, or when nobody has a reason to speak."""
    if _bots_must_wait(state, 0):
        return None
    if state.closing is not None:
        return state.order.next_to_say_goodbye()
    if _everybody_is_silent(state):
        state.order.everybody_is_silent()
    if (owed := state.order.next_owed()) is not None:
        return owed
    if state.awaits_person or _bots_must_wait(state, len(state.order.owed)):
        return None
    return state.order.next() or _unasked(state)


def ending_without_speakers(state: TalkState) -> EndReason | None:
    """Why the talk ends now that nobody is next; None while somebody may still speak."""
    if state.closing is not None:
        return None if _bots_must_wait(state, 0) else "goodbye"
    waits = state.participants.has_people or len(state.participants.free_bots) < len(
        state.participants.bots
    )
    return None if waits or _nudge_ms(state) is not None else "nobody_next"


def idle_rule(state: TalkState) -> str:
    """Why nobody is next, as `SpeakerChosen.rule`."""
    if not state.participants.free_bots:
        return "all_busy"
    return "waiting_for_person" if state.participants.has_people else "nobody"


def wake_ms(state: TalkState) -> int:
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
    has_order = state.policy.order == "rounds"
    if (
        after_s is None
        or has_order
        or not state.participants.free_bots
        or state.closing is not None
    ):
        return None
    return state.last_turn_ms + ms(after_s)
