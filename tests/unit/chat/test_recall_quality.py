"""A month in a town: what people ask about weeks later is found, and nothing that may not be."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from benchmarks.month import LINES, TOLD, Month, filled
from benchmarks.recall_quality import measured

pytestmark = pytest.mark.slow

ENOUGH = 0.95
QUESTIONS = 120
FEW = 500


@contextmanager
def filled_month(lines: int = LINES) -> Iterator[tuple[sqlite3.Connection, Month]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        yield connection, filled(connection, lines)


def test_the_right_line_is_among_the_first_five_and_nobody_finds_what_is_not_theirs() -> None:
    with filled_month() as (connection, month):
        found = measured(connection, month)
    assert found.recall_at_5_en >= ENOUGH
    assert found.recall_at_5_ja >= ENOUGH
    assert (found.unheard, found.withheld) == (0, 0)
    assert found.questions >= QUESTIONS


def test_a_month_is_the_same_each_time_and_no_bot_hears_all_of_it() -> None:
    with filled_month(FEW) as (_, month), filled_month(FEW) as (_, again):
        assert month.heard == again.heard
        said = {line.id for heard in month.heard.values() for line in heard.values()}
        assert len(said) == FEW
        assert all(len(heard) < FEW * 0.9 for heard in month.heard.values())
        assert all(month.of(told) for told in TOLD)
