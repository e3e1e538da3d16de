"""Finds out which strangers are bots of other daemons that nothing else tells us of.

    a line as only bots put it ─▶ it is asked, and what it said waits for its word
    a few lines in turn ───────▶ the answer ends with what we are: its daemon learns that
    it says what it is ────────▶ a bot from now on, until it leaves the server
    it says nothing of that ───▶ a person, who is answered as before

Each is asked once in a while. A person is told once, and by one bot, until the daemon ends.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from bots.access.origin import KnownBots
from bots.clock import Stopwatch, Times
from bots.text.closing import Closings
from bots.text.language import reading_length

Key = TypeVar("Key", bound=Hashable)
Ask: TypeAlias = Callable[[str], Awaitable[object]]
"""Asks somebody by whisper whether it is a bot."""

ANSWERED_WITHIN_S = 1.0
LOOK_AGAIN_S = 0.05
ONCE_IN_S = 3600.0
PAUSE_ENDS_S = 60.0  # after so long a silence, lines are counted anew
TOLD_FROM = 6
LONG, WRITTEN, TYPED, ASKED = 6, 3, 2, 1
"""What counts each line that follows one of ours: a long one, one like a sentence, any other, and
a question that was typed without care."""
LONG_FROM = 120  # Latin letters, or as many as take as long to read
A_PERSON_FROM = 2  # lines of somebody who was told, and says nothing of being a bot
SETTLED_S = 5.0  # a line that comes sooner was under way when it was told
SPEAKERS = 1_000  # we forget whoever was noted first


class _Noted(Generic[Key]):
    """When something was last done for each of many."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._at_s: dict[Key, float] = {}

    def note(self, key: Key) -> None:
        self._at_s.pop(key, None)
        self._at_s[key] = self._stopwatch()
        if len(self._at_s) > SPEAKERS:
            del self._at_s[next(iter(self._at_s))]

    def is_within(self, key: Key, seconds: float) -> bool:
        return self._stopwatch() - self._at_s.get(key, float("-inf")) < seconds

    def forget(self, key: Key) -> None:
        self._at_s.pop(key, None)


@dataclass(slots=True)
class _Exchange:
    """The lines of a speaker to one bot that followed the bot's own."""

    in_turn: int = 0
    """By what they count."""
    last_s: float = float("-inf")


class Strangers:
    """The players of whom nothing tells yet that they are bots; shared by all bots."""

    def __init__(self, known_bots: KnownBots, closings: Closings, times: Times) -> None:
        self._known_bots, self._closings, self._times = known_bots, closings, times
        self._asked = _Noted[str](times.stopwatch)
        self._told = _Noted[tuple[str, str]](times.stopwatch)
        self._exchanges: dict[tuple[str, str], _Exchange] = {}
        self._since_told: dict[str, int] = {}
        """The lines of those who were told and said nothing of being a bot."""

    def wants_no_answer(self, text: str) -> bool:
        """Whether a line is nothing but what bots of ours say to end an exchange."""
        return self._closings.are_all(text)

    def hear(self, bot: str, name: str, text: str, spoke_s: float | None) -> None:
        """Note a line of a stranger to a bot that spoke to it last at this time."""
        now = self._times.stopwatch()
        exchange = self._exchanges.pop((bot, name), None) or _Exchange()
        self._exchanges[bot, name] = exchange
        if len(self._exchanges) > SPEAKERS:
            del self._exchanges[next(iter(self._exchanges))]
        before_s = max(exchange.last_s, now - PAUSE_ENDS_S)
        if before_s > exchange.last_s:
            exchange.in_turn = 0
        if spoke_s is not None and spoke_s >= before_s:
            exchange.in_turn += _counts(text)
        exchange.last_s = now
        is_settled = not self._told.is_within((bot, name), SETTLED_S)
        if is_settled and self._told.is_within((bot, name), ONCE_IN_S):
            self._since_told[name] = self._since_told.get(name, 0) + 1
            if len(self._since_told) > SPEAKERS:
                del self._since_told[next(iter(self._since_told))]

    def is_to_be_told(self, bot: str, name: str) -> bool:
        """Whether the next answer to a stranger is to say what the bot is; if so, it is noted."""
        if self._since_told.get(name, 0) >= A_PERSON_FROM:
            return False
        exchange = self._exchanges.get((bot, name))
        if exchange is None or exchange.in_turn < TOLD_FROM:
            return False
        if self._told.is_within((bot, name), ONCE_IN_S):
            return False
        self._told.note((bot, name))
        return True

    def is_waited_for(self, name: str, text: str) -> bool:
        """Whether to wait with a stranger's line until we know what it is."""
        if self._asked.is_within(name, ANSWERED_WITHIN_S):
            return True
        return self.wants_no_answer(text) and not self._asked.is_within(name, ONCE_IN_S)

    async def turns_out_a_bot(self, name: str, ask: Ask) -> bool:
        """Ask it, unless that was done lately, and wait for its word."""
        if not self._asked.is_within(name, ONCE_IN_S):
            self._asked.note(name)
            await ask(name)
            self._asked.note(name)
        while name not in self._known_bots and self._asked.is_within(name, ANSWERED_WITHIN_S):
            await self._times.sleep(LOOK_AGAIN_S)
        return name in self._known_bots

    def introduced(self, name: str) -> None:
        """It said of itself that it is a bot."""
        self._known_bots.recognised.add(name)
        self._since_told.pop(name, None)

    def left(self, name: str) -> None:
        """It left the server: whoever comes under this name may be somebody else."""
        self._known_bots.recognised.discard(name)
        self._asked.forget(name)
        for bot in self._known_bots.ours:
            self._told.forget((bot, name))

    def lost_sight(self) -> None:
        """None of our bots sees any more who comes and goes."""
        for name in tuple(self._known_bots.recognised):
            self.left(name)


def _counts(text: str) -> int:
    said = text.strip()
    if reading_length(said) >= LONG_FROM:
        return LONG
    is_written = not said[:1].islower() and said.endswith(tuple(".!?。！？"))
    if is_written:
        return WRITTEN
    return ASKED if said.endswith(("?", "？")) else TYPED
