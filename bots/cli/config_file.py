"""Changes the names of the bots in a townsfolk.toml; all else in it stays as people wrote it."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from bots.errors import SettingsError
from bots.private_files import for_owner_alone, make_private_folder
from bots.text.reading import NotText, read_text

_SECTION = re.compile(r"^[ \t]*\[bots\][ \t]*(#.*)?$", re.M)
_ANY_SECTION = re.compile(r"^[ \t]*\[", re.M)
_NAMES = re.compile(r"^(\s*names\s*=\s*)\[[^\]]*\]", re.M)


def write(file: Path, text: str) -> None:
    """Put a configuration in place in one step, for its owner alone. Raises SettingsError."""
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        make_private_folder(file.parent)
        with open(draft, "x", encoding="utf-8", opener=for_owner_alone) as out:
            out.write(text)
        draft.replace(file)
    except OSError as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise SettingsError(f"cannot write {file}: {error.strerror}") from error


def keep_names(file: Path, names: Sequence[str]) -> None:
    """Write these names of bots into the file, made if missing. Raises SettingsError."""
    try:
        text = read_text(file) if file.exists() else ""
        changed = with_names(text, names)
    except OSError as error:
        raise SettingsError(f"cannot read {file}: {error.strerror}") from error
    except NotText as error:
        raise SettingsError(f"{file}: {error}") from error
    write(file.resolve(), changed)


def with_names(text: str, names: Sequence[str]) -> str:
    """The configuration with these names of bots.

    Raises SettingsError where it is written in a way that only a person should change."""
    wanted, written = tomllib.loads(text), json.dumps(list(names))
    wanted.setdefault("bots", {})["names"] = list(names)
    changed = _with_names(text, written)
    if _parsed(changed) != wanted:
        raise SettingsError(f"write it yourself: names = {written} below [bots]")
    return changed


def _parsed(text: str) -> dict[str, object] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _with_names(text: str, names: str) -> str:
    section = _SECTION.search(text)
    if section is None:
        before = f"{text.rstrip()}\n\n" if text.strip() else ""
        return f"{before}[bots]\nnames = {names}\n"
    end = _ANY_SECTION.search(text, section.end())
    at, to = section.end(), end.start() if end else len(text)
    body, count = _NAMES.subn(lambda found: f"{found[1]}{names}", text[at:to], count=1)
    return text[:at] + (body if count else f"\nnames = {names}{text[at:to]}") + text[to:]
