"""Block textures come at an operator's word, with a fake npm in place of the real one."""

import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bots.vision import texture_store
from bots.vision.texture_store import ChosenTextures, TextureStore, nearest, versions_in
from bridge.errors import NodeSetupError, UserError

FAKE_NPM = """
import pathlib, sys
assert "--ignore-scripts" in sys.argv
if {fails}:
    sys.exit("npm error code ENOTFOUND")
data = pathlib.Path("node_modules/minecraft-assets/minecraft-assets/data/1.21.4")
for name in ("blocks/stone.png", "items/stick.png", "blocks_states.json", "blocks_models.json",
             "blocks_textures.json", "texture_content.json"):
    (data / name).parent.mkdir(parents=True, exist_ok=True)
    (data / name).touch()
"""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TextureStore:
    use_npm(tmp_path, monkeypatch, fails=False)
    return TextureStore(tmp_path / "cache")


def use_npm(folder: Path, monkeypatch: pytest.MonkeyPatch, *, fails: bool) -> None:
    script = folder / "fake_npm.py"
    script.write_text(FAKE_NPM.format(fails=fails))
    monkeypatch.setattr(texture_store, "npm_command", lambda _: (sys.executable, script))


def ignore(line: str) -> None:
    """For tests that do not look at the progress."""


async def test_they_are_installed_with_what_is_read_of_them_alone(store: TextureStore) -> None:
    assert store.installed is None
    root = await store.install(ignore)
    assert store.installed == root
    assert versions_in(root) == ["1.21.4"]
    held = sorted(path.name for path in (root / "1.21.4").iterdir())
    assert held == ["blocks", "blocks_models.json", "blocks_states.json"]


async def test_what_is_removed_is_gone(store: TextureStore) -> None:
    assert not store.remove()
    await store.install(ignore)
    assert store.remove()
    assert store.installed is None
    assert not store.folder.exists()


async def test_without_a_network_it_is_said_and_nothing_is_left(
    store: TextureStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_npm(tmp_path, monkeypatch, fails=True)
    with pytest.raises(NodeSetupError, match="block textures failed: npm could not fetch"):
        await store.install(ignore)
    assert store.installed is None


async def test_offline_fetches_nothing(store: TextureStore) -> None:
    with pytest.raises(UserError, match="offline"):
        await store.install(ignore, offline=True)
    assert not store.folder.exists()


async def test_chosen_textures_that_are_missing_are_told_once(store: TextureStore) -> None:
    with capture_logs() as logs:
        chosen = ChosenTextures(store)
        assert chosen.root is None
        assert chosen.root is None
    assert [entry["event"] for entry in logs] == ["textures.missing"]
    assert "townsfolk vis textures install" in logs[0]["advice"]
    assert await store.install(ignore) == chosen.root


def test_not_chosen_they_are_not_looked_for() -> None:
    with capture_logs() as logs:
        assert ChosenTextures().root is None
    assert logs == []


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("1.16.5", "1.16.4"),
        ("1.16.1", "1.16.1"),
        ("1.20", "1.20.2"),
        ("1.20.6", "1.20.2"),
        ("1.14.4", "1.8.8"),
        ("1.7.10", "1.8.8"),
        ("1.21.10", "1.21.11"),
        ("26.2", "26.1"),
        ("25.1", "1.21.11"),
    ],
)
def test_the_nearest_version_is_taken(wanted: str, found: str) -> None:
    held = ["1.8.8", "1.16.1", "1.16.4", "1.20.2", "1.21.1", "1.21.11", "26.1"]
    assert nearest(wanted, held) == found


@pytest.mark.parametrize("is_link", [False, True])
async def test_what_others_put_there_is_not_removed(
    store: TextureStore, tmp_path: Path, is_link: bool
) -> None:
    await store.install(lambda line: None)
    if is_link:
        store.folder.rename(tmp_path / "elsewhere")
        store.folder.symlink_to(tmp_path / "elsewhere")
    else:
        (store.folder / "my pack").mkdir()
    before = sorted(store.folder.rglob("*"))
    with pytest.raises(UserError, match="is not of townsfolk alone"):
        store.remove()
    assert sorted(store.folder.rglob("*")) == before
