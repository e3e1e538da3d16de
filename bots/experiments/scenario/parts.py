"""The parts of a scenario file: values, named functions, and the errors they raise."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from bots.next_speaker import Fallback
from bots.talks.machine.policy import Order
from bots.text.sanitise import sanitise
from bridge.errors import UserError


class ScenarioError(UserError):
    """The scenario is wrong; the text says where, and what would be right."""


class LogError(UserError):
    """The log of an experiment cannot be read; the text names the line."""


class ExperimentFailed(UserError):
    """The experiment could not be played to its end."""


FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""Errors of such a function that are told as its own; any other ends the program."""


def file_beside(named: str, folder: Path, where: str) -> Path:
    """The file of such a function of a scenario, which may be from anywhere: in its folder only.

    Raises ScenarioError, which begins with `where`."""
    path = folder / named.rpartition(":")[0]
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ScenarioError(
            f"{where}: {path} is outside the folder of the scenario, {folder}: only code that lies"
            " beside a scenario is run"
        )
    return path


def function_of(named: str, folder: Path, where: str) -> Callable[[Any], Any]:
    """The function of that name. Its file, relative to the folder, is run.

    Raises ScenarioError, which begins with `where`, if there is none."""
    file, _, name = named.rpartition(":")
    path = folder / file
    if not path.is_file():
        raise ScenarioError(f"{where}: there is no file {path}")
    found = runpy.run_path(str(path)).get(name)
    if not callable(found):
        raise ScenarioError(f"{where}: {path} has no function {name!r}")
    function: Callable[[Any], Any] = found
    return function


class Part(BaseModel):
    """A table of the file; unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def key(default: Any, meaning: str) -> Any:
    """A key with its default; the documentation shows `meaning`."""
    return Field(default=default, description=meaning)


def _check_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_]{1,16}", name):
        raise ValueError(f"{name!r} is no name; write 1 to 16 letters, digits or underscores")
    return name


def _check_text(text: str) -> str:
    if text and not sanitise(text):
        raise ValueError("holds nothing that can be said")
    return text


def _one_or_more(value: object) -> object:
    """A single text counts as a list of one."""
    return (value,) if isinstance(value, str) else value


def _plain_words(value: object) -> object:
    """A plain text counts as a cue without conditions."""
    return {"say": value} if isinstance(value, str) else value


def _check_range(span: tuple[float, float]) -> tuple[float, float]:
    if span[0] > span[1]:
        raise ValueError("write the least first, then the most")
    return span


cue_of = BeforeValidator(_plain_words)

NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Number = Annotated[int, Field(ge=1, le=1_000_000)]
Blocks = Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)]
Range = Annotated[tuple[NotNegative, NotNegative], AfterValidator(_check_range)]
Coordinate = Annotated[float, Field(ge=-30_000_000, le=30_000_000, allow_inf_nan=False)]
Point: TypeAlias = tuple[Coordinate, Coordinate, Coordinate]
PlaceName = Annotated[str, Field(min_length=1, max_length=40)]
Place: TypeAlias = PlaceName | Point
Name = Annotated[str, AfterValidator(_check_name)]
Names = Annotated[tuple[Name, ...], BeforeValidator(_one_or_more)]
Text = Annotated[str, AfterValidator(_check_text)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(_one_or_more)]
Words = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(_one_or_more)]


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
