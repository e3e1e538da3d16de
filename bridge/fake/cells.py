"""Blocks of the simulated terrain by whole coordinates, for looking at very many of them."""

from __future__ import annotations

from collections import defaultdict

from bridge.fake.terrain import Cell, Terrain, cell_of, ground

SIDE = 16  # blocks along each edge of a section


class Cells:
    """One moment of a terrain."""

    def __init__(self, terrain: Terrain) -> None:
        self._changed: dict[Cell, str] = {}
        self._in_section: defaultdict[Cell, set[str]] = defaultdict(set)
        for where, name in terrain.changes:
            cell = cell_of(where)
            self._changed[cell] = name
            self._in_section[section_of(cell)].add(name)

    def block(self, cell: Cell) -> str:
        return self._changed.get(cell) or ground(cell[1])

    def palette(self, section: Cell) -> set[str]:
        """The names of what a section may hold."""
        bottom = section[1] * SIDE
        return self._in_section[section] | {ground(y) for y in range(bottom, bottom + SIDE)}


def section_of(cell: Cell) -> Cell:
    x, y, z = cell
    return x // SIDE, y // SIDE, z // SIDE
