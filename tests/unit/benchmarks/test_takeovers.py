"""What counts as lost or doubled when daemons were killed."""

from collections import defaultdict
from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

import pytest

from benchmarks.takeovers import Talk, Witness, faults

NOTHING = {"lines lost": 0, "lines doubled": 0, "lines out of order": 0, "lines answered twice": 0}


def talk(*answers: int) -> Talk:
    """A talk of lines that were each answered so often."""
    answered = defaultdict(list, {f"anx{n}": [1.0] * often for n, often in enumerate(answers, 1)})
    said = Talk(cast(Witness, SimpleNamespace(answered_at_s=answered)), "An")
    said.said_at_s = {f"anx{number}": 0.0 for number in range(1, len(answers) + 1)}
    return said


@pytest.mark.parametrize(
    ("kept", "wrong"),
    [
        (["anx1", "anx2", "anx3"], {}),
        (["anx1", "anx3"], {}),  # the second was never answered
        (["anx1", "anx2"], {"lines lost": 1}),
        (["anx1", "anx3", "anx3"], {"lines doubled": 1}),
        (["anx3", "anx1"], {"lines out of order": 1}),
    ],
)
def test_a_history_holds_what_was_acknowledged_once_and_in_order(
    kept: Sequence[str], wrong: dict[str, int]
) -> None:
    assert faults(talk(1, 0, 1), kept) == {**NOTHING, **wrong}


def test_two_answers_to_one_line_are_noticed() -> None:
    assert faults(talk(2), ["anx1"]) == {**NOTHING, "lines answered twice": 1}
