"""The rules of one talk: order of speakers, caps and timing, stored with the talk; and what it has
used so far, measured against its caps.
"""

from __future__ import annotations

import math
import random
import unicodedata
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Literal

from bots.clock import MS_PER_S
from bots.next_speaker import Fallback, NextPolicy
from bots.talks.machine.events import EndReason, Participant

Order = Literal["rounds", "nominate", "own"]
Opening = Literal["bot", "person"]
GRAM = 4  # letters; the same measure for languages with and without spaces
REMEMBERED_LINES = 12


@dataclass(frozen=True, slots=True)
class Caps:
    """Limits of a talk. Turns and time are always limited, so every talk ends."""

    turns: int = 40
    """Turns given to bots, including those that were cut off."""
    time_s: float = 1800.0
    """From start to end, including pauses."""
    tokens: int | None = None
    cost_usd: float | None = None
    bot_turns: int | None = 6
    """Bot turns in a row without a person's line. With a person in the talk, bots then wait; among
    bots alone, the talk ends."""
    repetition_lines: int | None = 3
    """This many bot lines in a row that repeat earlier ones end the talk."""
    repetition_overlap: float = 0.8
    """Share of a line's n-grams heard before that makes it a repetition, 0–1."""
    silence_s: float = 120.0
    """Without any line, from anybody."""
    tokens_a_turn: int = 0
    """Tokens reserved for each turn under way, so that the cap is never exceeded; the largest turn
    so far counts where it is larger."""
    cost_a_turn_usd: float = 0.0

    def __post_init__(self) -> None:
        """Raises ValueError for a cap that is not positive, or a time that is not finite."""
        reserves = {"tokens_a_turn", "cost_a_turn_usd"}
        for name in (each.name for each in fields(self)):
            value = getattr(self, name)
            if value is not None and not (value > 0 or (value == 0 and name in reserves)):
                raise ValueError(f"{name} must be more than 0, not {value}")
        if not (math.isfinite(self.time_s) and math.isfinite(self.silence_s)):
            raise ValueError("time_s and silence_s must be finite, for a talk to end")


@dataclass(frozen=True, slots=True)
class TalkPolicy:
    order: Order = "nominate"
    """rounds: each bot once for every line of a person, or round by round among bots alone;
    nominate: whoever the last speaker names; own: as `OwnRules` say, and nominate without them."""
    allow_self_nomination: bool = False
    fallback: Fallback = "round_robin"
    fuzzy_threshold: float = 0.85
    caps: Caps = field(default_factory=Caps)
    opening: Opening = "bot"
    """Who speaks first: the first bot of the roster, or a person."""
    heeds_names: bool = True
    """Whether a bot named in the last line speaks next, unless a tag names another."""
    interruptions: bool = True
    """Whether a person's line cuts off a bot that is thinking; else it is answered afterwards."""
    interruptions_in_a_row: int = 3
    """After this many turns cut off in a row, the next may finish even if people keep talking."""
    goodbye: bool = True
    """Whether each bot says goodbye when a cap is nearly reached."""
    nudge_after_s: float | None = 20.0
    """Silence after which a bot speaks unasked; never in `rounds`."""
    settle_s: float = 0.0
    """Pause after a person's line, in case more follows."""
    gap_s: float = 0.0
    """Pause after a bot's line, at least."""
    reading_cps: float | None = None
    """Characters a second that people read; where somebody reads along, the pause after a bot's
    line lasts as long as that takes."""
    has_readers: bool = False
    """Whether people read along who take no part, as in public chat."""
    wait_for_person_s: float = 0.0
    """How long nobody takes the floor after a bot has given it to a person; that one's line, and
    a line that asks a bot for something, are answered meanwhile. Never in `rounds`."""
    answer_within_s: float = 30.0
    """Time for a bot's words; the turn ends without them."""
    deliver_within_s: float = 30.0
    """Time to deliver a line; later its hearers count as unconfirmed."""
    topic: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError for a number that is not finite: a talk must end."""
        for name in (each.name for each in fields(self)):
            value = getattr(self, name)
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"{name} must be finite, not {value}")

    def next_policy(self, turn: int) -> NextPolicy:
        """The nomination rule after this turn; random choices depend on seed and turn alone."""
        rng = random.Random(f"{self.seed}:{turn}")
        return NextPolicy(self.allow_self_nomination, self.fallback, self.fuzzy_threshold, rng)

    def may_follow(self, speaker: str, others: Sequence[Participant]) -> tuple[str, ...]:
        """The names that count when this speaker gives the floor to one of them."""
        if self.order == "rounds":
            return ()
        waits = self.wait_for_person_s > 0
        able = [one.name for one in others if one.kind == "bot" or waits]
        return (*able, *([speaker] if self.allow_self_nomination else []))


class Spending:
    """Counts turns, time, tokens and money. A turn that is cut off still costs its tokens, once."""

    def __init__(self, caps: Caps, began_ms: int) -> None:
        self._caps, self._began_ms = caps, began_ms
        self._unpaid: set[int] = set()
        self._paid: set[int] = set()
        self.turns = 0
        """Turns given so far."""
        self._turns = Meter(caps.turns, 1)
        self._bot_turns = Meter(caps.bot_turns, 1)
        self._tokens = Meter(caps.tokens, caps.tokens_a_turn)
        self._cost = Meter(caps.cost_usd, caps.cost_a_turn_usd)
        self._longest_turn_ms = 0
        self.repetition = Repetition(caps.repetition_overlap)
        self.fruitless = 0
        """Turns in a row without words."""

    @property
    def bot_turns(self) -> int:
        """In a row without a person's line."""
        return int(self._bot_turns.spent)

    @property
    def tokens(self) -> int:
        return int(self._tokens.spent)

    @property
    def cost_usd(self) -> float:
        return self._cost.spent

    @property
    def time_is_up_ms(self) -> int:
        return self._began_ms + round(self._caps.time_s * MS_PER_S)

    def begin_turn(self) -> int:
        """Count a turn; returns its number, from 1."""
        self.turns += 1
        self._turns.add(1)
        self._bot_turns.add(1)
        self._unpaid.add(self.turns)
        return self.turns

    def pay(self, turn: int, tokens: int, cost_usd: float) -> None:
        """Add what a turn's words cost, used or not; a second call for the turn counts nothing."""
        if not 1 <= turn <= self.turns or turn in self._paid:
            return
        self._unpaid.discard(turn)
        self._paid.add(turn)
        self._tokens.add(max(tokens, 0))
        self._cost.add(max(cost_usd, 0.0))

    def failed(self, turn: int) -> None:
        """The turn brings no words; its reserve is released."""
        self._unpaid.discard(turn)

    def gave_way(self) -> None:
        """A bot had nothing to say to a person, and thought of it for nothing: no turn is used."""
        self._turns.spent -= 1

    def end_turn(self, took_ms: int, words: str) -> None:
        self._longest_turn_ms = max(self._longest_turn_ms, took_ms)
        self.fruitless = 0 if words else self.fruitless + 1
        if words:
            self.repetition.said(words)

    def person_spoke(self) -> None:
        self._bot_turns.spent = 0
        self.fruitless = 0
        self.repetition.person_spoke()

    def repeats(self) -> bool:
        most = self._caps.repetition_lines
        return most is not None and self.repetition.lines_in_a_row >= most

    def have_bots_turns(self, turns: int) -> bool:
        """Whether bots may take this many more turns before a person speaks."""
        return self._bot_turns.has_room(turns)

    def reached(self, now_ms: int, has_people: bool) -> EndReason | None:
        """The cap that leaves no room for another turn, if any."""
        return self._without_room(1, now_ms, 0, has_people)

    def near(self, now_ms: int, has_people: bool, goodbyes: int) -> EndReason | None:
        """The cap that leaves room for these goodbyes alone; None before half of it is used."""
        why = self._without_room(goodbyes + 1, now_ms, self._longest_turn_ms, has_people)
        return why if why is not None and self._is_half_spent(why, now_ms) else None

    def _without_room(
        self, turns: int, now_ms: int, turn_ms: int, has_people: bool
    ) -> EndReason | None:
        unpaid = len(self._unpaid)
        if now_ms + turns * turn_ms >= self.time_is_up_ms:
            return "time"
        if not self._turns.has_room(turns):
            return "turns"
        if not self._tokens.has_room(turns + unpaid):
            return "tokens"
        if not self._cost.has_room(turns + unpaid):
            return "money"
        return None if has_people or self._bot_turns.has_room(turns) else "bot_turns"

    def _is_half_spent(self, why: EndReason, now_ms: int) -> bool:
        if why == "time":
            return 2 * (now_ms - self._began_ms) >= self.time_is_up_ms - self._began_ms
        meters: dict[EndReason, Meter] = {
            "turns": self._turns,
            "tokens": self._tokens,
            "money": self._cost,
            "bot_turns": self._bot_turns,
        }
        return meters[why].is_half_spent()


class Meter:
    """One limited quantity: how much is used, and the largest amount a turn took."""

    def __init__(self, cap: float | None, a_turn: float) -> None:
        self.cap, self.spent = cap, 0.0
        self._largest = a_turn

    def add(self, amount: float) -> None:
        self.spent += amount
        self._largest = max(self._largest, amount)

    def has_room(self, turns: int) -> bool:
        """Whether this many turns fit, each as large as the largest so far."""
        return self.cap is None or self.spent + turns * self._largest <= self.cap

    def is_half_spent(self) -> bool:
        return self.cap is not None and 2 * self.spent >= self.cap


class Repetition:
    """Counts bot lines in a row that repeat earlier ones."""

    def __init__(self, overlap: float) -> None:
        self._least = overlap
        self._said: deque[frozenset[str]] = deque(maxlen=REMEMBERED_LINES)
        self.lines_in_a_row = 0

    def said(self, words: str) -> float:
        """Add a bot's line; returns the share of it that was said before, 0–1."""
        new = grams(words)
        overlap = len(new & frozenset().union(*self._said)) / len(new) if new else 0.0
        self._said.append(new)
        self.lines_in_a_row = self.lines_in_a_row + 1 if overlap >= self._least else 0
        return overlap

    def person_spoke(self) -> None:
        """Forget what was said: from now on bots answer something new."""
        self.lines_in_a_row = 0
        self._said.clear()


def grams(words: str) -> frozenset[str]:
    """All stretches of four letters; a shorter text is its own only one."""
    folded = unicodedata.normalize("NFKC", words).casefold()
    letters = "".join(character for character in folded if character.isalnum())
    last = max(len(letters) - GRAM, 0)
    return frozenset(letters[at : at + GRAM] for at in range(last + 1) if letters)
