"""Plans come soon because little is left to be solved; counted, so that no clock decides."""

from pathlib import Path
from statistics import mean

import pytest

from benchmarks.planner import SERIES, VERSIONS, ask, questions
from bots.goals.offline import OfflinePlanner
from bots.goals.planning.branch_and_bound import Limits, Model, Outcome, solved

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]

SAMPLE = 40  # of the items, one in so many
MANY_COLUMNS, MANY_TERMS = 550, 3_400
"""Of all programs of one plan, on average; kinds of fuel that are no use double both."""


@pytest.mark.parametrize("version", VERSIONS)
def test_what_cannot_make_a_plan_cheaper_is_left_out_before_solving(
    node_dir: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    columns, terms = sizes(OfflinePlanner.with_packages(node_dir), monkeypatch, version)
    assert mean(columns) < MANY_COLUMNS
    assert mean(terms) < MANY_TERMS


def sizes(
    asker: OfflinePlanner, monkeypatch: pytest.MonkeyPatch, version: str
) -> tuple[list[int], list[int]]:
    """Columns and terms of each plan that was found."""
    models: list[Model] = []

    def noted(model: Model, limits: Limits) -> Outcome:
        models.append(model)
        return solved(model, limits)

    monkeypatch.setattr("bots.goals.planning.solving.solved", noted)
    columns, terms = [], []
    for series in SERIES:
        domain = asker.known(version).domain
        for answered in ask(asker, questions(domain, series, seed=5, every=SAMPLE)):
            if answered.plan.found:
                columns.append(sum(len(model.cost) for model in models))
                terms.append(sum(len(row) for model in models for _, _, row in model.rows))
            models.clear()
    return columns, terms
