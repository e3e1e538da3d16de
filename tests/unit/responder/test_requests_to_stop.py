"""A wish to stop is recognised by its words, and told apart from talk about stopping."""

from __future__ import annotations

import pytest

from bots.responder.rules.requests.read import asks_to_stop


@pytest.mark.parametrize(
    "line",
    [
        *("stop", "STOP!!!", "please stop", "Alice, stop now", "hey Alice stop", "stop alice"),
        *("can you stop?", "stop it", "stop what you're doing", "stop mining", "cancel that"),
        *("stop stop stop stop", "stop already", "stop doing that", "you can stop now"),
        *("no, stop!", "wait, stop!", "whoa stop", "oh no stop", "stop. stop!", "enough"),
        *("止まって", "止まってください", "Alice、止まって", "ちょっと止まって", "今すぐ止まって"),
        *("ストップ！", "ストップして", "やめて", "やめなさい", "止まりなさい", "もういいよ"),
        *("いや、止まって", "待って、止まって", "だめ、やめて", "Alice！止まって！"),
    ],
)
def test_a_wish_to_stop(line: str) -> None:
    assert asks_to_stop("Alice", "Steve", line)


@pytest.mark.parametrize(
    "line",
    [
        *("don't stop", "no, don't stop", "why did you stop?", "when will you stop?", "wait", "no"),
        *("the bus stop", "stop by my house", "he said stop", "if I say stop, run", "non-stop"),
        *("stop following me", "stop and get 5 logs", "stop, then follow me", "!stop", "", "hello"),
        *(
            "止まらないで",
            "やめないで",
            "止まった？",
            "バスが止まって困る",
            "待って",
            "やめてほしくない",
        ),
    ],
)
def test_a_line_that_is_none(line: str) -> None:
    assert not asks_to_stop("Alice", "Steve", line)
