"""Whatever stands in the configuration, it is taken or refused in a sentence."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.fuzz import ODD_LEAF, ODD_TEXT, fuzzed, outcome

from bots.errors import SettingsError
from bots.settings.loading import load_settings
from bots.settings.settings import ENV_DELIMITER, ENV_PREFIX, leaf_settings

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")  # of patterns as `[[`

NAMES = [name for name, _ in leaf_settings()]
VARIABLES = [ENV_PREFIX + name.replace(".", ENV_DELIMITER).upper() for name in NAMES]
SAYABLE = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=30)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "townsfolk.toml"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def taken_or_refused(file: Path) -> None:
    assert outcome(lambda: load_settings(file, {}), SettingsError)


def as_toml(name: str, value: Any) -> str:
    """One setting in its section."""
    section, _, key = name.rpartition(".")
    head = f"[{section}]\n" if section else ""
    return f"{head}{key} = {_written(value)}\n"


def _written(value: Any) -> str:
    match value:
        case None:
            return "[]"
        case bool():
            return str(value).lower()
        case int() | float():
            return repr(value)
        case list():
            return f"[{', '.join(map(_written, value))}]"
    marked = value.encode("utf-8", "replace").decode()
    return '"' + "".join(f"\\U{ord(char):08x}" for char in marked) + '"'


@given(st.sampled_from(NAMES), ODD_LEAF | st.lists(ODD_LEAF, max_size=3))
@example("data_dir", "\x00")
@example("embedded.world_folder", "\x00")
@example("bridge.whisper_patterns", "[[[")
@fuzzed
def test_any_value_of_a_setting(file: Path, name: str, value: Any) -> None:
    file.write_text(as_toml(name, value), encoding="utf-8")
    taken_or_refused(file)


@given(st.binary(max_size=80) | ODD_TEXT.map(lambda text: text.encode("utf-8", "replace")))
@example(b"x = " + b"[" * 100_000)
@example(b"a = " + b"9" * 5_000)
@fuzzed
def test_any_file(file: Path, written: bytes) -> None:
    file.write_bytes(written)
    taken_or_refused(file)


@given(st.dictionaries(st.sampled_from(VARIABLES), SAYABLE, max_size=3))
@example({"TOWNSFOLK_LLM__HAIKU_PRICE": "1,2,3,nan"})
@example({"TOWNSFOLK_BRIDGE__WHISPER_PATTERNS": "(?P<sender>"})
@fuzzed
def test_any_environment(
    file: Path, environment: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    file.write_text("")
    with environment.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        taken_or_refused(file)


def test_what_is_written_here_is_toml() -> None:
    assert tomllib.loads(as_toml("bots.names", ["村", "a\n", 5])) == {
        "bots": {"names": ["村", "a\n", 5]}
    }
