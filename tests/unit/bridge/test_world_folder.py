"""A folder that others made is refused before a byte of it is changed."""

import gzip
import struct
import zlib
from pathlib import Path

import pytest

from bridge.errors import ServerFailed
from bridge.server.launcher import (
    LEVEL_NAME,
    MADE_BEFORE_MARKERS,
    MARKER,
    VERSION,
    EmbeddedServer,
    claim,
)


def text(name: str, value: str) -> bytes:
    """A text of NBT: https://minecraft.wiki/w/NBT_format"""
    parts = [struct.pack(">H", len(one.encode())) + one.encode() for one in (name, value)]
    return b"\x08" + b"".join(parts)


def level(name: str, version: str, more: bytes = b"") -> bytes:
    """The level.dat of a world that Minecraft made."""
    of_version = b"\x0a\x00\x07Version" + b"\x03\x00\x02Id\x00\x00\x0a\x1a" + text("Name", version)
    data = b"\x0a\x00\x04Data" + text("LevelName", name) + of_version + b"\x00" + more + b"\x00"
    return gzip.compress(b"\x0a\x00\x00" + data + b"\x00")


def there(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir()}


OURS = level(LEVEL_NAME, VERSION)


@pytest.mark.parametrize("exists", [False, True])
def test_an_empty_folder_is_taken_and_known_again(tmp_path: Path, exists: bool) -> None:
    folder = tmp_path / "worlds" / "home"
    if exists:
        folder.mkdir(parents=True)
    claim(folder)
    (folder / "level.dat").write_bytes(OURS)
    claim(folder)
    assert (folder / MARKER).is_file()


def test_a_world_of_ours_from_before_there_were_markers_is_known(tmp_path: Path) -> None:
    (tmp_path / MADE_BEFORE_MARKERS).write_text("[]")
    (tmp_path / "level.dat").write_bytes(OURS)
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
    assert there(tmp_path) == files


PUT_OVER_OURS: list[tuple[bytes, str]] = [
    (level("My house", VERSION), "a world of Minecraft 1.16.5, “My house”"),
    (level("My house", "1.20.4"), "a world of Minecraft 1.20.4, “My house”"),
    (level(LEVEL_NAME, "1.20.4"), "a world of Minecraft 1.20.4"),
    (level(LEVEL_NAME, VERSION, b"\x0a\x00\x06Player\x00"), "a world of Minecraft 1.16.5"),
    (b"broken", "level.dat cannot be read"),
    (OURS[: len(OURS) // 2], "level.dat cannot be read"),
    (b"", "level.dat cannot be read"),
]


@pytest.mark.parametrize("sign", [MARKER, MADE_BEFORE_MARKERS])
@pytest.mark.parametrize(("content", "told"), PUT_OVER_OURS, ids=range(len(PUT_OVER_OURS)))
def test_a_save_of_the_game_that_was_put_over_a_world_of_ours_is_left_as_it_is(
    tmp_path: Path, sign: str, content: bytes, told: str
) -> None:
    files = {sign: b"{}", "level.dat": content}
    for name, written in files.items():
        (tmp_path / name).write_bytes(written)
    with pytest.raises(ServerFailed) as refusal:
        claim(tmp_path)
    assert told in str(refusal.value)
    assert there(tmp_path) == files


def region(chunk: bytes) -> bytes:
    """A region file with one chunk, the last: https://minecraft.wiki/w/Region_file_format"""
    packed = zlib.compress(chunk)
    places = struct.pack(">1024I", *[0] * 1023, 2 << 8 | 1)
    return places.ljust(8192, b"\0") + struct.pack(">IB", len(packed) + 1, 2) + packed


REGIONS = [
    (region(b"\x09\x00\x08Sections"), False),
    (region(b"\x09\x00\x08Sections\x09\x00\x0cTileEntities"), True),
    (region(b"\x04\x00\x0dInhabitedTime"), True),
    (b"", False),
    (b"\0" * 8192, False),
    (region(b"")[:8193], False),
]


@pytest.mark.parametrize(("content", "is_foreign"), REGIONS, ids=range(len(REGIONS)))
def test_chunks_of_the_game_that_were_put_into_a_world_of_ours_are_left_as_they_are(
    tmp_path: Path, content: bytes, is_foreign: bool
) -> None:
    claim(tmp_path)
    (tmp_path / "level.dat").write_bytes(OURS)
    (tmp_path / "region").mkdir()
    (tmp_path / "region" / "r.0.0.mca").write_bytes(content)
    if not is_foreign:
        claim(tmp_path)
        return
    with pytest.raises(ServerFailed, match=r"r\.0\.0\.mca is of Minecraft"):
        claim(tmp_path)


def test_a_file_or_a_link_to_nothing_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "unmounted")
    for name in ("file", "link"):
        with pytest.raises(ServerFailed, match="is no folder"):
            claim(tmp_path / name)
    assert not (tmp_path / "unmounted").exists()


async def test_no_server_is_started_on_what_others_made(tmp_path: Path) -> None:
    (tmp_path / "level.dat").write_bytes(level("My house", "1.20.4"))
    with pytest.raises(ServerFailed, match="My house"):
        await EmbeddedServer.start(tmp_path / "node", tmp_path, world_folder=tmp_path)
    assert there(tmp_path).keys() == {"level.dat"}
