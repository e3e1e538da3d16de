"""What a line tells of its speaker, in English and Japanese; nothing where it is not plain."""

import pytest

from bots.knowledge.cards.fact import Told, told_in


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("I live at the lake", [("lives", "at the lake")]),
        ("My house is next to the old mill now.", [("lives", "next to the old mill")]),
        ("海の近くに住んでるよ", [("lives", "海の近く")]),
        ("私は湖のそばに住んでいます。", [("lives", "湖のそば")]),
        ("家は丘の上にあります", [("lives", "丘の上")]),
        ("Hello, my name is Stefan", [("called", "Stefan")]),
        ("ケンって呼んで", [("called", "ケン")]),
        ("I really love cherry wood!", [("likes", "cherry wood")]),
        ("桜の木が好きです", [("likes", "桜の木")]),
        ("I don't like spiders", [("dislikes", "spiders")]),
        ("クリーパーが嫌い", [("dislikes", "クリーパー")]),
        ("I'll bring you diamonds tomorrow", [("promised", "bring you diamonds tomorrow")]),
        ("I promise to help you build", [("promised", "help you build")]),
        ("明日ダイヤを持ってくると約束します", [("promised", "明日ダイヤを持ってくる")]),
        ("I would like a house by the lake", [("wishes", "I would like a house by the lake")]),
        ("釣りに行きたいです", [("wishes", "釣りに行きたいです")]),
        ("i live in the cave, and i like stone", [("lives", "in the cave"), ("likes", "stone")]),
    ],
)
def test_a_line_tells_of_its_speaker(line: str, told: list[tuple[str, str]]) -> None:
    assert list(told_in(line)) == told


@pytest.mark.parametrize(
    "line",
    [
        *("Where do I live?", "Do you know that I live at the lake?", "私はどこに住んでいますか"),
        *("get me 5 oak logs", "I want 5 bread", "I love you", "I like it", "call me later"),
        *("You said so", ""),
    ],
)
def test_questions_orders_and_empty_words_tell_nothing(line: str) -> None:
    assert list(told_in(line)) == []


def test_long_words_are_cut() -> None:
    (told,) = told_in(f"I like {'very ' * 40}old trees")
    assert told == Told("likes", told.words)
    assert len(told.words) <= 48
