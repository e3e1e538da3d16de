"""The benchmark of live goals: who knows what in which pass, and what its figures say."""

from collections.abc import Mapping, Sequence

import pytest

from benchmarks import goals_live
from benchmarks.goals_live import GOALS, Played, StepRow, figures, measure, table


def played(
    took_s: float, estimate_s: float = 100.0, *, place: int = 0, success: bool = True
) -> Played:
    rows = [{"target": f"seen at {place}"}]
    return Played("stick", place, success, took_s, estimate_s, 3, 0, "Done.", rows)


async def test_the_second_pass_knows_what_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[int, set[str]]] = []

    async def play_all(
        self: object,
        goals: Sequence[str],
        places: Sequence[int],
        known: Mapping[int, list[StepRow]],
    ) -> list[Played]:
        told.append({place: {row["target"] for row in rows} for place, rows in known.items()})
        return [played(90.0, place=place) for place in places]

    monkeypatch.setattr(goals_live.Arenas, "play_all", play_all)
    report = await measure(["stick"], [0, 1, 4])
    assert [*report] == ["cold", "learnt"]
    assert told == [
        {},
        {
            0: {"seen at 1", "seen at 4"},
            1: {"seen at 0", "seen at 4"},
            4: {"seen at 0", "seen at 1"},
        },
    ]


def test_the_bounds_hold_for_the_median_and_for_the_worst() -> None:
    good = [played(100.0), played(120.0), played(80.0)]
    assert figures(good)["holds"] is True
    assert figures([*good, played(250.0)])["holds"] is False  # beyond twice as long
    assert figures([*good, played(45.0)])["holds"] is False  # and beyond half as long
    assert figures([played(70.0), played(130.0)])["median_error"] == 0.3
    assert figures([played(70.0), played(130.0)])["holds"] is False


def test_what_was_not_reached_says_nothing_of_estimates() -> None:
    assert figures([played(900.0, success=False)]) == {"reached": 0}


def test_the_table_tells_ratio_and_why_a_goal_was_not_reached() -> None:
    _, done, missed = table([played(150.0), played(9.0, 0.0, place=1, success=False)])
    assert "1.50" in done
    assert missed.endswith("Done.")


def test_twelve_goals_are_played() -> None:
    assert len(GOALS) == 12
