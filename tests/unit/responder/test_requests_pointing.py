"""Requests that point at a place become the taking of what stands there."""

import pytest
from support.asking_alice import asked, reading_of

from bots.catalogue.counted import told

AT = [12, 64, 2]


@pytest.mark.parametrize(
    ("line", "thing", "count"),
    [
        ("take the cobblestone wall at 12 64 2", "cobblestone wall", None),
        ("Alice, could you please dig the block at 12 64 2?", "block", None),
        ("dig at 12, 64, 2", "block", None),
        ("remove that wall at x=12 y=64 z=2 please", "wall", None),
        ("tear down the dirt hut at (12, 64, 2)", "dirt hut", None),
        ("take 10 of the oak logs that are at 12 64 2", "oak logs", 10),
        ("take 5 cobblestone from the wall at 12 64 2", "cobblestone", 5),
        ("knock down the old wall at 12 64 2", "wall", None),
        ("12 64 2の丸石の壁を取って", "丸石の壁", None),
        ("座標12 64 2のブロックを掘ってください", "ブロック", None),
        ("Alice、12 64 2にある丸石を10個壊してくれる？", "丸石", 10),
        ("丸石の壁（12 64 2）を壊して", "丸石の壁", None),
        ("12 64 2を掘って", "block", None),
    ],
)
def test_what_is_pointed_at_is_asked_for(line: str, thing: str, count: int | None) -> None:
    fields = {"itemName": thing, "at": AT} | ({} if count is None else {"count": count})
    assert asked(line) == [("skill gather", fields)]


def test_a_thing_that_nobody_knows_is_asked_about() -> None:
    (why,) = reading_of("take the marble wall at 12 64 2").unclear
    assert "marble wall" in told(why, "en")


@pytest.mark.parametrize(
    "line",
    [
        *("take me to the tower at 12 64 2", "meet me at 12 64 2", "what is at 12 64 2?"),
        *("don't take the wall at 12 64 2", "Bob said dig the block at 12 64 2"),
        *("did you dig the block at 12 64 2?", "if it rains, take the wall at 12 64 2"),
        *("12 64 2の壁を取らないで", "12 64 2に何がある？", "take the cobblestone wall"),
    ],
)
def test_what_points_at_nothing_to_be_taken_takes_nothing(line: str) -> None:
    assert not [fields for _, fields in asked(line) if "at" in fields]
