"""The pin: who has proved to be themselves, for how long, and who may try."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.access.origin import Level, Person
from bots.access.permissions import Permissions
from bots.access.proofs import BLOCKED_S, NO_PIN, TRIES, Proofs
from bridge.fake import VirtualClock
from bridge.world import PlayerName

PIN = "opensesame"
OLGA = Person(PlayerName("Olga"))


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(auto=False)


@pytest.fixture
def proofs(clock: VirtualClock) -> Proofs:
    proofs = Proofs(PIN, clock.monotonic)
    for bot in ("Alice", "Bob"):
        proofs.joined(bot)
    return proofs


def test_without_a_pin_every_name_is_taken_at_its_word() -> None:
    assert NO_PIN.holds("Olga")
    assert NO_PIN.without_pin("anything") == "anything"


def test_a_named_player_is_a_player_until_the_pin(proofs: Proofs) -> None:
    permissions = Permissions(owners=frozenset({"Olga"}), proofs=proofs)
    assert permissions.level_of(OLGA) is Level.PLAYER
    assert "!pin" in permissions.advice_to("Olga")
    assert proofs.judge("Olga", PIN, "Alice") == "proven"
    assert permissions.level_of(OLGA) is Level.OWNER
    assert permissions.level_of(Person(PlayerName("olga"))) is Level.PLAYER


def test_who_leaves_has_to_prove_it_anew(proofs: Proofs) -> None:
    proofs.judge("Olga", PIN, "Alice")
    proofs.left("Tom")
    assert proofs.holds("Olga")
    proofs.left("Olga")
    assert not proofs.holds("Olga")


def test_a_proof_holds_while_one_bot_has_watched_all_the_while(proofs: Proofs) -> None:
    proofs.judge("Olga", PIN, "Alice")
    proofs.lost_sight("Alice")
    proofs.joined("Alice")
    assert proofs.holds("Olga")
    proofs.lost_sight("Bob")  # Alice did not see who left while she was away
    assert not proofs.holds("Olga")


async def blocked(proofs: Proofs) -> None:
    verdicts = [proofs.judge("Olga", "guess", "Alice") for _ in range(TRIES)]
    assert verdicts == ["wrong"] * (TRIES - 1) + ["blocked"]


async def test_after_five_wrong_tries_even_the_pin_is_taken_by_nobody_for_a_while(
    proofs: Proofs, clock: VirtualClock
) -> None:
    await blocked(proofs)
    assert proofs.judge("Olga", PIN, "Alice") == "blocked"
    assert proofs.judge("Tom", PIN, "Alice") == "proven"  # each name has tries of its own
    await clock.advance(BLOCKED_S)
    assert proofs.judge("Olga", PIN, "Alice") == "proven"


def test_the_right_pin_gives_all_tries_back(proofs: Proofs) -> None:
    proofs.judge("Olga", "guess", "Alice")
    assert proofs.tries_left("Olga") == TRIES - 1
    proofs.judge("Olga", PIN, "Alice")
    assert proofs.tries_left("Olga") == TRIES


@pytest.mark.parametrize("said", ["", "OPENSESAME", "opensesam", "opensesame ", "\ud800", "é"])
def test_only_the_very_pin_is_the_pin(proofs: Proofs, said: str) -> None:
    assert proofs.judge("Olga", said, "Alice") == "wrong"


@pytest.mark.parametrize(
    ("said", "recorded"),
    [
        (f"my pin is {PIN}!", "my pin is ***!"),
        (f"It is {PIN}.", "It is ***."),
        ("no pin here", "no pin here"),
    ],
)
def test_the_pin_is_cut_out_of_words_that_hold_it(proofs: Proofs, said: str, recorded: str) -> None:
    permissions = Permissions(owners=frozenset({"Olga"}), proofs=proofs)
    proofs.judge("Olga", PIN, "Alice")
    assert permissions.recordable("Olga", said) == recorded


@pytest.mark.parametrize("name", ["Mallory", "olga", "Olga2"])
def test_words_of_strangers_are_never_compared_with_the_pin(proofs: Proofs, name: str) -> None:
    permissions = Permissions(owners=frozenset({"Olga"}), proofs=proofs)
    assert permissions.recordable(name, f"is it {PIN}?") == f"is it {PIN}?"


@given(st.text(st.sampled_from("abcXYZ019-_. ,!"), max_size=60))
def test_under_an_unproven_name_what_is_cut_does_not_depend_on_the_pin(said: str) -> None:
    cut = {
        Permissions(
            owners=frozenset({"Olga"}), proofs=Proofs(pin, VirtualClock(auto=False).monotonic)
        ).recordable("Olga", said)
        for pin in (PIN, "correct-horse-9", *said.split())
    }
    assert len(cut) == 1
