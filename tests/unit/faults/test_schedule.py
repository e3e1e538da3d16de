"""The schedule of faults: a seed says all of it, and every kind comes."""

import random
import sqlite3
from collections import Counter
from contextlib import closing
from itertools import islice

import pytest
from faults.injection import bad_rows, has_a_way
from faults.schedule import ENDINGS, LIVES, Kind, faults

from bots.store.migrations import migrate

ROUNDS = 20
SOME = 200


@pytest.mark.parametrize("seed", [0, 7, 2**40])
def test_the_same_seed_gives_the_same_faults(seed: int) -> None:
    assert list(islice(faults(seed), SOME)) == list(islice(faults(seed), SOME))


def test_another_seed_gives_others() -> None:
    assert list(islice(faults(1), SOME)) != list(islice(faults(2), SOME))


def test_each_kind_comes_once_before_any_comes_again() -> None:
    blows = [fault.kind for fault in islice(faults(7), SOME) if fault.kind not in ENDINGS]
    kinds = set(Kind) - ENDINGS
    assert set(blows[: len(kinds)]) == set(blows[len(kinds) : 2 * len(kinds)]) == kinds


def test_a_daemon_lives_through_several_faults_before_one_that_ends_it() -> None:
    are_endings = [fault.kind in ENDINGS for fault in islice(faults(7), ROUNDS * (LIVES + 1))]
    assert are_endings == [False] * LIVES + [True] + are_endings[: -(LIVES + 1)]
    endings = Counter(f.kind for f in islice(faults(7), SOME) if f.kind in ENDINGS)
    assert set(endings) == ENDINGS


def test_only_the_wanted_kinds_come() -> None:
    wanted = {Kind.NODE_KILLED, Kind.DAEMON_KILLED}
    assert {fault.kind for fault in islice(faults(7, wanted), SOME)} == wanted
    assert list(faults(7, ())) == []


def test_every_kind_can_be_done() -> None:
    assert [kind for kind in Kind if not has_a_way(kind)] == []


def test_the_bad_rows_fit_into_the_newest_database() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        migrate(connection)
        for statement, values in bad_rows(random.Random(7)):
            assert connection.execute(statement, values).rowcount == 1
