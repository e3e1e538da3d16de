"""`[study]`: what is compared, by which numbers, and what is left out, declared before the runs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError, model_validator

from bots.clock import utc_now
from bots.experiments.scenario import LogError, Number, Part, Positive, ScenarioError, Text, key
from bots.private_files import write_private
from bots.text.faults import faults_of
from bots.text.reading import read_bytes
from bridge.foreign_json import NotJson, read_object

STUDY_NAME = "study.json"
MOST_SEEDS = 100_000


def _differ(seeds: tuple[int, ...]) -> tuple[int, ...]:
    if len(set(seeds)) < len(seeds):
        raise ValueError("name each seed once")
    return seeds


Seed = Annotated[int, Field(ge=0, le=2**63 - 1)]
Seeds = Annotated[tuple[Seed, ...], Field(min_length=1), AfterValidator(_differ)]
Values = Annotated[tuple[Any, ...], Field(min_length=1)]


class NamedCondition(Part):
    """One `[[study.conditions]]`."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.=+-]{1,40}$")] = key(
        ..., "what reports and folders call it"
    )
    set: dict[str, Any] = key({}, "keys of the scenario, dotted, and their values")


class Exclusion(Part):
    """One `[[study.exclude]]`: runs that are left out of all means, and counted."""

    metric: str = key(..., "a column of comparison.csv")
    below: float | None = key(None, "left out where it is less")
    above: float | None = key(None, "left out where it is more")
    equals: str | None = key(None, "left out where it is this text, as `silence` of `ended`")

    @model_validator(mode="after")
    def _has_a_bound(self) -> Exclusion:
        if self.below is None and self.above is None and self.equals is None:
            raise ValueError("write below, above or equals")
        return self

    def takes(self, numbers: Mapping[str, Any]) -> bool:
        """Whether it leaves out a run of these numbers."""
        found = numbers.get(self.metric)
        if self.equals is not None and str(found) == self.equals:
            return True
        if not isinstance(found, int | float):
            return False
        too_little = self.below is not None and found < self.below
        return too_little or (self.above is not None and found > self.above)

    def __str__(self) -> str:
        bounds = {"below": self.below, "above": self.above}
        said = [f"{word} {bound:g}" for word, bound in bounds.items() if bound is not None]
        said += [self.equals] if self.equals is not None else []
        return f"{self.metric} {' or '.join(said)}"


def _is_scale(scale: tuple[int | str, ...]) -> tuple[int | str, ...]:
    numbers = [one for one in scale if isinstance(one, int)]
    if numbers and (len(scale) != 2 or len(numbers) != 2 or not 0 < numbers[1] - numbers[0] <= 100):
        raise ValueError("write [least, most], at most 100 apart, or words")
    if len(set(scale)) < 2 or len(set(scale)) < len(scale) or "" in scale:
        raise ValueError("write two different scores or more")
    return scale


class Judge(Part):
    """One `[[study.judges]]`: a model that scores each talk, blind to names and condition."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,30}$")] = key(
        ..., "the column of its scores"
    )
    question: Text = key(..., "what is asked, with what each score means")
    scale: Annotated[tuple[int | str, ...], AfterValidator(_is_scale)] = key(
        ..., "[least, most], or words, which count from 0"
    )
    model: Annotated[str, Field(min_length=1)] = key(..., "id of the model")
    second: str = key("", "id of a second model; how far both agree is told")
    budget_usd: Positive = key(1.0, "the most that one `judge` pays")
    calls: Number = key(1000, "the most questions of one `judge`")

    @property
    def models(self) -> list[str]:
        return list(dict.fromkeys(filter(None, (self.model, self.second))))

    @property
    def is_of_numbers(self) -> bool:
        return isinstance(self.scale[0], int)

    @property
    def scores(self) -> Sequence[int | str]:
        least, most = self.scale[0], self.scale[-1]
        if isinstance(least, int) and isinstance(most, int):
            return range(least, most + 1)
        return self.scale

    def number_of(self, score: int | str | None) -> float | None:
        """None for what is no score of the scale."""
        if score not in self.scores:
            return None
        return float(score) if isinstance(score, int) else float(self.scores.index(score))


class Study(Part):
    """`[study]`, in the scenario or in a file of its own that names one."""

    scenario: str = key("", "the scenario, beside this file; in a file that is a study alone")
    factors: dict[str, Values] = key({}, "each key's values: every combination is a condition")
    conditions: tuple[NamedCondition, ...] = key((), "or each condition by its name")
    seeds: Annotated[int, Field(ge=1, le=MOST_SEEDS)] | Seeds = key(
        1, "so many from the scenario's on, or a list of them"
    )
    primary: str = key("", "the number that decides: a column of comparison.csv or FILE.py:NAME")
    direction: Literal["two-sided", "greater", "less"] = key(
        "two-sided", "what is expected of it, against the first condition"
    )
    test: Literal["permutation"] = key("permutation", "how it is tested")
    metrics: tuple[str, ...] = key(
        (), "further numbers that are tested; all others are exploratory"
    )
    exclude: tuple[Exclusion, ...] = key((), "runs that are left out")
    judges: tuple[Judge, ...] = key((), "models that score each talk")

    @model_validator(mode="after")
    def _one_kind_of_conditions(self) -> Study:
        if self.factors and self.conditions:
            raise ValueError("write factors or conditions")
        for what, named in (("conditions", self.conditions), ("judges", self.judges)):
            names = [one.name for one in named]
            if len(set(names)) < len(names):
                raise ValueError(f"{what}: each needs a name of its own")
        return self

    @property
    def all_conditions(self) -> list[tuple[str, dict[str, Any]]]:
        """(name or '', what is changed) of each."""
        if self.conditions:
            return [(one.name, one.set) for one in self.conditions]
        chosen = product(*self.factors.values())
        return [("", dict(zip(self.factors, values, strict=True))) for values in chosen]

    def seeds_from(self, first: int) -> Sequence[int]:
        return range(first, first + self.seeds) if isinstance(self.seeds, int) else self.seeds

    @property
    def declared_metrics(self) -> tuple[str, ...]:
        """The first one decides."""
        return tuple(dict.fromkeys(filter(None, (self.primary, *self.metrics))))

    @property
    def own_functions(self) -> tuple[str, ...]:
        """The declared metrics that are written as FILE.py:NAME."""
        return tuple(each for each in self.declared_metrics if ":" in each)

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns of comparison.csv that it names."""
        named = (*self.declared_metrics, *(one.metric for one in self.exclude))
        return tuple(name for name in dict.fromkeys(named) if ":" not in name)


def study_of(tables: Mapping[str, Any], source: str) -> Study | None:
    """The study in the tables of a file; None without `[study]`. Raises ScenarioError."""
    if "study" not in tables:
        return None
    table = tables["study"]
    if isinstance(table, dict) and isinstance(table.get("factors"), dict):
        table = {**table, "factors": dict(_flat(table["factors"]))}
    try:
        return Study.model_validate(table)
    except ValidationError as error:
        lines = (
            f"{source}: study{f'.{fault.name}' if fault.name else ''}: {fault.complaint}"
            for fault in faults_of(error)
        )
        raise ScenarioError("\n".join(lines)) from None


def _flat(table: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, Any]]:
    """`talk.order = […]` without quotes is a table in a table."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{within}{name}.")
        else:
            yield within + name, value


class Declared(Part):
    """A study as it was declared in the folder of its runs, before the first of them."""

    declared_at: datetime
    study: Study
    planned: int
    code: dict[str, str] = Field(default_factory=dict)
    """By metric the digest of the file of its function."""

    @property
    def said(self) -> str:
        study, what = self.study, "no primary number"
        if study.primary:
            sided = study.direction == "two-sided"
            expected = "" if sided else f", expected to be {study.direction}"
            what = f"the primary number {study.primary}{expected}, by {study.test} test"
        also = f"; also {', '.join(study.metrics)}" if study.metrics else ""
        return f"Declared before the runs, {self.declared_at:%Y-%m-%d %H:%M} UTC: {what}{also}."


def declare(
    study: Study | None,
    planned: int,
    out: Path,
    *,
    was_played: bool,
    code: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write down the study before its first run, or check that it was declared so. `code` has the
    digest of the file of each function among its metrics. Raises LogError for another study or
    none, and where runs were there before it."""
    known = declared_in(out)
    if study is None:
        if known is not None:
            raise LogError(f"{out} holds a declared study, and this is none; name another folder")
        return
    now = study.model_dump(mode="json", exclude={"scenario"})
    if known is not None:
        then = known.study.model_dump(mode="json", exclude={"scenario"})
        if differing := [name for name in now if then.get(name) != now[name]]:
            raise LogError(
                f"{out}: the study was declared on {known.declared_at:%Y-%m-%d} with {differing[0]}"
                f" {then.get(differing[0])!r}, not {now[differing[0]]!r}; name another folder"
            )
        return
    if was_played:
        raise LogError(f"{out}: runs were played before the study was declared; name another")
    facts = {"declared_at": utc_now().isoformat(), "planned": planned, "study": now}
    facts |= {"code": dict(code)} if code else {}
    draft = out / f"{STUDY_NAME}-{os.getpid()}"
    try:
        write_private(draft, json.dumps(facts, ensure_ascii=False, indent=2) + "\n")
        draft.replace(out / STUDY_NAME)
    except OSError as error:
        raise LogError(f"cannot write into {out}: {error.strerror}") from error


def declared_in(out: Path) -> Declared | None:
    """The study of a folder; None where none was declared. Raises LogError."""
    file = out / STUDY_NAME
    if not file.exists():
        return None
    try:
        return Declared.model_validate(read_object(read_bytes(file)))
    except (OSError, NotJson, ValidationError) as error:
        raise LogError(f"{file}: is no declared study: {type(error).__name__}") from error
