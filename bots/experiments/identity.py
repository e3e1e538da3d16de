"""What a run was played with. Runs are one condition only where all of it is the same."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

import bots
from bridge.child_environment import child_environment

SHOWN = 8  # digits of a digest
PARTS = ("scenario", "code", "prompt", "model", "settings of the model", "version")


def digest(text: str | bytes) -> str:
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def digest_of(facts: Any) -> str:
    """Of what JSON can hold; the order of keys makes no difference."""
    return digest(json.dumps(facts, sort_keys=True, ensure_ascii=False))


@cache
def versions() -> Mapping[str, str]:
    """Of this program, with the commit where it runs from its repository, and of Python."""
    commit = (git_of(Path(bots.__file__).parents[1]) or {}).get("commit", "")
    ours = version("townsfolk") + (f"+{commit[:SHOWN]}" if commit else "")
    return {"townsfolk": ours, "python": python_version()}


@cache
def git_of(folder: Path) -> Mapping[str, Any] | None:
    """The commit of a folder at the root or inside of a repository, and whether what is in it was
    changed since; None: it is in none, or there is no git."""

    def git(*words: str) -> str | None:
        if (program := shutil.which("git")) is None:
            return None
        command, env = [program, "-C", str(folder), *words], child_environment()
        try:
            told = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
        except (OSError, ValueError):
            return None
        return told.stdout.strip() if told.returncode == 0 else None

    commit = git("rev-parse", "HEAD")
    if commit is None:
        return None
    return {"commit": commit, "changed": bool(git("status", "--porcelain", "--", "."))}


def parts_of(header: Mapping[str, Any], answered_by: Iterable[str]) -> dict[str, str]:
    """By the first line of a log and the models that answered: each part that runs of one condition
    share, as text. Logs of schema 1 do not tell them."""
    identity, models = header.get("identity"), header.get("models")
    if not isinstance(identity, dict):
        return {"version": "not recorded", "model": ", ".join(sorted({*answered_by}))}
    asked = models if isinstance(models, dict) else {}
    names = {*answered_by, *asked.get("named", {}).values()}
    return {
        "scenario": str(identity["scenario"]),
        "code": digest_of(identity["code"]) if identity["code"] else "",
        "prompt": str(identity["prompts"]),
        "model": ", ".join(sorted(names)),
        "settings of the model": digest_of(asked) if asked else "",
        "version": " ".join(f"{name} {one}" for name, one in identity["versions"].items()),
    }


def shown(part: str, value: str) -> str:
    """A part for people: digests are cut."""
    is_digest = part in ("scenario", "code", "prompt", "settings of the model")
    return f"{part} {value[:SHOWN] if is_digest else value}".rstrip()
