"""Whatever stands in a scenario file, it is taken or refused line by line."""

import tomllib
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from support.experiments import THREE
from support.fuzz import ODD_TEXT, fuzzed, nearly, outcome

from bots.experiments.scenario import ScenarioError
from bots.experiments.scenario_file import parse_scenario, scenario_of
from bots.experiments.study import study_of

RIGHT = tomllib.loads(THREE)

STUDY = tomllib.loads(
    """
[study]
seeds = [3, 4]
primary = "lines"
direction = "less"
exclude = [{ metric = "turns", below = 3 }]
[study.factors]
talk.gap_s = [1, 0]
"""
)


@given(nearly(RIGHT))
@fuzzed
def test_a_scenario_with_something_wrong_in_it(written: Any) -> None:
    """As if TOML had said so: what it cannot say is tried too."""
    if isinstance(written, dict):
        assert outcome(lambda: scenario_of(written, "scenario"), ScenarioError)


@given(nearly(STUDY))
@fuzzed
def test_a_study_with_something_wrong_in_it(written: Any) -> None:
    if isinstance(written, dict):
        assert outcome(lambda: study_of(written, "study"), ScenarioError)


@given(ODD_TEXT | st.integers(0, len(THREE)).map(lambda at: THREE[:at]))
@example("x = " + "[" * 100_000)
@example("a = " + "9" * 5_000)
@fuzzed
def test_any_text(text: str) -> None:
    assert outcome(lambda: parse_scenario(text), ScenarioError)
