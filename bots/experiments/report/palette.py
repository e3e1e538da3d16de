"""Colours that stay apart, for the colour-blind too (Okabe and Ito's, and darker ones)."""

from __future__ import annotations

from collections.abc import Sequence

INK, GREY, LIGHT = "#222831", "#8a8f98", "#e4e6ea"
COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#7b3294",
    "#b58900",
    "#5c4033",
    "#2f7f8f",
)


def colours(names: Sequence[str]) -> dict[str, str]:
    """One for each name, in order; with many names they begin again."""
    return {name: COLOURS[place % len(COLOURS)] for place, name in enumerate(names)}
