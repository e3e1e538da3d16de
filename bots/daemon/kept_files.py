"""Which files of a data folder a backup holds, besides the database: nothing else is put back."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from pathlib import Path

from bots.cluster.home import FILE_NAME as HOME
from bots.daemon.data_folder import CHAT_HISTORY_NAME, EXPERIMENTS_FOLDER
from bots.observability.logs import LOG_FOLDER
from bots.responder.case.persona import PERSONA_FOLDER
from bots.responder.records.keeper import FILE_NAME as DECISIONS
from bots.responder.records.keeper import PROMPTS_NAME as PROMPTS
from bots.settings.loading import FILE_NAME as CONFIG_NAME
from bots.settings.settings import ACCOUNTS_FOLDER

KB, MB, GB = 1_000, 1_000_000, 1_000_000_000
_ONE = r"[^./\\:][^/\\:]{0,254}"  # a name that is not hidden
_BELOW = rf"{_ONE}(?:/{_ONE}){{0,9}}"

KEPT = {
    re.escape(CONFIG_NAME): MB,
    re.escape(CHAT_HISTORY_NAME): 100 * MB,
    re.escape(HOME): KB,
    f"{PERSONA_FOLDER}/{_BELOW}": 100 * MB,
    f"{ACCOUNTS_FOLDER}/{_ONE}": MB,
    f"{EXPERIMENTS_FOLDER}/{_BELOW}": 4 * GB,
    rf"{LOG_FOLDER}/(?:{re.escape(DECISIONS)}|{re.escape(PROMPTS)})[.\d]*": 4 * GB,
}
"""Paths in the data folder, and how many bytes each file may have; the other logs are not kept, nor
what others put there."""
FOLDERS = (PERSONA_FOLDER, ACCOUNTS_FOLDER, EXPERIMENTS_FOLDER)
_PATTERNS = {re.compile(pattern): most for pattern, most in KEPT.items()}


def is_kept(name: str, size: int) -> bool:
    """Whether a backup may hold a file of this path and size."""
    fits = (most for pattern, most in _PATTERNS.items() if pattern.fullmatch(name))
    return name.isprintable() and size <= next(fits, -1)


def is_setting(name: str) -> bool:
    """Whether it says what a daemon does, or as whom its bots join."""
    return name == CONFIG_NAME or name.startswith(f"{ACCOUNTS_FOLDER}/")


def files_in(source: Path) -> Iterator[tuple[str, Path]]:
    """What is kept of a data folder: its path in the backup, and where it lies."""
    for path in _candidates(source):
        name = path.relative_to(source).as_posix()
        if is_kept(name, path.stat().st_size):
            yield name, path


def left_in(source: Path) -> Iterator[str]:
    """What lies among that and is not kept: hidden, or larger than anything of ours."""
    kept = {path for _, path in files_in(source)}
    for path in _candidates(source):
        if path not in kept and path.parent != source / LOG_FOLDER:
            yield path.relative_to(source).as_posix()


def _candidates(source: Path) -> Iterator[Path]:
    top = [source / name for name in (CONFIG_NAME, CHAT_HISTORY_NAME, HOME)]
    # Of records the newest come first: one that is renamed meanwhile comes twice, not never.
    below = [path for name in FOLDERS for path in sorted((source / name).glob("**/*"))]
    for path in (*top, *below, *sorted((source / LOG_FOLDER).glob("*"))):
        if path.is_file():
            yield path


def is_plain(folder: Path, name: str) -> bool:
    """Whether this is a file itself, and its folders are: no link, no pipe, no device.

    Raises OSError when it is not there."""
    *folders, _ = (folder / name).relative_to(folder).parts
    at = folder
    for part in folders:
        at /= part
        if not stat.S_ISDIR(at.lstat().st_mode):
            return False
    return stat.S_ISREG((folder / name).lstat().st_mode)
