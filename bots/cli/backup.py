"""`townsfolk backup` and `townsfolk restore`: what they tell."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bots.daemon import backup
from bots.daemon.backup import MB, Backup, BackupRefused, Brought
from bots.observability.redaction import HIDDEN, Redactor
from bots.settings.loading import FILE_NAME
from bots.settings.settings import is_secret
from bots.store.migrations import newest
from bots.text.printable import printable
from bots.text.reading import text_of


def back_up(
    data_dir: Path, folder: Path, config: Path | None, complain: Callable[[str], None]
) -> str:
    """What was made. What is not in it is complained of. Raises BotError subclasses."""
    made = backup.back_up(data_dir, folder, config)
    if made.left_out:
        complain(f"not in the backup, as it is not ours: {', '.join(made.left_out)}")
    return f"Backup: {folder} ({_size(made)})"


def put_back(
    folder: Path,
    data_dir: Path,
    take_settings: bool | None,
    ask: Callable[[str], bool] | None,
    complain: Callable[[str], None],
) -> str:
    """What was put back. Raises BotError subclasses.

    Settings that come along are shown, and asked about unless `take_settings` says; where nobody
    can be asked, it is refused."""

    def agree(brought: Brought) -> bool:
        if take_settings is False:
            return False
        for line in _shown(brought):
            complain(line)
        if take_settings is None and ask is None:
            raise BackupRefused(
                "nothing was put back: this backup brings settings; --settings takes them, "
                "--no-settings leaves them out"
            )
        return take_settings or (ask is not None and ask("Put these settings back, too?"))

    manifest = (found := backup.put_back(folder, data_dir, agree)).manifest
    made = f"{manifest.made_at.astimezone():%Y-%m-%d %H:%M}"
    told = f"Restored: {data_dir} ({_size(found)}, made on {made})"
    behind = newest() - manifest.database
    if behind:
        told += f"; the next start brings its database on by {behind} steps"
    return f"{told}\nNow start: townsfolk up"


def _shown(brought: Brought) -> Iterator[str]:
    """What they say; secrets stay hidden."""
    yield "this backup brings settings:"
    for account in brought.accounts:
        yield f"  an account of Microsoft for {account}"
    try:
        table = tomllib.loads(text_of(brought.settings or b""))
    except (ValueError, RecursionError):
        raise BackupRefused(
            f"the {FILE_NAME} of this backup is not TOML; --no-settings leaves it out"
        ) from None
    for name, value in _leaves(table):
        shown = HIDDEN if is_secret(name) else json.dumps(value, ensure_ascii=False, default=str)
        yield printable(f"  {name} = {Redactor().text(shown)}")


def _leaves(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _size(made: Backup) -> str:
    manifest = made.manifest
    return f"{len(manifest.files)} files, {manifest.size / MB:.1f} MB"
