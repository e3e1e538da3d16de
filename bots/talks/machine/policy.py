"""The rules of one talk: order of speakers, caps and timing. Stored with the talk."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Literal

from bots.next_speaker import Fallback, NextPolicy
from bots.talks.machine.events import Participant

Order = Literal["rounds", "nominate"]
Opening = Literal["bot", "person"]


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
    nominate: whoever the last speaker names."""
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
