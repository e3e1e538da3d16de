"""Numbers as people say them."""

import pytest

from bots.text.numbers import duration, in_blocks


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.4, "5 s"), (41.8, "40 s"), (89, "90 s"), (100, "2 min"), (1_234, "21 min"), (5_500, "2 h")],
)
def test_a_time_is_rounded_as_people_say_it(seconds: float, said: str) -> None:
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("distance", "said"), [(0, "0 blocks"), (1, "1 block"), (1.5, "1.5 blocks"), (15, "15 blocks")]
)
def test_one_block_is_no_blocks(distance: float, said: str) -> None:
    assert in_blocks(distance) == said
