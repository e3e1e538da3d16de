"""What is said about what, in talks that are small enough to judge by hand."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from support.experiments import THREE, played

from bots.experiments.metrics import (
    Claims,
    Setting,
    Stood,
    claims,
    hearing_violations,
    taken_up,
    topic_kept,
)
from bots.experiments.timeline import Line

NAMES = ("Ann", "Ben", "Sam")


def line(speaker: str, text: str, heard_by: Iterable[str] = NAMES, at_ms: int = 0) -> Line:
    hearing = {n: None if n in heard_by else "out_of_range" for n in NAMES if n != speaker}
    return Line(speaker, text, at_ms, at_ms, hearing, 1)


def named(words: str) -> str | None:
    return next((name for name in NAMES if name.casefold() in words), None)


def test_a_line_keeps_the_topic_with_a_word_of_it_or_of_the_opening() -> None:
    lines = [
        line("Ann", "Shall we cross the old bridge?"),
        line("Ben", "Bridges are for people."),
        line("Ann", "My feet hurt."),
        line("Ben", "The river is deep."),
    ]
    assert topic_kept(lines, "") == pytest.approx(1 / 3)
    assert topic_kept(lines, "a river") == pytest.approx(2 / 3)
    assert topic_kept(lines[:1], "a river") is None
    assert topic_kept([line("Ann", "We?"), line("Ben", "Yes.")], "") is None


def test_the_one_leads_whose_new_words_others_take_up_who_heard_them() -> None:
    lines = [
        line("Ann", "I found a lantern."),
        line("Ben", "A lantern? Bring it to the cellar."),
        line("Ann", "The cellar it is."),
        line("Sam", "My lantern is better."),
        line("Ann", "No, mine."),
    ]
    assert taken_up(lines) == {"Ann": 2, "Ben": 1}
    unheard = [line("Ann", "I found a lantern.", heard_by=()), *lines[1:2]]
    assert taken_up(unheard) == {}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("You told me that the mill burns.", Claims(1, 0)),
        ("Ann told us of the mill.", Claims(1, 0)),
        ("As Ann said.", Claims(1, 0)),
        ("Ann said that a dragon came.", Claims(0, 1)),
        ("Sam mentioned the mill.", Claims(0, 1)),
        ("You told me of a dragon.", Claims(0, 1)),
        ("My aunt told me of the mill.", Claims(0, 0)),
        ("Annさんがmillと言っていた。", Claims(1, 0)),
        ("Annが前に言っていた。", Claims(1, 0)),
        ("Samが教えてくれた。", Claims(0, 1)),
    ],
)
def test_a_claim_to_have_been_told_is_true_only_after_a_hearing(
    said: str, expected: Claims
) -> None:
    lines = [
        line("Sam", "The mill!", heard_by=()),
        line("Ann", "The mill burns."),
        line("Ben", said),
    ]
    assert claims(lines, named) == expected


def test_a_line_that_was_not_heard_makes_no_claim_true() -> None:
    lines = [line("Ann", "The mill burns.", heard_by=["Sam"]), line("Ben", "Ann said so.")]
    assert claims(lines, named) == Claims(0, 1)


def stood(at_ms: int, ann_x: float, ben_x: float, dimension: str = "overworld") -> Stood:
    return Stood(at_ms, {"Ann": (ann_x, 64, 8, "overworld"), "Ben": (ben_x, 64, 8, dimension)})


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([], None),
        ([stood(0, 0, 15)], 0),
        ([stood(0, 0, 16)], 1),
        ([stood(0, 0, 1, "nether")], 1),
        ([stood(0, 0, 1), stood(3_000, 0, 60), stood(9_000, 0, 1)], 1),
        ([stood(0, 0, 60), stood(5_500, 0, 14)], 0),
        ([stood(0, 0, 24), stood(5_500, 0, 20)], 0),  # on a walk, between two records
    ],
)
def test_what_was_heard_from_too_far_away_is_found(
    records: list[Stood], expected: int | None
) -> None:
    lines = [line("Ann", "Hello.", heard_by=["Ben"], at_ms=5_000)]
    assert hearing_violations(lines, Setting("", 15, records)) == expected


def test_a_simulated_talk_with_a_walk_has_no_violation(tmp_path: Path) -> None:
    walk = '[[events]]\nafter_turn = 3\ndo = "walk"\nwho = "Bob"\nto = "far"\n'
    metrics = played(tmp_path, THREE + walk).metrics
    assert metrics.missed_why.keys() == {"out_of_range"}
    assert metrics.hearing_violations == 0
