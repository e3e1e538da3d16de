"""Figures in the text format of Prometheus, version 0.0.4.

Source: prometheus.io/docs/instrumenting/exposition_formats."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Labels: TypeAlias = tuple[tuple[str, str], ...]
Sample: TypeAlias = tuple[str, Labels, float]
"""What stands behind the family's name, labels, value."""


def labels(**named: object) -> Labels:
    """Nothing that is None; an unnamed value is no label."""
    return tuple((name, str(value)) for name, value in named.items() if value is not None)


@dataclass(frozen=True, slots=True)
class Family:
    """One figure with all its labels."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    meaning: str
    samples: Sequence[Sample]


class Counter:
    """Counts up, by labels."""

    def __init__(self, name: str, meaning: str) -> None:
        self._name, self._meaning = name, meaning
        self._counts: defaultdict[Labels, float] = defaultdict(float)

    def add(self, by: float = 1.0, **named: object) -> None:
        self._counts[labels(**named)] += by

    @property
    def family(self) -> Family:
        samples = [("", key, value) for key, value in self._counts.items()]
        return Family(self._name, "counter", self._meaning, samples)


class Histogram:
    """How many values are at most as large as each bound, by labels."""

    def __init__(self, name: str, meaning: str, bounds: Sequence[float]) -> None:
        self._name, self._meaning = name, meaning
        self._bounds = (*bounds, math.inf)
        self._counts: dict[Labels, list[int]] = {}
        self._sums: defaultdict[Labels, float] = defaultdict(float)

    def observe(self, value: float, **named: object) -> None:
        key = labels(**named)
        counts = self._counts.setdefault(key, [0] * len(self._bounds))
        for number, bound in enumerate(self._bounds):
            counts[number] += value <= bound
        self._sums[key] += value

    @property
    def family(self) -> Family:
        return Family(self._name, "histogram", self._meaning, list(self._samples()))

    def _samples(self) -> Iterator[Sample]:
        for key, counts in self._counts.items():
            for bound, count in zip(self._bounds, counts, strict=True):
                yield "_bucket", (*key, ("le", _number(bound))), count
            yield "_sum", key, self._sums[key]
            yield "_count", key, counts[-1]


def gauge(name: str, meaning: str, values: Mapping[Labels, float] | float) -> Family:
    """A figure as it is now."""
    by_labels = values if isinstance(values, Mapping) else {(): values}
    return Family(name, "gauge", meaning, [("", key, value) for key, value in by_labels.items()])


def exposition(families: Iterable[Family]) -> str:
    """All families as Prometheus reads them."""
    return "".join(line + "\n" for family in families for line in _lines(family))


def _lines(family: Family) -> Iterator[str]:
    yield f"# HELP {family.name} {_escaped(family.meaning)}"
    yield f"# TYPE {family.name} {family.kind}"
    for suffix, named, value in family.samples:
        pairs = ",".join(f'{name}="{_quoted(text)}"' for name, text in named)
        yield f"{family.name}{suffix}{{{pairs}}} {_number(value)}"


def _number(value: float) -> str:
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return f"{value:.10g}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _quoted(text: str) -> str:
    return _escaped(text).replace('"', '\\"')
