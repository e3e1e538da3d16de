"""Hearers decide what is shown; what is shown decides what may be done."""

import pytest

from bots.access.origin import Fellow, Level, Operator, Origin, Person
from bots.access.permissions import Permissions
from bots.access.proofs import Proofs
from bots.access.sources import FACTS, UNKNOWN, Sources, among_commanders, names_of
from bots.access.visibility import EVERYTHING, Visibility, hearers_of
from bridge.world import BotName, PlayerName

LEVEL_OF = Permissions(frozenset({"Olga"}), frozenset({"Tom"})).level_of


def person(name: str) -> Person:
    return Person(PlayerName(name))


OLGA, TOM, MALLORY, EVE = map(person, ("Olga", "Tom", "Mallory", "Eve"))
BOB = Fellow(BotName("Bob"))


def whispered(by: Person) -> Sources:
    return Sources.said_by(by, LEVEL_OF(by), {by.name})


def in_public(by: Person) -> Sources:
    return Sources.said_by(by, LEVEL_OF(by), None)


TEXTS = {
    "Olga's whisper": whispered(OLGA),
    "Tom's whisper": whispered(TOM),
    "Mallory's whisper": whispered(MALLORY),
    "Mallory in public": in_public(MALLORY),
    "Olga in public": in_public(OLGA),
    "the operator's": Sources.said_by(Operator("http"), Level.OWNER, names_of(Operator("http"))),
    "a place that Olga named": among_commanders(whispered(OLGA)),
    "a player called @operator": whispered(person("@operator")),
    "made from both whispers": whispered(OLGA) | whispered(MALLORY),
    "told to Mallory for Olga": whispered(OLGA).released_to(frozenset({"Mallory"})),
    "facts": FACTS,
    "of nobody knows whom": UNKNOWN,
}


def seen(view: Visibility) -> set[str]:
    return {name for name, sources in TEXTS.items() if view.shows(sources, LEVEL_OF)}


def heard_by(*listeners: Origin, public: bool = False) -> Visibility:
    return Visibility(Level.PLAYER, hearers_of(listeners, LEVEL_OF, public=public))


@pytest.mark.parametrize("listener", [OLGA, Operator("exec")])
def test_owners_may_know_everything(listener: Origin) -> None:
    assert seen(heard_by(listener)) == set(TEXTS) == seen(EVERYTHING)


def test_a_trusted_one_knows_no_whispers_of_others_but_what_commanders_share() -> None:
    assert seen(heard_by(TOM)) == {
        "Tom's whisper",
        "Mallory in public",
        "Olga in public",
        "the operator's",
        "a place that Olga named",
        "facts",
    }


def test_a_player_knows_own_words_what_was_told_them_and_public_lines() -> None:
    assert seen(heard_by(MALLORY)) == {
        "Mallory's whisper",
        "Mallory in public",
        "Olga in public",
        "told to Mallory for Olga",
        "facts",
    }


@pytest.mark.parametrize(
    "view", [heard_by(OLGA, public=True), heard_by(BOB), heard_by(MALLORY, EVE)]
)
def test_in_public_among_bots_and_among_strangers_only_public_lines_are_shown(
    view: Visibility,
) -> None:
    assert seen(view) == {"Mallory in public", "Olga in public", "facts"}


def test_a_bot_hears_what_the_person_beside_it_may() -> None:
    assert seen(heard_by(MALLORY, BOB)) == seen(heard_by(MALLORY))


def test_what_is_done_for_an_owner_is_decided_from_nobody_lower() -> None:
    assert seen(Visibility(Level.OWNER)) == {
        "Olga's whisper",
        "Olga in public",
        "the operator's",
        "a place that Olga named",
        "told to Mallory for Olga",
        "facts",
    }


def test_what_is_done_for_a_trusted_one_is_decided_from_no_players_words() -> None:
    assert seen(Visibility(Level.TRUSTED)) == seen(Visibility(Level.OWNER)) | {"Tom's whisper"}


def test_whoever_lost_a_level_has_lost_it_for_older_words_too() -> None:
    demoted = Permissions(frozenset({"Olga"})).level_of
    assert not Visibility(Level.TRUSTED).shows(whispered(TOM), demoted)


def test_whoever_gained_a_level_did_not_gain_it_for_older_words() -> None:
    promoted = Permissions(frozenset({"Olga", "Mallory"})).level_of
    assert not Visibility(Level.TRUSTED).shows(whispered(MALLORY), promoted)


@pytest.mark.parametrize(
    ("listeners", "are_shown"), [([MALLORY], True), ([EVE], False), ([MALLORY, EVE], False)]
)
@pytest.mark.parametrize("with_bot", [False, True])
def test_in_an_open_house_a_whisper_stays_with_who_whispered(
    listeners: list[Origin], are_shown: bool, with_bot: bool
) -> None:
    level_of = Permissions(open_house=True).level_of
    heard = Sources.said_by(MALLORY, level_of(MALLORY), {"Mallory"})
    view = Visibility(Level.TRUSTED, hearers_of([*listeners, *[BOB] * with_bot], level_of))
    assert view.shows(heard, level_of) is are_shown
    assert view.shows(among_commanders(heard), level_of)


def test_in_an_open_house_bots_alone_are_shown_no_whisper() -> None:
    level_of = Permissions(open_house=True).level_of
    view = Visibility(Level.PLAYER, hearers_of([BOB], level_of))
    assert not view.shows(Sources.said_by(MALLORY, Level.TRUSTED, {"Mallory"}), level_of)


def test_under_an_owners_name_one_may_know_what_any_stranger_may_until_the_pin() -> None:
    proofs = Proofs("opensesame", lambda: 0.0)
    level_of = Permissions(frozenset({"Olga"}), proofs=proofs).level_of
    told_before, public = Sources.said_by(OLGA, Level.OWNER, {"Olga"}), in_public(OLGA)

    def shown(sources: Sources) -> bool:
        return Visibility(Level.PLAYER, hearers_of([OLGA], level_of)).shows(sources, level_of)

    assert (shown(told_before), shown(public)) == (False, True)
    proofs.judge("Olga", "opensesame", "Alice")
    assert (shown(told_before), shown(public)) == (True, True)
