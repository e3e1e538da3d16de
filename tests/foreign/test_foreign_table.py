"""What comes of scenes: whose fault it is, and what the table of known faults makes of it."""

from __future__ import annotations

import argparse
from itertools import chain

import pytest
from foreign.squid import NEWER, OLDER, Fault, faults, known_faults, surprises

from benchmarks.foreign.__main__ import address, names, rows, verdict
from benchmarks.foreign.scenes import SCENES, Outcome
from benchmarks.foreign.stage import NAMES, Names

DEAF = Fault(("hears",), ("1.8.8",), "did not reach it")


def ended(verdict: str, seen: str, plain: str | None = None) -> Outcome:
    fared = None if plain is None else (plain, "as seen by Steve")
    return Outcome("hears", verdict, seen, fared, 1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("outcome", "is_ours"),
    [
        (ended("held", "“hello”"), False),
        (ended("not tried", "needs /give"), False),
        (ended("not held", "deaf"), True),
        (ended("not held", "deaf", "held"), True),
        (ended("not held", "deaf", "not held"), False),
        (ended("not held", "deaf", "not tried"), False),
    ],
)
def test_a_failure_is_ours_unless_a_plain_client_fails_too(outcome: Outcome, is_ours: bool) -> None:
    assert outcome.is_ours == is_ours


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (ended("held", "“hello”"), "holds now: take it out"),
        (ended("not held", "no line came", "not held"), "fails in another way"),
        (ended("not held", "it did not reach it", "held"), "fails in another way"),
        (ended("not tried", "it did not reach it"), "fails in another way"),
    ],
)
def test_a_known_fault_must_fail_just_so(outcome: Outcome, says: str) -> None:
    (told,) = surprises([outcome], {"hears": DEAF})
    assert says in told


def test_a_fault_that_is_known_is_no_surprise_and_any_other_is() -> None:
    failed = ended("not held", "“hello” did not reach it", "not held")
    assert surprises([failed], {"hears": DEAF}) == []
    assert surprises([failed], {}) == [f"hears: not held: {failed.account}"]
    assert surprises([ended("not tried", "needs /give")], {}) == ["hears: not tried: needs /give"]


def test_known_faults_name_scenes_and_versions_that_are_played_and_each_once() -> None:
    every = [
        (scene, version) for one in faults() for scene in one.scenes for version in one.versions
    ]
    assert len(set(every)) == len(every)
    assert {scene for scene, _ in every} <= set(SCENES)
    assert {version for _, version in every} <= {*OLDER, *NEWER}
    assert all(known_faults(version) for version in chain(OLDER, NEWER))


def test_a_long_account_is_wrapped_below_its_scene_and_the_end_counts_each_kind() -> None:
    long = ended("not held", "word " * 40, "not held")
    first, *more = rows(long)
    assert first.startswith("hears")
    assert more
    assert all(line.startswith(" " * 46 + "w") or "plain client" in line for line in more)
    told = verdict([ended("held", "x"), long, ended("not held", "deaf"), ended("not tried", "y")])
    assert told.splitlines()[0] == "1 held"
    assert "1 the server does not allow: hears" in told
    assert "1 not tried: hears" in told
    assert "please report: hears" in told


def test_a_server_is_host_and_port_and_names_are_three() -> None:
    assert address("mc.example.org") == ("mc.example.org", 25565)
    assert address("[::1]:25566") == ("[::1]", 25566)
    assert names("Alice, Steve,Alex") == NAMES == Names("Alice", "Steve", "Alex")


@pytest.mark.parametrize("text", ["mc:port", "mc:", ":25565", "mc:0", "mc:70000"])
def test_an_address_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not HOST:PORT, as"):
        address(text)


@pytest.mark.parametrize("text", ["Alice", "Alice,Steve", "Alice,Steve,Steve", "Alice,Steve,A B"])
def test_names_that_are_none_or_not_three_are_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        names(text)
