"""The versions of the product's table, and which of them this run tries."""

import os

from bridge.versions import VERSIONS

SUPPORTED = [one.name for one in VERSIONS.joined]
TOO_NEW = {one.name: one.protocol for one in VERSIONS.newer}


def tried() -> list[str]:
    """Those of CI, or TOWNSFOLK_TEST_VERSIONS: `all`, or names with spaces between."""
    asked = os.environ.get("TOWNSFOLK_TEST_VERSIONS", "")
    if asked == "all":
        return SUPPORTED
    return asked.split() or [one.name for one in VERSIONS.joined if one.ci]


def since(version: str, other: str) -> bool:
    """Whether a version is not older than another one."""
    return _parts(version) >= _parts(other)


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
