"""A folder that others made is refused before a byte of it is changed."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import pytest

from bridge.errors import ServerFailed
from bridge.server.world_folder import MADE_BEFORE_MARKERS, MARKER, claim


def text(name: str, value: str) -> bytes:
    """A text of NBT: https://minecraft.wiki/w/NBT_format"""
    parts = [struct.pack(">H", len(one.encode())) + one.encode() for one in (name, value)]
    return b"\x08" + b"".join(parts)


def level(name: str, version: str) -> bytes:
    """The level.dat of a world that Minecraft made."""
    of_version = b"\x0a\x00\x07Version" + b"\x03\x00\x02Id\x00\x00\x0a\x1a" + text("Name", version)
    data = b"\x0a\x00\x04Data" + text("LevelName", name) + of_version + b"\x00\x00"
    return gzip.compress(b"\x0a\x00\x00" + data + b"\x00")


@pytest.mark.parametrize("exists", [False, True])
def test_an_empty_folder_is_taken_and_known_again(tmp_path: Path, exists: bool) -> None:
    folder = tmp_path / "worlds" / "home"
    if exists:
        folder.mkdir(parents=True)
    claim(folder)
    (folder / "level.dat").write_bytes(b"ours")
    claim(folder)
    assert (folder / MARKER).is_file()


def test_a_world_of_ours_from_before_there_were_markers_is_known(tmp_path: Path) -> None:
    (tmp_path / MADE_BEFORE_MARKERS).write_text("[]")
    (tmp_path / "level.dat").write_bytes(b"ours")
    claim(tmp_path)
    assert (tmp_path / MARKER).is_file()


FOREIGN: list[tuple[dict[str, bytes], str]] = [
    ({"level.dat": level("My house", "1.16.5")}, "a world of Minecraft 1.16.5, “My house”"),
    ({"level.dat": level("家", "1.20.4")}, "a world of Minecraft 1.20.4, “家”"),
    ({"level.dat": level("x\x1b[2J\n", "26.3")}, "a world of Minecraft 26.3, “x[2J”"),
    ({"level.dat": b"broken"}, "a world of Minecraft, which"),
    ({"level.dat": b""}, "a world of Minecraft, which"),
    ({"region": b"", "notes.txt": b"mine"}, "notes.txt, region, which"),
    (dict.fromkeys("abcde", b""), "a, b, c, …, which"),
]


@pytest.mark.parametrize(("files", "told"), FOREIGN)
def test_what_others_made_is_named_and_left_as_it_is(
    tmp_path: Path, files: dict[str, bytes], told: str
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ServerFailed) as refusal:
        claim(tmp_path)
    assert told in str(refusal.value)
    assert "embedded.world_folder" in str(refusal.value)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == files


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "world").write_text("mine")
    with pytest.raises(ServerFailed, match="is no folder"):
        claim(tmp_path / "world")
