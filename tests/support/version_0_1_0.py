"""What townsfolk 0.1.0 left behind in a data folder, on the day it was killed there.

Made by that version itself, on its embedded server with a scripted model: two bots, a person,
places, group and public lines, a goal that was reached and one that is impossible, a talk that
ended and one that the kill cut off. `townsfolk.toml` has every key that 0.1.0 knew.
"""

from __future__ import annotations

import gzip
import shutil
from datetime import UTC, datetime
from pathlib import Path

from bots.store.database import FILE_NAME

LEFT = Path(__file__).parents[1] / "data" / "data_folder_0_1_0"
ENDED_AT = datetime(2026, 11, 23, 17, 21, 17, tzinfo=UTC)
OLDER_THAN_NOW = "embedded.version"
"""The one setting that is gone."""


def data_folder(folder: Path) -> Path:
    """A copy of it, for a test to open."""
    shutil.copytree(LEFT, folder)
    packed = folder / f"{FILE_NAME}.gz"
    (folder / FILE_NAME).write_bytes(gzip.decompress(packed.read_bytes()))
    packed.unlink()
    return folder
