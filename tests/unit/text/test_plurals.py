"""Plurals of what can be counted."""

import pytest

from bots.text.plurals import counted


@pytest.mark.parametrize(
    ("word", "two"),
    [
        ("torch", "2 torches"),
        ("oak log", "2 oak logs"),
        ("iron pickaxe", "2 iron pickaxes"),
        ("oak planks", "2 oak planks"),
        ("sand", "2 sand"),
        ("iron ore", "2 iron ore"),
        ("flint and steel", "2 flint and steel"),
        ("wolf", "2 wolves"),
        ("enderman", "2 endermen"),
        ("fox", "2 foxes"),
        ("witch", "2 witches"),
        ("sheep", "2 sheep"),
        ("poppy", "2 poppies"),
        ("potato", "2 potatoes"),
    ],
)
def test_only_what_is_counted_has_a_plural(word: str, two: str) -> None:
    assert counted(2, word) == two
    assert counted(1, word) == f"1 {word}"
