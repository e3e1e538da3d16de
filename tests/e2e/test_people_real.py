"""On the real server, with small talk as shipped: a bot knows a person again after a week."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from e2e.daemon_process import Site
from e2e.people import People

from bots.store.database import FILE_NAME

pytestmark = [pytest.mark.anyio, pytest.mark.real]

A_WEEK_US = 7 * 86_400 * 1_000_000
TIMES = {
    "hearings": ("heard_at",),
    "utterances": ("said_at",),
    "card_facts": ("at",),
    "meetings": ("first_at", "began_at", "last_at"),
}
LIVELY = {
    "TOWNSFOLK_TALK__SMALL_TALK": "true",
    "TOWNSFOLK_TALK__SMALL_TALK_EVERY_S": "3",
    "TOWNSFOLK_IDLE__ENABLED": "true",
}


def a_week_passes(data_dir: Path) -> None:
    """All that is stored happened a week earlier."""
    with closing(sqlite3.connect(data_dir / FILE_NAME)) as connection, connection:
        for table, columns in TIMES.items():
            moved = ", ".join(f"{column} = {column} - {A_WEEK_US}" for column in columns)
            connection.execute(f"UPDATE {table} SET {moved}")


async def test_a_person_is_known_again_after_a_week_and_forgotten_on_request(
    new_site: Callable[[], Site], people: People
) -> None:
    site = new_site()
    async with (
        site.up("--bots", "Alice", "--owner", "Steve") as daemon,
        people.player(daemon.minecraft, is_known=True) as steve,
    ):
        await steve.asks("Alice", "I live at the lake")
        await steve.tells_server("/give Alice bread 3")
        await steve.whispers("Alice", "give me 2 bread")
        await steve.hears("Alice", 30, containing="Here")
        await steve.whispers("Alice", "!knows")
        told = await steve.hears("Alice", containing="first met")
        assert "You said you live “at the lake”." in told
        assert daemon.tracebacks == []
    a_week_passes(site.data_dir)
    async with (
        site.up("--bots", "Alice", "--owner", "Steve", **LIVELY) as daemon,
        people.player(daemon.minecraft, is_known=True) as steve,
        people.player(daemon.minecraft, "Ann", is_known=True) as ann,
    ):
        assert "Steve" in await steve.hears("Alice", 40, containing="a week")
        told = await steve.asks("Alice", "What do you know about me?")
        assert "met a week ago" in told
        assert "“at the lake”" in told
        await steve.whispers("Alice", "What have you given me?")
        assert "I gave you 2 bread a week ago." in await steve.hears("Alice", containing="bread")
        await ann.whispers("Alice", "!knows Steve")
        assert "lake" not in await ann.hears("Alice", containing="Steve and I first met")
        await steve.whispers("Alice", "forget me")
        assert "I have forgotten what I knew of you" in await steve.hears(
            "Alice", containing="forgotten"
        )
        await steve.whispers("Alice", "!knows")
        assert "at the lake" not in await steve.hears("Alice")
        assert daemon.tracebacks == []
