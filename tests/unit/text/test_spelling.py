"""Names that differ only in case are never mixed up."""

import pytest

from bots.text.spelling import only_alike, spelt


@pytest.mark.parametrize(
    ("name", "names", "found"),
    [
        ("Owner", ["owner", "Owner"], "Owner"),
        ("owner", ["Owner", "owner"], "owner"),
        ("OWNER", ["owner", "Owner"], None),
        ("owner", ["Owner", "Steve"], "Owner"),
        ("Mallory", ["Owner"], None),
    ],
)
def test_an_exact_name_wins_and_another_case_must_be_the_only_one(
    name: str, names: list[str], found: str | None
) -> None:
    assert spelt(name, names) == found


def test_where_the_case_is_lost_twins_are_nobody() -> None:
    assert only_alike("owner", ["owner", "Owner"]) is None
    assert only_alike("steve", ["Steve", "Owner"]) == "Steve"
