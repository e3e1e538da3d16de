"""Plans without a bot, for `townsfolk plan`: a goal and a world as JSON in, a plan out.

Domains and planners are kept per version, so only the first question of a version is slow.
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
"""Time to improve a plan. It is seldom reached: other limits count the planner's work, so that
answers do not depend on the speed of the machine."""


@dataclass(frozen=True, slots=True)
class VersionTables:
    """Domain, planner and explainer of one version."""

    domain: Domain
    planner: Planner
    explainer: Explainer


class OfflinePlanner:
    """Plans for any version; builds the tables of a version on first use."""

    def __init__(
        self,
        domain_named: Callable[[str], Domain],
        deadline_s: float | None = DEADLINE_S,
        stopwatch: Stopwatch = perf_counter,
    ) -> None:
        self._domain_named, self._deadline_s, self._stopwatch = domain_named, deadline_s, stopwatch
        self._known: dict[str, VersionTables] = {}

    @classmethod
    def with_packages(
        cls, packages_dir: Path, deadline_s: float | None = DEADLINE_S
    ) -> OfflinePlanner:
        """Read versions from the installed npm packages."""
        return cls(partial(_domain, packages_dir), deadline_s)

    def known(self, version: str = DEFAULT_VERSION) -> VersionTables:
        """Raises GameDataError when there is no such version."""
        if version not in self._known:
            domain = self._domain_named(version)
            planner = Planner(domain, deadline_s=self._deadline_s)
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
        begun = self._stopwatch()
        goals, at = parse_goals(goal, known.domain), world.of(known.domain)
        plan = known.planner.plan(goals, at)
        if not plan.found and plan.message != UNDECIDED:
            plan = known.explainer.explain(goals, at, plan)
        return replace(plan, elapsed_ms=(self._stopwatch() - begun) * 1000)


def _domain(packages_dir: Path, version: str) -> Domain:
    return domain_of(GameData.from_folder(packages_dir, version))
