"""Long texts become lines that fit, cut at good places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.text.lines import (
    SMALLEST_ROOM,
    Border,
    graphemes,
    line_limit,
    room_for,
    split,
    utf16_length,
)
from bots.text.sanitise import NEUTRAL, is_order, sanitise

TEXTS = st.text(
    st.sampled_from(
        "abc de .!?/。、「」木が草ーっ\u0301\u3099\u200d\ufe0f👩🌾🏽🇯🇵🇫한국ᄀ가각\u0e33क्ष"
    )
    | st.characters(categories=("L", "M", "N", "P", "S", "Z")),
    max_size=400,
).map(sanitise)
ROOMS = st.integers(SMALLEST_ROOM, 300)
BORDERS = st.sampled_from(Border)


@given(TEXTS, ROOMS, BORDERS, st.booleans())
def test_every_line_fits_and_none_is_empty(
    text: str, room: int, best: Border, may_order: bool
) -> None:
    lines = split(text, room, best, may_order=may_order)
    assert all(0 < utf16_length(line) <= room for line in lines)
    assert all(line == line.strip() for line in lines)


@given(TEXTS, ROOMS, BORDERS, st.booleans())
def test_the_lines_together_are_the_text_but_for_white_space(
    text: str, room: int, best: Border, may_order: bool
) -> None:
    lines = split(text, room, best, may_order=may_order)
    words = [line.removeprefix(NEUTRAL) if unmarked(line) else line for line in lines]
    assert squeezed("".join(words)) == squeezed(text)


def unmarked(line: str) -> bool:
    """The alphabet has no `>` of its own but in rare draws, never before a mark of an order."""
    return is_order(line.removeprefix(NEUTRAL))


def squeezed(text: str) -> str:
    return "".join(text.split())


@given(TEXTS, ROOMS, BORDERS)
def test_no_line_reads_as_an_order(text: str, room: int, best: Border) -> None:
    assert not any(map(is_order, split(text, room, best)))


@given(TEXTS, st.integers(40, 300), BORDERS)
def test_no_grapheme_is_broken_that_could_fit(text: str, room: int, best: Border) -> None:
    whole = {g for g in graphemes(text) if not g.isspace()}
    if any(utf16_length(g) > room - len(NEUTRAL) for g in whole):
        return
    lines = split(text, room, best)
    bare = [line.removeprefix(NEUTRAL) if unmarked(line) else line for line in lines]
    assert {g for line in bare for g in graphemes(line)} <= whole | {" "}


@given(TEXTS)
def test_graphemes_together_are_the_text(text: str) -> None:
    assert "".join(graphemes(text)) == text


@pytest.mark.parametrize(
    "one",
    [
        *("👩🏽\u200d🌾", "🇯🇵", "e\u0301\u0302", "1\ufe0f\u20e3", "ｶﾞ", "กำ", "각"),
        *("\u1100\u1161\u11a8", "क्ष"),
    ],
)
def test_what_a_reader_sees_as_one_character_is_one(one: str) -> None:
    assert list(graphemes(f"x{one}x")) == ["x", one, "x"]


@pytest.mark.parametrize(
    "parts",
    [["🇯🇵", "🇫🇷", "🇩🇪"], ["a", " ", "\u0301", "b"], ["한", "국", "어"]],
    ids=["flags in a row", "white space even before a mark", "Korean syllables"],
)
def test_what_a_reader_sees_apart_is_apart(parts: list[str]) -> None:
    assert list(graphemes("".join(parts))) == parts


CUTS = {
    "a sentence border is better than a later word border": (
        "I found some iron. It is near the old oak.", 30,
        ("I found some iron.", "It is near the old oak.")),
    "an early sentence border is not worth a short line": (
        "Hm. I really cannot say where it went", 24, ("Hm. I really cannot say", "where it went")),
    "words stay whole": ("alpha beta gamma", 12, ("alpha beta", "gamma")),
    "Japanese is cut after a sentence": (
        "木を切りました。次は石です。", 10, ("木を切りました。", "次は石です。")),
    "Japanese punctuation begins no line": (
        "あいうえお、かきくけこ", 5, ("あいうえ", "お、かきく", "けこ")),
    "a word longer than a line is cut where the line ends": (
        "see " + "x" * 12, 8, ("see", "x" * 8, "xxxx")),
    "a later line that reads as an order is marked": (
        "please say !stop now", 13, ("please say", "> !stop now")),
}  # fmt: skip


@pytest.mark.parametrize(("text", "room", "lines"), CUTS.values(), ids=CUTS)
def test_a_text_is_cut_at_its_best_places(text: str, room: int, lines: tuple[str, ...]) -> None:
    assert split(text, room) == lines


def test_cutting_anywhere_needs_the_fewest_lines() -> None:
    assert split("see " + "x" * 12, 8, Border.GRAPHEME) == ("see xxxx", "xxxxxxxx")


def test_a_heap_of_marks_larger_than_a_line_is_cut_all_the_same() -> None:
    heap = "Z" + "\u0301" * 30
    assert "".join(split(heap, 10)) == heap


def test_an_order_passes_only_where_it_is_allowed_and_only_first() -> None:
    text = "!say aa /op bb"
    assert split(text, 8, may_order=True) == ("!say aa", "> /op bb")
    assert split(text, 8) == ("> !say", "aa /op", "bb")


@pytest.mark.parametrize(
    ("version", "limit"),
    [("1.8.9", 100), ("1.10.2", 100), ("1.11", 256), ("1.16.5", 256), ("26.1", 256), (None, 256)],
)
def test_old_servers_take_shorter_lines(version: str | None, limit: int) -> None:
    assert line_limit(version) == limit


def test_the_header_takes_its_part_of_the_line() -> None:
    assert room_for("Steve", "1.16.5") == 256 - len("/tell Steve ")


def test_a_room_too_small_for_one_character_is_an_error() -> None:
    with pytest.raises(ValueError, match="no room"):
        split("hello", SMALLEST_ROOM - 1)
