"""Numbers, plurals and times as people say them, and what is wrong with a value."""

from datetime import UTC, datetime, timedelta
from typing import Any, Self

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from bots.text.faults import Fault, faults_of
from bots.text.numbers import ago, duration, in_blocks
from bots.text.plurals import counted


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.4, "5 s"), (41.8, "40 s"), (89, "90 s"), (100, "2 min"), (1_234, "21 min"), (5_500, "2 h")],
)
def test_a_time_is_rounded_as_people_say_it(seconds: float, said: str) -> None:
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("distance", "said"), [(0, "0 blocks"), (1, "1 block"), (1.5, "1.5 blocks"), (15, "15 blocks")]
)
def test_one_block_is_no_blocks(distance: float, said: str) -> None:
    assert in_blocks(distance) == said


# --- plurals --------------------------------------------------------------------------


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


# --- times ----------------------------------------------------------------------------


NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=9), "just now"),
        (timedelta(seconds=40), "40 seconds ago"),
        (timedelta(seconds=61), "1 minute ago"),
        (timedelta(minutes=3), "3 minutes ago"),
        (timedelta(minutes=89), "89 minutes ago"),
        (timedelta(hours=2), "2 hours ago"),
        (timedelta(days=1), "24 hours ago"),
        (timedelta(days=2), "2 days ago"),
        (timedelta(days=21), "3 weeks ago"),
        (timedelta(days=90), "3 months ago"),
        (timedelta(days=900), "2 years ago"),
    ],
)
def test_a_time_is_told_in_the_unit_that_people_use(passed: timedelta, said: str) -> None:
    assert ago(NOW - passed, NOW) == said


# --- validation errors ----------------------------------------------------------------


class Inner(BaseModel):
    host: str = "localhost"


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")

    limit: int = Field(lt=10)
    server: Inner = Inner()
    rows: list[Inner] = []

    @model_validator(mode="after")
    def _no_seven(self) -> Self:
        if self.limit == 7:
            raise ValueError("seven is taken")
        return self


def faults(**fields: Any) -> tuple[Fault, ...]:
    with pytest.raises(ValidationError) as refused:
        Outer(**fields)
    return faults_of(refused.value)


def test_a_missing_field_is_called_missing() -> None:
    (fault,) = faults()
    assert (str(fault), fault.is_missing, fault.is_unknown) == ("limit: is missing", True, False)


def test_a_field_of_no_model_is_called_unknown() -> None:
    (fault,) = faults(limit=1, limt=2)
    assert (str(fault), fault.is_missing, fault.is_unknown) == ("limt: is not known", False, True)


def test_a_value_where_a_section_belongs_is_known_as_such() -> None:
    (wrong,) = faults(limit=1, server="localhost")
    assert wrong.is_section
    assert not any(fault.is_section for fault in faults(limit="many"))


def test_a_field_within_a_list_has_a_dotted_name() -> None:
    (fault,) = faults(limit=1, rows=[{}, {"host": 3}])
    assert fault.path == ("rows", 1, "host")
    assert str(fault) == "rows.1.host: Input should be a valid string"


def test_a_check_of_ours_speaks_in_its_own_words() -> None:
    (fault,) = faults(limit=7)
    assert (fault.name, str(fault)) == ("", "seven is taken")


def test_every_fault_is_told_in_the_order_of_the_fields() -> None:
    assert [fault.name for fault in faults(limit=10, server=3)] == ["limit", "server"]
