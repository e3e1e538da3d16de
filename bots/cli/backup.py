"""`townsfolk backup` and `townsfolk restore`: what they tell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bots.daemon import backup
from bots.daemon.backup import MB, Backup
from bots.store.migrations import MIGRATIONS


def back_up(
    data_dir: Path, folder: Path, config: Path | None, complain: Callable[[str], None]
) -> str:
    """What was made. What is not in it is complained of. Raises BotError subclasses."""
    made = backup.back_up(data_dir, folder, config)
    if made.left_out:
        complain(f"not in the backup, as it is not ours: {', '.join(made.left_out)}")
    return f"Backup: {folder} ({_size(made)})"


def put_back(folder: Path, data_dir: Path) -> str:
    """What was put back. Raises BotError subclasses."""
    manifest = (found := backup.put_back(folder, data_dir)).manifest
    made = f"{manifest.made_at.astimezone():%Y-%m-%d %H:%M}"
    told = f"Restored: {data_dir} ({_size(found)}, made on {made})"
    behind = len(MIGRATIONS) - manifest.database
    if behind:
        told += f"; the next start brings its database on by {behind} steps"
    return f"{told}\nNow start: townsfolk up"


def _size(made: Backup) -> str:
    manifest = made.manifest
    return f"{len(manifest.files)} files, {manifest.size / MB:.1f} MB"
