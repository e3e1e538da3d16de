"""How much room text takes in a terminal."""

import pytest

from bots.text.columns import padded, rows_above, rows_of, width_of, wrapped


@pytest.mark.parametrize(
    ("text", "columns"), [("", 0), ("Alice", 5), ("アリス", 6), ("e\u0301", 1), ("A→B", 3)]
)
def test_letters_of_japanese_take_two_columns_and_accents_none(text: str, columns: int) -> None:
    assert width_of(text) == columns


def test_padding_counts_columns_not_letters() -> None:
    assert [padded(name, 8) for name in ("Bob", "アリス")] == ["Bob     ", "アリス  "]


def test_a_line_that_does_not_fit_goes_on_below_its_first_word() -> None:
    assert rows_of("  I see  you", 12) == ["  I see  you"]
    assert rows_of("  I see you", 8) == ["  I see", "  you"]


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("come here to the mill now", 10, ["come here", "to the", "mill now"]),
        ("", 10, [""]),
        # A word longer than the width stays whole.
        ("see http://127.0.0.1:8080/ there", 10, ["see", "http://127.0.0.1:8080/", "there"]),
        # Japanese is broken between letters, but not before a stop.
        (
            "湖のそばに橋を作りましょう。ね Alice",
            12,
            ["湖のそばに橋", "を作りましょ", "う。ね Alice"],
        ),
        ("あいうえ。お", 8, ["あいう", "え。お"]),
    ],
)
def test_text_is_broken_to_the_width(text: str, width: int, rows: list[str]) -> None:
    assert wrapped(text, width) == rows


def test_the_first_row_may_be_shorter() -> None:
    assert wrapped("one two three", 20, 5) == ["one", "two three"]


@pytest.mark.parametrize(
    ("typed", "rows"),
    [("", 0), ("a" * 9, 0), ("a" * 10, 1), ("あ" * 5, 1), ("a" + "あ" * 5, 1), ("あ" * 9, 1)],
)
def test_the_cursor_is_below_the_rows_that_are_full(typed: str, rows: int) -> None:
    assert rows_above(typed, 10) == rows
