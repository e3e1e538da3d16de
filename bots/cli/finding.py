"""What a check of `townsfolk doctor` looks at, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bots.settings.settings import Settings

State = Literal["ok", "later", "warn", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    state: State
    """`later` is no fault: it is not needed yet, or comes by itself. `warn` works, but is open
    to others, or not as well as it could."""
    found: str
    next_step: str = ""

    @property
    def well(self) -> bool:
        return self.state != "bad"


@dataclass(frozen=True, slots=True)
class Patient:
    """What the checks look at."""

    settings: Settings | None
    """None when they cannot be read."""
    complaint: str
    """Why not."""
    data_dir: Path
    joins: bool = False
    """Whether the server is joined afterwards."""
