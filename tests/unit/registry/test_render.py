"""A result as lines of a whisper."""

from bots.bot.result import Failure, Result
from bots.registry.render import LINE, plain_lines, render


class Pile(Result):
    block: str
    counts: tuple[int, ...]
    by_name: dict[str, int]


def test_a_result_without_own_words_is_rendered_from_its_fields() -> None:
    pile = Pile(block="stone", counts=(1, 2, 3, 4, 5, 6, 7), by_name={"a": 1})
    assert render(pile) == ["block: stone, counts: 1, 2, 3, 4, 5 …, by_name: 1 entries"]


def test_a_result_with_no_fields_says_done() -> None:
    assert render(Result()) == ["Done."]


def test_a_refusal_is_one_whisper_with_usage_and_example_where_they_fit() -> None:
    facts = {"usage": "!echo <message>", "example": "!echo hello"}
    refused = Failure(reason="invalid_format", message="message is missing.", data=facts)
    assert render(refused) == ["message is missing. Usage: !echo <message> Example: !echo hello"]
    longer = refused.model_copy(update={"message": "word " * 40})
    assert len(render(longer)) == 2


def test_long_lines_are_cut_to_what_a_whisper_holds() -> None:
    long = Failure(reason="x", message="word " * 200)
    (line,) = render(long)
    assert len(line) == LINE
    assert plain_lines(long) == [("word " * 200).strip()]  # a terminal holds all of it
    assert line.endswith("…")
