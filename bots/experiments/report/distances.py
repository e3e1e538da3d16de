"""Distances between participants over time, from the positions in a log."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from bots.experiments.log import SEEN_EVERY_MS
from bots.experiments.runs.folder import Run

MOST_PAIRS = 6  # with more pairs, only each one's distance to the nearest other


def distances(run: Run) -> dict[str, list[tuple[int, float]]]:
    """For each pair, (milliseconds, blocks); none while one is absent or in another dimension."""
    names = [who.name for who in run.scenario.roster]
    pairs = list(combinations(names, 2))
    steps = _steps(run)
    if len(pairs) > MOST_PAIRS:
        found = {f"{name} to the nearest": _nearest(name, steps) for name in names}
    else:
        found = {f"{a}, {b}": _pair(a, b, steps) for a, b in pairs}
    return {name: points for name, points in found.items() if points}


def _steps(run: Run) -> list[tuple[int, Any]]:
    """Positions over time. They are logged when they change; before that, everybody stood still."""
    steps: list[tuple[int, Any]] = []
    for line in run.log.of_kind("positions"):
        if steps and line["at_ms"] - steps[-1][0] > SEEN_EVERY_MS:
            steps.append((line["at_ms"] - SEEN_EVERY_MS, steps[-1][1]))
        steps.append((line["at_ms"], line["positions"]))
    if steps:
        steps.append((max(run.timeline.ended_ms, steps[-1][0]), steps[-1][1]))
    return steps


def _pair(one: str, other: str, steps: list[tuple[int, Any]]) -> list[tuple[int, float]]:
    found = [(at_ms, _blocks(where, one, other)) for at_ms, where in steps]
    return [(at_ms, blocks) for at_ms, blocks in found if blocks is not None]


def _nearest(name: str, steps: list[tuple[int, Any]]) -> list[tuple[int, float]]:
    points = []
    for at_ms, where in steps:
        others = [_blocks(where, name, other) for other in where if other != name]
        near = [blocks for blocks in others if blocks is not None]
        if near:
            points.append((at_ms, min(near)))
    return points


def _blocks(where: Mapping[str, Any], one: str, other: str) -> float | None:
    if one not in where or other not in where or where[one][3] != where[other][3]:
        return None
    return math.dist(where[one][:3], where[other][:3])
