"""Times as people say them."""

from datetime import UTC, datetime, timedelta

import pytest

from bots.text.numbers import ago

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=9), "just now"),
        (timedelta(seconds=40), "40 seconds ago"),
        (timedelta(seconds=61), "1 minute ago"),
        (timedelta(minutes=3), "3 minutes ago"),
        (timedelta(minutes=89), "89 minutes ago"),
        (timedelta(hours=2), "2 hours ago"),
        (timedelta(days=1), "24 hours ago"),
        (timedelta(days=2), "2 days ago"),
        (timedelta(days=21), "3 weeks ago"),
        (timedelta(days=90), "3 months ago"),
        (timedelta(days=900), "2 years ago"),
    ],
)
def test_a_time_is_told_in_the_unit_that_people_use(passed: timedelta, said: str) -> None:
    assert ago(NOW - passed, NOW) == said
