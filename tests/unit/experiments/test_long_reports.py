"""A run of ten thousand lines is reported without a drawing for each of them."""

from types import SimpleNamespace
from typing import Any

import pytest
from matplotlib.figure import Figure

from bots.experiments.report import figures


def run_of(lines: int) -> Any:
    said = [SimpleNamespace(text=f"Line {one % 7}.", speaker="Alice") for one in range(lines)]
    roster = [SimpleNamespace(name="Alice")]
    return SimpleNamespace(
        timeline=SimpleNamespace(lines=said), scenario=SimpleNamespace(roster=roster)
    )


@pytest.mark.parametrize(("lines", "shapes"), [(9, 9), (10_000, 0)])
def test_the_bars_of_many_lines_are_one_shape(lines: int, shapes: int) -> None:
    """Ten thousand bars took half a minute and 200 MB."""
    axes = Figure().add_subplot()
    figures._draw_repetition(axes, run_of(lines))
    assert len(axes.patches) == shapes
    assert len(axes.collections) == (0 if shapes else 1)
