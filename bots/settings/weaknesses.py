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
    checked_at_login = any("{secret}" in line for line in settings.server.on_join)
    if (named.owners or named.trusted) and named.pin is None and not checked_at_login:
        who = (*named.owners, *named.trusted)[0]
        yield Weakness(
            f"this server checks no names, so whoever joins as {who} may command the bots",
            "set TOWNSFOLK_PERMISSIONS__PIN and whisper !pin with it to a bot after you joined,"
            " or have a login plugin check names",
        )
