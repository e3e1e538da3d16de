"""The types of values in a scenario; each error says what would be right."""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from bots.text.sanitise import sanitise


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
