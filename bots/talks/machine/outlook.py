"""What lies before a talk as it stands: does it end, who is next, when to look again."""

from __future__ import annotations

from bots.talks.machine.events import EndReason
from bots.talks.machine.order import Choice
from bots.talks.machine.state import Saying, TalkState, Thinking, ms


def ending(state: TalkState) -> EndReason | None:
    """Why it ends now, if it does. What is being said or thought is cut short by time alone."""
    if not state.company.is_talking:
        return "none_left"
    if state.now_ms >= state.spending.time_is_up_ms:
        return "time"
    if not state.is_floor_open:
        return None
    if state.closing is not None and not state.order.goodbyes_left:
        return "goodbye"
    if why := state.spending.reached(state.now_ms, state.company.has_people):
        return why
    if not state.policy.goodbye and state.spending.repeats():
        return "repetition"
    return "silence" if state.now_ms >= _silence_ms(state) else None


def mind_caps(state: TalkState) -> None:
    """Let the bots say goodbye while there still is room for it."""
    if state.closing is not None or not state.policy.goodbye:
        return
    bots = len(state.company.bots)
    near = state.spending.near(state.now_ms, state.company.has_people, bots)
    state.closing = near or ("repetition" if state.spending.repeats() else None)
    if state.closing is not None:
        state.order.say_goodbyes()


def choice(state: TalkState) -> Choice | None:
    """Who is next now; None when bots must wait, or nobody has a reason to speak."""
    if _bots_must_wait(state, 0):
        return None
    if state.closing is not None:
        return state.order.next_to_say_goodbye()
    if _everybody_is_silent(state):
        state.order.everybody_is_silent()
    if (owed := state.order.next_owed()) is not None:
        return owed
    if _bots_must_wait(state, len(state.order.owed)):
        return None
    return state.order.next() or _unasked(state)


def ending_for_want_of_speakers(state: TalkState) -> EndReason | None:
    """Why it ends now that nobody is next, unless somebody may still come to speak."""
    if state.closing is not None:
        return None if _bots_must_wait(state, 0) else "goodbye"
    waits = state.company.has_people or len(state.company.free_bots) < len(state.company.bots)
    return None if waits or _nudge_ms(state) is not None else "nobody_next"


def idle_rule(state: TalkState) -> str:
    """Why nobody is next, as the rule of a decision."""
    if not state.company.free_bots:
        return "all_busy"
    return "waiting_for_person" if state.company.has_people else "nobody"


def wake_ms(state: TalkState) -> int:
    """When something happens by itself at the earliest."""
    moments = [state.spending.time_is_up_ms]
    if isinstance(state.floor, Thinking):
        moments.append(state.floor.since_ms + ms(state.policy.answer_within_s))
    elif isinstance(state.floor, Saying):
        moments.append(state.floor.said_ms + ms(state.policy.deliver_within_s))
    elif not state.is_paused:
        moments.append(_silence_ms(state))
        moments += [at for at in (state.quiet_until_ms, _nudge_ms(state)) if at is not None]
    return min(at for at in moments if at > state.now_ms)


def _unasked(state: TalkState) -> Choice | None:
    """A round among bots alone, or a nudge after long quiet."""
    if state.policy.order == "rounds" and not state.company.has_people:
        if _everybody_is_silent(state):
            return None
        state.order.begin_bots_round()
        return state.order.next()
    nudge_ms = _nudge_ms(state)
    is_due = nudge_ms is not None and state.now_ms >= nudge_ms
    return state.order.next_unasked("silence") if is_due else None


def _bots_must_wait(state: TalkState, owed: int) -> bool:
    """Whether the turns bots have between a person's lines are gone, or kept for what is owed."""
    return state.company.has_people and not state.spending.have_bots_turns(1 + owed)


def _everybody_is_silent(state: TalkState) -> bool:
    return state.spending.fruitless >= len(state.company.bots)


def _silence_ms(state: TalkState) -> int:
    return state.last_line_ms + ms(state.policy.caps.silence_s)


def _nudge_ms(state: TalkState) -> int | None:
    """When a bot speaks unasked; None if none would."""
    after_s = state.policy.nudge_after_s
    has_order = state.policy.order == "rounds"
    if after_s is None or has_order or not state.company.free_bots or state.closing is not None:
        return None
    return state.last_turn_ms + ms(after_s)
