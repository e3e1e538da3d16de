"""What needs no bot: plans, and talks of a scenario."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bots.experiments.paid_models import Means
from bots.experiments.playing import play
from bots.experiments.runs import Run, prepare, read_run
from bots.goals.offline import OfflinePlanner
from bots.goals.plan import Plan
from bridge.node import ready


def _silent(_line: str) -> None:
    """Tell nobody."""


async def plan(
    *goals: str,
    world: Mapping[str, Any] | None = None,
    offline: bool = False,
    progress: Callable[[str], None] = _silent,
) -> Plan:
    """Plan how to reach goals such as `inventory.stick:4`, or what is missing.

    `world` tells what is held and near, as the file of `townsfolk plan --world`. The first plan
    installs the Node packages, unless `offline`; `progress` hears of it. Raises NodeSetupError."""
    runtime = await ready(progress, offline=offline)
    planner = OfflinePlanner.with_packages(runtime.packages_dir)
    return await asyncio.to_thread(planner.answer, list(goals), world)


def simulate(
    scenario: Path | str,
    out: Path | str,
    *,
    seed: int | None = None,
    allow_rules: bool = False,
    budget_usd: float | None = None,
) -> Run:
    """Play the scenario of a file in the world that it names; what happens goes to `out`.

    Models are asked, and paid for, only where the scenario says so; with `allow_rules` rules speak
    where a model does not answer. Raises ExperimentFailed, LogError, ScenarioError, SettingsError;
    where a model or a server takes part, also BotError."""
    means = Means(budget_usd=budget_usd, allow_rules=allow_rules)
    play(prepare(Path(scenario), seed), Path(out), means)
    return read_run(Path(out))
