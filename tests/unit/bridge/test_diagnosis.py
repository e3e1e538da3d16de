"""Every lost connection is explained in plain words, with a next step or the version to try."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.diagnosis import NEEDS_A_PERSON, READ_CHARS, Cause, Diagnosis, diagnose
from bridge.errors import SpawnFailed
from bridge.events import Ending
from bridge.js.node_host import NamedVersions
from bridge.port import Accounts, ServerAddress
from bridge.versions import VERSIONS

HOME = ServerAddress("mc.example", 25565)
KEY = "multiplayer.disconnect."

VIA: list[tuple[str, Cause]] = [
    ("Could not connect to the backend server!", "via_target"),
    ("An error occurred while connecting to the backend server: timeout", "via_target"),
    ("Automatic protocol detection failed! Connection refused", "via_target"),
    ("Failed to authenticate with Mojang servers! Please try again later.", "via_target"),
    (
        "The configured target server is in online mode and requires a valid authentication mode.",
        "via_account",
    ),
    (
        "Failed to fill player data. This might be caused by outdated account tokens or rate"
        " limits. Wait a couple of seconds and try again.",
        "via_account",
    ),
    ("Failed to join online mode server. See console for more information.", "via_account"),
    ("Your client version is not supported by ViaProxy!", "via_version"),
    ("You are using an unsupported Minecraft version!", "via_version"),
]
"""What ViaProxy and ViaVersion say of themselves."""

SAID: list[tuple[Ending, str, str, Cause]] = [
    ("error", "connect ECONNREFUSED 127.0.0.1:25565", "", "refused"),
    ("error", "getaddrinfo ENOTFOUND nowhere", "", "unknown_host"),
    ("error", "connect ETIMEDOUT 10.0.0.1:25565", "", "unreachable"),
    ("spawn_timeout", "", "", "silent"),
    ("error", "client timed out after 30000 milliseconds", "", "silent"),
    ("kicked", "Took too long to log in", f"{KEY}slow_login", "silent"),
    ("kicked", "You logged in from another location", f"{KEY}duplicate_login", "duplicate_name"),
    ("kicked", "", f"{KEY}not_whitelisted", "whitelist"),
    ("kicked", "You are not white-listed on this server!", "", "whitelist"),
    ("kicked", "You are banned. Reason: x", f"{KEY}banned.reason", "banned"),
    ("kicked", "", f"{KEY}unverified_username", "online_mode"),
    ("kicked", "Failed to verify username!", "", "online_mode"),
    ("error", "", "account_needed", "account_needed"),
    ("error", "Carol", "account_other", "account_other"),
    ("error", "it owns no Minecraft: Java Edition", "account_refused", "account_refused"),
    ("error", "ENOTFOUND", "account_unreachable", "account_unreachable"),
    ("kicked", "", f"{KEY}missing_public_key", "unsigned_chat"),
    ("kicked", "Outdated client! Please use 1.8.9", f"{KEY}outdated_client", "wrong_version"),
    ("kicked", "Incompatible client! Please use 1.20.1", "", "wrong_version"),
    ("error", "Minecraft 26.3", "too_new", "too_new"),
    ("error", "Minecraft 1.7.10", "too_old", "too_old"),
    ("error", "“latest” is no version of Minecraft", "unknown_version", "unknown_version"),
    ("kicked", "Connection throttled! Please wait before reconnecting.", "", "throttled"),
    ("kicked", "The server is full!", f"{KEY}server_full", "full"),
    ("kicked", "", "disconnect.spam", "spam"),
    ("kicked", "Illegal characters in chat", "", "illegal_text"),
    ("kicked", "", f"{KEY}unsigned_chat", "unsigned_chat"),
    ("kicked", "", f"{KEY}flying", "flying"),
    ("kicked", "", f"{KEY}idling", "idle"),
    ("kicked", "Login timeout exceeded, you have been kicked", "", "login_plugin"),
    ("kicked", "This server requires you to connect with Velocity.", "", "proxy_only"),
    ("kicked", "If you wish to use IP forwarding, please enable it", "", "proxy_only"),
    *(("kicked", words, "", cause) for words, cause in VIA),
    ("kicked", "Server closed", "", "server_closed"),
    ("kicked", "Server shutdown", "", "server_closed"),
    ("kicked", "The server is shutting down, see you!", "", "server_closed"),
    ("kicked", "Server restart", "", "server_closed"),
    ("kicked", "Server going down", "", "server_closed"),
    ("kicked", "The server will be back in 5 minutes", "", "server_closed"),
    ("kicked", "Please restart your game", "", "kicked"),
    ("kicked", "Restarting, back in a minute", "", "server_closed"),
    ("kicked", "", f"{KEY}server_shutdown", "server_closed"),
    ("end", "", "left_dead", "left_dead"),
    ("end", "socketClosed", "", "lost"),
    ("error", "read ECONNRESET", "", "lost"),
    ("node_died", "", "", "node_died"),
    ("kicked", "be nice", "", "kicked"),
]


def of(ending: Ending, text: str = "", key: str = "", server: ServerAddress = HOME) -> Diagnosis:
    return diagnose(ending, text, key, bot="Alice", server=server)


@pytest.mark.parametrize(("ending", "text", "key", "cause"), SAID)
def test_an_ending_is_recognised(ending: Ending, text: str, key: str, cause: Cause) -> None:
    assert of(ending, text, key).cause == cause


def test_a_reason_nobody_knows_is_quoted() -> None:
    assert "“be {nice}”" in of("kicked", "be {nice}").sentence


def test_every_cause_has_words_and_a_next_step() -> None:
    seen = {of(ending, text, key) for ending, text, key, _ in SAID}
    assert all(d.sentence and d.next_step for d in seen)
    assert set(get_args(Cause)) - {d.cause for d in seen} == {"requested"}


def test_the_address_and_the_name_are_in_the_words() -> None:
    refused = of("error", "ECONNREFUSED")
    assert str(refused).startswith("Nothing listens at mc.example:25565.")
    assert "`whitelist add Alice`" in of("kicked", "", f"{KEY}not_whitelisted").next_step


def test_who_joined_with_an_account_is_not_told_to_get_one() -> None:
    signed_in = replace(HOME, accounts=Accounts(Path("accounts"), frozenset({"Alice"})))
    without, with_one = (
        of("kicked", "no", f"{KEY}unverified_username"),
        of("kicked", "no", f"{KEY}unverified_username", signed_in),
    )
    assert "add Alice to bots.accounts" in without.next_step
    assert with_one.sentence == "mc.example:25565 did not take the account of Alice: “no”."
    assert with_one.next_step == "Run `townsfolk login Alice` again."


def test_an_account_of_another_name_is_told_with_that_name() -> None:
    assert "`townsfolk login Carol`" in of("error", "Carol", "account_other").next_step


def test_a_server_that_is_too_new_is_told_with_the_range_and_the_ways_there_are() -> None:
    words = str(of("error", "Minecraft 26.3", "too_new"))
    assert words.startswith(f"This is Minecraft 26.3; townsfolk speaks {VERSIONS}. Put ViaProxy")
    assert "ViaVersion and ViaBackwards" in words
    page = Path(__file__).parents[3] / "docs" / "server.md"
    assert "\n## A newer server\n" in page.read_text()
    assert words.endswith("docs/server.md, “A newer server”.")


def test_an_account_behind_viaproxy_is_viaproxys_business() -> None:
    assert "townsfolk login" not in str(of("kicked", VIA[4][0]))


def test_a_version_that_is_empty_already_is_not_advised_to_be_left_empty() -> None:
    unset, wrong = HOME, ServerAddress("mc.example", 25565, "1.20.1")
    said = "Incompatible client! Please use 1.20.4"
    assert "empty" not in of("kicked", said, server=unset).next_step
    assert "empty" in of("kicked", said, server=wrong).next_step


def test_only_causes_a_person_must_mend_are_refusals() -> None:
    assert of("kicked", "You are not white-listed on this server!").needs_a_person
    assert not of("error", "connect ECONNREFUSED").needs_a_person
    assert "refused" not in NEEDS_A_PERSON


@given(st.sampled_from(get_args(Ending)), st.text(), st.text())
def test_whatever_a_server_says_gets_a_diagnosis(ending: Ending, text: str, key: str) -> None:
    assert len(str(of(ending, text, key))) < 400


def test_a_password_that_the_server_says_back_is_not_quoted() -> None:
    home = replace(HOME, on_join=("/login tell-nobody",), passwords=("tell-nobody",))
    said = diagnose("kicked", "tell-nobody is no password", bot="Alice", server=home)
    assert "“*** is no password”" in str(said)


def test_only_the_beginning_of_a_long_reason_is_read() -> None:
    """What takes long to search would hold up every bot."""
    long = "version " * 32_000
    assert diagnose("kicked", long, bot="Alice", server=HOME).cause == "kicked"
    behind = "x" * READ_CHARS + " You are banned"
    assert diagnose("kicked", behind, bot="Alice", server=HOME).cause == "kicked"


def test_what_a_server_says_is_told_without_control_and_direction_marks() -> None:
    said = diagnose("kicked", "\x1b[31mGo\u202e \x9baway\n\u2066now", bot="Alice", server=HOME)
    assert "“[31mGo away now”" in said.sentence
    assert said.sentence.isprintable()


def refusal(text: str) -> SpawnFailed:
    return SpawnFailed("Alice", "kicked", text)


@pytest.mark.parametrize(
    "text",
    [
        *("Incompatible client! Please use 1.20.4", "Outdated client! Please use 1.20.4"),
        *("Outdated server! I'm still on 1.20.4", "§cOutdated client! Please use v1.20.4 or newer"),
    ],
)
def test_the_version_is_read_from_the_servers_words(text: str) -> None:
    versions = NamedVersions()
    named = versions.learn(HOME, refusal(text))
    assert named == ServerAddress("mc.example", 25565, "1.20.4")
    assert versions.known(HOME) == named
    assert versions.known(ServerAddress("mc.example", 25566)).version is None


@pytest.mark.parametrize("text", ["be nice", "Please use the front door", "ECONNREFUSED"])
def test_other_words_name_no_version(text: str) -> None:
    assert NamedVersions().learn(HOME, refusal(text)) is None


def test_a_version_that_was_tried_already_is_not_tried_again() -> None:
    versions = NamedVersions()
    words = refusal("Incompatible client! Please use 1.20.4")
    named = versions.learn(HOME, words)
    assert named is not None
    assert versions.learn(named, words) is None
    assert versions.known(HOME) == HOME
