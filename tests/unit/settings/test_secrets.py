"""Settings that may hold secrets print without them, and every one of them is known."""

import re
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr, ValidationError

from bots.settings.secrets import JoinLine, SecretUrl
from bots.settings.settings import (
    ClusterSettings,
    LlmSettings,
    ServerSettings,
    Settings,
    leaf_settings,
)

words = st.text(min_size=6, max_size=20).map(lambda word: f"canary{word}")
letters = st.text("abcdefgh0123456789", min_size=6, max_size=20)


@given(password=words, user=letters, path=letters)
def test_an_address_prints_without_its_secrets(password: str, user: str, path: str) -> None:
    written = quote(password, safe="")
    url = SecretUrl(f"http://{user}:{written}@host:8080/{path}?key={written}")
    for printed in (str(url), f"{url}", f"{url!r}", LlmSettings(base_url=url).model_dump_json()):
        assert "http://host:8080/…" in printed
        assert "canary" not in printed
    assert {password, written} <= set(url.secrets)


@pytest.mark.parametrize(
    ("address", "shown", "secret"),
    [
        ("nats://token-alone@one:4222", "nats://one:4222", "token-alone"),
        ("http://me:p%40ss@[::1]:80", "http://[::1]:80", "p@ss"),
        ("https://host/v1?key=a%2Bb", "https://host/…", "a+b"),
        ("http://me:pass@host", "http://host", "bWU6cGFzcw=="),
    ],
)
def test_what_is_secret_in_an_address_is_known(address: str, shown: str, secret: str) -> None:
    url = SecretUrl(address)
    assert str(url) == shown
    assert secret in set(url.secrets)


def test_an_address_without_secrets_has_none_and_prints_whole() -> None:
    url = SecretUrl("http://127.0.0.1:11434")
    assert (str(url), tuple(url.secrets)) == ("http://127.0.0.1:11434", ())
    assert not SecretUrl("")


@pytest.mark.parametrize("mark", "/?#")
@pytest.mark.parametrize("password", ["canary", "12"])
def test_a_password_that_splits_its_address_is_not_quoted(mark: str, password: str) -> None:
    """Of `http://bob:12/secret@host` the host was bob, and 12 was shown."""
    with pytest.raises(ValidationError, match="%2F %3F %23") as refused:
        LlmSettings(base_url=SecretUrl(f"http://bob:{password}{mark}canary@host"))
    assert "canary" not in str(refused.value)
    with pytest.raises(ValidationError) as refused:
        ClusterSettings(bus=(SecretUrl(f"nats://bob:{password}{mark}canary@host"),))
    assert "canary" not in str(refused.value)


def test_a_comma_in_a_brokers_password_quotes_no_part_of_it() -> None:
    with pytest.raises(ValidationError) as refused:
        ClusterSettings(bus="nats://bob:canary,canary@host")  # type: ignore[arg-type]
    assert "canary" not in str(refused.value)


def test_a_line_that_logs_in_prints_as_its_command_and_its_password_is_known() -> None:
    lines = ("/login canary-1", "/authme:register canary-2 canary-2", "/server survival", "hello")
    server = ServerSettings(on_join=tuple(map(JoinLine, lines)))
    assert [str(line) for line in server.on_join] == [
        *("/login ***", "/authme:register ***", "/server ***", "hello"),
    ]
    secrets = set(Settings(server=server).secrets)
    assert {"canary-1", "canary-2"} <= secrets
    assert "survival" not in secrets


def test_every_setting_that_holds_a_secret_is_of_a_type_that_hides_it() -> None:
    """A new one is found by its name, so that nobody forgets it."""
    ends = ("key", "token", "secret", "pin", "password", "url", "bus", "endpoint", "on_join")
    hidden = re.compile("SecretStr|SecretUrl|JoinLine")
    named = {name: field for name, field in leaf_settings() if name.endswith(ends)}
    assert len(named) >= 8
    assert [name for name, one in named.items() if not hidden.search(str(one))] == []


def test_secrets_of_all_sections_are_known_together() -> None:
    settings = Settings(
        llm=LlmSettings(api_key=SecretStr("canary-1"), budget_bus="nats://u:canary-2@h:1"),  # type: ignore[arg-type]
        cluster=ClusterSettings(bus="nats://canary-3@h:1"),  # type: ignore[arg-type]
    )
    assert {"canary-1", "canary-2", "canary-3"} <= set(settings.secrets)
