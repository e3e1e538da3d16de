"""Under any fault: one speaks at a time, each line comes once, caps hold, the talk ends."""

import statistics
from collections import Counter
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs
from support.talk_faults import FAULTS, FaultyTalk

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _nothing_is_printed() -> Iterator[None]:
    with capture_logs():
        structlog.get_logger()
        yield


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32))
def test_any_talk_keeps_its_promises(seed: int) -> None:
    FaultyTalk(seed).run()


def test_two_hundred_talks_keep_their_promises_and_suffer_every_fault() -> None:
    talks = [FaultyTalk(seed).run() for seed in range(200)]
    assert set().union(*(talk.faults for talk in talks)) == set(FAULTS)
    assert statistics.median(talk.talk.turns for talk in talks) >= 10
    endings = {talk.talk.ended for talk in talks}
    assert endings >= {"turns", "time", "goodbye", "silence", "asked", "none_left"}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_ten_thousand_talks_keep_their_promises_each_fault_in_five_hundred() -> None:
    faults: Counter[str] = Counter()
    turns = []
    for seed in range(10_000):
        talk = FaultyTalk(1_000_000 + seed).run()
        faults.update(talk.faults)
        turns.append(talk.talk.turns)
    assert {fault: faults[fault] for fault in FAULTS if faults[fault] < 500} == {}
    assert statistics.median(turns) >= 10
