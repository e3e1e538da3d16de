"""On the real server, with small talk as shipped: a bot knows a person again after a week, what it
was told and what it did."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from e2e.daemon_process import DaemonProcess, Site
from e2e.people import LOOK_AGAIN_S, People

from bots.store.database import FILE_NAME

pytestmark = pytest.mark.real

A_WEEK_US = 7 * 86_400 * 1_000_000
TIMES = {
    "hearings": ("heard_at",),
    "recall_lines": ("heard_at",),
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


async def learnt(daemon: DaemonProcess, asked: str, known: str) -> None:
    """Wait until Alice knows it: she writes down what she learnt while she talks on."""
    async with asyncio.timeout(30):
        while known not in json.dumps(await daemon.command("Alice", asked)):  # noqa: ASYNC110
            await asyncio.sleep(LOOK_AGAIN_S)


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
        await steve.asks("Alice", "My sister is called Mia.")
        await steve.tells_server("/give Alice oak_planks 2")
        await steve.whispers("Alice", "!skill craft stick 4")
        await steve.hears("Alice", 30, containing="stick")
        told = await steve.asks("Alice", "What have you made for me?")
        assert "I made 4 sticks for you at " in told
        await steve.tells_server(f"/give {steve.name} apple 2")
        await steve.throws("apple", 2)
        await steve.whispers("Alice", "!navigation pickupItems")
        await steve.hears("Alice", 30, containing="apple")
        told = await steve.asks("Alice", "No, the mill is in the north")
        assert told == "I will remember that."
        await learnt(daemon, "!knowledge mill", "mill")
        await steve.whispers("Alice", "!knowledge mill")
        corrected = await steve.hears("Alice", containing="mill")
        assert "Steve told me" in corrected
        assert "the mill is in the north" in corrected
        await steve.tells_server("/kill Alice")
        await steve.whispers("Alice", "!goal inventory.nether_star:1")
        await steve.hears("Alice", 60, containing="not possible")
        await learnt(daemon, "!knowledge nether_star", "I failed to get nether")
        await steve.whispers("Alice", "!knowledge nether_star")
        await steve.hears("Alice", containing="I failed to get nether")
        await learnt(daemon, "!knowledge died", "I died at")
        await steve.whispers("Alice", "!knowledge died")
        await steve.hears("Alice", containing="I died at")
        await steve.whispers("Alice", "!knows")
        told = await steve.hears("Alice", containing="first met")
        assert "You said you live “at the lake”." in told
        assert "You gave me 2 apple today." in told
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
        told = await steve.asks("Alice", "What have you made for me?")
        assert "I made 4 sticks for you a week ago" in told
        assert "あなたのために棒×4" in await steve.asks("Alice", "私に何を作ってくれた？")
        assert "Mia" in await steve.asks("Alice", "What is my sister's name?")
        await ann.whispers("Alice", "!recall sticks for Steve")
        assert "sticks" not in await ann.hears("Alice", containing="recall")
        await ann.whispers("Alice", "!knows Steve")
        assert "lake" not in await ann.hears("Alice", containing="Steve and I first met")
        await steve.whispers("Alice", "forget me")
        assert "I have forgotten what I knew of you" in await steve.hears(
            "Alice", containing="forgotten"
        )
        await steve.whispers("Alice", "!knows")
        assert "at the lake" not in await steve.hears("Alice")
        assert daemon.tracebacks == []
