"""How bodies are built of boxes: feet at 0 0 0, looking along -z."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from bots.vision.colours import RGB

Corner: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Part:
    low: Corner
    high: Corner
    colour: RGB


SKIN: RGB = (206, 152, 118)
HAIR: RGB = (74, 50, 30)
WHITE: RGB = (246, 246, 246)
BLACK: RGB = (16, 16, 18)
BROWN: RGB = (104, 74, 48)


def biped(
    head: RGB, body: RGB, legs: RGB, *, hair: RGB | None = None, arms: RGB | None = None
) -> Iterator[Part]:
    yield Part((-0.24, 0, -0.12), (-0.01, 0.7, 0.12), legs)
    yield Part((0.01, 0, -0.12), (0.24, 0.7, 0.12), legs)
    yield Part((-0.25, 0.7, -0.13), (0.25, 1.4, 0.13), body)
    yield Part((-0.48, 0.72, -0.12), (-0.26, 1.4, 0.12), arms or body)
    yield Part((0.26, 0.72, -0.12), (0.48, 1.4, 0.12), arms or body)
    yield Part((-0.24, 1.4, -0.24), (0.24, 1.86, 0.24), head)
    yield from eyes(1.6, -0.24, 0.12, 0.07)
    if hair is not None:
        yield Part((-0.26, 1.74, -0.26), (0.26, 1.9, 0.26), hair)


def eyes(y: float, z: float, aside: float, size: float, colour: RGB = BLACK) -> Iterator[Part]:
    for middle in (-aside, aside):
        low = (middle - size / 2, y, z - 0.02)
        yield Part(low, (middle + size / 2, y + size, z), colour)


def quadruped(
    body: RGB,
    head: RGB,
    legs: RGB,
    *,
    nose: RGB | None = None,
    neck: float = 0.0,
    patch: RGB | None = None,
) -> Iterator[Part]:
    """Four legs, a long body, a head in front; `neck` lifts the head."""
    for x in (-0.28, 0.12):
        for z in (-0.5, 0.34):
            yield Part((x, 0, z), (x + 0.18, 0.45, z + 0.18), legs)
    yield Part((-0.34, 0.4, -0.55), (0.34, 0.95, 0.58), body)
    if patch is not None:
        yield Part((-0.35, 0.55, -0.2), (0.35, 0.96, 0.2), patch)
    if neck:
        yield Part((-0.14, 0.8, -0.72), (0.14, 0.95 + neck, -0.42), head)
    low = 0.62 + neck
    yield Part((-0.25, low, -0.95), (0.25, low + 0.46, -0.52), head)
    yield from eyes(low + 0.26, -0.95, 0.16, 0.08)
    if nose is not None:
        yield Part((-0.13, low + 0.04, -1.02), (0.13, low + 0.2, -0.95), nose)


def bird(body: RGB, beak: RGB, comb: RGB) -> Iterator[Part]:
    for x in (-0.12, 0.06):
        yield Part((x, 0, -0.03), (x + 0.06, 0.25, 0.03), beak)
    yield Part((-0.2, 0.22, -0.2), (0.2, 0.58, 0.26), body)
    yield Part((-0.12, 0.5, -0.34), (0.12, 0.86, -0.14), body)
    yield Part((-0.1, 0.66, -0.46), (0.1, 0.74, -0.34), beak)
    yield Part((-0.05, 0.54, -0.42), (0.05, 0.66, -0.34), comb)
    yield from eyes(0.74, -0.34, 0.09, 0.05)


def spider(body: RGB) -> Iterator[Part]:
    yield Part((-0.4, 0.25, 0.0), (0.4, 0.8, 0.75), body)
    yield Part((-0.28, 0.3, -0.5), (0.28, 0.7, 0.0), body)
    yield from eyes(0.5, -0.5, 0.12, 0.08, (210, 30, 30))
    for z in (-0.35, -0.12, 0.1, 0.3):
        yield Part((-0.95, 0.1, z), (0.95, 0.22, z + 0.08), body)


def creeper() -> Iterator[Part]:
    green: RGB = (94, 180, 84)
    for x in (-0.24, 0.02):
        for z in (-0.26, 0.08):
            yield Part((x, 0, z), (x + 0.22, 0.36, z + 0.2), (60, 130, 56))
    yield Part((-0.22, 0.36, -0.12), (0.22, 1.1, 0.12), green)
    yield Part((-0.25, 1.1, -0.25), (0.25, 1.6, 0.25), green)
    yield from eyes(1.36, -0.25, 0.13, 0.12)
    yield Part((-0.07, 1.16, -0.27), (0.07, 1.36, -0.25), BLACK)


def villager(robe: RGB) -> Iterator[Part]:
    yield Part((-0.26, 0, -0.18), (0.26, 1.4, 0.18), robe)
    yield Part((-0.38, 0.85, -0.34), (0.38, 1.1, 0.1), robe)
    yield Part((-0.24, 1.4, -0.24), (0.24, 1.95, 0.24), (190, 140, 108))
    yield Part((-0.07, 1.42, -0.36), (0.07, 1.66, -0.24), (160, 108, 82))
    yield from eyes(1.68, -0.24, 0.12, 0.07)


def blob(rgb: RGB, *, flies: float = 0.0, side: float = 0.4) -> Iterator[Part]:
    yield Part((-side, flies, -side), (side, flies + 2 * side, side), rgb)
    yield from eyes(flies + side * 1.1, -side, side * 0.5, side * 0.35)


def fish(rgb: RGB) -> Iterator[Part]:
    yield Part((-0.09, 0, -0.35), (0.09, 0.3, 0.25), rgb)
    yield Part((-0.03, 0.02, 0.25), (0.03, 0.28, 0.42), rgb)


def winged(body: RGB, wing: RGB) -> Iterator[Part]:
    yield Part((-0.2, 0.1, -0.3), (0.2, 0.5, 0.3), body)
    yield Part((-0.7, 0.4, -0.15), (0.7, 0.46, 0.2), wing)
    yield from eyes(0.32, -0.3, 0.12, 0.07)
