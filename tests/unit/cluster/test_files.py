"""The characters of a home's bots follow it to another daemon."""

import json
from pathlib import Path

import pytest
from support.local_bus import LocalBus

from bots.cluster import home as home_files
from bots.cluster.home import LARGEST_TEXT, HomeFiles


def write(folder: Path, text: str, bot: str = "Alice") -> None:
    (folder / bot).mkdir(parents=True, exist_ok=True)
    (folder / bot / "persona.md").write_text(text, encoding="utf-8")


def text_of(folder: Path, bot: str = "Alice") -> str:
    return (folder / bot / "persona.md").read_text(encoding="utf-8")


def files_below(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


async def test_a_character_goes_along_and_comes_back_changed(bus: LocalBus, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    mine, theirs = HomeFiles(bus, "h1", "one", here), HomeFiles(bus, "h1", "two", there)
    write(here, "Alice is 陽気.")
    await mine.send()
    await theirs.catch_up()
    assert text_of(there) == "Alice is 陽気."
    assert (there / "Alice" / "persona.md").stat().st_mode & 0o077 == 0
    write(there, "Alice is tired.")
    await theirs.send()
    await HomeFiles(bus, "h1", "one", here).catch_up()
    assert text_of(here) == "Alice is tired."


async def test_what_was_written_without_a_daemon_stays(bus: LocalBus, tmp_path: Path) -> None:
    write(tmp_path, "Alice is old.")
    await HomeFiles(bus, "h1", "one", tmp_path).send()
    write(tmp_path, "Alice is new.")
    await HomeFiles(bus, "h1", "one", tmp_path).catch_up()
    assert text_of(tmp_path) == "Alice is new."


async def test_only_changes_are_sent(bus: LocalBus, tmp_path: Path) -> None:
    write(tmp_path, "Alice")
    files = HomeFiles(bus, "h1", "one", tmp_path)
    await files.send()
    await files.send()
    await HomeFiles(bus, "h1", "one", tmp_path).send()
    assert len(await bus.read("files.h1")) == 1


async def test_a_text_that_no_model_would_see_stays_here(bus: LocalBus, tmp_path: Path) -> None:
    write(tmp_path, "x" * (LARGEST_TEXT + 1))
    await HomeFiles(bus, "h1", "one", tmp_path).send()
    assert await bus.read("files.h1") == ()


@pytest.mark.parametrize(
    "path",
    ["../evil.md", "/etc/evil.md", "a/../../evil.md", "Alice/evil.sh", "evil.md", "a/b/c.md"],
)
async def test_nothing_is_written_outside_of_the_folder(
    bus: LocalBus, tmp_path: Path, path: str
) -> None:
    folder = tmp_path / "bots"
    folder.mkdir()
    await bus.append("files.h1", json.dumps(["two", path, "evil"]).encode())
    await HomeFiles(bus, "h1", "one", folder).catch_up()
    assert files_below(tmp_path) == []


async def test_a_damaged_entry_hides_no_other(bus: LocalBus, tmp_path: Path) -> None:
    await bus.append("files.h1", b"[1, 2")
    await bus.append("files.h1", json.dumps(["two", "Alice/persona.md", "Alice"]).encode())
    await HomeFiles(bus, "h1", "one", tmp_path).catch_up()
    assert text_of(tmp_path) == "Alice"


async def test_a_text_too_large_keeps_no_other_back(bus: LocalBus, tmp_path: Path) -> None:
    write(tmp_path, "\N{SMILING FACE WITH HORNS}" * LARGEST_TEXT, "Alice")
    write(tmp_path, "陽" * LARGEST_TEXT, "Bob")
    write(tmp_path, "Carol is calm.", "Carol")
    mine = HomeFiles(bus, "h1", "one", tmp_path)
    await mine.send()
    there = tmp_path / "there"
    await HomeFiles(bus, "h1", "two", there).catch_up()
    assert text_of(there, "Bob") == "陽" * LARGEST_TEXT
    assert text_of(there, "Carol") == "Carol is calm."


@pytest.mark.parametrize(
    "damaged",
    [
        ["two", "Alice/persona.md", "\ud800"],
        ["two", "Al\0ce/persona.md", "Alice"],
        ["two", "Al\ud800ce/persona.md", "Alice"],
        ["two", f"{'x' * 300}/persona.md", "Alice"],
    ],
    ids=["text", "zero", "path", "long"],
)
async def test_a_file_that_cannot_be_written_keeps_no_other_back(
    bus: LocalBus, tmp_path: Path, damaged: list[str]
) -> None:
    await bus.append("files.h1", json.dumps(damaged).encode())
    await bus.append("files.h1", json.dumps(["two", "Bob/persona.md", "Bob"]).encode())
    await HomeFiles(bus, "h1", "one", tmp_path).catch_up()
    assert text_of(tmp_path, "Bob") == "Bob"


async def test_what_could_not_be_written_is_written_later(
    bus: LocalBus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("No space left on device")

    await bus.append("files.h1", json.dumps(["two", "Bob/persona.md", "Bob"]).encode())
    files = HomeFiles(bus, "h1", "one", tmp_path)
    with monkeypatch.context() as disk:
        disk.setattr(home_files, "make_private_folder", full)
        await files.catch_up()
    await files.catch_up()
    assert text_of(tmp_path, "Bob") == "Bob"
