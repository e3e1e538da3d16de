"""What blocks look like, by their names and by pictures that come at an operator's word."""

import sys
from pathlib import Path

import numpy as np
import pytest
from structlog.testing import capture_logs
from support.drawn_textures import BROWN, ORANGE, PURPLE, draw_package
from support.painted_scenes import Scene, is_green, is_red

from bots.vision import texture_store
from bots.vision.colours import DYES, UNKNOWN
from bots.vision.drawing import draw
from bots.vision.grid import is_seen, look_of
from bots.vision.picture import Shot
from bots.vision.studio import Studio
from bots.vision.texture_store import ChosenTextures, TextureStore, nearest, versions_in
from bots.vision.textures import tiles_for
from bots.vision.tiles import Tile, Tiles, tiles_of
from bridge.errors import NodeSetupError, UserError

SIDES, TOP, BOTTOM = 0, 1, 2


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return draw_package(tmp_path, "1.16.4")


@pytest.fixture
def tiles(root: Path) -> Tiles:
    return tiles_for(root, "1.16.5")


def painted(tiles: Tiles, name: str, *, is_cube: bool = True) -> Tile:
    return tiles(name, look_of(name, is_cube=is_cube))


def ours(name: str) -> Tile:
    return tiles_of(name, look_of(name))


def test_each_face_has_its_picture(tiles: Tiles) -> None:
    log = painted(tiles, "oak_log")
    assert (log[SIDES] == PURPLE).all()
    assert (log[TOP] == ORANGE).all()
    assert (log[BOTTOM] == ORANGE).all()


@pytest.mark.parametrize("name", ["chest", "torch", "bricks", "dirt", "water"])
def test_a_block_without_a_picture_keeps_our_colours(tiles: Tiles, name: str) -> None:
    look = look_of(name, is_cube=name != "torch")
    assert np.array_equal(tiles(name, look), tiles_of(name, look))


def test_grass_gets_our_green_and_its_side_shows_the_earth_below(tiles: Tiles) -> None:
    turf, green = painted(tiles, "grass_block"), look_of("grass_block").top
    assert turf[TOP, 0, 0, :3] == pytest.approx(green, abs=1)
    assert turf[SIDES, 0, 0, :3] == pytest.approx(green, abs=1)
    assert (turf[SIDES, 8] == BROWN).all()
    assert (turf[BOTTOM] == BROWN).all()


def test_leaves_get_our_green_and_are_dark_where_the_picture_has_holes(tiles: Tiles) -> None:
    leaves = painted(tiles, "oak_leaves")
    assert leaves[SIDES, 0, 0, :3] == pytest.approx(look_of("oak_leaves").side, abs=1)
    assert leaves[SIDES, 0, 15, :3].max() < leaves[SIDES, 0, 0, :3].max()
    assert (leaves[..., 3] == 255).all()


def test_a_plant_has_nothing_around_it(tiles: Tiles) -> None:
    poppy = painted(tiles, "poppy", is_cube=False)
    assert (poppy[SIDES, :, 8] == ORANGE).all()
    assert (poppy[SIDES, :, 0, 3] == 0).all()


def test_crops_are_ripe_and_a_fence_has_the_picture_of_its_post(tiles: Tiles) -> None:
    assert (painted(tiles, "wheat", is_cube=False)[SIDES, 0, 8] == ORANGE).all()
    assert (painted(tiles, "oak_fence") == PURPLE).all()


def test_a_picture_that_shows_its_parts_elsewhere_is_not_used(tiles: Tiles) -> None:
    assert np.array_equal(painted(tiles, "lantern"), ours("lantern"))
    assert (painted(tiles, "oak_trapdoor") == PURPLE).all()


def test_a_name_of_a_later_version_is_found(tiles: Tiles) -> None:
    assert (painted(tiles, "short_grass", is_cube=False)[SIDES, 0, 8] == ORANGE).all()


@pytest.mark.parametrize("name", ["sand", "magma_block"])
def test_a_large_picture_is_shrunk_and_a_film_gives_its_first(tiles: Tiles, name: str) -> None:
    made = painted(tiles, name)
    assert made.shape == (3, 16, 16, 4)
    assert (made[SIDES, :8] == PURPLE).all()


def test_the_view_shows_the_pictures(tiles: Tiles) -> None:
    scene = Scene()
    scene.wall("stone", z=-5)
    red, green, blue = scene.look(tiles=tiles).at(1, 0.5, -4.5)
    assert blue > red > 2 * green
    assert is_green(scene.look(tiles=tiles).at(0, -1.6, -3))


def test_one_sees_through_the_glass_of_a_picture_and_not_through_its_frame(tiles: Tiles) -> None:
    glass = painted(tiles, "glass")
    assert (glass[SIDES, 0, :, 3] == 255).all()
    scene = Scene()
    scene.wall("red_wool", z=-8)
    scene.wall("glass", z=-3, x=range(1), y=range(1, 3))
    assert is_red(scene.look(tiles=tiles).at(0, 0.1, -2.5))


def test_a_picture_is_read_once(root: Path, tiles: Tiles) -> None:
    before = painted(tiles, "stone")
    (root / "1.16.4" / "blocks" / "stone.png").unlink()
    assert painted(tiles, "stone") is before


@pytest.mark.parametrize("file", ["blocks_models.json", "blocks_states.json"])
def test_of_a_damaged_package_nothing_is_used_and_it_is_told_once(root: Path, file: str) -> None:
    (root / "1.16.4" / file).write_text("{")
    with capture_logs() as logs:
        assert tiles_for(root, "1.16.5") is tiles_of
        assert tiles_for(root, "1.16.5") is tiles_of
    assert [entry["event"] for entry in logs] == ["textures.not_read"]


def test_a_damaged_picture_leaves_our_colours(root: Path, tiles: Tiles) -> None:
    (root / "1.16.4" / "blocks" / "stone.png").write_bytes(b"no picture")
    assert np.array_equal(painted(tiles, "stone"), ours("stone"))


def test_without_any_version_blocks_have_our_colours(tmp_path: Path) -> None:
    assert tiles_for(tmp_path / "nothing", "1.16.5") is tiles_of


class Installed(ChosenTextures):
    def __init__(self, root: Path) -> None:
        super().__init__()
        self._root = root

    @property
    def root(self) -> Path:
        return self._root


async def test_the_studio_draws_with_the_textures_that_were_chosen(root: Path) -> None:
    scene = Scene()
    scene.wall("stone", z=-5)
    region, shot = scene.region(), Shot(0, 0, 96, 54)
    plain = await Studio(ChosenTextures()).draw(region, shot, "Alice")
    textured = await Studio(Installed(root)).draw(region, shot, "Alice")
    assert plain.data == draw(region, shot, "Alice").data
    assert textured.data == draw(region, shot, "Alice", root).data != plain.data


# --- looks ----------------------------------------------------------------------------


COMMON = (
    *("grass_block", "dirt", "sand", "oak_planks", "oak_log", "oak_leaves", "water", "lava"),
    *("bricks", "sandstone", "hay_block", "chest", "crafting_table", "bookshelf", "pumpkin"),
    *("red_wool", "blue_concrete", "terracotta", "netherrack", "gold_block", "diamond_block"),
    *("birch_stairs", "spruce_door", "oak_fence", "cherry_slab", "moss_block", "prismarine"),
)


@pytest.mark.parametrize("name", COMMON)
def test_no_common_block_is_grey(name: str) -> None:
    side = look_of(name).top or look_of(name).side
    assert max(side) - min(side) > 20


@pytest.mark.parametrize("dye", DYES)
def test_every_dye_gives_wool_its_colour(dye: str) -> None:
    assert look_of(f"{dye}_wool").side == DYES[dye]
    assert look_of(f"{dye}_stained_glass").form == "glass"


@pytest.mark.parametrize(
    ("shaped", "whole"),
    [
        ("oak_stairs", "oak_planks"),
        ("cobblestone_wall", "cobblestone"),
        ("red_sandstone_slab", "red_sandstone"),
        ("waxed_exposed_cut_copper_stairs", "exposed_copper"),
        ("polished_granite", "granite"),
        ("infested_stone", "stone"),
    ],
)
def test_a_shape_has_the_colour_of_its_material(shaped: str, whole: str) -> None:
    assert look_of(shaped).side == look_of(whole).side


def test_an_ore_shows_its_mineral_in_its_rock() -> None:
    assert look_of("deepslate_gold_ore").accent == look_of("gold_ore").accent
    assert look_of("deepslate_gold_ore").side != look_of("gold_ore").side
    assert look_of("iron_ore").accent != look_of("gold_ore").accent


def test_what_is_not_solid_is_drawn_as_a_plant_or_flat_or_a_post() -> None:
    forms = {name: look_of(name, is_cube=False).form for name in ("poppy", "rail", "torch", "fern")}
    assert forms == {"poppy": "plant", "rail": "flat", "torch": "post", "fern": "plant"}


def test_grass_is_a_block_where_it_is_solid_and_a_plant_where_it_is_not() -> None:
    assert look_of("grass", is_cube=True) == look_of("grass_block")
    assert look_of("grass", is_cube=False).form == "plant"


def test_air_is_not_drawn_and_a_block_of_no_known_name_is() -> None:
    assert not is_seen("cave_air")
    assert look_of("thing_of_a_mod") == UNKNOWN


# --- the store ------------------------------------------------------------------------


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
