"""Validation errors in plain words, with the name of the field."""

from typing import Any, Self

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from bots.text.faults import Fault, faults_of


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
