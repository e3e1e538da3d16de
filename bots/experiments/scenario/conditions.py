"""What `--set` changes of a scenario: each combination of the values given is a condition."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from itertools import product
from typing import Any, TypeAlias

from bots.experiments.scenario.errors import ScenarioError

AS_WRITTEN = "as written"
_SHORT_AND_SAFE = re.compile(r"[A-Za-z0-9_.,=+-]{1,80}")

Condition: TypeAlias = Mapping[str, Any]
"""The value of each key that is changed, dotted; in lists an entry's name or number from 1."""


def conditions_of(settings: Sequence[str]) -> list[Condition]:
    """The conditions of `KEY=VALUE` settings: a key that is there twice has two values.

    Without settings there is one, which changes nothing. Raises ScenarioError."""
    values: dict[str, list[Any]] = {}
    for setting in settings:
        key, value = _pair(setting)
        if value in (kept := values.setdefault(key, [])):
            raise ScenarioError(f"--set {setting}: is there twice")
        kept.append(value)
    return [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]


def label_of(condition: Condition) -> str:
    """As `talk.order=rounds, talk.gap_s=2`."""
    return ", ".join(f"{key}={value}" for key, value in condition.items()) or AS_WRITTEN


def folder_names(conditions: Sequence[Condition]) -> list[str]:
    """For each a name that a folder may have, unlike the others; '' where nothing is changed."""
    names = [_folder_name(condition, number) for number, condition in enumerate(conditions, 1)]
    return [
        name if names.count(name) == 1 else f"condition-{number}"
        for number, name in enumerate(names, 1)
    ]


def changed(tables: Mapping[str, Any], condition: Condition) -> dict[str, Any]:
    """A copy of a scenario's tables, with these changes. Raises ScenarioError."""
    copy: dict[str, Any] = deepcopy(dict(tables))
    for key, value in condition.items():
        *way, last = key.split(".")
        table = _table_at(copy, way, key)
        if not isinstance(table, dict):
            raise ScenarioError(f"{key}: name what is to be changed there, as {key}.KEY")
        table[last] = value
    return copy


def _pair(setting: str) -> tuple[str, Any]:
    key, equals, text = setting.partition("=")
    if not equals or not all(key.split(".")):
        raise ScenarioError(f"--set {setting}: write KEY=VALUE, as talk.order=rounds")
    if key == "seed":
        raise ScenarioError("--set seed: seeds are given by --seed and --runs")
    return key, _value(text)


def _value(text: str) -> Any:
    """What TOML takes it for; else the words themselves, so that they need no quotes."""
    try:
        read = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    value = read["value"]
    is_alone = len(read) == 1  # a line break in it could begin another key
    return value if is_alone and isinstance(value, str | int | float | list | dict) else text


def _folder_name(condition: Condition, number: int) -> str:
    if not condition:
        return ""
    name = label_of(condition).replace(", ", ",")
    return name if _SHORT_AND_SAFE.fullmatch(name) else f"condition-{number}"


def _table_at(tables: dict[str, Any], way: Sequence[str], key: str) -> Any:
    here: Any = tables
    for part in way:
        if isinstance(here, list):
            here = _entry(here, part, key)
        elif isinstance(here, dict):
            here = here.setdefault(part, {})
    return here


def _entry(entries: list[Any], wanted: str, key: str) -> Any:
    """One of a list of tables: by its name, else by its number."""
    names = [str(entry["name"]) for entry in entries if isinstance(entry, dict) and "name" in entry]
    by_name = dict(zip(names, entries, strict=False)) if len(names) == len(entries) else {}
    if wanted in by_name:
        return by_name[wanted]
    if wanted.isdecimal() and 0 < int(wanted) <= len(entries):
        return entries[int(wanted) - 1]
    there_are = ", ".join(names) or f"1 to {len(entries)}"
    raise ScenarioError(f"{key}: there is no {wanted!r}; there are {there_are}")
