"""A data folder of 0.1.0 is opened by this version: all of it is read, and nothing is lost."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.rig import until
from support.version_0_1_0 import ENDED_AT, LEFT, OLDER_THAN_NOW, data_folder

from bots.app import Daemon
from bots.clock import EPOCH, Times
from bots.errors import SettingsError
from bots.goals.runner.step_times import StepTimes
from bots.responder.records.file import RecordFile
from bots.responder.reflection.storage import SqliteThoughts
from bots.settings.idle import IdleSettings
from bots.settings.loading import load_settings
from bots.settings.settings import HistorySettings, LlmSettings, Settings, TalkSettings
from bots.store.database import FILE_NAME, Store, steps_ahead
from bridge import FakeBridge, FakeWorld, VirtualClock

pytestmark = pytest.mark.anyio

BOTS = ("Alice", "Bob")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return data_folder(tmp_path / "data")


def rows_of(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table, without the indices of words."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        connection.row_factory = sqlite3.Row
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        names = [name for (name,) in found if "_index" not in name]
        return {
            name: [dict(r) for r in connection.execute(f"SELECT * FROM {name}")] for name in names
        }


async def migrate(folder: Path) -> None:
    await (await Store.open(folder / FILE_NAME)).aclose()


def test_the_folder_holds_every_kind_of_row_that_0_1_0_wrote(folder: Path) -> None:
    rows = rows_of(folder)
    assert {name: len(found) > 0 for name, found in rows.items()} == dict.fromkeys(rows, True)
    kinds = {(row["kind"], row["audience"], row["delivered"]) for row in rows["utterances"]}
    assert {kind for kind, _, _ in kinds} == {"conversation", "system_info"}
    assert {audience for _, audience, _ in kinds} == {None, "all", "public"}
    assert {delivered for _, _, delivered in kinds} == {None, 0, 1}
    assert {row["ended"] is None for row in rows["talks"]} == {True, False}


async def test_no_row_of_0_1_0_is_lost_or_changed(folder: Path) -> None:
    """Summaries were of a view: one view of each bot stays, as its step says."""
    before = rows_of(folder)
    await migrate(folder)
    after = rows_of(folder)
    for name in before.keys() - {"summaries"}:
        columns = before[name][0].keys()
        kept = [{column: row[column] for column in columns} for row in after[name]]
        assert kept == before[name], name
    views = {
        bot: Counter(s["level"] for s in before["summaries"] if s["bot"] == bot) for bot in BOTS
    }
    kept_views = Counter(row["bot"] for row in after["summaries"])
    assert {bot: kept_views[bot] in view.values() for bot, view in views.items()} == {
        "Alice": True,
        "Bob": True,
    }


async def test_what_it_would_migrate_is_told_and_done_once(folder: Path) -> None:
    before = (folder / FILE_NAME).read_bytes()
    ahead = steps_ahead(folder / FILE_NAME)
    assert ahead[:2] == ("where words come from", "charges by uptime")
    assert (folder / FILE_NAME).read_bytes() == before
    await migrate(folder)
    assert steps_ahead(folder / FILE_NAME) == ()


def daemon_of(folder: Path) -> Daemon:
    """Today's, on the day that the other ended."""
    bridge = FakeBridge(FakeWorld(clock=VirtualClock(ENDED_AT)))
    bridge.world.person("Steve")
    settings = Settings(
        data_dir=folder,
        history=HistorySettings(view=1000),
        talk=TalkSettings(small_talk=False),
        idle=IdleSettings(enabled=False),
        llm=LlmSettings(briefing=False),
    )
    return Daemon(settings, bridge=bridge, times=Times.of(bridge.world.clock))


async def test_a_daemon_of_today_knows_all_that_0_1_0_remembered(folder: Path) -> None:
    before = rows_of(folder)
    said = {row["id"]: json.loads(row["content"]) for row in before["utterances"]}
    async with daemon_of(folder) as daemon:
        for name in BOTS:
            heard = [row for row in before["hearings"] if row["bot"] == name]
            words = [said[row["utterance_id"]] for row in heard]
            history = daemon.bot(name).get_conversation_history()[: len(heard)]
            assert [line.sequence for line in history] == [row["sequence"] for row in heard]
            assert [plain(line.content) for line in history] == words
        places = [place.name for place in daemon.bot("Alice").locations.all()]
        assert places == ["home", "川辺"]
        spent = sum(row["nanodollars"] for row in before["charges"])
        assert daemon.responders.budget.spent() == spent
        async with asyncio.timeout(10):  # older lines are entered beside the work
            while len(await daemon.bot("Alice").recall("waterfall", 5)) < 2:
                pass


def plain(content: object) -> object:
    """A line that was told somebody is told with how it fared; its words are `message`."""
    return content["message"] if isinstance(content, dict) else content


async def test_the_talk_that_the_kill_cut_off_goes_on(folder: Path) -> None:
    async with daemon_of(folder) as daemon:
        await until(lambda: len(list(daemon.trace.recent("talk.resumed"))) == 1)
        (resumed,) = daemon.trace.recent("talk.resumed")
        assert resumed.facts == {"talk": 2, "lines": 5}


async def test_its_thoughts_times_and_decisions_are_read(folder: Path) -> None:
    store = await Store.open(folder / FILE_NAME)
    thoughts = [await SqliteThoughts(store).load(name) for name in BOTS]
    await StepTimes().load(store)
    await store.aclose()
    assert [[one.summary for one in of_bot] for of_bot in thoughts] == [
        ["People here try out what I can do; be of use to them."]
    ] * 2
    written = (LEFT / "log/decisions.jsonl").read_text().splitlines()
    read = list(RecordFile(folder).read_back(EPOCH))
    assert len(read) == len(written)
    assert {"decision.made", "reply.sent"} <= {record["name"] for record in read}


def test_settings_of_0_1_0_are_taken_and_what_is_gone_is_told(folder: Path) -> None:
    file = folder / "townsfolk.toml"
    with pytest.raises(SettingsError) as refused:
        load_settings(file, {})
    (told,) = str(refused.value).splitlines()
    assert told.startswith(f"{OLDER_THAN_NOW}: ")
    assert "townsfolk up --server" in told
    file.write_text(file.read_text().replace('version = "1.16.5"\n', ""))
    settings = load_settings(file, {})
    assert settings.permissions.owners == ("Steve",)
    assert settings.llm.sonnet_price == (3.0, 15.0, 0.3, 3.75)
    assert settings.chat.auto_replies[0].reply == "Be kind."
    assert settings.dashboard.host_names == ("town.example",)
