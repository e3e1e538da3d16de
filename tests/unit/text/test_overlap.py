"""Whether a text speaks of what a question is about."""

import pytest

from bots.text.search_words import key_words, speaks_of


def fits(question: str, text: str) -> bool:
    words = key_words(question, ("Alice",))
    return bool(words) and speaks_of(text, words)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Alice, where is the shop?", "The shop stands by the river."),
        ("when does the shop open?", "the shop opens at noon"),
        ("who likes cake?", "Steve likes cakes"),
        ("what do you know about the mine?", "the mine is at 100 12 -40"),
        ("where is our mine?", "our mine is under the hill"),
        ("鉱山はどこ？", "鉱山は丘の下にある"),
        ("店はいつ開くの？", "店は昼に開く"),
    ],
)
def test_what_has_the_key_words_fits(question: str, text: str) -> None:
    assert fits(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("where is the shop?", "the ship is at sea"),
        ("where is the iron door?", "the gold door is shut"),
        ("how are you?", "you are well"),
        ("is that mine?", "the mine is deep"),
        ("鉱山はどこ？", "湖は北にある"),
    ],
)
def test_what_speaks_of_something_else_does_not(question: str, text: str) -> None:
    assert not fits(question, text)
