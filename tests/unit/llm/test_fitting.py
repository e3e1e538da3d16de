"""A question is made to fit a model that reads little."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.engine.context import TokenEstimate, few, fits, fitted
from llm.model import Question, Tool, Turn

TOKENS = TokenEstimate().tokens_of
TOOLS = tuple(
    Tool(f"tool_{number}", "Does things. " * 10, {"type": "object"}) for number in range(12)
)
TURNS = tuple(Turn("user", f"{number} " + "word " * 60) for number in range(30))
LONG = Question("Rules.", TURNS, 1_000, TOOLS, steady=28)


def test_what_has_room_stays_as_it_is() -> None:
    assert fitted(LONG, 32_000, TOKENS) == LONG


def test_the_past_goes_first_to_last_and_the_newest_words_stay() -> None:
    short = fitted(LONG, 4_096, TOKENS)
    gone = len(TURNS) - len(short.turns)
    assert 0 < gone < len(TURNS)
    assert short.turns == TURNS[gone:]
    assert short.steady == 28 - gone
    assert fits(short, 4_096, TOKENS)


def test_the_answer_has_a_fourth_of_the_room() -> None:
    assert fitted(LONG, 2_400, TOKENS).max_tokens == 600


def test_the_tools_go_by_the_context_alone() -> None:
    counts = [len(few(TOOLS, context)) for context in (2_000, 4_000, 8_000, 16_000)]
    assert counts == sorted(counts)
    assert 0 < counts[0] < counts[-1] == len(TOOLS)
    alone = Question("Rules.", TURNS[-1:], 1_000, TOOLS)
    assert fitted(alone, 2_000, TOKENS).tools == fitted(LONG, 2_000, TOKENS).tools


def test_what_cannot_fit_is_seen() -> None:
    long = Question("Rules.", (Turn("user", "word " * 3_000),))
    assert not fits(fitted(long, 2_000, TOKENS), 2_000, TOKENS)


@pytest.mark.parametrize("steady", [0, 1, 3])
@given(st.lists(st.text(max_size=400), min_size=1, max_size=8), st.integers(2_000, 9_000))
def test_the_last_turn_and_what_is_said_of_the_bot_are_never_touched(
    steady: int, texts: list[str], context: int
) -> None:
    turns = tuple(Turn("user", text) for text in texts)
    asked = Question("Rules.", turns, character="Alice.", steady=min(steady, len(turns) - 1))
    short = fitted(asked, context, TOKENS)
    assert short.instructions == asked.instructions
    assert short.turns == turns[len(turns) - len(short.turns) :]
    assert 0 <= short.steady < len(short.turns)
