"""Configuration: precedence, and the errors for mistakes."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bots.errors import SettingsError
from bots.settings.fields import in_javascript
from bots.settings.loading import FILE_NAME, load_settings, parse_address
from bots.settings.secrets import SecretUrl
from bots.settings.settings import LlmSettings, Settings, settings_table
from bridge.port import NO_ACCOUNTS


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TOWNSFOLK_DATA_DIR", str(tmp_path / "data"))


def loaded(tmp_path: Path, toml: str, **flags: Any) -> Settings:
    file = tmp_path / "some.toml"
    file.write_text(toml, encoding="utf-8")
    return load_settings(file, flags)


def complaint(tmp_path: Path, toml: str, **flags: Any) -> str:
    with pytest.raises(SettingsError) as refused:
        loaded(tmp_path, toml, **flags)
    return str(refused.value)


def test_bots_have_other_names_in_talks(tmp_path: Path) -> None:
    toml = '[[bots.nicknames]]\nname = "{}"\ndisplay_name = "ルミナ"\nshort_name = "る"'
    (lumina,) = loaded(tmp_path, toml.format("Alice")).bots.nicknames
    assert (lumina.name, lumina.display_name, lumina.short_name) == ("Alice", "ルミナ", "る")
    assert "none of the bots" in complaint(tmp_path, toml.format("Zoe"))


def test_without_anything_there_are_two_bots_on_an_embedded_server(tmp_path: Path) -> None:
    settings = load_settings(None, {})
    assert settings.bots.names == ("Alice", "Bob")
    assert settings.server.host == ""
    assert settings.data_dir == tmp_path / "data"
    assert not settings.model_active


def test_flags_beat_the_environment_which_beats_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOWNSFOLK_CHAT__HEARING_RANGE", "20")
    monkeypatch.setenv("TOWNSFOLK_HISTORY__VIEW", "50")
    toml = "[chat]\nhearing_range = 10\npace = false\n[history]\nview = 40"
    settings = loaded(tmp_path, toml, chat={"hearing_range": 30})
    assert (settings.chat.hearing_range, settings.history.view) == (30.0, 50)
    assert settings.chat.pace is False


def test_the_data_folders_own_file_is_read_when_none_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / FILE_NAME).write_text('[bots]\nnames = ["Carol"]')
    assert load_settings(None, {"data_dir": folder}).bots.names == ("Carol",)


def test_lists_in_the_environment_are_written_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOWNSFOLK_BOTS__NAMES", "Mina, Taro")
    monkeypatch.setenv("TOWNSFOLK_PERMISSIONS__OWNERS", "Steve")
    settings = load_settings(None, {})
    assert settings.bots.names == ("Mina", "Taro")
    assert settings.permissions.owners == ("Steve",)


def test_the_usual_anthropic_variables_rank_below_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-usual")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "usual-token")
    monkeypatch.setenv("TOWNSFOLK_LLM__API_KEY", "sk-ant-ours")
    llm = load_settings(None, {}).llm
    assert llm.api_key is not None
    assert llm.api_key.get_secret_value() == "sk-ant-ours"
    assert llm.auth_token is not None
    assert llm.auth_token.get_secret_value() == "usual-token"


def test_a_key_turns_the_model_on_and_offline_or_off_turns_it_off(tmp_path: Path) -> None:
    assert loaded(tmp_path, '[llm]\napi_key = "k"').model_active
    assert loaded(tmp_path, '[llm]\nbase_url = "http://127.0.0.1:1"').model_active
    assert not loaded(tmp_path, '[llm]\napi_key = "k"', offline=True).model_active
    assert not loaded(tmp_path, '[llm]\napi_key = "k"\nenabled = "off"').model_active


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("[chat]\nhearing_rnge = 3", "chat.hearing_rnge: unknown setting; did you mean "),
        ("hearing_range = 3", "hearing_range: unknown setting; did you mean chat.hearing_range?"),
        ("[servr]\nhost = 'x'", "servr: unknown setting; did you mean server?"),
        ("[zzz]", "zzz: unknown setting"),
        ("server = 'x'", "server: is a section; write [server] and its settings below"),
        ("[chat]\nhearing_range = 0", "chat.hearing_range: Input should be greater than 0"),
        ("[chat]\nhearing_range = nan", "chat.hearing_range: Input should be "),
        ("[chat]\nhearing_range = 160", "chat.hearing_range: Input should be less than or equal"),
        ("[bots]\nnames = ['a b']", "'a b' is no name; write 1 to 16 letters"),
        ("[bots]\nnames = ['村人']", "'村人' is no name"),
        ("[bots]\nnames = ['.Alice']", "'.Alice' is no name"),
        ("[bots]\naccounts = ['Carol']", "accounts names Carol, which is none of the bots"),
        ("[server]\non_join = '/login {secret}'", "TOWNSFOLK_SERVER__SECRET"),
        ("[bots]\nnames = []", "bots.names: name at least one bot"),
        ("[bots]\nnames = ['bob', 'Bob']", "bots.names: every bot needs a name of its own"),
        ("[server]\nport = 70000", "server.port: Input should be less than or equal to 65535"),
        ("[log]\nlevel = 'loud'", "log.level: Input should be 'debug', 'info', "),
        ("[llm]\nenabled = 'on'", "there is no api_key (set ANTHROPIC_API_KEY)"),
        ("[llm]\nmodel_cut_s = 8", "llm.model_cut_s: Input should be less than or equal to 7.5"),
        ("[dashboard]\nhost = '0.0.0.0'", "unless allow_remote is true"),
        ("[bridge]\nwhisper_patterns = ['(']", "patterns.0: not a regular expression: missing )"),
        ("[bridge]\nwhisper_patterns = ['(?P<text>.*)']", "needs the named group (?P<sender>…)"),
        ("[bridge]\nwhisper_patterns = ['(?P<text>.)(?P<sender>.)']", "the first two groups"),
        ("[llm]\nbase_url = 'localhost:11434'", "llm.base_url: 'localhost:11434' is no address"),
        ("[llm]\nbase_url = 'http://a:b'", "llm.base_url: this is no address; write http://"),
        ("[bridge]\nhosts = 0", "bridge.hosts: write auto or a number from 1 to 32"),
        ("[bridge]\nhosts = 'many'", "bridge.hosts: write auto or a number from 1 to 32"),
        ("[cluster]\nreplicas = 2", "cluster.replicas: write 1, 3 or 5"),
        ("offline = 'maybe'", "offline: Input should be a valid boolean"),
        ("x = [", "is not TOML"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, toml: str, told: str) -> None:
    assert told in complaint(tmp_path, toml)


def test_every_mistake_is_told_at_once(tmp_path: Path) -> None:
    told = complaint(tmp_path, "x = 1\n[chat]\npace = 'perhaps'\n[llm]\nmodel = 3")
    assert len(told.splitlines()) == 3


def test_a_named_file_that_is_missing_or_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"cannot read .*none\.toml"):
        load_settings(tmp_path / "none.toml", {})
    (tmp_path / "odd.toml").write_bytes(b"a = 1\nb = \xff")
    with pytest.raises(SettingsError, match="not UTF-8 text: byte ff in line 2, column 5"):
        load_settings(tmp_path / "odd.toml", {})


@pytest.mark.parametrize(
    ("variable", "nearest"),
    [
        ("TOWNSFOLK_CHAT__HEARNG_RANGE", "TOWNSFOLK_CHAT__HEARING_RANGE"),
        ("TOWNSFOLK_HEARING_RANGE", "TOWNSFOLK_CHAT__HEARING_RANGE"),
        ("TOWNSFOLK_BRIDGE", "TOWNSFOLK_BRIDGE__WHISPER_PATTERNS"),
        ("townsfolk_ofline", "TOWNSFOLK_OFFLINE"),
    ],
)
def test_a_misspelt_variable_is_refused_with_the_nearest_right_one(
    monkeypatch: pytest.MonkeyPatch, variable: str, nearest: str
) -> None:
    monkeypatch.setenv(variable, "1")
    with pytest.raises(SettingsError) as refused:
        load_settings(None, {})
    assert str(refused.value) == f"{variable}: unknown setting; did you mean {nearest}?"


def test_a_key_is_in_no_text_of_the_settings_or_their_errors(tmp_path: Path) -> None:
    assert "hush" not in repr(loaded(tmp_path, '[llm]\napi_key = "sk-ant-hush"'))
    assert "hush" not in complaint(tmp_path, '[llm]\napi_key = ["sk-ant-hush"]')
    with pytest.raises(ValidationError) as refused:
        Settings(llm={"api_key": ["sk-ant-hush"]})  # type: ignore[arg-type]
    assert "hush" not in str(refused.value)


def test_settings_do_not_change_after_start() -> None:
    with pytest.raises(ValidationError):
        Settings().offline = True
    with pytest.raises(ValidationError):
        Settings().chat.pace = False


def test_a_whisper_pattern_arrives_compiled_from_the_environment_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml = "[bridge]\nwhisper_patterns = ['^(?P<sender>\\w+) → (?P<text>.*)$']"
    (pattern,) = loaded(tmp_path, toml).bridge.whisper_patterns
    assert isinstance(pattern, re.Pattern)
    assert in_javascript(pattern) == r"^(?<sender>\w+) → (?<text>.*)$"
    monkeypatch.setenv("TOWNSFOLK_BRIDGE__WHISPER_PATTERNS", r"(?P<sender>\w{1,16}): (?P<text>.*)")
    (pattern,) = loaded(tmp_path, "").bridge.whisper_patterns
    assert pattern.groups == 2


def test_the_dialects_can_be_named_and_switched_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert loaded(tmp_path, "").bridge.line_shapes.dialects == ("essentials", "cmi", "arrow")
    assert loaded(tmp_path, "[bridge]\ndialects = []").bridge.dialects == ()
    monkeypatch.setenv("TOWNSFOLK_BRIDGE__DIALECTS", "cmi")
    assert loaded(tmp_path, "").bridge.dialects == ("cmi",)


def test_the_secret_of_a_login_comes_from_the_environment_and_is_never_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOWNSFOLK_SERVER__SECRET", "correct horse")
    settings = loaded(tmp_path, '[server]\non_join = ["/login {secret}", "I am {bot}"]')
    address = settings.server.address("mc.example", NO_ACCOUNTS)
    assert address.on_join == ("/login correct horse", "I am {bot}")
    assert "correct horse" in settings.secrets
    assert "correct horse" not in f"{settings!r} {settings} {address!r} {address}"


@pytest.mark.parametrize(
    ("written", "host", "port"),
    [
        ('host = "localhost:25577"', "localhost", 25577),
        ('host = "mc.example"', "mc.example", 25565),
        ('host = "::1"', "::1", 25565),
        ('host = "localhost:25577"\nport = 25578', "localhost:25577", 25578),
    ],
)
def test_the_port_may_stand_behind_the_host(
    tmp_path: Path, written: str, host: str, port: int
) -> None:
    server = loaded(tmp_path, f"[server]\n{written}").server
    assert (server.host, server.port) == (host, port)


def test_bots_with_accounts_are_among_the_bots_and_known_to_the_server(tmp_path: Path) -> None:
    settings = loaded(tmp_path, '[bots]\nnames = ["Mina", "Taro"]\naccounts = ["Mina"]')
    accounts = settings.named_server.accounts
    assert accounts.file("Mina") == settings.data_dir / "accounts" / "Mina.json"
    assert accounts.file("Taro") is None


def test_a_bedrock_player_may_be_an_owner(tmp_path: Path) -> None:
    owned = loaded(tmp_path, '[permissions]\nowners = [".Steve"]')
    assert owned.permissions.owners == (".Steve",)


def test_every_setting_has_a_meaning_and_its_default_is_shown() -> None:
    table = {name: (default, meaning) for name, default, meaning in settings_table()}
    assert all(meaning for _default, meaning in table.values())
    assert table["bots.names"][0] == "Alice,Bob"
    assert table["chat.pace"][0] == "true"
    assert table["llm.api_key"][0] == ""


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("localhost:1234", ("localhost", 1234)),
        ("play.example", ("play.example", 25565)),
        ("[::1]:7", ("::1", 7)),
        ("::1", ("::1", 25565)),
    ],
)
def test_a_server_address_is_host_and_port(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["", ":1", "a:", "a:0", "a:65536", "a:x", "http://a:1", "a b:1"])
def test_what_is_no_server_address_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="write"):
        parse_address(text)


@given(st.text())
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        host, port = parse_address(text)
    except SettingsError:
        return
    assert host
    assert 1 <= port <= 65535


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/", "/v1/messages"])
def test_the_address_of_a_model_may_end_as_other_programs_write_it(end: str) -> None:
    address = "http://127.0.0.1:11434"
    assert LlmSettings(base_url=SecretUrl(f"{address}{end}")).base_url == SecretUrl(address)
