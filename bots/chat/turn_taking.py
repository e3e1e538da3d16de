"""Limits how long bots talk among themselves before a person says something.

We count whispers for each pair; public chat is one room that all bots share. We do not know who had
a bot of another daemon speak. Its pairs start again after a silence, because neither of two bots
would begin by itself. All our bots hear each public line; the room tells which of them heard it
first.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from datetime import datetime, timedelta

from bots.clock import Stopwatch

TURNS_WITHOUT_A_PERSON = 6
QUIET_S = 20.0  # after a person's last line to a bot
HUSHED_S = 600.0
SILENCE_S = 30.0
"""After this silence somebody must have had the other daemon's bot speak: answers come sooner."""


class TurnLimit:
    """Counts the lines each pair of bots exchanged, and the bots' answers in public chat."""

    def __init__(self, turns: int, stopwatch: Stopwatch) -> None:
        self._turns, self._stopwatch = turns, stopwatch
        self._heard: dict[frozenset[str], int] = {}
        self._public = 0
        self._elsewhere_spoke_s: dict[frozenset[str], float] = {}
        """When bots of other daemons last spoke to which bot, or in public."""

    def may_answer(self, bot: str, fellow: str, *, is_elsewhere: bool = False) -> bool:
        """Whether `bot` may say another line to `fellow` now; one elsewhere has not agreed to
        more turns than usual."""
        most = min(self._turns, TURNS_WITHOUT_A_PERSON) if is_elsewhere else self._turns
        return self._heard.get(frozenset((bot, fellow)), 0) < most

    def exhaust(self, bot: str, other: str) -> None:
        """Let the two exchange no more lines, also in public, until they begin anew."""
        pair = frozenset((bot, other))
        self._heard[pair] = self._public = self._turns
        for where in (pair, frozenset[str]()):
            self._elsewhere_spoke_s[where] = self._stopwatch()

    def heard(self, bot: str, fellow: str) -> None:
        """Note that `bot` heard a line from `fellow`."""
        pair = frozenset((bot, fellow))
        self._heard[pair] = self._heard.get(pair, 0) + 1

    def heard_from_elsewhere(self, bot: str, other: str) -> None:
        """`bot` heard a line from a bot of another daemon."""
        pair = frozenset((bot, other))
        if self._was_silent(pair):
            self._heard.pop(pair, None)
        self.heard(bot, other)

    def heard_publicly_from_elsewhere(self) -> None:
        """A bot of another daemon spoke to one of ours in public chat."""
        if self._was_silent(frozenset()):
            self._public = max(0, self._turns - TURNS_WITHOUT_A_PERSON)
        self._public += 1

    def take_public_turn(self) -> bool:
        """Whether a bot may answer a bot in public now; if so, that is counted as done."""
        if self._public >= self._turns:
            return False
        self._public += 1
        return True

    def person_spoke(self, bot: str) -> None:
        """A person or the operator spoke to `bot`: its pairs and public chat start anew."""
        self._public = 0
        for pair in [pair for pair in self._heard if bot in pair]:
            del self._heard[pair]

    def had_said(self, bot: str, fellow: str) -> None:
        """A person or the operator had `fellow` say something to `bot`: the two start anew."""
        self._public = 0
        self._heard.pop(frozenset((bot, fellow)), None)

    def _was_silent(self, where: frozenset[str]) -> bool:
        now = self._stopwatch()
        before = self._elsewhere_spoke_s.get(where, float("-inf"))
        self._elsewhere_spoke_s[where] = now
        return now - before > SILENCE_S


class PersonTalk:
    """When persons last talked with each bot: bots keep quiet among themselves meanwhile."""

    def __init__(self, stopwatch: Stopwatch, quiet_s: float = QUIET_S) -> None:
        self._stopwatch, self._quiet_s = stopwatch, quiet_s
        self._last: dict[str, float] = {}
        self._hushed_until = float("-inf")

    def hush(self) -> None:
        """Note that a person has heard enough: for a while no bot speaks of its own accord."""
        self._hushed_until = self._stopwatch() + HUSHED_S

    def spoke(self, bot: str) -> None:
        """Note that a person addressed this bot or got an answer from it."""
        self._last[bot] = self._stopwatch()

    def going_on(self, *bots: str) -> bool:
        """Whether a person talked with any of these bots within the last `quiet_s` seconds, or
        wants quiet."""
        now = self._stopwatch()
        if now < self._hushed_until:
            return True
        return any(now - self._last.get(bot, float("-inf")) < self._quiet_s for bot in bots)

    def any_within(self, seconds: float) -> bool:
        """Whether a person talked with any bot so lately."""
        return self._stopwatch() - max(self._last.values(), default=float("-inf")) < seconds


HEARD_WITHIN = timedelta(seconds=5)  # all bots hear a line within this; later it is a new line
REMEMBERED = 1_000  # lines; we forget the oldest


class _Line:
    """How often one speaker lately said the same words, as each bot heard it."""

    def __init__(self, at: datetime) -> None:
        self.at = at
        self.reported = 0
        self.heard: Counter[str] = Counter()


class PublicRoom:
    """The public lines heard lately, shared by all bots."""

    def __init__(self) -> None:
        self._lines: OrderedDict[tuple[str, str], _Line] = OrderedDict()

    def is_news(self, bot: str, speaker: str, text: str, at: datetime) -> bool:
        """Note that a bot heard a line; True when no other bot has reported it before."""
        line = self._lines.pop((speaker, text), None)
        if line is None or at - line.at > HEARD_WITHIN:
            line = _Line(at)
        self._lines[speaker, text] = line
        if len(self._lines) > REMEMBERED:
            self._lines.popitem(last=False)
        line.at = max(at, line.at)
        line.heard[bot] += 1
        if line.heard[bot] <= line.reported:
            return False
        line.reported = line.heard[bot]
        return True
