"""Checks that `bots`, `bridge` and `llm` are ours: other packages have such names too."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from bridge.errors import BotError

PACKAGES = ("bots", "bridge", "llm")
_OURS = Path(__file__).resolve().parents[2]


class PackageShadowed(BotError):
    """Another installed package is imported in place of one of ours."""


def shadowed(ours: Path = _OURS) -> dict[str, str]:
    """Packages that would be imported from elsewhere than `ours`, and from where."""
    found = {name: _folder_of(name) for name in PACKAGES}
    return {
        name: str(folder) if folder else "nowhere"
        for name, folder in found.items()
        if folder != ours / name
    }


def refuse_shadowed(ours: Path = _OURS) -> None:
    """Raises PackageShadowed when code of another package would run in place of ours."""
    for name, where in shadowed(ours).items():
        raise PackageShadowed(
            f"the package {name!r} comes from {where}, not from townsfolk in {ours}; "
            "install townsfolk into a virtual environment of its own"
        )


def _folder_of(name: str) -> Path | None:
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).resolve().parent
