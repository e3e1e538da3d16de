"""Plans without a bot, for `townsfolk plan`: a goal and a world as JSON in, a plan out.

A world says what is held, in chests and nearby. What is nearby is a count, or an object:
{"count": 3, "distance": 7.4, "height": -12}. Domains and planners are kept per version, so only the
first question of a version is slow.

Many questions are one JSON object per line in, one per line out:

    {"id": 7, "goal": "inventory.stick:4", "world": {"nearby": {"oak_log": 3}}}

Every line gets an answer, with its id if that is readable; blank lines are skipped.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from bots.goals.activity import Away, Domain, PlanningWorld, Stored
from bots.goals.domain import GameData, domain_of
from bots.goals.explain.explain import Explainer
from bots.goals.explain.tree import reasons, tree
from bots.goals.parsing import (
    GoalRefused,
    Names,
    WorldRefused,
    as_text,
    item_named,
    near_named,
    parse_goals,
    quoted,
)
from bots.goals.plan import Plan
from bots.goals.planning.planner import UNDECIDED, Planner
from bots.goals.planning.replay import ReplayError
from bots.text import suggest
from bots.text.numbers import as_real, as_whole
from bridge.errors import BotError
from bridge.foreign_json import NotJson, read_json

DEFAULT_VERSION = "1.16.5"
MOST = 1_000_000
"""Highest count of one thing; higher ones are cut to this, as no goal needs more."""
FARTHEST = 10_000
"""Greatest distance in blocks; larger ones are cut to this."""
PLACE_KEYS = ("count", "distance", "height", "apart", "under_water")
WORLD_KEYS = ("version", "inventory", "nearby", "chests", "nearby_workbench", "nearby_furnace")
CHEST_KEYS = ("count", "distance")
DEADLINE_S = 1.0
"""Time to improve a plan. It is seldom reached: other limits count the planner's work, so that
answers do not depend on the speed of the machine."""
LINE_KEYS = ("id", "goal", "world")
_READABLE_ID = re.compile(r'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d{1,18}(?![\d.eE]))')


@dataclass(frozen=True, slots=True)
class AskedWorld:
    """A world of the right shape whose names are not looked up yet."""

    version: str = DEFAULT_VERSION
    inventory: Mapping[str, int] | None = None
    nearby: Mapping[str, int] | None = None
    away: Mapping[str, Away] | None = None
    """Where things are, if the world tells it."""
    chests: Mapping[str, Stored] | None = None
    workbench_near: bool = False
    furnace_near: bool = False

    def of(self, names: Names) -> PlanningWorld:
        """Look the names up. Raises GoalRefused for names unknown to the version."""
        # By the names of the version; of several words for one item the last counts, of several
        # places of one kind the nearest.
        told = self.chests or {}
        known = {_named(word, names, item_named, "chests"): kept for word, kept in told.items()}
        in_chests = {item: kept for item, kept in known.items() if kept.count}
        nearest: dict[str, Away] = {}
        for word, away in (self.away or {}).items():
            name = near_named(word, names)
            if name not in nearest or away.distance < nearest[name].distance:
                nearest[name] = away
        return PlanningWorld(
            inventory=_known(self.inventory, names, item_named, "inventory"),
            nearby=_known(self.nearby, names, near_named, "nearby"),
            workbench_near=self.workbench_near,
            furnace_near=self.furnace_near,
            away=nearest,
            stored=in_chests,
        )


def read_world(given: object) -> AskedWorld:
    """Read a JSON object; None and missing keys mean empty. Raises WorldRefused."""
    if given is None:
        return AskedWorld()
    if not isinstance(given, Mapping):
        raise WorldRefused(
            f"A world is an object with {', '.join(WORLD_KEYS)}, not {_shown(given)}."
        )
    _refuse_strange_keys(given)
    version = given.get("version", None)
    if version is not None and not isinstance(version, str):
        raise WorldRefused(f"version is a text such as '1.20.1', not {_shown(version)}.")
    held = _object(given.get("inventory"), "inventory").items()
    nearby, away = _surroundings(given.get("nearby"))
    return AskedWorld(
        version=DEFAULT_VERSION if version is None else version.strip(),
        inventory={name: _count(one, f"inventory.{name}") for name, one in held},
        nearby=nearby,
        away=away,
        chests=_chests(given.get("chests")),
        workbench_near=_switch(given.get("nearby_workbench"), "nearby_workbench"),
        furnace_near=_switch(given.get("nearby_furnace"), "nearby_furnace"),
    )


def _refuse_strange_keys(
    given: Mapping[Any, Any], keys: Sequence[str] = WORLD_KEYS, whose: str = "A world has"
) -> None:
    strange = next((str(key) for key in given if key not in keys), None)
    if strange is None:
        return
    hint = suggest.as_clause(suggest.similar(strange, keys)) or f": it has {', '.join(keys)}."
    raise WorldRefused(f"{whose} no {quoted(strange)}{hint}")


def _object(given: object, key: str, by: str = "name") -> dict[str, object]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise WorldRefused(f"{key} is an object of counts by {by}, not {_shown(given)}.")
    return {str(name): one for name, one in given.items()}


def _counted(given: Mapping[Any, Any], where: str, keys: Sequence[str]) -> int:
    """The count in an object that may have these keys."""
    _refuse_strange_keys(given, keys, f"{quoted(where)} has")
    if "count" not in given:
        raise WorldRefused(f"{quoted(where)} lacks a count.")
    return _count(given["count"], f"{where}.count")


def _surroundings(given: object) -> tuple[dict[str, int], dict[str, Away]]:
    """Counts of what is nearby, and where it is, if the world tells it."""
    counts: dict[str, int] = {}
    away: dict[str, Away] = {}
    for name, one in _object(given, "nearby").items():
        where = f"nearby.{name}"
        if not isinstance(one, Mapping):
            counts[name] = _count(one, where)
            continue
        counts[name] = _counted(one, where, PLACE_KEYS)
        if "distance" in one:
            distance = _number(one["distance"], f"{where}.distance")
            height = _number(one.get("height", 0), f"{where}.height")
            apart = _number(one.get("apart", 0), f"{where}.apart")
            if distance < 0 or apart < 0:
                raise WorldRefused(f"{quoted(where)} is a distance below 0.")
            wet = _switch(one.get("under_water"), f"{where}.under_water")
            away[name] = Away(max(distance, abs(height)), height, apart, wet)
    return counts, away


def _chests(given: object) -> dict[str, Stored]:
    """What chests hold, by item, and how far the nearest is, if the world tells it."""
    found: dict[str, Stored] = {}
    for item, one in _object(given, "chests", "item").items():
        where = f"chests.{item}"
        if not isinstance(one, Mapping):
            found[item] = Stored(_count(one, where))
            continue
        count = _counted(one, where, CHEST_KEYS)
        distance = _number(one["distance"], f"{where}.distance") if "distance" in one else None
        if distance is not None and distance < 0:
            raise WorldRefused(f"{quoted(where)} is a distance below 0.")
        found[item] = Stored(count, distance)
    return found


def _number(given: object, where: str) -> float:
    number = as_real(given)
    if number is None or not math.isfinite(number):
        raise WorldRefused(f"{quoted(where)} is a number, not {_shown(given)}.")
    return min(float(FARTHEST), max(-float(FARTHEST), number))


def _count(given: object, where: str) -> int:
    count = as_whole(given)
    if count is None:
        raise WorldRefused(f"{quoted(where)} is a whole number, not {_shown(given)}.")
    if count < 0:
        raise WorldRefused(f"{quoted(where)} is {count}: there cannot be less than none.")
    return min(count, MOST)


def _switch(given: object, key: str) -> bool:
    if given is None or isinstance(given, bool):
        return bool(given)
    raise WorldRefused(f"{key} is true or false, not {_shown(given)}.")


def _known(
    counts: Mapping[str, int] | None,
    names: Names,
    named: Callable[[str, Names], str],
    where: str,
) -> dict[str, int]:
    known: dict[str, int] = {}
    for word, count in (counts or {}).items():
        name = _named(word, names, named, where)
        known[name] = known.get(name, 0) + count
    return {name: count for name, count in known.items() if count}


def _named(word: str, names: Names, named: Callable[[str, Names], str], where: str) -> str:
    try:
        return named(word, names)
    except GoalRefused as error:
        raise error.within(f"the world's {where}") from None


def _shown(given: object) -> str:
    return quoted(given) if isinstance(given, str) else quoted(str(given)).strip("'\"")


@dataclass(frozen=True, slots=True)
class VersionTables:
    """Domain, planner and explainer of one version."""

    domain: Domain
    planner: Planner
    explainer: Explainer


class OfflinePlanner:
    """Plans for any version; builds the tables of a version on first use."""

    def __init__(self, domain_named: Callable[[str], Domain]) -> None:
        self._domain_named = domain_named
        self._known: dict[str, VersionTables] = {}

    @classmethod
    def with_packages(cls, packages_dir: Path) -> OfflinePlanner:
        """Read versions from the installed npm packages."""
        return cls(lambda name: domain_of(GameData.from_folder(packages_dir, name)))

    def known(self, version: str = DEFAULT_VERSION) -> VersionTables:
        """Raises GameDataError when there is no such version."""
        if version not in self._known:
            domain = self._domain_named(version)
            planner = Planner(domain, deadline_s=DEADLINE_S)
            self._known[version] = VersionTables(domain, planner, Explainer(planner))
        return self._known[version]

    def warm_up(self, version: str = DEFAULT_VERSION) -> None:
        """Build what the first question of a version would wait for."""
        for count in (1, 64):  # one is possible, one needs an explanation
            self.answer(f"inventory.stick:{count}", {"version": version, "nearby": {"oak_log": 1}})

    def answer(self, goal: object, world: object = None) -> Plan:
        """A plan, or why there is none; malformed questions get an answer too, never an error."""
        try:
            asked = as_text(goal)
        except BotError as error:
            return Plan(goal="", found=False, message=str(error))
        try:
            return replace(self._plan(goal, world), goal=asked)
        except BotError as error:
            return Plan(goal=asked, found=False, message=str(error))
        except ReplayError as error:  # a bug in the planner: other questions are still answered
            return Plan(goal=asked, found=False, message=f"the plan found does not work: {error}")

    def reasons(self, answer: Plan, world: object = None) -> tuple[str, ...]:
        """Why the plan has these steps, or the plan if nothing were missing."""
        try:
            given = read_world(world)
            known = self.known(given.version)
            if answer.found or not answer.missing:
                return tuple(reasons(answer, known.domain))
            at = given.of(known.domain)
            supplied = {
                m.item: at.inventory.get(m.item, 0) + m.need - m.have for m in answer.missing
            }
            at = replace(at, inventory={**at.inventory, **supplied})
            plan = known.planner.plan(parse_goals(answer.goal, known.domain), at)
            return ("with what is missing:", *tree(plan, costs=True))
        except BotError:
            return ()  # the answer already says what is wrong

    def _plan(self, goal: object, given: object) -> Plan:
        world = read_world(given)
        known = self.known(world.version)
        begun = perf_counter()
        goals, at = parse_goals(goal, known.domain), world.of(known.domain)
        plan = known.planner.plan(goals, at)
        if not plan.found and plan.message != UNDECIDED:
            plan = known.explainer.explain(goals, at, plan)
        return replace(plan, elapsed_ms=(perf_counter() - begun) * 1000)


class _Malformed(ValueError):
    """Not a question."""


def answer_line(
    line: bytes, planner: OfflinePlanner, world: object = None, *, explain: bool = False
) -> str | None:
    """The answer as one line of JSON; None for a blank line.

    `world` is the default for lines without one; `explain` adds the key `explanation`.
    """
    text = line.decode("utf-8", "replace").strip().removeprefix("\ufeff")
    if not text:
        return None
    try:
        asked = _question(text)
    except _Malformed as error:
        plan = Plan(goal="", found=False, message=str(error))
        return _written(_id_within(text), plan)
    at = asked.get("world", world)
    plan = planner.answer(asked["goal"], at)
    more = {"explanation": planner.reasons(plan, at)} if explain else {}
    return _written(asked.get("id"), plan, **more)


def _question(text: str) -> Mapping[str, Any]:
    try:
        asked = read_json(text)
    except NotJson as error:
        raise _Malformed(f"This line is not JSON: {error}.") from error
    if not isinstance(asked, dict):
        raise _Malformed(f"A line is an object with {', '.join(LINE_KEYS)}, not {quoted(text)}.")
    if "goal" not in asked:
        raise _Malformed(f"This line has no goal.{_misspelt(asked)}")
    if "world" not in asked and _misspelt(asked):
        raise _Malformed(f"This line has no world.{_misspelt(asked)}")
    return asked


def _misspelt(asked: Mapping[str, Any]) -> str:
    """A hint if a key looks like a missing one; other unknown keys are ignored."""
    absent = [key for key in LINE_KEYS if key not in asked]
    for key in asked:
        near = [] if key in LINE_KEYS else suggest.similar(key, absent)
        if near:
            return f" Is {quoted(key)} meant for {near[0]}?"
    return ""


def _id_within(text: str) -> Any:
    found = _READABLE_ID.search(text)
    try:
        return read_json(found[1]) if found else None
    except NotJson:
        return None


def _written(name: Any, plan: Plan, **more: Any) -> str:
    return json.dumps({"id": name, **plan.as_json(), **more})
