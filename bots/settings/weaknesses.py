"""Weaknesses in who may command the bots: the start and `doctor` report them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bots.access.permissions import is_loopback
from bots.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class Weakness:
    """A weakness, and how to remove it."""

    found: str
    next_step: str


def weaknesses(settings: Settings, *, is_ours_alone: bool) -> Iterator[Weakness]:
    """All of them. `is_ours_alone`: we run the server, and nobody but this machine can join it."""
    yield from filter(
        None,
        (
            open_to_network(settings),
            no_owner(settings, is_ours_alone=is_ours_alone),
            no_proof(settings),
        ),
    )


def open_to_network(settings: Settings) -> Weakness | None:
    """Others may join the embedded server."""
    if settings.server.host or is_loopback(settings.embedded.host):
        return None
    return Weakness(
        "every device in your network can join the embedded server, under any name",
        "open it in a network of people you know, never to the internet: the router must not"
        " forward its port",
    )


def no_owner(settings: Settings, *, is_ours_alone: bool) -> Weakness | None:
    """No owner is set."""
    named = settings.permissions
    if named.owners or is_ours_alone:
        return None
    may = "only the trusted may" if named.trusted else "nobody in the game may"
    return Weakness(
        f"nobody is named as owner, so {may} command the bots",
        'start with --owner NAME, or write owners = ["NAME"] below [permissions]:'
        " the player's name exactly as the game spells it",
    )


def no_proof(settings: Settings) -> Weakness | None:
    """A name alone gives a player the rights of its owner."""
    named = settings.permissions
    who = (*named.owners, *named.trusted)
    if not who or named.pin is not None or _names_are_checked(settings):
        return None
    return Weakness(
        f"where bots join without an account nobody checks names, so whoever joins as {who[0]}"
        " may command the bots",
        "set TOWNSFOLK_PERMISSIONS__PIN and whisper !pin with it to a bot after you joined,"
        " or have a login plugin check names",
    )


def _names_are_checked(settings: Settings) -> bool:
    """Whether others vouch for names, as far as the settings tell: a server that asks our bots for
    accounts asks everybody, and one with a login plugin wants a password."""
    if not settings.server.host:
        return False
    return settings.server.asks_for_secret or set(settings.bots.names) <= set(
        settings.bots.accounts
    )
