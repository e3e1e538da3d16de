"""The table of versions, supported.toml, and which of them this run tries."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("supported.toml").read_text())
SUPPORTED: dict[str, dict[str, Any]] = TABLE["versions"]
TOO_NEW: dict[str, int] = TABLE["too_new"]


def tried() -> list[str]:
    """Those of CI, or TOWNSFOLK_TEST_VERSIONS: `all`, or names with spaces between."""
    asked = os.environ.get("TOWNSFOLK_TEST_VERSIONS", "")
    if asked == "all":
        return list(SUPPORTED)
    return asked.split() or [name for name, row in SUPPORTED.items() if row.get("ci")]


def since(version: str, other: str) -> bool:
    """Whether a version is not older than another one."""
    return _parts(version) >= _parts(other)


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
