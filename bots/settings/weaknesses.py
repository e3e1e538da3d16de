"""What the settings leave open about who may command: told at the start and by `doctor`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bots.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class Weakness:
    """What is open, and how to close it."""

    found: str
    next_step: str


def weaknesses(settings: Settings, *, is_ours_alone: bool) -> Iterator[Weakness]:
    """`is_ours_alone`: we run the server, and nobody but this machine can join it."""
    named = settings.permissions
    if not named.owners and not is_ours_alone:
        may = "only the trusted may" if named.trusted else "nobody in the game may"
        yield Weakness(
            f"nobody is named as owner, so {may} command the bots",
            'start with --owner NAME, or write owners = ["NAME"] below [permissions]:'
            " the player's name exactly as the game spells it",
        )
