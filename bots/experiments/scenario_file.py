"""Reads a scenario file, and makes of its [conditions] the scenarios to compare."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from bots.experiments.scenario import Scenario, ScenarioError
from bots.text import reading, suggest
from bots.text.faults import Fault, faults_of

_OF_A_CHOICE = {"at": "write the name of a place, or [x, y, z]"}
_OF_A_CHOICE["to"] = _OF_A_CHOICE["at"]
"""Keys that take two kinds of values; pydantic reports an error for each kind."""
_TYPES = {"str", "int", "float"}
ALIKE = 0.75  # least likeness of a misspelt key to the right one, 0–1


def parse_scenario(
    text: str, source: str = "scenario", condition: Condition = MappingProxyType({})
) -> Scenario:
    """The scenario in this TOML under a condition; error messages call it `source`. Raises
    ScenarioError, one line for each mistake."""
    tables = tables_of(text, source)
    tables.pop("study", None)
    return scenario_of(changed(tables, condition), source)


def scenario_of(written: Mapping[str, Any], source: str) -> Scenario:
    """The scenario of these tables. Raises ScenarioError."""
    try:
        return Scenario.model_validate(written)
    except ValidationError as error:
        complaints = dict.fromkeys(_complaint(fault, written) for fault in faults_of(error))
        raise ScenarioError("\n".join(f"{source}: {line}" for line in complaints)) from None


class Key(NamedTuple):
    name: str
    """Dotted."""
    default: str
    meaning: str


def keys(model: type[BaseModel] = Scenario, within: str = "") -> Iterator[Key]:
    """Every key of a table of the file, in its order; by default of the scenario."""
    for name, field in model.model_fields.items():
        inner = _table_in(field.annotation) or next(
            filter(None, map(_table_in, field.metadata)), None
        )
        if inner is None:
            yield Key(within + name, _default(field), field.description or "")
        else:
            yield from keys(inner, f"{within}{name}.")


def scenario_text(file: Path) -> str:
    """The text of a scenario file. Raises ScenarioError if it cannot be read."""
    try:
        return reading.read_text(file)
    except OSError as error:
        raise ScenarioError(f"cannot read {file}: {error.strerror}") from error
    except reading.NotText as error:
        raise ScenarioError(f"{file}: {error}") from error


def tables_of(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOML's own faults, and endless numbers
        raise ScenarioError(f"{source} is not TOML: {error}") from error


def _table_in(annotation: Any) -> type[BaseModel] | None:
    """The model that a field holds, alone or in a list."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_table_in, get_args(annotation))), None)


def _default(field: FieldInfo) -> str:
    default = field.default
    if field.is_required():
        return "needed"
    if default in (None, "", ()) or default == {}:
        return ""
    if isinstance(default, bool):
        return str(default).lower()
    return str(list(default) if isinstance(default, tuple) else default)


def _complaint(fault: Fault, written: Mapping[str, Any]) -> str:
    # Without pydantic's names of types.
    names = [
        part
        for part in fault.path
        if isinstance(part, int) or not ("[" in part or "-" in part or part in _TYPES)
    ]
    where, plain = _where(names, written), ".".join(one for one in names if isinstance(one, str))
    if fault.is_unknown:
        return f"{where}: unknown key{_hint(plain)}"
    if names and names[-1] in _OF_A_CHOICE:
        return f"{where}: {_OF_A_CHOICE[str(names[-1])]}"
    if fault.is_missing:
        meanings = {key.name: key.meaning for key in keys()}
        return f"{where}: {fault.complaint}; it is {meanings.get(plain, 'needed')}"
    if fault.is_section or fault.kind == "tuple_type":
        return f"{where}: write it as a table of its own: [{names[0]}] or [[{names[0]}]]"
    return f"{where}: {fault.complaint}" if where else fault.complaint


def _where(names: Sequence[int | str], written: Mapping[str, Any]) -> str:
    """The dotted name; entries of a list by their own name, or their number from 1."""
    said: list[str] = []
    here: Any = written
    for part in names:
        try:
            here = here[part]
        except (LookupError, TypeError):
            here = None
        own = here.get("name") if isinstance(here, Mapping) and isinstance(part, int) else None
        said.append(str(own or (part + 1 if isinstance(part, int) else part)))
    return ".".join(said)


def _hint(wanted: str) -> str:
    """The key that was probably meant: a similar one in the same table, else elsewhere."""
    known = [key.name for key in keys()]
    table, _, leaf = wanted.rpartition(".")
    start = f"{table}." if table else ""
    inside = [name.removeprefix(start) for name in known if name.startswith(start)]
    beside = list(dict.fromkeys(name.partition(".")[0] for name in inside))
    leaves = {name.rpartition(".")[2]: name for name in reversed(known)}
    near = suggest.similar(leaf, beside, alike=ALIKE)
    elsewhere = [leaves[found] for found in suggest.similar(leaf, leaves, alike=ALIKE)]
    return suggest.as_clause(near or elsewhere) or f"; there are {', '.join(beside)}"


AS_WRITTEN = "as written"
_SHORT_AND_SAFE = re.compile(r"[A-Za-z0-9_.,=+-]{0,80}")

Condition: TypeAlias = Mapping[str, Any]
"""The value of each key that is changed, dotted; in lists an entry's name or number from 1."""


def conditions_of(settings: Sequence[str]) -> list[Condition]:
    """The conditions of `KEY=VALUE` settings: a key that is there twice has two values. Without
    settings there is one, which changes nothing. Raises ScenarioError."""
    values: dict[str, list[Any]] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals or not all(key.split(".")):
            raise ScenarioError(f"--set {setting}: write KEY=VALUE, as talk.order=rounds")
        if key == "seed":
            raise ScenarioError("--set seed: seeds are given by --seed and --runs")
        if key.partition(".")[0] == "study":
            raise ScenarioError(f"--set {key}: a study is declared in its file")
        value, kept = _value(text), values.setdefault(key, [])
        if value in kept:
            raise ScenarioError(f"--set {setting}: is there twice")
        kept.append(value)
    return [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]


def label_of(condition: Condition) -> str:
    """As `talk.order=rounds, talk.gap_s=2`."""
    return ", ".join(f"{key}={value}" for key, value in condition.items()) or AS_WRITTEN


def folder_names(conditions: Sequence[Condition]) -> list[str]:
    """For each a name that a folder may have, unlike the others; '' where nothing is changed."""
    labels = [label_of(one) if one else "" for one in conditions]
    names = [label.replace(", ", ",").replace(":", "_") for label in labels]
    return [
        name
        if names.count(name) == 1 and _SHORT_AND_SAFE.fullmatch(name)
        else f"condition-{number}"
        for number, name in enumerate(names, 1)
    ]


def changed(tables: Mapping[str, Any], condition: Condition) -> dict[str, Any]:
    """A copy of a scenario's tables, with these changes. Raises ScenarioError."""
    copy: dict[str, Any] = deepcopy(dict(tables))
    for key, value in condition.items():
        *way, last = key.split(".")
        table: Any = copy
        for part in way:
            if isinstance(table, list):
                table = _entry(table, part, key)
            elif isinstance(table, dict):
                table = table.setdefault(part, {})
        if isinstance(table, list) and last not in _names(table):
            whose = ".".join((*way, *_names(table)[:1], last))
            raise ScenarioError(f"{key}: name whose it is, as {whose}")
        if not isinstance(table, dict):
            raise ScenarioError(f"{key}: name what is to be changed there, as {key}.KEY")
        table[last] = value
    return copy


def _value(text: str) -> Any:
    """What TOML takes it for; else the words themselves, so that they need no quotes."""
    try:
        read = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    value = read["value"]
    is_alone = len(read) == 1  # a line break in it could begin another key
    return value if is_alone and isinstance(value, str | int | float | list | dict) else text


def _names(entries: list[Any]) -> list[str]:
    return [str(entry["name"]) for entry in entries if isinstance(entry, dict) and "name" in entry]


def _entry(entries: list[Any], wanted: str, key: str) -> Any:
    """One of a list of tables: by its name, else by its number."""
    names = _names(entries)
    by_name = dict(zip(names, entries, strict=False)) if len(names) == len(entries) else {}
    if wanted in by_name:
        return by_name[wanted]
    if wanted.isdecimal() and 0 < int(wanted) <= len(entries):
        return entries[int(wanted) - 1]
    there_are = ", ".join(names) or f"1 to {len(entries)}"
    raise ScenarioError(f"{key}: there is no {wanted!r}; there are {there_are}")
