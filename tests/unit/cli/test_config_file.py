"""Names of bots are changed in a townsfolk.toml, and nothing else is."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.cli.init import keep_names, with_names
from bots.errors import SettingsError
from bots.private_files import OTHERS

WRITTEN = """# our server
[server]
host = "mc.example"  # at home

[bots]
# who is there
names = [
    "Alice",
    "Bob",
]  # two
accounts = ["Bob"]

[permissions]
owners = ["Papa"]
"""


def test_comments_and_other_settings_stay() -> None:
    changed = with_names(WRITTEN, ["Bob", "Cora"])
    assert changed == WRITTEN.replace(
        'names = [\n    "Alice",\n    "Bob",\n]', 'names = ["Bob", "Cora"]'
    )


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("", '[bots]\nnames = ["Bob"]\n'),
        ("offline = true\n", 'offline = true\n\n[bots]\nnames = ["Bob"]\n'),
        (
            '[bots]\naccounts = ["Bob"]\n[llm]\nmodel = "x"\n',
            '[bots]\nnames = ["Bob"]\naccounts = ["Bob"]\n[llm]\nmodel = "x"\n',
        ),
        (
            '[embedded]\nnames = ["no"]\n[bots]\n',
            '[embedded]\nnames = ["no"]\n[bots]\nnames = ["Bob"]\n',
        ),
    ],
)
def test_what_is_missing_is_added(text: str, changed: str) -> None:
    assert with_names(text, ["Bob"]) == changed


@pytest.mark.parametrize(
    "text", ['bots = {names = ["A"]}\n', 'bots.names = ["A"]\n', 'names = """\n[bots]\n"""\n']
)
def test_what_only_a_person_should_change_is_left_to_one(text: str) -> None:
    with pytest.raises(SettingsError, match="write it yourself"):
        with_names(text, ["Bob"])


@settings(max_examples=30)
@given(st.lists(st.from_regex(r"[A-Za-z0-9_]{1,16}", fullmatch=True), min_size=1, unique=True))
def test_any_names_are_read_back(names: list[str]) -> None:
    read = tomllib.loads(with_names(WRITTEN, names))
    assert read["bots"] == {"names": names, "accounts": ["Bob"]}
    assert read["server"] == {"host": "mc.example"}


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "data" / "townsfolk.toml"
    keep_names(file, ["Bob"])
    assert file.stat().st_mode & OTHERS == 0
    assert [path.name for path in file.parent.iterdir()] == ["townsfolk.toml"]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(SettingsError, match="cannot write"):
        keep_names(tmp_path / "data" / "townsfolk.toml", ["Bob"])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_of_any_editor_is_changed(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "townsfolk.toml"
    file.write_text(WRITTEN, encoding=encoding)
    keep_names(file, ["Cora"])
    assert tomllib.loads(file.read_text())["bots"]["names"] == ["Cora"]


def test_a_file_that_is_no_text_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "townsfolk.toml").write_bytes(b"# caf\xe9")
    with pytest.raises(SettingsError, match="not UTF-8"):
        keep_names(tmp_path / "townsfolk.toml", ["Cora"])
    assert (tmp_path / "townsfolk.toml").read_bytes() == b"# caf\xe9"


def test_a_linked_file_is_changed_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(WRITTEN)
    (tmp_path / "townsfolk.toml").symlink_to(tmp_path / "mine.toml")
    keep_names(tmp_path / "townsfolk.toml", ["Cora"])
    assert (tmp_path / "townsfolk.toml").is_symlink()
    assert tomllib.loads((tmp_path / "mine.toml").read_text())["bots"]["names"] == ["Cora"]
