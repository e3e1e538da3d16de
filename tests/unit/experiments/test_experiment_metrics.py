"""Metrics of talks that are small enough to count by hand."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.experiments import THREE, played

from bots.experiments.metrics import (
    Answers,
    Metrics,
    Setting,
    addressed,
    gini,
    measure,
    questions,
    repetitions,
    spread,
)
from bots.experiments.timeline import Line, Timeline, Turn
from bots.talks.machine.events import Participant

ROSTER = (
    Participant("Ann", "bot", "アン"),
    Participant("Ben", "bot"),
    Participant("Sam", "person"),
)
NOWHERE = Setting("", 15, ())
NAMES = ["Ann", "Ben", "Sam"]


def line(speaker: str, text: str, at_s: float, *, turn: int | None = 1, lasts_s: float = 1) -> Line:
    at_ms = round(at_s * 1000)
    hearing = dict.fromkeys([name for name in NAMES if name != speaker])
    return Line(speaker, text, at_ms, at_ms + round(lasts_s * 1000), hearing, turn)


def test_nobody_alone_makes_gini_0_and_one_alone_makes_it_large() -> None:
    assert gini([5, 5, 5]) == 0
    assert gini([0, 0, 0]) == gini([]) == 0
    assert gini([0, 0, 9]) == pytest.approx(2 / 3)
    assert gini([1, 3]) == pytest.approx(0.25)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_gini_is_within_0_and_1_whoever_it_is(counts: list[int], rng: object) -> None:
    found = gini(counts)
    assert 0 <= found < 1
    assert gini(counts[::-1]) == pytest.approx(found)
    assert gini([3 * count for count in counts]) == pytest.approx(found)


def test_percentiles_are_values_that_occurred() -> None:
    found = spread([float(n) for n in range(1, 101)])
    assert (found.count, found.p50, found.p95, found.most) == (100, 50, 95, 100)
    assert spread([]).p50 is None
    assert spread([4.0]).p95 == 4.0


def test_waiting_is_from_the_end_of_a_line_to_the_beginning_of_a_bots_next() -> None:
    timeline = Timeline(
        lines=[line("Sam", "Hi.", 0, turn=None), line("Ann", "Hi.", 3), line("Ben", "!", 9)]
    )
    assert measure(timeline, ROSTER, Answers(), NOWHERE).latency_s.mean == pytest.approx(
        (2 + 5) / 2
    )


def test_nobody_waits_for_what_a_person_says_of_themselves() -> None:
    lines = [line("Ann", "Hi.", 0), line("Sam", "Hm.", 50, turn=None)]
    assert measure(Timeline(lines=lines), ROSTER, Answers(), NOWHERE).latency_s.count == 0


def test_a_turn_lasts_from_the_thought_to_the_end_of_its_words(tmp_path: Path) -> None:
    timeline = played(tmp_path, THREE.replace("per_s = 1000", "per_s = 10")).timeline
    first, line_said = timeline.turns[0], timeline.lines[0]
    assert (first.from_ms, first.until_ms, first.outcome) == (0, line_said.done_ms, "said")


def test_a_person_who_cuts_in_is_counted_as_overlap() -> None:
    turns = [Turn("Ann", 0, 4000, "said"), Turn("Ben", 5000, 6000, "dropped")]
    lines = [
        line("Ann", "Long words.", 2, lasts_s=2),
        line("Sam", "Oh!", 3, turn=None, lasts_s=0),
        line("Sam", "Later.", 4.5, turn=None, lasts_s=0),
        line("Sam", "Stop.", 6, turn=None, lasts_s=0),
    ]
    found = measure(Timeline(lines=lines, turns=turns), ROSTER, Answers(), NOWHERE)
    assert found.overlap == 2 / 4
    assert (found.thoughts_dropped, found.persons_lines, found.turns) == (1, 3, 1)


def test_repetition_is_what_stood_in_the_lines_before() -> None:
    first, again, other, short = repetitions(["The same words.", "the SAME words", "Else", "?"])
    assert (first, again, short) == (0, 1, 0)
    assert other == 0


def test_lines_are_forgotten_after_twelve_others() -> None:
    texts = [
        "Needle in a haystack.",
        *(f"{n}{n}{n}{n}" for n in range(12)),
        "Needle in a haystack.",
    ]
    assert repetitions(texts)[-1] == 0
    assert repetitions(texts[:1] + texts[2:])[-1] == 1


@pytest.mark.parametrize(
    ("talk", "asked", "answered"),
    [
        ([("Ann", "Ben, are you there?"), ("Ben", "Yes.")], 1, 1),
        ([("Ann", "Ben, are you there?"), ("Sam", "He is."), ("Ben", "Yes.")], 1, 1),
        ([("Sam", "アン、いますか？"), ("Ann", "はい。")], 1, 1),
        ([("Ann", "Ben and Sam?"), ("Ben", "Yes.")], 0, 0),  # two are named
        ([("Ann", "Ben?"), ("Ann", "Sam then?"), ("Ben", "Yes.")], 2, 0),
        ([("Ann", "Ben?"), ("Sam", "…"), ("Sam", "…"), ("Sam", "…"), ("Ben", "Eh?")], 1, 0),
        ([("Ann", "I am Ann.")], 0, 0),
    ],
)
def test_a_named_one_answers_within_three_lines_or_not_at_all(
    talk: list[tuple[str, str]], asked: int, answered: int
) -> None:
    lines = [line(speaker, text, at) for at, (speaker, text) in enumerate(talk)]
    found = addressed(lines, ROSTER)
    assert (found.lines, found.answered) == (asked, answered)


def test_who_did_not_hear_cannot_be_expected_to_answer() -> None:
    unheard = Line("Ann", "Ben?", 0, 0, {"Ben": "out_of_range", "Sam": None})
    assert addressed([unheard], ROSTER).rate is None


@pytest.mark.parametrize(
    ("talk", "asked", "answered"),
    [
        ([("Ann", "Where is it?"), ("Sam", "Here.")], 1, 1),
        ([("Ann", "Ben, where is it?"), ("Sam", "Here.")], 1, 0),  # Ben was asked
        ([("Ann", "Where is it?"), ("Sam", "Who knows?"), ("Ben", "I do.")], 2, 2),
        ([("Ann", "Where?"), ("Ann", "And when?"), ("Ben", "Now.")], 2, 1),
        ([("Ann", "Where?"), ("Ben", "Why? Who asks?!")], 2, 0),
        ([("Ann", "Where?"), ("Ben", "Here. Why?")], 2, 1),
        ([("Ann", "どこですか？"), ("Ben", "ここです。")], 1, 1),
        ([("Ann", "Well."), ("Ben", "Well.")], 0, 0),
    ],
)
def test_a_question_is_answered_by_who_was_asked_and_not_by_a_question(
    talk: list[tuple[str, str]], asked: int, answered: int
) -> None:
    lines = [line(speaker, text, at) for at, (speaker, text) in enumerate(talk)]
    found = questions(lines, ROSTER)
    assert (found.lines, found.answered) == (asked, answered)


def test_a_question_that_nobody_heard_is_not_counted() -> None:
    unheard = Line("Ann", "Where?", 0, 0, {"Ben": "out_of_range", "Sam": "out_of_range"})
    heard = Line("Ann", "Where?", 0, 0, {"Ben": None, "Sam": "out_of_range"})
    assert questions([unheard], ROSTER).rate is None
    assert questions([heard, line("Sam", "There.", 1)], ROSTER).rate == 0


def test_languages_are_counted_by_line() -> None:
    lines = [line("Ann", "Hello.", 0), line("Ben", "こんにちは。", 1), line("Ann", "Bye.", 2)]
    assert measure(Timeline(lines=lines), ROSTER, Answers(), NOWHERE).languages == {
        "en": 2,
        "ja": 1,
    }


def test_a_whole_run_is_measured(tmp_path: Path) -> None:
    metrics = played(tmp_path, THREE).metrics
    assert (metrics.lines, metrics.turns, metrics.gini) == (9, 9, 0)
    assert metrics.heard_share == 1
    assert metrics.rules == {"goodbye": 3, "round": 6}
    assert metrics.addressed.rate == 1
    assert metrics.after["Alice"] == {"Bob": 3}
    assert [part.share for part in metrics.participants] == pytest.approx([1 / 3] * 3)
    assert metrics.latency_s.p50 == metrics.thinking_s.p50 == 1.0


def test_a_talk_in_which_nothing_is_said_is_measured_too() -> None:
    found = measure(Timeline(), ROSTER, Answers(), NOWHERE)
    assert (found.lines, found.heard_share, found.repetition, found.overlap) == (0, None, None, 0)


def test_every_number_is_documented() -> None:
    page = (Path(__file__).parents[3] / "docs/experiments.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"`(\w+)`", page.partition("## The numbers")[2]))
    assert {field.name for field in fields(Metrics)} <= documented
