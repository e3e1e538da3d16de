"""An ordinary whisper costs little, and most prompts begin for the most part as the one before."""

import pytest

from benchmarks.prompts import measured, report

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]

MOST_TOKENS = 2_500
LEAST_CACHEABLE = 0.6


LESS = {"briefing", "analysis", "fellow"}
"""Thoughts are seldom had, and words between bots have no tools: much of what they show is new."""


def test_an_ordinary_whisper_is_short_and_every_answer_mostly_cacheable() -> None:
    rows = report(measured())
    assert rows["whisper, trusted"]["most"] <= MOST_TOKENS
    shares = {kind: row["cacheable"] for kind, row in rows.items() if kind not in LESS}
    assert min(shares.values()) >= LEAST_CACHEABLE, shares
