"""Whether a disk has room again after it was full."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOM_BYTES = 256 * 1024  # with less, one write may fit and the next fails


def has_room(folder: Path) -> bool:
    """Whether a folder's disk takes more than a few small writes; yes where it does not say."""
    try:
        disk = shutil.disk_usage(folder)
    except OSError:
        return True
    return disk.total == 0 or disk.free >= ROOM_BYTES
