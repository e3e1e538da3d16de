"""The rules a talk goes by: order, caps, patience; plain values, kept with its record."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field, fields
from typing import Literal

from bots.next_speaker import Fallback, NextPolicy

Order = Literal["rounds", "nominate"]
Opening = Literal["bot", "person"]


@dataclass(frozen=True, slots=True)
class Caps:
    """What a talk may take at most. A talk always ends: turns and time are never unlimited."""

    turns: int = 40
    """Thoughts asked for, dropped ones among them."""
    time_s: float = 1800.0
    """From start to end, pauses among it."""
    tokens: int | None = None
    cost_usd: float | None = None
    bot_turns: int | None = 6
    """In a row without a person's line; with a person in the talk bots then wait for them."""
    repetition_lines: int | None = 3
    """So many lines of bots in a row that repeat what bots said before."""
    repetition_overlap: float = 0.8
    """Part of a line's n-grams that were there before, for it to be a repetition; 0–1."""
    silence_s: float = 120.0
    """Without any line."""
    tokens_a_turn: int = 0
    """The most one turn can take, kept in reserve so that the cap is never overrun; learnt from
    the largest turn so far where it is larger."""
    cost_a_turn_usd: float = 0.0

    def __post_init__(self) -> None:
        """Raises ValueError for a cap that would let nothing happen, or anything."""
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
    """rounds: each bot once for every line of a person (and round by round among bots alone);
    nominate: whoever the last speaker names."""
    allow_self_nomination: bool = False
    fallback: Fallback = "round_robin"
    fuzzy_threshold: float = 0.85
    caps: Caps = field(default_factory=Caps)
    opening: Opening = "bot"
    """Who says the first words: the first bot of the roster, or nobody before a person."""
    heeds_names: bool = True
    """Whether a bot called by its name in somebody's words comes first (after a valid tag)."""
    interruptions: bool = True
    """Whether a person's line ends a bot's thought; else it is answered after it."""
    interruptions_in_a_row: int = 3
    """Thoughts lost to people before one may be finished, however much they go on speaking."""
    goodbye: bool = True
    """Whether each bot says goodbye when a cap comes near."""
    nudge_after_s: float | None = 20.0
    """Quiet after which a bot speaks unasked (never in rounds with a person)."""
    settle_s: float = 0.0
    """Kept quiet after a person's line: they may have more to say."""
    gap_s: float = 0.0
    """Kept quiet after a bot's line, for people to read it."""
    answer_within_s: float = 30.0
    """For a thought; later it is dropped."""
    deliver_within_s: float = 30.0
    """For saying a line; later its hearers count as unconfirmed."""
    topic: str = ""
    seed: int = 0

    def next_policy(self, turn: int) -> NextPolicy:
        """The rule of nomination after this turn; the same turn draws the same."""
        rng = random.Random(f"{self.seed}:{turn}")
        return NextPolicy(self.allow_self_nomination, self.fallback, self.fuzzy_threshold, rng)
