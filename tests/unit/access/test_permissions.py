"""Levels depend on where something came from."""

import pytest

from bots.access.origin import Fellow, Level, Operator, Origin, Person
from bots.access.permissions import Permissions, PlayerReach, is_loopback
from bots.access.proofs import NO_PIN
from bots.settings.settings import PermissionSettings
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
    ("owners", "trusted", "is_ours_alone", "open_house"),
    [
        ((), (), True, True),
        ((), (), False, False),
        (("Olga",), (), True, False),
        ((), ("Tom",), True, False),
    ],
)
def test_the_house_is_open_on_our_own_server_while_nobody_is_named(
    owners: tuple[str, ...], trusted: tuple[str, ...], is_ours_alone: bool, open_house: bool
) -> None:
    named = PermissionSettings(owners=owners, trusted=trusted)
    permissions = named.on_server(NO_PIN, is_ours_alone=is_ours_alone)
    assert permissions.open_house is open_house
    assert permissions.level_of(person("Mallory")) is (
        Level.TRUSTED if open_house else Level.PLAYER
    )


def test_what_players_may_run_can_be_narrowed_and_widened() -> None:
    reach = PlayerReach(frozenset({"navigation follow"}), frozenset({"info scanBlocks"}))
    assert reach.level_for("navigation follow", Level.TRUSTED) is Level.PLAYER
    assert reach.level_for("info scanBlocks", Level.PLAYER) is Level.TRUSTED
    assert reach.level_for("goal", Level.TRUSTED) is Level.TRUSTED
    assert reach.level_for("help", Level.PLAYER) is Level.PLAYER


def test_no_setting_gives_players_what_only_owners_may() -> None:
    assert PlayerReach(frozenset({"wave"})).level_for("wave", Level.OWNER) is Level.OWNER


@pytest.mark.parametrize(
    ("permissions", "name", "advice"),
    [
        (CLOSED, "Mallory", 'permissions.owners = ["Mallory"]'),
        (NAMED, "olga", "the settings name Olga, and you are olga"),
        (NAMED, "Mallory", ""),
    ],
)
def test_whoever_is_refused_hears_which_setting_would_change_that(
    permissions: Permissions, name: str, advice: str
) -> None:
    assert advice in permissions.advice_to(name)
    assert bool(advice) == bool(permissions.advice_to(name))


def test_a_name_that_is_not_an_address_is_not_loopback() -> None:
    assert not is_loopback("127.0.0.1.example.org")
