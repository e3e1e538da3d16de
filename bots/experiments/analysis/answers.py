"""Who found the words for the bots' turns, and why models did not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

_BY_MODEL = ("model", "partial")
_INSTEAD = ("rules", "partial")


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of one talk, counted."""

    by: Mapping[str, int] = field(default_factory=dict)
    """By model, or by rules, cues, function or opening."""
    faults: Mapping[str, int] = field(default_factory=dict)
    """Why a model gave no answer, or only the beginning of one."""

    def __str__(self) -> str:
        return counted(self.by)


def answers_in(thoughts: Iterable[Mapping[str, Any]]) -> Answers:
    """The answers in these lines of a log."""
    by: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for thought in thoughts:
        source = thought.get("source", "function")
        by[thought["model"] if source in _BY_MODEL else source] += 1
        if source in _INSTEAD and thought.get("why"):
            faults[thought["why"]] += 1
    return Answers(dict(by.most_common()), dict(faults.most_common()))


def counted(numbers: Mapping[str, int]) -> str:
    """As `claude-haiku-5-5 13, rules 2`."""
    return ", ".join(f"{name} {number}" for name, number in numbers.items())
