"""`townsfolk vis`: a picture into a file, or in the JSON."""

import base64
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from PIL import Image, ImageSequence
from support.http_stub import StubDaemon
from support.served import serving
from typer.testing import CliRunner, Result

from bots.cli.main import app
from bots.daemon.shapes import Json, Positions, TerrainShape
from bots.vision.studio import Wanted

PNG = b"\x89PNG a picture"
SEEN = {"text": "a lake", "image": base64.b64encode(PNG).decode()}


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[StubDaemon]:
    stub = StubDaemon()
    stub.outcome = {"success": True, "type": "vision", "data": SEEN}
    with serving(stub, tmp_path):
        yield stub


def run(*words: str, data_dir: Path) -> Result:
    return CliRunner().invoke(app, ["vis", *words, "--data-dir", str(data_dir)])


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("capture Alice --yaw 90", '{"yaw": 90.0, "picture": true}'),
        ("map Alice", '{"map": true, "picture": true}'),
    ],
)
def test_a_picture_is_written_to_the_file_and_replaced_by_the_next(
    daemon: StubDaemon, tmp_path: Path, words: str, asked: str
) -> None:
    file = tmp_path / "seen.png"
    for _ in range(2):
        result = run(*words.split(), "--out", str(file), data_dir=tmp_path)
        assert (result.exit_code, file.read_bytes()) == (0, PNG)
        data = json.loads(result.stdout)["data"]
        assert data == {"text": "a lake", "image": None, "filepath": str(file)}
    assert daemon.asked[0][2] == f"!info vision {asked}"


def test_without_a_file_the_picture_is_in_the_json(daemon: StubDaemon, tmp_path: Path) -> None:
    result = run("capture", "Alice", "--panorama", "--pitch", "-5", data_dir=tmp_path)
    assert json.loads(result.stdout)["data"] == SEEN
    asked = '!info vision {"pitch": -5.0, "panorama": true, "picture": true}'
    assert daemon.asked[0][2] == asked


def test_a_bot_that_cannot_look_is_a_result_and_no_file(daemon: StubDaemon, tmp_path: Path) -> None:
    daemon.outcome = {"success": False, "reason": "not_connected", "message": "Alice is away"}
    file = tmp_path / "seen.png"
    result = run("capture", "Alice", "--out", str(file), data_dir=tmp_path)
    assert (result.exit_code, json.loads(result.stdout)["reason"]) == (1, "not_connected")
    assert not file.exists()


def test_a_file_that_cannot_be_written_is_said_plainly(daemon: StubDaemon, tmp_path: Path) -> None:
    result = run("capture", "Alice", "--out", str(tmp_path / "no" / "x.png"), data_dir=tmp_path)
    assert result.exit_code != 0
    assert "cannot be written" in result.stderr


@pytest.mark.parametrize("command", ["capture", "map", "film", "course"])
def test_no_picture_replaces_what_is_none(daemon: StubDaemon, tmp_path: Path, command: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    result = run(command, "Alice", "--out", str(file), data_dir=tmp_path)
    assert result.exit_code != 0
    assert "it is there already, and is something else" in result.stderr
    assert file.read_text() == "mine"


@pytest.mark.slow
def test_a_film_has_a_frame_for_each_look(
    daemon: StubDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = iter([(250, 0, 0), (0, 250, 0), (0, 0, 250), (250, 250, 0)])

    async def picture(bot: str, wanted: Wanted) -> bytes:
        kept = io.BytesIO()
        Image.new("RGB", (64, 64), next(shown)).save(kept, "PNG")
        return kept.getvalue()

    monkeypatch.setattr(daemon, "picture", picture)
    file = tmp_path / "seen.gif"
    times = ("--seconds", "1", "--every", "0.25")
    result = run("film", "Alice", "--out", str(file), *times, data_dir=tmp_path)
    assert json.loads(result.stdout) == {"success": True, "filepath": str(file), "frames": 4}
    with Image.open(file) as film:
        assert (film.format, getattr(film, "n_frames", 1)) == ("GIF", 4)


class Walking(StubDaemon):
    """Alice walks on at each look, until her goal is reached at the third."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    async def positions(self) -> Positions:
        self.looks += 1
        alice = {"name": "Alice", "x": 30.0 * self.looks, "y": 64.0, "z": 8.0, "yaw": 0}
        fares = {"dimension": "overworld", "health": 20.0, "food": 20.0, "held": None}
        return cast(Positions, {**self.here, "bots": [{**alice, **fares}]})

    def bots(self) -> list[Json]:
        goal = "inventory.stick:4" if self.looks < 3 else None
        return [{"name": "Alice", "state": "online", "goal": goal, "job": None}]

    async def terrain(self, bot: str, reach: int | None) -> TerrainShape:
        kept = io.BytesIO()
        Image.new("RGB", (97, 97), (90, 150, 60)).save(kept, "PNG")
        png = base64.b64encode(kept.getvalue()).decode()
        return {**await super().terrain(bot, reach), "png": png}


@pytest.mark.slow
def test_a_course_is_filmed_until_the_goal_is_reached(tmp_path: Path) -> None:
    daemon, file = Walking(), tmp_path / "way.gif"
    with serving(daemon, tmp_path):
        result = run("course", "Alice", "--out", str(file), data_dir=tmp_path)
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout) == {"success": True, "filepath": str(file), "frames": 3}
    assert [asked[0] for asked in daemon.asked] == ["terrain"] * 3
    with Image.open(file) as film:
        assert len(list(ImageSequence.Iterator(film))) == 3


@pytest.mark.parametrize(("kind", "told"), [("film", "saw nothing"), ("course", "was nowhere")])
def test_a_film_of_nobody_is_said_plainly(
    daemon: StubDaemon, tmp_path: Path, kind: str, told: str
) -> None:
    file = tmp_path / "way.gif"
    result = run(kind, "Zed", "--out", str(file), "--seconds", "1", data_dir=tmp_path)
    assert result.exit_code == 1
    assert f"Zed {told}" in result.stderr
    assert not file.exists()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("bots.vision.texture_store.user_cache", lambda: tmp_path / "cache")
    return tmp_path / "cache"


def textures(*words: str) -> Result:
    return CliRunner().invoke(app, ["vis", "textures", *words])


def test_textures_are_fetched_told_of_and_removed(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm = tmp_path / "npm.py"
    states = "node_modules/minecraft-assets/minecraft-assets/data/1.21.4/blocks_states.json"
    npm.write_text(f"import os\nos.makedirs(os.path.dirname({states!r}))\nopen({states!r}, 'w')")
    monkeypatch.setattr(
        "bots.vision.texture_store.npm_command", lambda _: (sys.executable, str(npm))
    )
    assert "No textures are installed" in textures("status").stdout
    installed = textures("install", "--data-dir", str(tmp_path))
    assert installed.exit_code == 0, installed.stderr
    assert "Mojang's" in installed.stderr
    assert "vision.textures" in installed.stdout
    assert "1.21.4" in textures("status").stdout
    assert "removed" in textures("remove").stdout
    assert "No textures" in textures("remove").stdout


def test_offline_no_textures_are_fetched(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOWNSFOLK_OFFLINE", "true")
    result = textures("install", "--data-dir", str(tmp_path))
    assert result.exit_code == 1
    assert "offline" in result.stderr
    assert not (cache / "textures").exists()
