"""Which lines a decision is made from: with tools, none of anybody who may do less."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bots.access.origin import OPERATOR_NAME, Level
from bots.access.permissions import Permissions
from bots.chat.message import (
    AnyDelivery,
    Delivery,
    GroupDelivery,
    Hearer,
    Message,
    PublicDelivery,
    Utterance,
)
from bots.responder.prompt.visibility import Visibility, standing

AT = datetime(2026, 1, 1, tzinfo=UTC)
LEVEL_OF = standing(Permissions(frozenset({"Olga"}), frozenset({"Tom"})), {"Alice", "Bob"})


def message(speaker: str, aim: AnyDelivery | None = None, asked_by: str | None = None) -> Message:
    said = Utterance(1, speaker, "words", "conversation", AT, aim, asked_by)
    return Message("Alice", 1, said, AT)


def to(name: str) -> Delivery:
    return Delivery(name, 1.0, 15.0, delivered=True)


def to_all(*names: str) -> GroupDelivery:
    return GroupDelivery("normal", 15.0, tuple(Hearer(name, 1.0, True) for name in names))


LINES = {
    "an owner's": message("Olga"),
    "a trusted one's": message("Tom"),
    "a player's": message("Mallory"),
    "a fellow bot's": message("Bob"),
    "the operator's": message(OPERATOR_NAME),
    "own, to an owner": message("Alice", to("Olga")),
    "own, to a trusted one": message("Alice", to("Tom")),
    "own, to a player": message("Alice", to("Mallory")),
    "own, to the operator": message("Alice"),
    "own, by a player's command": message("Alice", to("Olga"), asked_by="Mallory"),
    "own, by an owner's command": message("Alice", to("Mallory"), asked_by="Olga"),
    "own, to owner and trusted": message("Alice", to_all("Olga", "Tom")),
    "own, to owner and player": message("Alice", to_all("Olga", "Mallory")),
    "own, to nobody": message("Alice", to_all()),
    "own, in public": message("Alice", PublicDelivery(True)),
}


def seen(view: Visibility) -> set[str]:
    return {name for name, line in LINES.items() if view.shows(line, LEVEL_OF)}


def test_an_owners_deeds_are_decided_from_owners_lines_alone() -> None:
    assert seen(Visibility(Level.OWNER)) == {
        "an owner's",
        "the operator's",
        "own, to an owner",
        "own, to the operator",
        "own, by an owner's command",
    }


def test_a_trusted_ones_deeds_are_decided_from_no_players_or_bots_lines() -> None:
    assert seen(Visibility(Level.TRUSTED)) == seen(Visibility(Level.OWNER)) | {
        "a trusted one's",
        "own, to a trusted one",
        "own, to owner and trusted",
    }


def test_a_players_deeds_are_decided_from_all() -> None:
    assert seen(Visibility(Level.PLAYER)) == set(LINES)


@pytest.mark.parametrize("level", Level)
def test_in_public_nothing_is_known_that_was_whispered(level: Level) -> None:
    heard = message("Olga", PublicDelivery(True))
    assert Visibility(level, public=True).shows(heard, LEVEL_OF)
    assert seen(Visibility(level, public=True)) <= {"own, in public"}


def test_in_an_open_house_own_public_words_are_nobodys() -> None:
    level_of = standing(Permissions(open_house=True), {"Alice", "Bob"})
    trusted = Visibility(Level.TRUSTED)
    assert trusted.shows(LINES["a player's"], level_of)
    assert not trusted.shows(LINES["a fellow bot's"], level_of)
    assert not trusted.shows(LINES["own, in public"], level_of)
