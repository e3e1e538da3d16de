"""Levels by where something came from."""

from __future__ import annotations

import pytest

from bots.access.origin import Fellow, Level, Operator, Origin, Person
from bots.access.permissions import Permissions, is_loopback
from bridge.world import BotName, PlayerName

NAMED = Permissions(owners=frozenset({"Olga"}), trusted=frozenset({"Tom"}))
OPEN = Permissions(open_house=True)
CLOSED = Permissions()


def person(name: str) -> Person:
    return Person(PlayerName(name))


@pytest.mark.parametrize(
    ("permissions", "origin", "level"),
    [
        (NAMED, Operator("exec"), Level.OWNER),
        (CLOSED, Operator("http"), Level.OWNER),
        (CLOSED, Operator("python"), Level.OWNER),
        (NAMED, person("Olga"), Level.OWNER),
        (NAMED, person("Tom"), Level.TRUSTED),
        (NAMED, person("Steve"), Level.PLAYER),
        (NAMED, person("olga"), Level.PLAYER),
        (NAMED, person("operator"), Level.PLAYER),
        (NAMED, Fellow(BotName("Olga")), Level.PLAYER),
        (OPEN, person("Steve"), Level.TRUSTED),
        (OPEN, Fellow(BotName("Bob")), Level.PLAYER),
        (CLOSED, person("Steve"), Level.PLAYER),
    ],
)
def test_the_level_follows_from_the_origin(
    permissions: Permissions, origin: Origin, level: Level
) -> None:
    assert permissions.level_of(origin) is level


@pytest.mark.parametrize(
    ("owners", "host", "open_house"),
    [
        ([], "127.0.0.1", True),
        ([], "localhost", True),
        ([], "::1", True),
        ([], "127.3.2.1", True),
        ([], "192.168.1.20", False),
        ([], "mc.example.org", False),
        (["Olga"], "127.0.0.1", False),
    ],
)
def test_the_house_is_open_when_nobody_is_owner_and_only_this_machine_can_join(
    owners: list[str], host: str, open_house: bool
) -> None:
    assert Permissions.for_server(owners, ["Tom"], host).open_house is open_house


def test_a_name_that_is_not_an_address_is_not_loopback() -> None:
    assert not is_loopback("127.0.0.1.example.org")
