"""The whole daemon on the simulated world, as a user's test would run it."""

import asyncio
import io
import json
import os
import sqlite3
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import httpx2
import pytest
import structlog
from structlog.testing import capture_logs
from support.daemons import Town, answering_only, beside, operator_of
from support.full_disk import full_disk
from support.live_talks import is_summary, said
from support.rig import until

from bots.access.origin import Level
from bots.app import Daemon
from bots.bot.result import Result
from bots.clock import Times
from bots.commands.catalogue import commands, handle_chat_command
from bots.daemon import daemon_file
from bots.daemon.closings import FORGETFUL
from bots.daemon.daemon_file import DaemonRunning
from bots.daemon.residence import HomeLost
from bots.daemon.shared import permissions_of
from bots.errors import SettingsError
from bots.observability.logs import logging_to
from bots.observability.trace import TraceReader
from bots.registry.args import NoArgs
from bots.registry.registry import CommandContext, CommandRegistry
from bots.responder.records.keeper import RecordKeeper
from bots.settings.settings import (
    BotsSettings,
    DashboardSettings,
    LogSettings,
    PermissionSettings,
    ServerSettings,
    Settings,
    TalkSettings,
)
from bots.store import database
from bridge import FakeBridge
from bridge.errors import SpawnFailed
from bridge.world import Position
from llm.function_model import FunctionModel
from llm.model import Completion, Question

pytestmark = pytest.mark.slow

WITHIN_S = 30.0  # for what takes a moment; a busy machine is no failure
SOON_S = 5.0  # well below the time an answer may take


def settings(data_dir: Path, *names: str) -> Settings:
    return answering_only(data_dir, *(names or ("Alice", "Bob")), dashboard=DashboardSettings())


@asynccontextmanager
async def daemon_on(
    town: Town, *names: str, model: FunctionModel | None = None
) -> AsyncIterator[Daemon]:
    async with Daemon(
        settings(town.folder, *names), bridge=town.bridge, model=model, times=beside(town.bridge)
    ) as daemon:
        assert await daemon.all_joined(WITHIN_S)
        yield daemon


def operator_at(town: Town) -> httpx2.AsyncClient:
    """Somebody with the token."""
    found = daemon_file.read(town.folder).dashboard
    return httpx2.AsyncClient(base_url=found.url, headers=found.bearer)


async def test_a_whisper_is_answered_truly_as_the_world_is_and_both_are_remembered(
    town: Town,
) -> None:
    steve = town.world.person("Steve")
    async with daemon_on(town) as daemon:
        for asked, told in (("Where are you?", "8 64 8"), ("どこにいますか？", "100 70 -21")):
            steve.whisper("Alice", asked)
            heard = await steve.hears()
            assert (heard.sender, told in heard.text) == ("Alice", True)
            town.world.teleport("Alice", Position(100.5, 70, -20.5))
        alice = daemon.bot("Alice")
        await until(lambda: len(alice.get_conversation_history()) == 4)
        roles = [message.role for message in alice.get_conversation_history()]
        assert roles == ["user", "assistant"] * 2
        assert daemon.bot("Bob").get_conversation_history() == []


async def test_the_model_answers_when_there_is_one(town: Town) -> None:
    steve = town.world.person("Steve")
    async with daemon_on(town, model=FunctionModel(lambda _: "Forty-two.")) as daemon:
        steve.whisper("Alice", "What is the answer?")
        assert (await steve.hears()).text == "Forty-two."
        made = next(daemon.trace.recent("decision.made"))
        assert made.facts["source"] == "model"


async def test_a_model_that_cannot_be_loaded_is_replaced_by_rules(town: Town) -> None:
    class Missing(FunctionModel):
        async def warm(self) -> None:
            raise ImportError("no such package")

        async def complete(self, question: Question, *, deadline_s: float) -> Completion:
            raise ImportError("no such package")

    steve = town.world.person("Steve")
    model = Missing(lambda _question: "never")
    async with daemon_on(town, model=model) as daemon:
        steve.whisper("Alice", "Where are you?")
        assert "8 64 8" in (await steve.hears()).text
        assert not daemon.failure.done()


async def test_histories_are_there_after_a_restart_and_sequences_go_on(town: Town) -> None:
    async with daemon_on(town) as daemon:
        await daemon.bot("Alice").add_message("Steve", "remember me")
    second = FakeBridge()
    async with daemon_on(Town(second, town.folder)) as daemon:
        alice = daemon.bot("Alice")
        assert [m.content for m in alice.get_conversation_history()] == ["remember me"]
        assert (await alice.add_message("Steve", "again")).sequence == 2


async def test_bots_that_are_thrown_out_come_back_and_say_why(town: Town) -> None:
    async with daemon_on(town) as daemon:
        town.bridge.kill_node()
        await until(lambda: list(daemon.trace.recent("bridge.restored")))
        await until(lambda: len(daemon.roster.bots_online) == 2)
        told = {t.facts["cause"] for t in daemon.trace.recent("connection.changed")}
        assert "node_died" in told


async def test_who_asked_as_node_died_gets_one_answer_when_the_bot_is_back(town: Town) -> None:
    asked, may_answer = asyncio.Event(), asyncio.Event()

    async def think(question: Question) -> str:
        if is_summary(question):
            return ""
        asked.set()
        await may_answer.wait()
        return "Shakespeare did."

    model = FunctionModel(think)
    steve = town.world.person("Steve", Position(8.5, 64, 8.5))
    async with daemon_on(town, "Alice", model=model) as daemon:
        steve.whisper("Alice", "Who wrote Hamlet?")
        await asyncio.wait_for(asked.wait(), WITHIN_S)
        town.bridge.kill_node()
        may_answer.set()
        assert (await steve.hears()).text == "Shakespeare did."
        assert list(daemon.trace.recent("bridge.restored"))
        steve.whisper("Alice", "!echo still there?")
        assert "still there?" in (await steve.hears()).text  # and not the answer again
        kept = ("Who wrote Hamlet?", "Shakespeare did.")
        await until(lambda: said(daemon, "Alice") == [("Steve", kept[0]), ("Alice", kept[1])])


async def test_a_bot_taken_in_later_knows_its_fellows(town: Town) -> None:
    async with daemon_on(town, "Alice") as daemon:
        carol = await daemon.spawn("Carol", answers=False)
        told = await carol.tell("Alice", "hello", 15.0)
        assert told.success
        heard = daemon.bot("Alice").get_conversation_history()
        assert [(m.utterance.speaker, m.content) for m in heard][:1] == [("Carol", "hello")]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Carol Smith", "is no name; write 1 to 16 letters"),
        ("", "is no name"),
        ("C" * 17, "is no name"),
        ("alice", "lives here already"),
    ],
)
async def test_a_bot_without_its_own_name_is_not_taken_in(town: Town, name: str, why: str) -> None:
    async with daemon_on(town, "Alice") as daemon:
        with pytest.raises(ValueError, match=why):
            await daemon.spawn(name)
        assert [session.name for session in daemon.roster.sessions] == ["Alice"]


async def test_a_bot_that_may_not_join_is_told_with_the_reason(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.app.JOIN_WITHIN_S", 0.2)
    town.bridge.faults.refuse_spawn("Carol", "kicked", "You are not white-listed", times=99)
    async with daemon_on(town) as daemon:
        with pytest.raises(SpawnFailed, match="whitelist add"):
            await daemon.spawn("Carol")


async def test_the_file_leads_to_http_where_commands_need_its_token_and_act_as_owner(
    town: Town,
) -> None:
    town.world.person("Steve")
    async with daemon_on(town) as daemon:
        file = town.folder / daemon_file.FILE_NAME
        found, told = daemon_file.read(town.folder), json.loads(file.read_text())
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert found.bots == ("Alice", "Bob")
        assert set(told) == {"pid", "born_s", "server", "dashboard", "bots"}
        assert told["server"] == {"host": "127.0.0.1", "port": 25565, "version": "1.16.5"}
        assert set(told["dashboard"]) == {"url", "token"}
        body = {"text": "!chat Steve hello"}
        async with httpx2.AsyncClient(base_url=found.dashboard.url) as http:
            refused = await http.post("/api/bots/Alice/commands", json=body)
        assert refused.status_code == 401
        async with operator_at(town) as http:
            done = await http.post("/api/bots/Alice/commands", json=body)
            later = {"text": "!status", "wait": False}
            unwaited = await http.post("/api/bots/Alice/commands", json=later)
            states = (await http.get("/api/bots")).json()["bots"]
            await until(lambda: list(daemon.trace.recent("job.finished")))
            stopped = (await http.post("/api/stop")).json()
        assert (done.status_code, done.json()["success"]) == (200, True)
        assert unwaited.json() == {"success": True, "started": True, "actionId": "run-1"}
        online = [("Alice", "online"), ("Bob", "online")]
        assert [(bot["name"], bot["state"]) for bot in states] == online
        assert stopped == {"success": True, "stopped": {"Alice": [], "Bob": []}}


async def test_an_operator_is_answered_without_being_in_the_game(town: Town) -> None:
    async with daemon_on(town) as daemon:
        async with operator_at(town) as http:
            words = {"text": "Where are you?"}
            said = (await http.post("/api/bots/Alice/messages", json=words)).json()
            decisions = (await http.get("/api/decisions")).json()["decisions"]
            number = decisions[0]["id"]
            approved = (await http.post(f"/api/decisions/{number}/approve")).json()
            again = (await http.post(f"/api/decisions/{number}/reanalyse")).json()
            unknown = await http.post("/api/decisions/99999/approve")
        await until(lambda: len(list(daemon.trace.recent("decision.made"))) == 2)
    assert (said["source"], "8 64 8" in said["answer"]) == ("rules", True)
    assert (approved["success"], again["started"]) == (True, True)
    assert unknown.json()["reason"] == "unknown_decision"


async def test_each_of_two_operators_gets_the_answer_to_his_own_line(town: Town) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def answer(question: Question) -> str:
        asked.set()
        await go_on.wait()
        return "blue" if "colour" in question.turns[-1].text else "seven"

    model = FunctionModel(answer)
    async with daemon_on(town, model=model) as daemon:
        view = operator_of(daemon)
        first = asyncio.create_task(view.message("Alice", "Which colour?"))
        await asyncio.wait_for(asked.wait(), WITHIN_S)
        second = asyncio.create_task(view.message("Alice", "How many?"))
        await until(lambda: daemon.bot("Alice").latest_sequence() == 2)
        go_on.set()
        answers = [(await first)["answer"], (await second)["answer"]]
    assert answers == ["blue", "seven"]


async def test_an_operator_does_not_wait_for_an_answer_that_was_stopped(town: Town) -> None:
    asked = asyncio.Event()

    async def answer(_question: Question) -> str:
        asked.set()
        return await asyncio.Future[str]()

    async with daemon_on(town, model=FunctionModel(answer)) as daemon:
        view = operator_of(daemon)
        said = asyncio.create_task(view.message("Alice", "hello"))
        await asyncio.wait_for(asked.wait(), WITHIN_S)
        await view.stop_all()
        assert (await asyncio.wait_for(said, SOON_S))["answer"] is None


async def test_a_second_daemon_on_a_folder_is_refused_and_the_first_goes_on(town: Town) -> None:
    async with daemon_on(town) as daemon:
        with pytest.raises(DaemonRunning, match="already runs"):
            async with Daemon(settings(town.folder), bridge=FakeBridge()):
                pass
        result = await handle_chat_command(daemon.bot("Alice"), "tester", "!status")
        assert result.success


async def test_nothing_is_left_when_the_daemon_has_ended(town: Town) -> None:
    before = asyncio.all_tasks()
    async with daemon_on(town):
        pass
    assert asyncio.all_tasks() == before
    assert not (town.folder / daemon_file.FILE_NAME).exists()


async def test_what_keeps_the_daemon_running_does_not_break_silently(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with daemon_on(town) as daemon:

        def broken(*_: object) -> None:
            raise RuntimeError("a bug in the pump")

        monkeypatch.setattr(daemon.roster, "_route", broken)
        town.world.person("Steve")
        async with operator_at(town) as http:
            with pytest.raises(RuntimeError, match="a bug in the pump"):
                await asyncio.wait_for(daemon.failure, WITHIN_S)
            assert (await http.get("/healthz")).status_code == 503


async def test_a_full_disk_ends_nothing_and_is_over_when_there_is_room(town: Town) -> None:
    """The daemon ended on a full disk: now what cannot be written is refused in plain words,
    commands work, and all is remembered again once there is room."""
    steve = town.world.person("Steve")
    async with daemon_on(town) as daemon:
        with full_disk():
            steve.whisper("Alice", "Where are you?")
            assert (await steve.hears()).text == FORGETFUL
            steve.whisper("Alice", "!stop")
            assert (await steve.hears()).text == "Nothing was running."
            step = {"action": "gather", "target": "stone", "count": 1, "tool": None}
            daemon.trace.note("goal.step_done", "Alice", step=step, estimateS=1.0, tookS=1.0)
            async with operator_at(town) as http:
                answer = await http.post("/api/bots/Alice/messages", json={"text": "Hello?"})
                assert (answer.status_code, answer.json()["reason"]) == (503, "unavailable")
        assert not daemon.failure.done()
        assert daemon.bot("Alice").get_conversation_history() == []
        steve.whisper("Alice", "Where are you?")
        assert "8 64 8" in (await steve.hears()).text


async def test_what_is_read_by_commands_may_be_a_folder_by_mistake(town: Town) -> None:
    """A folder called daemon.json ended the start with a raw traceback."""
    (town.folder / "daemon.json").mkdir()
    with pytest.raises(SettingsError, match=r"daemon\.json is a folder"):
        async with daemon_on(town):
            pass


async def test_nothing_that_the_daemon_writes_is_open_to_other_users(town: Town) -> None:
    """Any user of the machine could read the persona files."""
    before = os.umask(0o000)
    try:
        with logging_to(town.folder / "data", LogSettings(), stream=io.StringIO()):
            steve = town.world.person("Steve")
            async with daemon_on(Town(town.bridge, town.folder / "data")):
                steve.whisper("Alice", "Where are you?")
                await steve.hears()
                found = [town.folder / "data", *(town.folder / "data").rglob("*")]
                modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in found}
    finally:
        os.umask(before)
    assert {"persona.md", "townsfolk.sqlite", "townsfolk.jsonl", "daemon.lock"} <= modes.keys()
    assert {name: mode for name, mode in modes.items() if mode & 0o077} == {}


def damage(file: Path) -> None:
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    pages = file.stat().st_size // 4096
    with file.open("r+b") as damaged:
        damaged.seek(pages // 2 * 4096)
        damaged.write(b"\xa5" * 4096 * (pages // 2))


def replace_it(file: Path) -> None:
    file.unlink()
    file.write_bytes(b"")


@pytest.mark.parametrize(
    ("harm", "told"),
    [(Path.unlink, "was deleted"), (replace_it, "was replaced"), (damage, "the file is damaged")],
    ids=["deleted", "replaced", "damaged"],
)
async def test_a_database_that_goes_away_under_the_daemon_is_told(
    town: Town, monkeypatch: pytest.MonkeyPatch, harm: Callable[[Path], None], told: str
) -> None:
    """The daemon called itself well, and the history was gone after the next start."""
    monkeypatch.setattr(database, "LOOK_EVERY_S", 0.01)
    async with daemon_on(town) as daemon:
        async with operator_at(town) as http:
            assert (await http.get("/healthz")).json()["database"] == "ok"
            harm(town.folder / "townsfolk.sqlite")
            async with asyncio.timeout(WITHIN_S):
                while (health := await http.get("/healthz")).status_code != 503:
                    pass
        assert (health.json()["ok"], told in health.json()["database"]) == (False, True)
        assert not daemon.failure.done()


@pytest.mark.parametrize("server", ["", "127.0.0.1"])
async def test_only_our_own_world_is_open_and_others_are_warned_of(town: Town, server: str) -> None:
    named = settings(town.folder).model_copy(update={"server": ServerSettings(host=server)})
    with capture_logs() as logged:
        async with Daemon(named, bridge=town.bridge, times=beside(town.bridge)) as daemon:
            assert daemon.bot("Alice").permissions.open_house is (server == "")
    events = [entry["event"] for entry in logged if entry["event"].startswith("permissions.")]
    assert events == ["permissions.weak" if server else "permissions.open_house"]


async def test_a_command_for_players_that_there_is_not_stops_the_start(town: Town) -> None:
    misspelt = PermissionSettings(player_commands=("info scanBlock",))
    wrong = settings(town.folder).model_copy(update={"permissions": misspelt})
    with pytest.raises(SettingsError, match=r"player_commands: .*info scanBlocks"):
        async with Daemon(wrong, bridge=town.bridge):
            pass


@pytest.mark.parametrize(
    ("listed", "level_of_echo"),
    [(None, Level.PLAYER), ((), Level.TRUSTED), (("echo",), Level.PLAYER)],
)
async def test_the_setting_leaves_players_only_the_commands_it_lists_and_never_takes_the_pin(
    town: Town, listed: tuple[str, ...] | None, level_of_echo: Level
) -> None:
    named = PermissionSettings(player_commands=listed)
    own = settings(town.folder).model_copy(update={"permissions": named})
    async with Daemon(own, bridge=town.bridge) as daemon:
        permissions = daemon.bot("Alice").permissions
    assert commands.find("echo").level_in(permissions) is level_of_echo
    assert commands.find("pin").level_in(permissions) is Level.PLAYER
    assert commands.find("goal").level_in(permissions) is Level.TRUSTED


def test_the_setting_leaves_commands_of_a_program_as_they_were_declared(tmp_path: Path) -> None:
    registry = CommandRegistry()

    @registry.command("wave", NoArgs)
    async def wave(_context: CommandContext, _args: NoArgs) -> Result:
        raise NotImplementedError

    named = PermissionSettings(player_commands=())
    own = settings(tmp_path).model_copy(update={"permissions": named})
    permissions = permissions_of(own, registry, Times.real(), is_ours_alone=False)
    assert registry.find("wave").level_in(permissions) is Level.PLAYER


async def test_bots_on_a_bridge_of_ones_own_are_as_quiet_as_the_settings_say(town: Town) -> None:
    shipped = Settings(data_dir=town.folder, bots=BotsSettings(names=("Alice", "Bob")))
    asked = shipped.model_copy(update={"talk": TalkSettings(small_talk=True, quiet=True)})
    for given, as_set in ((shipped, False), (asked, True)):
        async with Daemon(given, bridge=town.bridge, times=beside(town.bridge)) as daemon:
            assert daemon.settings.talk.small_talk is as_set
            assert daemon.bot("Alice").quiet is as_set
            assert daemon.settings.idle.enabled is False


async def test_the_first_bot_in_the_world_is_waited_for_and_no_other(tmp_path: Path) -> None:
    bridge = FakeBridge()
    bridge.faults.refuse_spawn("Alice", "kicked", "You are not white-listed", times=99)
    bridge.faults.refuse_spawn("Bob", "kicked", "Server is full", times=2)
    async with Daemon(settings(tmp_path), bridge=bridge, times=beside(bridge)) as daemon:
        async with asyncio.timeout(WITHIN_S):
            await daemon.first_joined()
        assert [bot.name for bot in daemon.roster.bots_online] == ["Bob"]


async def test_a_daemon_that_fails_is_not_waited_for(tmp_path: Path) -> None:
    bridge = FakeBridge()
    bridge.faults.refuse_spawn("Alice", "kicked", "You are not white-listed", times=9999)
    async with Daemon(settings(tmp_path, "Alice"), bridge=bridge) as daemon:
        asyncio.get_running_loop().call_soon(daemon._fail, HomeLost("gone"))
        async with asyncio.timeout(WITHIN_S):
            await daemon.first_joined()
        assert daemon.roster.bots_online == []


async def test_from_python_the_log_keeps_to_its_level_and_its_stream(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    structlog.reset_defaults()
    for log, told in ((LogSettings(level="error"), False), (LogSettings(), True)):
        stream = io.StringIO()
        chosen = settings(tmp_path).model_copy(update={"log": log})
        async with Daemon(chosen, bridge=FakeBridge(), log_to=stream) as daemon:
            assert await daemon.all_joined(WITHIN_S)
        assert ("bot.joined" in stream.getvalue()) is told
    assert capsys.readouterr() == ("", "")
    assert not structlog.is_configured()


async def test_a_program_that_set_up_its_log_keeps_it(tmp_path: Path) -> None:
    stream = io.StringIO()
    with capture_logs() as logged:
        async with Daemon(settings(tmp_path), bridge=FakeBridge(), log_to=stream) as daemon:
            assert await daemon.all_joined(WITHIN_S)
    assert stream.getvalue() == ""
    assert "bot.joined" in {entry["event"] for entry in logged}


async def test_a_part_that_ends_shows_in_health_and_the_trace_while_the_bots_go_on(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_keeper: RecordKeeper, _reader: TraceReader) -> None:
        raise RecursionError

    monkeypatch.setattr(RecordKeeper, "_keep", broken)
    steve = town.world.person("Steve")
    async with daemon_on(town) as daemon:
        steve.whisper("Alice", "Where are you?")
        assert "8 64 8" in (await steve.hears()).text
        facts = daemon.health.facts()
        assert (facts["ok"], facts["ended"]) == (False, ["records: RecursionError"])
        assert daemon.health.why_not_live() == []
        told = next(daemon.trace.recent("part.ended"))
        assert dict(told.facts) == {"part": "records", "why": "RecursionError"}
