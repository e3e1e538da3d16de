"""The context of a long talk stays short; nothing comes twice or is lost during summaries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.engine import context
from llm.model import Turn


def lines(count: int, words: str = "hi") -> list[context.Line]:
    return [
        context.Line(number, Turn("user", f"{words} {number}"), frozenset({"Steve"}))
        for number in range(1, count + 1)
    ]


def said(turns: tuple[Turn, ...]) -> list[int]:
    return [int(turn.text.split()[-1]) for turn in turns]


def test_at_most_twenty_turns_are_shown_and_they_are_the_newest() -> None:
    assert said(context.shown(lines(50), len)) == list(range(31, 51))


def test_ten_turns_need_no_summary_and_eleven_leave_the_newest_five() -> None:
    assert context.due(lines(10), ()) is None
    found = context.due(lines(11), ())
    assert found is not None
    assert [part.until for part in found.parts] == [1, 2, 3, 4, 5, 6]
    summaries = context.shortened((), found, "They said hi.")
    assert summaries == (context.Summary(6, "They said hi.", frozenset({"Steve"})),)
    assert [line.until for line in context.not_in(summaries, lines(11))] == [7, 8, 9, 10, 11]


def test_a_conversation_that_is_over_is_summarised_whole_unless_next_to_nothing_was_said() -> None:
    assert context.due(lines(3), (), is_over=True) is None
    found = context.due(lines(4), (), is_over=True)
    assert found is not None
    assert [part.until for part in found.parts] == [1, 2, 3, 4]
    assert (
        context.due(lines(4), context.shortened((), found, "They said hi."), is_over=True) is None
    )


def test_with_four_summaries_the_oldest_two_become_one() -> None:
    four = tuple(context.Summary(n, f"{n}", frozenset({f"P{n}"})) for n in (10, 20, 30, 40))
    found = context.due(lines(100), four)
    assert found is not None
    assert context.shortened(four, found, "1+2") == (
        context.Summary(20, "1+2", frozenset({"P10", "P20"})),
        *four[2:],
    )


def test_turns_beyond_the_tokens_are_left_out_but_never_the_newest() -> None:
    long = lines(3, "x" * context.LIMITS.turns_tokens)
    assert said(context.shown(long, len)) == [3]
    assert said(context.shown(lines(3, "x" * (context.LIMITS.turns_tokens // 3)), len)) == [2, 3]


@given(st.lists(st.sampled_from(["line", "fails", "summary"]), max_size=200))
def test_whatever_fails_the_context_is_short_and_shows_what_is_newest(course: list[str]) -> None:
    summaries: tuple[context.Summary, ...] = ()
    talk: list[context.Line] = []
    for step in course:
        if step == "line":
            talk = lines(len(talk) + 1)
        found = context.due(talk, summaries)
        if step == "summary" and found is not None:
            assert len(found.parts) <= context.LIMITS.most_due
            summaries = context.shortened(summaries, found, "short")
        turns = said(context.shown(context.not_in(summaries, talk), len))
        assert len(turns) <= context.LIMITS.most_turns
        assert len(summaries) <= context.LIMITS.most_summaries + 1
        assert [one.until for one in summaries] == sorted({one.until for one in summaries})
        until = summaries[-1].until if summaries else 0
        assert turns == list(
            range(max(until, len(talk) - context.LIMITS.most_turns) + 1, len(talk) + 1)
        )


@given(st.lists(st.integers(0, 50)), st.integers(0, 100))
def test_what_fits_is_the_longest_end_or_beginning_that_fits(sizes: list[int], most: int) -> None:
    newest = context.newest_within(sizes, lambda size: size, most)
    assert newest == tuple(sizes[len(sizes) - len(newest) :])
    assert sum(newest) <= most or len(newest) == 1
    first = context.first_within(["x" * size for size in sizes], len, most)
    assert sum(map(len, first)) <= most
    assert len(first) == len(sizes) or sum(sizes[: len(first) + 1]) > most


@given(st.lists(st.sampled_from(["Got 3 logs.", "I was hurt.", "It failed." * 30]), max_size=40))
def test_old_events_become_one_line_with_the_newest_in_it(events: list[str]) -> None:
    line = context.folded(events)
    assert len(line) <= context.LIMITS.summary_chars
    if events:
        assert events[-1] in line


@pytest.mark.parametrize(
    ("events", "line"),
    [
        (["Got 3 logs.", "It failed.", "Got 3 logs."], "It failed. / Got 3 logs. ×2"),
        (["x" * 600], "x" * 500),
    ],
)
def test_the_same_events_are_counted_and_a_long_one_is_cut(events: list[str], line: str) -> None:
    assert context.folded(events) == line
