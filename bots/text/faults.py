"""Pydantic's errors in plain words: `limit: Input should be less than 10`."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ValidationError

_SAID = {"missing": "is missing", "extra_forbidden": "is not known"}
_SECTION = frozenset({"model_type", "model_attributes_type"})


@dataclass(frozen=True, slots=True)
class Fault:
    """One wrong field."""

    path: tuple[int | str, ...]
    """Keys and numbers from 0 that lead to the field; empty for the whole."""
    kind: str
    """Pydantic's own name for it; see docs.pydantic.dev/latest/errors/validation_errors."""
    complaint: str
    """What is wrong, without the field's name."""

    @property
    def name(self) -> str:
        """The dotted name of the field; empty for the whole."""
        return ".".join(map(str, self.path))

    @property
    def is_missing(self) -> bool:
        return self.kind == "missing"

    @property
    def is_unknown(self) -> bool:
        """Whether the model has no such field."""
        return self.kind == "extra_forbidden"

    @property
    def is_section(self) -> bool:
        """Whether one value stands where a section belongs."""
        return self.kind in _SECTION

    def __str__(self) -> str:
        return f"{self.name}: {self.complaint}" if self.path else self.complaint


def faults_of(error: ValidationError) -> tuple[Fault, ...]:
    """All faults in the order of the model's fields; at least one."""
    details = error.errors(include_input=False, include_url=False, include_context=False)
    return tuple(
        Fault(d["loc"], d["type"], _SAID.get(d["type"]) or d["msg"].removeprefix("Value error, "))
        for d in details
    )
