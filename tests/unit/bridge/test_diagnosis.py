"""Every way a connection ends is told in plain words with a next step."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.diagnosis import NEEDS_A_PERSON, Cause, diagnose
from bridge.events import Ending

SAID: list[tuple[Ending, str, Cause]] = [
    ("error", "connect ECONNREFUSED 127.0.0.1:25565", "refused"),
    ("error", "getaddrinfo ENOTFOUND nowhere", "unknown_host"),
    ("error", "connect ETIMEDOUT 10.0.0.1:25565", "unreachable"),
    ("spawn_timeout", "", "silent"),
    ("error", "client timed out after 30000 milliseconds", "silent"),
    ("kicked", '{"translate":"multiplayer.disconnect.duplicate_login"}', "duplicate_name"),
    ("kicked", '{"translate":"multiplayer.disconnect.not_whitelisted"}', "whitelist"),
    ("kicked", "You are not white-listed on this server!", "whitelist"),
    ("kicked", '{"translate":"multiplayer.disconnect.banned.reason"}', "banned"),
    ("kicked", '{"translate":"multiplayer.disconnect.unverified_username"}', "online_mode"),
    ("kicked", '{"text":"Failed to verify username!"}', "online_mode"),
    ("kicked", '{"translate":"multiplayer.disconnect.outdated_client"}', "wrong_version"),
    (
        "kicked",
        '{"translate":"multiplayer.disconnect.incompatible","with":["1.20.1"]}',
        "wrong_version",
    ),
    ("kicked", '{"text":"Connection throttled! Please wait"}', "throttled"),
    ("kicked", '{"translate":"multiplayer.disconnect.server_full"}', "full"),
    ("kicked", '{"translate":"disconnect.spam"}', "spam"),
    ("kicked", "Illegal characters in chat", "illegal_text"),
    ("kicked", '{"translate":"multiplayer.disconnect.idling"}', "idle"),
    ("kicked", '{"text":"Server closed"}', "server_closed"),
    ("end", "socketClosed", "lost"),
    ("error", "read ECONNRESET", "lost"),
    ("node_died", "", "node_died"),
    ("kicked", '{"text":"be nice"}', "kicked"),
]


@pytest.mark.parametrize(("ending", "text", "cause"), SAID)
def test_an_ending_is_recognised(ending: Ending, text: str, cause: Cause) -> None:
    assert diagnose(ending, text).cause == cause


def test_a_reason_nobody_knows_is_quoted() -> None:
    assert "be nice" in diagnose("kicked", '{"text":"","extra":[{"text":"be nice"}]}').sentence


def test_every_cause_has_words_and_a_next_step() -> None:
    seen = {diagnose(ending, text) for ending, text, _ in SAID}
    assert all(d.sentence and d.next_step for d in seen)
    assert set(get_args(Cause)) - {d.cause for d in seen} == {"requested"}


def test_only_causes_a_person_must_mend_are_refusals() -> None:
    assert diagnose("kicked", "You are not white-listed on this server!").needs_a_person
    assert not diagnose("error", "connect ECONNREFUSED").needs_a_person
    assert "refused" not in NEEDS_A_PERSON


@given(st.sampled_from(get_args(Ending)), st.text())
def test_whatever_a_server_says_gets_a_diagnosis(ending: Ending, text: str) -> None:
    assert len(str(diagnose(ending, text))) < 400
