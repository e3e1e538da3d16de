"""Scenes of the simulated world, painted; and what colour is where in a picture."""

import numpy as np

from bots.vision.lens import Floats, Lens
from bots.vision.paint import Painted, paint
from bots.vision.tiles import Tiles, tiles_of
from bridge.fake import FakeWorld
from bridge.fake.viewing import read_region
from bridge.looking import ReadRegion, Region
from bridge.world import PlayerName, Position

WIDTH, HEIGHT = 240, 136
NOON, MIDNIGHT = 6_000, 18_000
EYES = Position(8.5, 64, 8.5)


class Scene:
    """Alice stands in the middle of a flat country; build around her, then look."""

    def __init__(self) -> None:
        self.world = FakeWorld()
        self.world.enter(PlayerName("Alice"), EYES)
        self.world.set_time_of_day(NOON)

    def put(self, block: str, *cells: tuple[int, int, int]) -> None:
        """Blocks counted from the one her feet are in."""
        for dx, dy, dz in cells:
            self.world.set_block(Position(8 + dx, 64 + dy, 8 + dz), block)

    def wall(self, block: str, *, z: int, x: range = range(-4, 5), y: range = range(4)) -> None:
        self.put(block, *((dx, dy, z) for dx in x for dy in y))

    def region(self, reach: int = 24) -> Region:
        return read_region(self.world, self.world.body("Alice"), ReadRegion(reach=reach))

    def look(self, yaw: float = 0.0, pitch: float = 0.0, tiles: Tiles = tiles_of) -> "View":
        lens = Lens(yaw, pitch, WIDTH, HEIGHT)
        return View(paint(self.region(), lens, tiles), lens)

    def all_around(self) -> "View":
        lens = Lens(0.0, 0.0, 720, 120, is_panorama=True)
        return View(paint(self.region(), lens), lens)


class View:
    def __init__(self, painted: Painted, lens: Lens) -> None:
        self.painted, self.lens = painted, lens

    def at(self, dx: float, dy: float, dz: float) -> Floats:
        """The mean colour around a point, counted from the eyes."""
        found = self.lens.place(dx, dy, dz)
        assert found is not None, "it is behind the lens"
        x, y = int(found[0]), int(found[1])
        pixels: Floats = self.painted.pixels[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3]
        assert pixels.size, "it is beside the picture"
        mean: Floats = pixels.reshape(-1, 3).mean(axis=0)
        return mean

    @property
    def brightness(self) -> float:
        return float(self.painted.pixels.mean())

    @property
    def names(self) -> list[str]:
        return [being.name for being, _ in self.painted.seen]


def is_red(rgb: Floats) -> bool:
    return bool(rgb[0] > 1.5 * max(rgb[1], rgb[2]))


def is_green(rgb: Floats) -> bool:
    return bool(rgb[1] > 1.2 * max(rgb[0], rgb[2]))


def is_blue(rgb: Floats) -> bool:
    return bool(rgb[2] > 1.2 * max(rgb[0], rgb[1]))


def is_pink(rgb: Floats) -> bool:
    return bool(rgb[0] > 1.15 * rgb[1] and rgb[2] > 0.6 * rgb[0])


def alike(one: Floats, other: Floats) -> bool:
    return bool(np.abs(one - other).max() < 12)
