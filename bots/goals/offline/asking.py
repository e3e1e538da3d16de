"""Answers questions as `townsfolk plan` gets them: a goal and a world as JSON, an answer for each.

Domains and planners are kept by version, so the second question of a version costs planning alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter

from bots.clock import Stopwatch
from bots.goals.activity import Domain
from bots.goals.domain import GameData, domain_of
from bots.goals.explain.explain import Explainer
from bots.goals.explain.reasons import reasons
from bots.goals.explain.tree import tree
from bots.goals.offline.worlds import DEFAULT_VERSION, read_world
from bots.goals.parsing.parse import as_text, parse_goals
from bots.goals.plan import Plan
from bots.goals.planning.planner import UNDECIDED, Planner
from bots.goals.planning.replay import ReplayError
from bridge.errors import BotError

DEADLINE_S = 1.0
"""For a good plan. Questions that take so long are rare: the rest of the planner's work is counted,
so that answers do not depend on how fast the machine is."""


@dataclass(frozen=True, slots=True)
class Known:
    """What answering needs of one version."""

    domain: Domain
    planner: Planner
    explainer: Explainer


class Asker:
    """One planner of each version, made when first asked for."""

    def __init__(
        self,
        domain_named: Callable[[str], Domain],
        deadline_s: float | None = DEADLINE_S,
        stopwatch: Stopwatch = perf_counter,
    ) -> None:
        self._domain_named, self._deadline_s, self._stopwatch = domain_named, deadline_s, stopwatch
        self._known: dict[str, Known] = {}

    @classmethod
    def with_packages(cls, packages_dir: Path, deadline_s: float | None = DEADLINE_S) -> Asker:
        """Planning from the installed npm packages, for any version they know."""
        return cls(partial(_domain, packages_dir), deadline_s)

    def known(self, version: str = DEFAULT_VERSION) -> Known:
        """Raises GameDataError when there is no such version."""
        if version not in self._known:
            domain = self._domain_named(version)
            planner = Planner(domain, deadline_s=self._deadline_s)
            self._known[version] = Known(domain, planner, Explainer(planner))
        return self._known[version]

    def warm_up(self, version: str = DEFAULT_VERSION) -> None:
        """Do what the first question of a version would wait for."""
        for count in (1, 64):  # one that is possible, one to be explained
            self.answer(f"inventory.stick:{count}", {"version": version, "nearby": {"oak_log": 1}})

    def answer(self, goal: object, world: object = None) -> Plan:
        """A plan, or why there is none; a question that is wrong is answered, never raised."""
        try:
            asked = as_text(goal)
        except BotError as error:
            return Plan(goal="", found=False, message=str(error))
        try:
            return replace(self._plan(goal, world), goal=asked)
        except BotError as error:
            return Plan(goal=asked, found=False, message=str(error))
        except ReplayError as error:  # a fault of ours: other questions are still answered
            return Plan(goal=asked, found=False, message=f"the plan found does not work: {error}")

    def reasons(self, answer: Plan, world: object = None) -> tuple[str, ...]:
        """Why the steps are what they are, or what would be done if nothing were missing."""
        try:
            told = read_world(world)
            known = self.known(told.version)
            if answer.found or not answer.missing:
                return tuple(reasons(answer, known.domain))
            at = told.of(known.domain)
            supplied = {
                m.item: at.inventory.get(m.item, 0) + m.need - m.have for m in answer.missing
            }
            at = replace(at, inventory={**at.inventory, **supplied})
            plan = known.planner.plan(parse_goals(answer.goal, known.domain), at)
            return ("with what is missing:", *tree(plan, costs=True))
        except BotError:
            return ()  # the answer has said what is wrong

    def _plan(self, goal: object, told: object) -> Plan:
        world = read_world(told)
        known = self.known(world.version)
        begun = self._stopwatch()
        goals, at = parse_goals(goal, known.domain), world.of(known.domain)
        plan = known.planner.plan(goals, at)
        if not plan.found and plan.message != UNDECIDED:
            plan = known.explainer.explain(goals, at, plan)
        return replace(plan, elapsed_ms=(self._stopwatch() - begun) * 1000)


def _domain(packages_dir: Path, version: str) -> Domain:
    return domain_of(GameData.from_folder(packages_dir, version))
