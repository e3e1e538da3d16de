"""What every table of the configuration is made of."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


def setting(default: Any, meaning: str) -> Any:
    """One setting; its meaning is what README says of it."""
    return Field(default=default, description=meaning)


class Section(BaseModel):
    """A table of the file: nothing unknown in it, nothing changed after start."""

    # An error that quotes its input could quote a key.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
