"""A data folder as a daemon leaves it, without starting one."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bots.daemon.backup import BackupRefused, put_back
from bots.store.database import FILE_NAME, bring_to_newest

FILES = {
    "townsfolk.toml": '[bots]\nnames = ["Alice", "Bob"]\n\n[permissions]\nowners = ["Steve"]\n',
    "bots/Alice/persona.md": "Alice is curious.\n",
    "bots/Alice/core_memory.md": "- Steve likes bridges.\n",
    "bots/Bob/persona.md": "Bob is patient.\n",
    "bots/Bob/core_memory.md": "- Alice builds.\n",
    "log/decisions.jsonl": '{"name": "decision.made"}\n',
}


def data_folder(folder: Path) -> Path:
    """Two bots with personas and a line that both heard."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / name).write_text(text)
    bring_to_newest(folder / FILE_NAME)
    with closing(sqlite3.connect(folder / FILE_NAME)) as database, database:
        database.execute(
            "INSERT INTO utterances (id, speaker, content, kind, said_at, sources)"
            " VALUES (1, 'Steve', ?, 'conversation', 1, '')",
            (json.dumps("We build a bridge."),),
        )
        for bot in ("Alice", "Bob"):
            database.execute(
                "INSERT INTO hearings (bot, sequence, utterance_id, heard_at) VALUES (?, 1, 1, 1)",
                (bot,),
            )
    return folder


def make_before_1_0(path: Path) -> None:
    """A database with the tables that those of before had."""
    with closing(sqlite3.connect(path)) as old:
        for name in ("utterances", "hearings", "charges"):
            old.execute(f"CREATE TABLE {name} (id INTEGER)")
        old.execute("PRAGMA user_version = 27")


def refused(backup: Path, to: Path) -> str:
    """Why a backup is not put back there; nothing of it is."""
    with pytest.raises(BackupRefused) as refusal:
        put_back(backup, to)
    found = {path.name for path in to.rglob("*")} if to.exists() else set()
    assert found <= {"daemon.lock"}
    assert str(refusal.value).isprintable()
    return str(refusal.value)
