"""A version that a server names as it refuses another one is tried, and remembered."""

import pytest

from bridge.errors import SpawnFailed
from bridge.js.node_host import NamedVersions
from bridge.port import ServerAddress

HOME = ServerAddress("mc.example", 25565)


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
