"""Sources of combined texts: never a higher level or wider audience, and stored unchanged."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.access.origin import (
    Fellow,
    Level,
    Operator,
    Origin,
    Person,
    is_operator,
    operator_called,
    speaker_of,
)
from bots.access.sources import FACTS, MOST_ORIGINS, UNKNOWN, Sources, as_text, from_text, joined
from bridge.world import BotName, PlayerName

NAMES = st.sampled_from(["Steve", "Alex", "@operator", "Bob", "owner"])
ORIGINS: st.SearchStrategy[Origin] = st.one_of(
    NAMES.map(lambda name: Person(PlayerName(name))),
    NAMES.map(lambda name: Fellow(BotName(name))),
    st.sampled_from([Operator("exec"), Operator("http"), Operator("python")]),
)
SOURCES = st.builds(
    Sources,
    st.frozensets(ORIGINS, max_size=3),
    st.sampled_from(Level),
    st.none() | st.frozensets(NAMES, max_size=3),
)


@given(SOURCES, SOURCES)
def test_what_is_made_of_two_is_as_low_and_as_private_as_both(one: Sources, two: Sources) -> None:
    made = one | two
    assert made.origins == one.origins | two.origins
    assert made.level == min(one.level, two.level)
    for hearers in (None, frozenset({"Steve"}), frozenset({"Alex", "Bob"})):
        assert made.is_for(hearers) == (one.is_for(hearers) and two.is_for(hearers))


def test_all_lines_of_a_speaker_to_the_same_have_one_object_for_their_sources() -> None:
    steve = Person(PlayerName("Steve"))
    first, second = (Sources.said_by(steve, Level.PLAYER, {"Steve"}) for _ in range(2))
    assert first is second
    assert (first | FACTS) is (second | FACTS)


@given(st.lists(SOURCES, max_size=4))
def test_order_and_repetition_make_no_difference(parts: list[Sources]) -> None:
    assert joined(parts) == joined(reversed(parts)) == joined([*parts, *parts, FACTS])


@given(SOURCES)
def test_what_is_stored_is_read_back(sources: Sources) -> None:
    assert from_text(as_text(sources)) == sources


def test_what_too_many_have_said_is_anybodys_and_for_those_who_may_know_all_of_it() -> None:
    steve = frozenset({"Steve"})
    said = [
        Sources.said_by(Person(PlayerName(f"P{i}")), Level.TRUSTED, steve | {f"P{i}"})
        for i in range(MOST_ORIGINS + 1)
    ]
    assert joined(said) == Sources(UNKNOWN.origins, Level.PLAYER, steve)
    assert joined(said[1:]).level is Level.TRUSTED
    assert (joined(said) | said[1]).level is Level.PLAYER


@pytest.mark.parametrize(
    "stored", ["", "[]", '["Steve"]', "{}", "null", json.dumps({"from": [["king", "x"]]})]
)
def test_anything_else_may_be_anybodys_and_is_for_trusted_ones_alone(stored: str) -> None:
    assert from_text(stored) == UNKNOWN
    assert not UNKNOWN.is_for(frozenset({"Steve"}))
    assert UNKNOWN.is_for(frozenset())


@given(SOURCES, st.frozensets(NAMES, max_size=3))
def test_whoever_heard_the_words_may_know_them(sources: Sources, hearers: frozenset[str]) -> None:
    told = sources.released_to(hearers)
    assert told.is_for(hearers)
    assert (told.origins, told.level) == (sources.origins, sources.level)


def test_a_player_called_as_one_of_our_own_names_is_recorded_under_another() -> None:
    assert speaker_of(Operator("http")) == "@operator"
    for name in ("@operator", operator_called("Steve")):
        assert is_operator(name)
        assert speaker_of(Person(PlayerName(name))) == f"?{name}"
        assert not is_operator(f"?{name}")
    assert speaker_of(Person(PlayerName("Steve"))) == "Steve"
