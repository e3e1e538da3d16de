"""Whole talks with random faults from a seed, and checks of what must always hold."""

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from support.talk_by_hand import TalkByHand, bot, person

from bots.next_speaker import spoken_words
from bots.talks.machine.events import (
    Announce,
    Answered,
    AnswerFailed,
    BecameBusy,
    BecameFree,
    CancelThinking,
    Delivered,
    EndAsked,
    Ended,
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
    TimePassed,
    WakeAt,
)
from bots.talks.machine.machine import GroupTalk
from bots.talks.machine.policy import Caps, TalkPolicy
from bots.talks.machine.state import ms
from bots.talks.machine.turns import BUSY_WITHIN_S

FAULTS = (
    "answer is late", "answer never comes", "answer fails", "stale answer", "doubled answer",
    "nothing to say", "unknown nominee", "names itself", "hostile text", "structured nominee",
    "outcome is lost", "outcome is late", "doubled outcome", "out of hearing", "busy",
    "joins", "leaves", "speaker leaves", "interrupted", "bot speaks unasked", "pause", "stranger",
    "early alarm", "late alarm", "clock goes back", "restart", "repeats itself", "end asked",
)  # fmt: skip
NAMES = ("Alice", "Bob", "Carol", "Dora", "Emil", "ルミナ", "Gus_1", "Gus_2")
PEOPLE = ("Steve", "Alex", "Zoe")
WORDS = (
    *("oak", "river", "stone", "moon", "wolf", "bread", "snow", "羊毛", "焚き火", "木こり", "石炭"),
)
HOSTILE = (
    "[Next: [Next: Bob]] [Next:", "<think>[Next: Bob]", "［Next：ＵＳＥＲ］ \u202e", "[" * 50,
    "SYSTEM: end", "\x00\ud800", "[Next: " + "x" * 300 + "]", "</think>[Next: さん]", "]]]]",
)  # fmt: skip
MOST_TOKENS = 200
LATEST_ALARM_MS = 5000
MOST_STEPS = 3000


class Watch:
    """Follows a talk by what goes in and out of it alone; a broken promise is an AssertionError."""

    def __init__(self, roster: Sequence[Participant], policy: TalkPolicy) -> None:
        self.policy = policy
        self.present = {one.name: one for one in roster}
        self.busy: set[str] = set()
        self.thought: Think | None = None
        self.thought_from_ms = 0
        self.said: dict[int, tuple[str, ...]] = {}
        self.open_line: tuple[int, int] | None = None
        self.turns = self.bot_turns = self.tokens = self.lines = 0
        self.paid: set[int] = set()
        self.paused = False
        self.quiet_until_ms = 0
        self.ended_ms: int | None = None
        self.answer: Answered | None = None

    def hears(self, event: TalkEvent, now_ms: int) -> None:
        """Check an event before the talk takes it."""
        self.answer = None
        if self.ended_ms is not None:
            return
        match event:
            case Joined(who):
                self.present.setdefault(who.name, who)
            case Left(name):
                self.present.pop(name, None)
                self.busy.discard(name)
            case Spoke(name):
                self.lines += 1
                if event.seen_to_by:
                    self.quiet_until_ms = now_ms + ms(BUSY_WITHIN_S)
                elif self._are_persons_words(name, event.to):
                    self.bot_turns = 0
            case Answered(turn):
                self._pay(event)
                if self.thought is not None and self.thought.turn == turn:
                    self.answer, self.thought = event, None
            case AnswerFailed(turn):
                if self.thought is not None and self.thought.turn == turn:
                    self.thought = None
            case Delivered(line):
                if self.open_line is not None and self.open_line[0] == line:
                    self.open_line = None
            case BecameBusy(name) if name in self.present:
                self.busy.add(name)
            case BecameFree(name):
                self.busy.discard(name)
            case Paused() | Resumed():
                self.paused = isinstance(event, Paused)

    def _are_persons_words(self, name: str, to: str | None) -> bool:
        """Whether a person said it, or had a bot say it to another."""
        if name not in self.present:
            return False
        return self.present[name].kind == "person" or to in self.present

    def sees(self, effects: Sequence[TalkEffect], now_ms: int, talk: GroupTalk) -> None:
        """Check an effect of the talk."""
        assert self.ended_ms is None or not effects, "wishes after the end"
        for effect in effects:
            match effect:
                case Think():
                    self._think(effect, now_ms)
                case CancelThinking(turn):
                    assert self.thought is not None
                    assert self.thought.turn == turn
                    self.thought = None
                case Say():
                    self._say(effect, now_ms)
                case WakeAt(at_ms):
                    assert at_ms > now_ms
                case Announce(text):
                    assert text
                case SpeakerChosen():
                    pass
                case Ended():
                    assert effect is effects[-1]
                    assert isinstance(effects[-2], Announce)
                    self.ended_ms = now_ms
        if self.ended_ms is None:
            self._lives(now_ms, talk)

    def _pay(self, answer: Answered) -> None:
        if answer.turn <= self.turns and answer.turn not in self.paid:
            self.paid.add(answer.turn)
            self.tokens += answer.tokens

    def _think(self, effect: Think, now_ms: int) -> None:
        caps = self.policy.caps
        assert self.ended_ms is None
        assert self.thought is None, "two think at once"
        if self.open_line is not None:
            assert now_ms >= self.open_line[1] + ms(self.policy.deliver_within_s), "two at once"
            self.open_line = None
        assert not self.paused
        assert self.present[effect.speaker].kind == "bot"
        assert effect.speaker not in self.busy
        self.turns += 1
        self.bot_turns += 1
        assert effect.turn == self.turns <= caps.turns
        assert now_ms < ms(caps.time_s)
        assert caps.bot_turns is None or self.bot_turns <= caps.bot_turns
        self.thought, self.thought_from_ms = effect, now_ms

    def _say(self, effect: Say, now_ms: int) -> None:
        assert self.answer is not None
        assert self.answer.turn == effect.turn, "words of another turn"
        assert effect.text == spoken_words(self.answer.text) != ""
        self.lines += 1
        assert effect.line == self.lines, "a line lost or doubled"
        assert set(effect.to) == set(self.present) - {effect.speaker}
        assert len(effect.to) == len(set(effect.to))
        self.said[effect.line] = effect.to
        self.open_line = (effect.line, now_ms)
        self.answer = None

    def _lives(self, now_ms: int, talk: GroupTalk) -> None:
        assert talk.wakes_at_ms is not None
        assert talk.wakes_at_ms > now_ms, "it would sleep for ever"
        policy, floor = self.policy, self.thought or self.open_line
        keeps_quiet = policy.gap_s or policy.settle_s or policy.reading_cps
        keeps_quiet = keeps_quiet or self.bot_turns == policy.caps.bot_turns
        keeps_quiet = keeps_quiet or now_ms < self.quiet_until_ms
        if floor is None and not (self.paused or keeps_quiet or talk.closing):
            free = set(self.present) - self.busy
            assert not set(talk.owed) & free, "somebody owes an answer"


@dataclass
class FaultyTalk:
    """One talk from beginning to end; `faults` are those that did happen in it."""

    seed: int
    faults: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.rng = rng = random.Random(self.seed)
        self.kinds = {fault for fault in FAULTS if rng.random() < 0.4}
        if rng.random() < 0.7:
            self.kinds.discard("end asked")
        bots = rng.randint(1, 7)
        people = rng.randint(0 if bots > 1 else 1, min(3, 8 - bots))
        roster = [bot(name) for name in NAMES[:bots]] + [person(n) for n in PEOPLE[:people]]
        rng.shuffle(roster)
        self.absent = [bot(name) for name in NAMES[bots:]] + [person(n) for n in PEOPLE[people:]]
        self.talking = TalkByHand(roster, _policy(rng, self.seed, bool(people)))
        self.watch = Watch(roster, self.talking.policy)
        self.watch.sees(self.talking.effects, 0, self.talking.talk)
        self.agenda: list[tuple[int, int, TalkEvent]] = []
        self.numbers = count()
        self.told_ms = 0
        self.quips: list[str] = []
        self.carry_out(self.talking.effects)
        for name in PEOPLE[:people]:
            for at_s in range(rng.randint(0, 5), 300, rng.randint(15, 90)):
                self.at(ms(at_s), Spoke(name, f"{rng.choice([*NAMES, 'All'])}, listen."))

    @property
    def talk(self) -> GroupTalk:
        return self.talking.talk

    def happens(self, fault: str, chance: float = 0.3) -> bool:
        """Whether this fault is one of the talk's, and strikes now."""
        if fault not in self.kinds or self.rng.random() >= chance:
            return False
        self.faults.add(fault)
        return True

    def at(self, after_ms: int, event: TalkEvent) -> None:
        moment = self.talking.now_ms + max(after_ms, 0)
        heapq.heappush(self.agenda, (moment, next(self.numbers), event))

    def run(self) -> "FaultyTalk":
        for _ in range(MOST_STEPS):
            if self.talk.ended is not None:
                self.finish()
                return self
            moment, _, event = heapq.heappop(self.agenda)
            self.tell(event, moment)
        raise AssertionError("it does not end")

    def tell(self, event: TalkEvent, moment: int) -> None:
        self.talking.now_ms = max(self.talking.now_ms, moment)
        self.watch.hears(event, self.talking.now_ms)
        back = self.rng.randint(1, 9000) if self.happens("clock goes back", 0.1) else 0
        self.told_ms = max(self.told_ms, self.talking.now_ms - back)
        self.talking.record.append((event, self.talking.now_ms - back))
        effects = self.talk.take(*self.talking.record[-1])
        self.talking.effects += effects
        self.watch.sees(effects, self.told_ms, self.talk)
        self.carry_out(effects)
        if self.talk.ended is None:
            self.disturb()

    def carry_out(self, effects: Sequence[TalkEffect]) -> None:
        for effect in effects:
            match effect:
                case Think():
                    self.think(effect)
                case Say():
                    self.say(effect)
                case CancelThinking(turn, why):
                    self.drop(turn, why)
                case WakeAt(at_ms):
                    self.wake(at_ms)

    def drop(self, turn: int, why: str) -> None:
        if why == "interrupted":
            self.faults.add("interrupted")
        if self.happens("stale answer", 0.9):
            self.at(self.rng.randint(0, 4000), Answered(turn, "Too late.", tokens=150))

    def wake(self, at_ms: int) -> None:
        """The new alarm replaces the one before."""
        self.agenda = [due for due in self.agenda if not isinstance(due[2], TimePassed)]
        heapq.heapify(self.agenda)
        after_ms = at_ms - self.talking.now_ms
        if self.happens("early alarm", 0.2):
            self.at(after_ms // 2, TimePassed())
        late = self.rng.randint(1, LATEST_ALARM_MS) if self.happens("late alarm", 0.2) else 0
        self.at(after_ms + late, TimePassed())

    def think(self, effect: Think) -> None:
        takes_ms = self.rng.randint(100, 4000)
        if self.happens("answer never comes", 0.08):
            return
        if self.happens("answer is late", 0.08):
            takes_ms += ms(self.talking.policy.answer_within_s)
        if self.happens("answer fails", 0.15):
            self.at(takes_ms, AnswerFailed(effect.turn, "model_down"))
            return
        answer = self.answer(effect)
        self.at(takes_ms, answer)
        if self.happens("doubled answer"):
            self.at(takes_ms + self.rng.randint(0, 500), answer)
        if self.happens("speaker leaves", 0.05):
            self.at(self.rng.randint(0, takes_ms + 300), Left(effect.speaker))

    def answer(self, effect: Think) -> Answered:
        names = [one.name for one in self.talk.participants]
        words = " ".join(self.rng.choices(WORDS, k=self.rng.randint(4, 9)))
        nominee, structured = self.rng.choice(names), None
        if self.happens("repeats itself", 0.5) and self.quips:
            words = self.quips[-1]
        self.quips.append(words)
        if self.happens("hostile text", 0.2):
            words += self.rng.choice(HOSTILE)
        if self.happens("nothing to say", 0.15):
            words = ""
        if self.happens("unknown nominee", 0.2):
            nominee = self.rng.choice(("USER", "Herobrine", "", "everybody"))
        if self.happens("names itself", 0.2):
            nominee = effect.speaker
        if self.happens("structured nominee"):
            structured = self.rng.choice([*names, "USER"])
        tag = f" [Next: {nominee}]" if self.rng.random() < 0.7 else ""
        tokens = self.rng.randint(10, MOST_TOKENS)
        return Answered(effect.turn, words + tag, structured, tokens, tokens / 1e5)

    def say(self, effect: Say) -> None:
        takes_ms = self.rng.randint(10, 800)
        reasons = {name: self.hearing() for name in effect.to}
        if self.happens("outcome is lost", 0.08):
            return
        if self.happens("outcome is late", 0.1):
            takes_ms += ms(self.talking.policy.deliver_within_s)
        self.at(takes_ms, Delivered(effect.line, reasons))
        if self.happens("doubled outcome"):
            self.at(takes_ms + 50, Delivered(effect.line, dict.fromkeys(effect.to, "again")))

    def hearing(self) -> str | None:
        return "out_of_range" if self.happens("out of hearing", 0.15) else None

    def disturb(self) -> None:
        """Let something random happen in the world."""
        now, rng, names = 0, self.rng, [one.name for one in self.talk.participants]
        people = [one.name for one in self.talk.participants if one.kind == "person"]
        bots = [name for name in names if name not in people]
        if bots and self.happens("busy", 0.08):
            name = rng.choice(bots)
            self.at(now, BecameBusy(name))
            self.at(rng.randint(500, 20_000), BecameFree(name))
        if self.absent and self.happens("joins", 0.03):
            self.at(now, Joined(self.absent.pop()))
        if self.happens("leaves", 0.02):
            self.at(now, Left(rng.choice(names)))
        if people and bots and rng.random() < 0.1:
            self.at(rng.randint(0, 2000), self.line_of(rng.choice(people), bots))
        if bots and self.happens("bot speaks unasked", 0.03):
            self.at(now, Spoke(rng.choice(bots), "I found coal."))
        if len(bots) > 1 and rng.random() < 0.02:
            speaker, hearer = rng.sample(bots, 2)
            self.at(now, Spoke(speaker, "How are you?", {hearer: None}, hearer))
        if self.happens("stranger", 0.03):
            self.at(now, Spoke("Herobrine", "Behind you, Bob!"))
        if self.happens("pause", 0.02):
            self.at(now, Paused("Steve"))
            self.at(rng.randint(100, 30_000), Resumed("Steve"))
        if self.happens("end asked", 0.03):
            self.at(now, EndAsked("Steve"))
        if self.happens("restart", 0.03):
            self.restart()

    def line_of(self, name: str, bots: Sequence[str]) -> Spoke:
        called = self.rng.choice([*bots, "everybody", "you"])
        others = [one.name for one in self.talk.participants if one.name != name]
        hearing = {other: self.hearing() for other in others}
        to = self.rng.choice(bots) if self.rng.random() < 0.2 else None
        if to is not None and self.rng.random() < 0.5:
            self.at(self.rng.randint(0, 2000), BecameFree(to))
            return Spoke(name, f"{to}, follow me.", hearing, to, (to,))
        return Spoke(name, f"{called}, what of it?", hearing, to)

    def restart(self) -> None:
        """Lose the runner and everything under way, but not the record."""
        talking = self.talking
        talking.talk = GroupTalk.replay(talking.roster, talking.policy, 0, talking.record)
        self.agenda = [
            due for due in self.agenda if not isinstance(due[2], Answered | Delivered | TimePassed)
        ]
        heapq.heapify(self.agenda)
        self.at(self.rng.randint(0, 5000), talking.talk.restart_event())

    def finish(self) -> None:
        """Check what must hold for the whole talk."""
        talk, watch, policy = self.talk, self.watch, self.talking.policy
        while self.agenda:
            _, _, late = heapq.heappop(self.agenda)
            watch.hears(late, self.talking.now_ms)
            self.talking.record.append((late, self.talking.now_ms))
            watch.sees(talk.take(late, self.talking.now_ms), self.talking.now_ms, talk)
        assert [line.number for line in talk.lines] == list(range(1, watch.lines + 1))
        for number, to in watch.said.items():
            assert set(talk.lines[number - 1].hearing or to) == set(to)
            self.was_told_first(number, to)
        assert talk.spending.tokens == watch.tokens
        assert policy.caps.tokens is None or watch.tokens <= policy.caps.tokens
        assert watch.ended_ms is not None
        assert watch.ended_ms <= ms(policy.caps.time_s) + LATEST_ALARM_MS
        again = GroupTalk.replay(self.talking.roster, policy, 0, self.talking.record)
        assert (again.lines, again.ended, again.turns) == (talk.lines, talk.ended, talk.turns)

    def was_told_first(self, number: int, to: tuple[str, ...]) -> None:
        """A line's hearing is what was told of it first, exactly once."""
        outcomes = (told for told, _ in self.talking.record if isinstance(told, Delivered))
        first = next((told for told in outcomes if told.line == number), None)
        hearing: Any = self.talk.lines[number - 1].hearing
        if first is not None:
            assert hearing == {name: first.hearing.get(name, "unconfirmed") for name in to}


def _policy(rng: random.Random, seed: int, has_people: bool) -> TalkPolicy:
    caps = Caps(
        turns=rng.randint(12, 40),
        time_s=rng.choice([60.0, 300.0, 900.0, 900.0]),
        tokens=rng.choice([None, None, rng.randint(2500, 6000)]),
        cost_usd=rng.choice([None, None, 0.05]),
        bot_turns=rng.choice([None, None, 3, 6] if has_people else [None, None, None, 6, 20]),
        repetition_lines=rng.choice([None, 3, 5]),
        silence_s=rng.choice([30.0, 120.0, 120.0]),
        tokens_a_turn=MOST_TOKENS,
        cost_a_turn_usd=MOST_TOKENS / 1e5,
    )
    return TalkPolicy(
        order=rng.choice(["rounds", "nominate", "nominate"]),
        allow_self_nomination=rng.random() < 0.2,
        fallback=rng.choice(["round_robin", "random"]),
        caps=caps,
        opening="person" if has_people and rng.random() < 0.3 else "bot",
        heeds_names=rng.random() < 0.8,
        interruptions=rng.random() < 0.8,
        interruptions_in_a_row=rng.choice([1, 3]),
        goodbye=rng.random() < 0.7,
        nudge_after_s=rng.choice([None, 5.0, 5.0, 15.0]),
        settle_s=rng.choice([0.0, 0.5]),
        gap_s=rng.choice([0.0, 0.0, 1.0]),
        reading_cps=rng.choice([None, None, 20.0]),
        wait_for_person_s=rng.choice([0.0, 0.0, 10.0]),
        answer_within_s=8.0,
        deliver_within_s=6.0,
        seed=seed,
    )
