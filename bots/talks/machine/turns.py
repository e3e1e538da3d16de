"""A turn from the moment a bot is asked until its line is delivered, and lines that cut it off."""

from __future__ import annotations

from collections.abc import Iterable

from bots.next_speaker import (
    CharacterRegistry,
    Resolved,
    last_tag,
    resolve_next_speaker,
    spoken_words,
)
from bots.talks.machine import events
from bots.talks.machine.events import Participant
from bots.talks.machine.order import Choice
from bots.talks.machine.participants import addressed, person_named
from bots.talks.machine.state import UNCONFIRMED, Saying, TalkState, Thinking, ms
from bots.text.language import reading_length

READING_MOST_S = 15.0
BUSY_WITHIN_S = 0.5
"""A bot that sees to a request is reported busy within this time; nobody takes the floor before."""


class Turns:
    def __init__(self, state: TalkState) -> None:
        self._state = state

    def begin(self, choice: Choice) -> None:
        """Give the floor to the chosen bot and ask for its words."""
        state = self._state
        turn = state.spending.begin_turn()
        state.order.take(choice)
        state.floor = Thinking(turn, choice, state.now_ms)
        state.is_idle = False
        told = choice.resolved
        read = (told["extracted"], told["normalized"], told["reason"]) if told else ()
        state.emit(events.SpeakerChosen(state.last_voice, choice.name, choice.rule, *read))
        is_last = state.closing is not None
        state.emit(events.Think(turn, choice.name, choice.rule, state.order.round, is_last))

    def cancel_thinking(self, why: str) -> Choice | None:
        """Cancel the turn of a bot that is thinking; a line being said cannot be cancelled."""
        floor = self._state.floor
        if not isinstance(floor, Thinking):
            return None
        self._state.floor = None
        self._state.emit(events.CancelThinking(floor.turn, why))
        return floor.choice

    def time_out(self) -> None:
        """End a turn whose words or delivery took too long."""
        floor, policy, now = self._state.floor, self._state.policy, self._state.now_ms
        if isinstance(floor, Thinking) and now >= floor.since_ms + ms(policy.answer_within_s):
            self._state.emit(events.CancelThinking(floor.turn, "late"))
            self._end_turn(floor, "")
        if isinstance(floor, Saying) and now >= floor.said_ms + ms(policy.deliver_within_s):
            self._state.transcript.unconfirmed(floor.line)
            self._said(floor)

    def answered(self, answer: events.Answered) -> None:
        """A bot has its words: say them. Words of a turn that is over only cost."""
        state, floor = self._state, self._state.floor
        state.spending.pay(answer.turn, answer.tokens, answer.cost_usd)
        if not isinstance(floor, Thinking) or floor.turn != answer.turn:
            return
        state.interruptions = 0
        speaker, words = floor.choice.name, spoken_words(answer.text)
        if not words:
            if state.participants.has_people and answer.gives_way:
                state.spending.gave_way()
            self._end_turn(floor, "", answer.text, answer.nominates)
            return
        to = state.participants.others(speaker)
        line = state.transcript.to_be_said(speaker, words, state.now_ms, floor.turn, to)
        state.floor = Saying(
            floor.turn, floor.choice, floor.since_ms, line.number, to, state.now_ms,
            answer.text, answer.nominates,
        )  # fmt: skip
        state.emit(events.Say(line.number, floor.turn, speaker, words, to))

    def failed(self, turn: int) -> None:
        self._state.spending.failed(turn)
        floor = self._state.floor
        if isinstance(floor, Thinking) and floor.turn == turn:
            self._end_turn(floor, "")

    def delivered(self, outcome: events.Delivered) -> None:
        self._state.transcript.delivered(outcome.line, outcome.hearing)
        floor = self._state.floor
        if isinstance(floor, Saying) and floor.line == outcome.line:
            self._said(floor)

    def spoke(self, spoke: events.Spoke) -> None:
        """Record a line said outside any turn; a person's line is answered before all else.

        Lines of somebody who is not in the talk are recorded, but not answered.
        """
        state, name = self._state, spoke.name
        others = state.participants.others(name)
        unsaid = UNCONFIRMED if spoke.hearing else None  # without `hearing`, everybody heard it
        heard = {other: spoke.hearing.get(other, unsaid) for other in others}
        state.transcript.spoken(name, spoke.text, state.now_ms, heard)
        if name not in state.participants:
            return
        hearers = [bot for bot in state.participants.bots if bot != name and heard[bot] is None]
        if not state.participants.is_bot(name):
            if name == state.awaited:
                state.await_person("")
            if spoke.seen_to_by:
                state.person_said(name, max(state.policy.settle_s, BUSY_WITHIN_S))
                # Cut off the bot that thinks, if it has something to see to; it comes back later.
                is_thinking = state.floor and state.floor.choice.name in spoke.seen_to_by
                choice = self.cancel_thinking("asked_to_act") if is_thinking else None
                if choice is not None:
                    state.order.interrupted(choice)
            else:
                state.person_said(name, state.policy.settle_s)
                self._person_spoke(spoke, hearers)
            return
        if spoke.to not in hearers:
            state.bot_said(name, 0.0)
            return
        state.person_said(name, state.policy.settle_s)  # somebody had the bot say it
        self._new_words()
        state.order.called(spoke.to)

    def _person_spoke(self, spoke: events.Spoke, hearers: list[str]) -> None:
        state = self._state
        if state.participants.is_person(spoke.name):
            self._new_words()
        named = self._called(spoken_words(spoke.text), hearers)
        called = [spoke.to, *named] if spoke.to in hearers else named
        state.order.person_spoke(hearers, called, self._interrupted(hearers))

    def _new_words(self) -> None:
        """A person's words: bots may answer them with as many turns as at the beginning."""
        self._state.spending.person_spoke()
        if self._state.closing in ("bot_turns", "repetition"):
            self._state.closing = None

    def _interrupted(self, hearers: list[str]) -> Choice | None:
        """Cut off the bot that is thinking, if it heard the person; not too often in a row."""
        state = self._state
        policy, speaker = state.policy, state.floor.choice.name if state.floor else ""
        if speaker not in hearers or not policy.interruptions:
            return None
        if state.interruptions >= policy.interruptions_in_a_row:
            return None
        choice = self.cancel_thinking("interrupted")
        state.interruptions += choice is not None
        return choice

    def _said(self, floor: Saying) -> None:
        """The line was delivered, or nobody waits for that any more."""
        words = self._state.transcript.lines[floor.line - 1].text
        self._state.bot_said(floor.choice.name, self._pause_s(words))
        self._end_turn(floor, words, floor.answer, floor.nominates)

    def _pause_s(self, words: str) -> float:
        """How long nobody else speaks after these words: until people have read them, unless one
        of them has asked something meanwhile."""
        policy = self._state.policy
        is_read = policy.has_readers or self._state.participants.has_people
        if policy.reading_cps is None or not is_read or self._state.order.owed:
            return policy.gap_s
        reading_s = min(reading_length(words) / policy.reading_cps, READING_MOST_S)
        return max(policy.gap_s, reading_s)

    def _end_turn(
        self, floor: Thinking | Saying, words: str, answer: str = "", nominates: str | None = None
    ) -> None:
        state, speaker = self._state, floor.choice.name
        state.floor = None
        state.last_turn_ms = state.now_ms
        state.spending.end_turn(state.now_ms - floor.since_ms, words)
        if state.closing is not None:
            state.order.said_goodbye(speaker)
        if state.policy.order != "rounds":
            hearers = self._hearers(floor)
            called = self._called(words, hearers)
            resolved = self._resolved(floor, hearers, answer, nominates)
            state.order.turn_ended(hearers, called, resolved)
            names_bot = bool(called) or resolved["reason"] in ("tag", "fuzzy")
            tag = nominates or last_tag(answer) or ""
            people = self._people_who_heard(floor)
            state.await_person(person_named(words, tag, people, names_bot=names_bot))

    def _people_who_heard(self, floor: Thinking | Saying) -> list[Participant]:
        if isinstance(floor, Thinking):
            return []
        missed = self._state.transcript.missed(floor.line)
        seated = self._state.participants.seated(lambda name: name in floor.to)
        return [one for one in seated if one.kind != "bot" and one.name not in missed]

    def _hearers(self, floor: Thinking | Saying) -> list[str]:
        """The other bots that may have heard the line; all of them for a turn without one."""
        bots = [bot for bot in self._state.participants.bots if bot != floor.choice.name]
        if isinstance(floor, Thinking):
            return bots
        missed = self._state.transcript.missed(floor.line)
        return [bot for bot in bots if bot in floor.to and bot not in missed]

    def _resolved(
        self, floor: Thinking | Saying, hearers: list[str], answer: str, nominates: str | None
    ) -> Resolved:
        speaker = floor.choice.name
        seats = self._state.participants.seated(lambda name: name == speaker or name in hearers)
        members = [
            {
                "internal_id": one.name,
                "display_name": one.display_name,
                "short_name": one.short_name,
            }
            for one in seats
        ]
        policy = self._state.policy.next_policy(floor.turn)
        registry = CharacterRegistry(members)
        return resolve_next_speaker(answer, speaker, registry, policy, nominated=nominates)

    def _called(self, words: str, hearers: Iterable[str]) -> tuple[str, ...]:
        if not self._state.policy.heeds_names:
            return ()
        chosen = set(hearers)
        return addressed(words, self._state.participants.seated(chosen.__contains__))
