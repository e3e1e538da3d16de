"""An ordinary whisper costs little, and most of its prompt is the same every time."""

from __future__ import annotations

import pytest

from benchmarks.prompts import measured, report

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]

MOST_TOKENS = 2_500
LEAST_CACHEABLE = 0.6


def test_an_ordinary_whisper_is_short_and_mostly_cacheable() -> None:
    whisper = report(measured())["whisper, trusted"]
    assert whisper["most"] <= MOST_TOKENS
    assert whisper["cacheable"] >= LEAST_CACHEABLE
