"""Pictures one after another as one that moves: a GIF, which every browser and chat shows."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from bots.private_files import refuse_other

COLOURS = 128
FILM = b"GIF8"
"""What a GIF begins with."""


def write_film(frames: Sequence[bytes], file: Path, seconds_each: float) -> None:
    """Raises OSError, also where something else than a film lies. The frames are PNGs of one
    size."""
    refuse_other(file, FILM)
    pictures = [Image.open(io.BytesIO(frame)).convert("RGB").quantize(COLOURS) for frame in frames]
    pictures[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=round(seconds_each * 1000),
        loop=0,
    )
