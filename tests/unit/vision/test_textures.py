"""Blocks drawn with the pictures of an installed package."""

from pathlib import Path

import numpy as np
import pytest
from structlog.testing import capture_logs
from support.drawn_textures import BROWN, ORANGE, PURPLE, draw_package
from support.painted_scenes import Scene, is_green, is_red

from bots.vision.drawing import draw
from bots.vision.grid import look_of
from bots.vision.picture import Shot
from bots.vision.studio import Studio
from bots.vision.texture_store import ChosenTextures
from bots.vision.textures import tiles_for
from bots.vision.tiles import Tile, Tiles, tiles_of

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
