"""The tables of a scenario: bots, persons, their lines, events, and when the talk ends."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from bots.experiments.scenario.values import (
    Blocks,
    Name,
    Names,
    NotNegative,
    Number,
    Part,
    Place,
    Positive,
    Range,
    Text,
    Texts,
    Words,
    cue_of,
    key,
)
from bots.next_speaker import Fallback
from bots.talks.machine.policy import Order

Answers = Literal["cues", "rules", "function", "model"]
EventKind = Literal[
    "walk", "teleport", "join", "leave", "busy", "free", "pause", "resume", "end", "lose_lines"
]
KINDS_WITH_WHO = frozenset({"walk", "teleport", "join", "leave", "busy", "free", "lose_lines"})


class When(Part):
    """When something happens: exactly one of the three."""

    at_s: NotNegative | None = key(None, "seconds after the talk began")
    after_turn: Number | None = key(None, "once the words of this turn are said")
    during_turn: Number | None = key(None, "while somebody thinks about this turn")

    @model_validator(mode="after")
    def _one_moment(self) -> When:
        given = [self.at_s, self.after_turn, self.during_turn]
        if sum(value is not None for value in given) != 1:
            raise ValueError("write one of at_s, after_turn and during_turn")
        return self


class Cue(Part):
    """Words for a turn, and when they fit; without conditions they always fit."""

    say: Texts = key((), "the words; of several, one by chance; none: it says nothing")
    hears: Words = key((), "fits when one of these was heard since its own last line")
    knows: Words = key((), "fits when one of these was heard or said at any time")
    unaware: Words = key((), "fits when none of these was ever heard or said")
    near: Names = key((), "fits when all of these can hear it now")
    away: Names = key((), "fits when none of these can hear it now")
    again: bool = key(False, "whether it may be used more than once")
    next: str = key("", "whom it nominates, as a model's structured answer would")
    takes_s: NotNegative | None = key(None, "seconds of thinking, instead of those of `talk`")
    tokens: Annotated[int, Field(ge=0)] = key(0, "tokens it counts as")
    cost_usd: NotNegative = key(0.0, "US dollars it counts as")
    fails: str = key("", "thinking fails, and this is why")


class Member(Part):
    """One `[[cast]]`: a bot."""

    name: Name = key(..., "username; nominations name it")
    display_name: str = key("", "as others may call it")
    short_name: str = key("", "shorter still")
    persona: Text = key("", "who it is: its persona.md")
    memory: Text = key("", "what it remembers: its core_memory.md")
    at: Place = key((8.5, 64.0, 8.5), "a place, or [x, y, z]")
    present: bool = key(True, "whether it takes part from the start")
    answers: Answers | None = key(
        None, "cues, rules (small talk), function or model; unset: cues where there are any"
    )
    cues: tuple[Annotated[Cue, cue_of], ...] = key(
        (), "what it says: plain words in this order, or tables with conditions"
    )
    goodbye: Texts = key((), "its last words when the talk is about to end")
    function: str = key("", "FILE.py:NAME beside this file, called for each turn")

    @property
    def is_live(self) -> bool:
        return False

    @property
    def mind(self) -> Answers:
        """What finds its words."""
        if self.answers is not None:
            return self.answers
        return "function" if self.function else "cues" if self.cues else "rules"

    @model_validator(mode="after")
    def _answers_from_somewhere(self) -> Member:
        if self.mind == "function" and ":" not in self.function:
            raise ValueError('a function is written as "personas.py:answer"')
        if self.mind == "cues" and not self.cues:
            raise ValueError('answers is "cues", but there are no cues')
        return self


class SlotLine(When):
    """A line that a person says, and when."""

    text: Text = key(..., "the words")


class Slot(Part):
    """One `[[people]]`: a person."""

    name: Name = key(..., "username")
    display_name: str = key("", "as others may call them")
    at: Place = key((8.5, 64.0, 8.5), "a place, or [x, y, z]")
    present: bool = key(True, "whether they take part from the start")
    live: bool = key(False, "a real player joins under this name; embedded world only")
    lines: tuple[SlotLine, ...] = key((), "what they say by themselves, and when")

    @property
    def is_live(self) -> bool:
        return self.live


class ScheduledEvent(When):
    """One `[[events]]`: something that happens, and when."""

    do: EventKind = key(..., "what happens")
    who: str = key("", "whom it happens to")
    to: Place | None = key(None, "where to, for walk and teleport")
    why: str = key("", "the reason that is given")

    @model_validator(mode="after")
    def _complete(self) -> ScheduledEvent:
        if self.do in KINDS_WITH_WHO and not self.who:
            raise ValueError(f'"{self.do}" needs who')
        if self.do in ("walk", "teleport") and self.to is None:
            raise ValueError(f'"{self.do}" needs to: a place, or [x, y, z]')
        return self


class Opening(Part):
    """The first line."""

    by: Name = key(..., "who says it")
    text: Text = key("", "the words; of a live person none: all wait for theirs")


class TalkPlan(Part):
    """`[talk]`: the topic and the rules."""

    topic: str = key("", "what it is about; models are told")
    opening: Opening | None = key(None, "the line it begins with")
    order: Order = key("rounds", "whose turn is next: everybody's once, or who was nominated")
    fallback: Fallback = key(
        "round_robin", "who is next when nobody, or nobody present, was nominated"
    )
    allow_self_nomination: bool = key(False, "whether a bot may give itself the next turn")
    fuzzy_threshold: Annotated[float, Field(gt=0, le=1)] = key(
        0.85, "how alike a misspelt name must be to count"
    )
    heeds_names: bool = key(True, "whether a bot that is called by its name comes first")
    interruptions: bool = key(True, "whether a person's line ends a bot's thought")
    goodbye: bool = key(True, "whether each bot says goodbye when a cap comes near")
    gap_s: NotNegative = key(0.0, "seconds kept quiet after a bot's line")
    settle_s: NotNegative = key(0.0, "seconds kept quiet after a person's line")
    nudge_after_s: NotNegative = key(20.0, "quiet after which a bot speaks unasked; 0: never")
    hearing_range: Blocks = key(15.0, "blocks that a line reaches")
    thinking_s: Range = key((0.8, 2.5), "least and most seconds of thinking, drawn by the seed")
    saying_characters_per_s: Positive = key(30.0, "how fast words are said, in the simulated world")
    walking_blocks_per_s: Positive = key(4.317, "Minecraft's walking speed")


class CapsPlan(Part):
    """`[caps]`: the first that is reached ends the talk."""

    turns: Number = key(24, "turns of bots")
    time_s: Positive = key(600.0, "seconds")
    tokens: Number | None = key(None, "tokens of a model; unset: no cap")
    cost_usd: Positive | None = key(None, "US dollars; unset: no cap")
    bot_turns: Number | None = key(None, "turns of bots in a row without a person; unset: no cap")
    silence_s: Positive = key(120.0, "seconds in which nobody says anything")
    repetition_lines: Annotated[int, Field(ge=0)] = key(
        3, "lines in a row that repeat earlier ones; 0: no cap"
    )
    repetition_overlap: Annotated[float, Field(gt=0, le=1)] = key(
        0.8, "part of a line that was there before, for it to be a repetition"
    )
