"""Files and folders that only their owner can read; and whether a file's last line is torn."""

from __future__ import annotations

import os
import shutil
import stat
from errno import EEXIST
from itertools import chain, count
from pathlib import Path
from typing import BinaryIO

ROOM_BYTES = 256 * 1024  # with less, one write may fit and the next fails


def has_room(folder: Path) -> bool:
    """Whether a folder's disk takes more than a few small writes; yes where it does not say."""
    try:
        disk = shutil.disk_usage(folder)
    except OSError:
        return True
    return disk.total == 0 or disk.free >= ROOM_BYTES


FOLDER_MODE = 0o700
FILE_MODE = 0o600
OTHERS = 0o077


def make_private_folder(folder: Path) -> None:
    """Make a folder and its missing parents, all for their owner alone. Raises OSError.

    A folder that is there already stays as it is."""
    for missing in reversed([folder, *folder.parents]):  # `parents=True` would be open to all
        missing.mkdir(mode=FOLDER_MODE, exist_ok=True)


def make_private(path: Path) -> bool:
    """Close a file or folder of ours to everybody else; False when it is not ours to close.

    Raises OSError when there is none. On Windows, where folders of users are private, it does
    nothing."""
    if os.name != "posix":
        return True
    found = path.stat()
    if found.st_mode & OTHERS == 0:
        return True
    if found.st_uid != os.geteuid() or found.st_mode & stat.S_ISVTX:  # one for everybody, as /tmp
        return False
    path.chmod(found.st_mode & ~OTHERS)
    return True


def for_owner_alone(path: str, flags: int) -> int:
    """An opener for `open`: a file that it makes can be read by its owner alone."""
    return os.open(path, flags, FILE_MODE)


def free_name(path: Path) -> Path:
    """This path, or the first with a number behind it that nothing has yet."""
    numbered = (path.with_name(f"{path.name}.{number}") for number in count(2))
    return next(one for one in chain([path], numbered) if not os.path.lexists(one))


def refuse_other(file: Path, start: bytes) -> None:
    """Raises FileExistsError where a file begins in another way than those we write there, unless
    it is empty, and for a link to nothing."""
    found = start
    if file.is_file():
        with file.open("rb") as there:
            found = there.read(len(start)) or start
    if found != start or (file.is_symlink() and not file.exists()):
        raise FileExistsError(EEXIST, "it is there already, and is something else", str(file))


def write_private(path: Path, text: str) -> None:
    """Write a text that its owner alone can read, also where there is a file already.

    Raises OSError."""
    with open(path, "w", encoding="utf-8", newline="\n", opener=for_owner_alone) as out:
        make_private(path)
        out.write(text)


def ends_torn(file: BinaryIO) -> bool:
    """Whether the last line of a file of lines has no end, as after a power cut."""
    if file.seek(0, os.SEEK_END) == 0:
        return False
    file.seek(-1, os.SEEK_END)
    return file.read(1) != b"\n"
