"""The country from above."""

import io

import numpy as np
import pytest
from PIL import Image
from support.painted_scenes import Scene, is_blue, is_green, is_red

from bots.vision.chart import draw_map, draw_terrain, ground_of, is_below_a_roof
from bots.vision.lens import Floats
from bridge.world import MobSighting, Position

SCALE = 8
REACH = 12


@pytest.fixture
def scene() -> Scene:
    return Scene()


def map_of(scene: Scene) -> Floats:
    picture = draw_map(scene.region(REACH), "Alice", SCALE)
    return np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB")).astype(float)


def at(pixels: Floats, dx: int, dz: int) -> Floats:
    """The middle of a block, counted from the one the feet are in; north is up."""
    x, y = ((REACH + d) * SCALE + SCALE // 2 for d in (dx, dz))
    colour: Floats = pixels[y, x]
    return colour


def test_north_is_up_and_west_is_left(scene: Scene) -> None:
    scene.put("red_wool", (0, 0, -6))
    scene.put("lapis_block", (-6, 0, 0))
    pixels = map_of(scene)
    assert pixels.shape[:2] == ((2 * REACH + 1) * SCALE,) * 2
    assert is_red(at(pixels, 0, -6))
    assert is_blue(at(pixels, -6, 0))
    assert is_green(at(pixels, 6, 6))


def test_what_is_on_top_hides_what_is_below(scene: Scene) -> None:
    scene.put("red_wool", (4, 0, 4))
    scene.put("lapis_block", (4, 3, 4))
    assert is_blue(at(map_of(scene), 4, 4))
    assert ground_of(scene.region(REACH), is_cave=False).heights[REACH + 4, REACH + 4] == 67


def test_a_hill_is_lit_from_the_north_west(scene: Scene) -> None:
    scene.put("grass_block", *((dx, 0, dz) for dx in range(4, 9) for dz in range(4, 9)))
    pixels = map_of(scene)
    flat, lit, shadow = at(pixels, -5, 5), at(pixels, 4, 5), at(pixels, 9, 6)
    assert lit.mean() > flat.mean() > shadow.mean()


def test_deep_water_is_bluer_than_shallow(scene: Scene) -> None:
    scene.put("water", *((5, -depth, 5) for depth in range(1, 9)), (-5, -1, 5))
    pixels = map_of(scene)
    deep, shallow = at(pixels, 5, 5), at(pixels, -5, 5)
    assert is_blue(deep)
    assert deep[2] / deep[1] > shallow[2] / shallow[1]


def test_people_and_animals_are_marked(scene: Scene) -> None:
    bare = map_of(scene)
    scene.world.person("Steve", Position(13.5, 64, 13.5))
    scene.world.mobs.append(MobSighting("pig", Position(3.5, 64, 13.5), hostile=False))
    marked = (map_of(scene) != bare).any(axis=2)
    for dx in (5, -5):
        x, y = (REACH + dx) * SCALE + SCALE // 2, (REACH + 5) * SCALE + SCALE // 2
        assert marked[y - 2 : y + 3, x - 2 : x + 3].all()


def test_below_a_roof_it_shows_the_cave(scene: Scene) -> None:
    hollow = [(dx, dy, 0) for dx in range(6) for dy in range(-40, -37)]
    scene.put("air", *hollow)
    assert not is_below_a_roof(scene.region(REACH))
    scene.world.teleport("Alice", Position(8.5, 24, 8.5))
    scene.world.person("Steve", Position(13.5, 64, 13.5))
    assert is_below_a_roof(scene.region(REACH))
    pixels = map_of(scene)
    assert at(pixels, 4, 0).mean() > 1.5 * at(pixels, 4, 5).mean()
    assert (at(pixels, 5, 5) == at(pixels, 4, 5)).all(), "Steve is far above"


def test_a_tree_is_no_roof(scene: Scene) -> None:
    scene.put("oak_leaves", (0, 4, 0))
    assert not is_below_a_roof(scene.region(REACH))
    scene.put("oak_planks", (0, 6, 0))
    assert is_below_a_roof(scene.region(REACH))


def test_the_ground_alone_has_a_pixel_for_each_block_and_no_marks(scene: Scene) -> None:
    scene.put("red_wool", (0, 0, -6))
    picture = draw_terrain(scene.region(REACH))
    pixels = np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB")).astype(float)
    assert (picture.width, picture.height) == (2 * REACH + 1, 2 * REACH + 1)
    assert is_red(pixels[REACH - 6, REACH])
    assert is_green(pixels[REACH, REACH])


def test_from_a_hole_the_land_is_shown_and_from_deep_below_the_cave(scene: Scene) -> None:
    def in_the_west() -> Floats:
        picture = draw_terrain(scene.region(REACH))
        pixels = np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB")).astype(float)
        colour: Floats = pixels[REACH, 2]
        return colour

    scene.put("air", *((0, -depth, 0) for depth in range(1, 4)))
    scene.put("oak_planks", (0, 3, 0))
    scene.world.teleport("Alice", Position(8.5, 61, 8.5))
    assert is_below_a_roof(scene.region(REACH))
    assert is_green(in_the_west())
    scene.put("air", *[(0, dy, 0) for dy in range(-40, -37)])
    scene.world.teleport("Alice", Position(8.5, 24, 8.5))
    assert not is_green(in_the_west())
