"""What a talk has used so far, measured against its caps."""

from __future__ import annotations

import unicodedata
from collections import deque

from bots.clock import MS_PER_S
from bots.talks.machine.events import EndReason
from bots.talks.machine.policy import Caps

GRAM = 4  # letters; the same measure for languages with and without spaces
REMEMBERED_LINES = 12


class Spending:
    """Counts turns, time, tokens and money. A turn that is cut off still costs its tokens, once."""

    def __init__(self, caps: Caps, began_ms: int) -> None:
        self._caps, self._began_ms = caps, began_ms
        self._unpaid: set[int] = set()
        self._paid: set[int] = set()
        self._turns = Meter(caps.turns, 1)
        self._bot_turns = Meter(caps.bot_turns, 1)
        self._tokens = Meter(caps.tokens, caps.tokens_a_turn)
        self._cost = Meter(caps.cost_usd, caps.cost_a_turn_usd)
        self._longest_turn_ms = 0
        self.repetition = Repetition(caps.repetition_overlap)
        self.fruitless = 0
        """Turns in a row without words."""

    @property
    def turns(self) -> int:
        return int(self._turns.spent)

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
