"""Carries a plan out on paper, as a stranger who reads its JSON and knows Minecraft's rules.

`faults` names what is wrong with a plan; nothing of the planner is used.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from support.vanilla_rules import SMELT_TICKS, Rules

Json: TypeAlias = dict[str, Any]
KEYS = {"found", "goal", "cost", "steps", "missing", "elapsed_ms", "expanded", "message", "optimal"}
STEP_KEYS = {"action", "target", "count", "station", "tool", "consumes", "produces", "about"}
STATIONS = ("crafting_table", "furnace")
_GOAL = re.compile(r"(inventory|placed)\.(\w+):(\+?)(\d+)|equipment\.(\w+):true|position:(\S+)")


class Impossible(AssertionError):
    """A step that cannot be done where it stands."""


@dataclass(slots=True)
class Paper:
    """What is held and near after each step."""

    rules: Rules
    held: Counter[str]
    near: Counter[str]
    told_near: frozenset[str]
    done: list[Json] = field(default_factory=list)

    @classmethod
    def of(cls, rules: Rules, world: Json) -> "Paper":
        flags = {"crafting_table": "nearby_workbench", "furnace": "nearby_furnace"}
        told = frozenset(block for block, flag in flags.items() if world.get(flag))
        held, near = Counter(world.get("inventory") or {}), Counter(_counts(world))
        return cls(rules, held, near, told)

    def do(self, step: Json) -> None:
        {
            "gather": self._gather,
            "search": self._search,
            "craft": self._craft,
            "smelt": self._smelt,
            "place": self._place,
            "approach": self._approach,
            "equip": self._equip,
            "move": self._move,
        }[step["action"]](step)
        self.done.append(step)

    def at(self, station: str | None) -> bool:
        return station in self.told_near or self.near[str(station)] > 0

    def _gather(self, step: Json) -> None:
        block, tool = step["target"], step["tool"]
        _must(self.near[block] >= step["count"], step, "so many are not near")
        _must(tool is None or self.held[tool] > 0, step, "the tool is not held")
        _must(self.rules.hardness[block] is not None, step, "it cannot be dug")
        needs = self.rules.harvest[block]
        _must(needs is None or tool in needs, step, "this tool gets nothing out of it")
        _must(not step["consumes"] and step["station"] is None, step, "digging takes nothing")
        falls = self.rules.falls(block, tool)
        wanted = {item: count * step["count"] for item, count in falls.items()}
        _must(_same(step["produces"], wanted), step, f"what falls is {wanted}")
        self.near[block] -= step["count"]
        self._change(step)

    def _search(self, step: Json) -> None:
        block, tool = step["target"], step["tool"]
        _must(self.near[block] >= step["count"], step, "so many are not near")
        _must(tool is None or self.held[tool] > 0, step, "the tool is not held")
        _must(tool != "shears", step, "to shears it falls whole")
        _must(step["about"], step, "chance is no certainty")
        _must(not step["consumes"] and step["station"] is None, step, "digging takes nothing")
        ((item, count),) = step["produces"].items()
        _must(step["count"] == count * _digs_for_one(block, item), step, "it falls oftener or less")
        self.near[block] -= step["count"]
        self._change(step)

    def _craft(self, step: Json) -> None:
        made, count = step["target"], step["count"]
        _must(step["station"] in ("hand", "crafting_table"), step, "no such station for crafts")
        _must(step["station"] == "hand" or self.at("crafting_table"), step, "there is no table")
        fitting = [
            recipe
            for recipe in self.rules.recipes.get(made, ())
            if count % recipe.count == 0 and recipe.takes(step["consumes"], count // recipe.count)
        ]
        _must(bool(fitting), step, "no recipe takes this")
        wide = all(recipe.wide for recipe in fitting)
        _must(not wide or step["station"] == "crafting_table", step, "it does not fit the hand")
        _must(wide or step["station"] == "hand", step, "it needs no table")
        left = Counter[str]()
        for item, used in step["consumes"].items():
            if empty := self.rules.empties(item):
                left[empty] += used
        _must(_same(step["produces"], {made: count} | left), step, "it gives something else")
        self._change(step)

    def _smelt(self, step: Json) -> None:
        _must(step["station"] == "furnace" and self.at("furnace"), step, "there is no furnace")
        _must(self._cooks(step, step["consumes"]), step, "this does not cook so many")
        for item in step["consumes"]:
            less = Counter[str](step["consumes"])
            less[item] -= 1
            _must(not self._cooks(step, +less), step, f"one {item} less would do")
        emptied = step["consumes"].get("lava_bucket", 0)
        wanted = Counter({step["target"]: step["count"]}) + Counter({"bucket": emptied})
        _must(_same(step["produces"], wanted), step, "it gives something else")
        self._change(step)

    def _cooks(self, step: Json, consumed: Mapping[str, int]) -> bool:
        """Whether what is consumed can be split into ingredients and enough fuel."""
        raws = [item for item in consumed if self.rules.cooks(item) == step["target"]]
        raws.sort(key=self.rules.burns)
        left, burnt = step["count"], Counter(consumed)
        for raw in raws:  # what burns worst is cooked first
            cooked = min(left, consumed[raw])
            burnt[raw] -= cooked
            left -= cooked
        heats = {item: self.rules.burns(item) * 4 // SMELT_TICKS for item in +burnt}
        heat = sum(heats[item] * count for item, count in (+burnt).items())
        return left == 0 and heat >= 4 * step["count"] and all(heats.values())

    def _place(self, step: Json) -> None:
        block, count = step["target"], step["count"]
        _must(sum(step["consumes"].values()) == count, step, "as many items as blocks")
        _must(not step["produces"], step, "placing gives nothing")
        self._change(step)
        self.near[block] += count

    def _approach(self, step: Json) -> None:
        _must(self.near[step["target"]] > 0, step, "there is none")
        _must(not step["consumes"] and not step["produces"], step, "it changes no counts")

    def _equip(self, step: Json) -> None:
        _must(self.held[step["target"]] > 0, step, "it is not held")
        _must(not step["consumes"] and not step["produces"], step, "it changes no counts")

    def _move(self, step: Json) -> None:
        _must(len(step["target"].split(",")) == 3, step, "that is no place")

    def _change(self, step: Json) -> None:
        for item, count in step["consumes"].items():
            _must(isinstance(count, int) and count > 0, step, "counts are whole and above 0")
            _must(self.held[item] >= count, step, f"only {self.held[item]} {item} are held")
            self.held[item] -= count
        for item, count in step["produces"].items():
            _must(isinstance(count, int) and count > 0, step, "counts are whole and above 0")
            self.held[item] += count

    def meets(self, goal: str, start: "Paper") -> bool:
        found = _GOAL.fullmatch(goal)
        assert found, goal
        kind, name, more, count, worn, place = found.groups()
        if worn or place:
            last = [step["target"] for step in self.done if step["action"] in ("equip", "move")]
            return (worn or place) in last
        there, before = (self.held, start.held) if kind == "inventory" else (self.near, start.near)
        return there[name] >= int(count) + (before[name] if more else 0)


def _digs_for_one(block: str, item: str) -> int | None:
    """By how many blocks one of an item falls, on average. Source: minecraft.wiki."""
    if item == f"{block.removesuffix('_leaves')}_sapling":
        return 40 if block == "jungle_leaves" else 20
    return {"flint": 10, "apple": 200, "wheat_seeds": 8}.get(item)


def faults(rules: Rules, goals: str, world: Json, answer: Json) -> list[str]:
    """Everything wrong with an answer, whether a plan was found or not."""
    shape = KEYS - answer.keys()
    if shape:
        return [f"keys are absent: {sorted(shape)}"]
    if not answer["found"]:
        return list(_faults_of_a_no(answer))
    bad = [f"step keys {sorted(step)}" for step in answer["steps"] if set(step) != STEP_KEYS]
    if bad:
        return bad
    why = replayed(rules, goals, world, answer["steps"])
    return [why] if why else list(_needless(rules, goals, world, answer["steps"]))


def replayed(rules: Rules, goals: str, world: Json, steps: list[Json]) -> str | None:
    """Why the steps do not lead to the goals; None = they do."""
    start, paper = Paper.of(rules, world), Paper.of(rules, world)
    try:
        for step in steps:
            paper.do(step)
    except Impossible as error:
        return str(error)
    unmet = [goal for goal in goals.split() if not paper.meets(goal, start)]
    return f"not reached: {unmet}" if unmet else None


def _needless(rules: Rules, goals: str, world: Json, steps: list[Json]) -> Iterator[str]:
    for index, step in enumerate(steps):
        rest = steps[:index] + steps[index + 1 :]
        if replayed(rules, goals, world, rest) is None:
            yield f"needless: {step}"
        elif step["action"] == "gather" and step["count"] > 1:
            fewer = [*steps[:index], _one_less(step), *steps[index + 1 :]]
            if replayed(rules, goals, world, fewer) is None:
                yield f"one less would do: {step}"


def _one_less(step: Json) -> Json:
    count = step["count"]
    less = {item: n * (count - 1) // count for item, n in step["produces"].items()}
    return step | {"count": count - 1, "produces": less}


def _faults_of_a_no(answer: Json) -> Iterator[str]:
    if answer["steps"]:
        yield "no plan, yet steps"
    if not answer["message"]:
        yield "no message"
    for missing in answer["missing"]:
        if not missing["need"] > missing["have"] >= 0:
            yield f"needs no more than there is: {missing}"
        if not missing["why"] or not missing["item"]:
            yield f"no reason: {missing}"


def _same(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
    return Counter(one) == Counter(other)


def _must(holds: bool, step: Json, why: str) -> None:
    if not holds:
        raise Impossible(f"{why}: {step}")


def _counts(world: Json) -> dict[str, int]:
    """How many blocks are near, whether it is also said where or not."""
    near = (world.get("nearby") or {}).items()
    return {block: one["count"] if isinstance(one, Mapping) else one for block, one in near}
