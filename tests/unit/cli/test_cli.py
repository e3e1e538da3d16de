"""The command line: flags, exit codes, stdout and stderr."""

import asyncio
import json
import os
import re
import shlex
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import structlog
from support.http_stub import TOKEN, StubDaemon
from support.served import SILENT, place_daemon_file, serving
from typer.testing import CliRunner, Result

from bots.cli import status
from bots.cli.log import story
from bots.cli.main import app
from bots.daemon import daemon_file
from bots.daemon.daemon_file import DaemonRunning
from bots.settings.settings import Settings


def run(*words: str, data_dir: Path | None = None) -> Result:
    folder = ["--data-dir", str(data_dir)] if data_dir else []
    return CliRunner().invoke(app, [words[0], *folder, *words[1:]])


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[StubDaemon]:
    stub = StubDaemon()
    with serving(stub, tmp_path):
        yield stub


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """What `up` would start a daemon with; the daemon itself only announces."""
    seen: list[Settings] = []

    async def start(settings: Settings, *, announce: Callable[[str], None]) -> int:
        seen.append(settings)
        announce("ready server=127.0.0.1:1 bots=Alice dashboard=http://127.0.0.1:2/")
        return 0

    stand_in(monkeypatch, start)
    return seen


def stand_in(monkeypatch: pytest.MonkeyPatch, start: Any) -> None:
    monkeypatch.setattr("bots.cli.up.run", start)


@pytest.mark.parametrize(
    ("words", "outcome", "code"),
    [
        (("exec", "Alice", "!echo", "やあ"), {"success": True, "text": "やあ"}, 0),
        (("exec", "Alice", "!chat Bob hi"), {"success": False, "reason": "out_of_range"}, 1),
        (("prompt", "Alice", "hi"), {"success": False, "reason": "no_answerer"}, 1),
        (("exec", "--no-wait", "Alice", "!help"), {"success": True}, 0),
    ],
)
def test_a_result_is_printed_and_the_exit_code_tells_whether_it_is_good(
    daemon: StubDaemon, tmp_path: Path, words: tuple[str, ...], outcome: dict[str, Any], code: int
) -> None:
    daemon.outcome = outcome
    result = run(*words, data_dir=tmp_path)
    printed = f"{json.dumps(outcome, ensure_ascii=False)}\n"
    assert (result.exit_code, result.stdout) == (code, printed)
    said = [word for word in words[1:] if word not in ("Alice", "--no-wait")]
    assert daemon.asked[0][1:3] == ("Alice", " ".join(said))
    if words[0] == "exec":
        assert daemon.asked[0][-1] is ("--no-wait" not in words)


def test_an_unknown_bot_gets_the_nearest_name(daemon: StubDaemon, tmp_path: Path) -> None:
    result = run("exec", "Al/ise", "!help", data_dir=tmp_path)
    assert (result.exit_code, json.loads(result.stdout)["reason"]) == (1, "not_found")
    result = run("exec", "Alise", "!help", data_dir=tmp_path)
    assert "did you mean Alice?" in json.loads(result.stdout)["message"]


@pytest.mark.parametrize("name", [None, "Steve"])
def test_words_reach_a_bot_without_the_game(
    daemon: StubDaemon, tmp_path: Path, name: str | None
) -> None:
    named = ("--as", name) if name else ()
    assert run("say", "Bob", "good", "morning", *named, data_dir=tmp_path).exit_code == 0
    assert daemon.asked == [("message", "Bob", "good morning", name)]


def test_a_prompt_is_printed_as_a_model_reads_it(daemon: StubDaemon, tmp_path: Path) -> None:
    daemon.outcome = {
        **{"success": True, "bot": "Alice", "tokens": 12},
        "request": {
            "tools": [{"name": "go", "description": "Walk.", "input_schema": {}}],
            "system": [{"text": "You are a bot."}, {"text": "You are Alice."}],
            "messages": [{"role": "user", "content": "Where are you?"}],
        },
    }
    asked = ("prompt", "Alice", "Where", "are", "you?", "--from", "Steve")
    printed = run(*asked, data_dir=tmp_path)
    assert daemon.asked == [("prompt", "Alice", "Where are you?", "Steve")]
    assert printed.exit_code == 0
    parts = ("1 tools", '"go"', "You are a bot.", "You are Alice.", "Where are you?", "12 tokens")
    places = [printed.stdout.index(part) for part in parts]
    assert places == sorted(places)
    whole = run(*asked, "--json", data_dir=tmp_path)
    assert json.loads(whole.stdout) == daemon.outcome


WRONG = (
    *("exec Alice ''", "exec Alice", "exec", "say Alice ' '", "say Alice !help", "nonsense"),
    *("say Alice hi --as @Steve", "up --for -1", "up --server 'a b'", "up --bots a-b"),
    *("up --server a:1 --minecraft-port 2", "up --server a:1 --difficulty hard"),
    *("up --difficulty deadly", "up --server a:1 --lan", "up --dashboard-port 99999"),
    "up --config /nowhere/townsfolk.toml",
)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("exec Alice help", "did you mean '!help'?"),
        *((f"chat --as '{name}'", "--as") for name in ("", "a b", "x" * 33, "@me")),
        ("mcp --port 80", "--http"),
        *((words, "") for words in WRONG),
    ],
)
def test_wrong_usage_exits_2_and_prints_nothing_on_stdout(
    started: list[Settings], words: str, told: str
) -> None:
    result = CliRunner().invoke(app, shlex.split(words))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr
    assert told in result.stderr
    assert started == []


@pytest.mark.parametrize("words", ["chat", "top", "status", "stop", "log -f", "exec Alice !help"])
def test_without_a_daemon_each_command_says_how_to_start_one(tmp_path: Path, words: str) -> None:
    result = run(*words.split(), data_dir=tmp_path)
    assert result.exit_code == 1
    assert "townsfolk up" in result.stderr
    if words.startswith("exec"):
        told = json.loads(result.stdout)
        assert (told["success"], told["reason"]) == (False, "no_daemon")
    else:
        assert result.stdout == ""


def test_a_silent_daemon_is_told_apart_from_none(tmp_path: Path) -> None:
    place_daemon_file(tmp_path, SILENT)
    result = run("say", "Alice", "hello", data_dir=tmp_path)
    assert (result.exit_code, json.loads(result.stdout)["reason"]) == (1, "daemon_silent")
    assert TOKEN not in result.output


def test_a_token_of_another_run_is_told(daemon: StubDaemon, tmp_path: Path) -> None:
    url = daemon_file.read(tmp_path).dashboard.url
    place_daemon_file(tmp_path, url, "tf_of_another_run")
    result = run("exec", "Alice", "!help", data_dir=tmp_path)
    assert (result.exit_code, json.loads(result.stdout)["reason"]) == (1, "unauthorised")


def test_up_prints_the_ready_line_alone_on_stdout(started: list[Settings], tmp_path: Path) -> None:
    result = run("up", data_dir=tmp_path)
    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)
    assert result.stdout.startswith("ready server=")


def test_the_flags_of_up_become_settings(started: list[Settings], tmp_path: Path) -> None:
    words = ["--server", "play.example:7", "--dashboard-port", "8", "--for", "9", "--offline"]
    words += ["--bots", "Mina,Taro", "--owner", "Steve"]
    assert run("up", *words, data_dir=tmp_path).exit_code == 0
    (settings,) = started
    assert (settings.server.host, settings.server.port) == ("play.example", 7)
    assert (settings.dashboard.port, settings.run_for_s, settings.offline) == (8, 9.0, True)
    assert (settings.bots.names, settings.data_dir) == (("Mina", "Taro"), tmp_path)
    assert settings.permissions.owners == ("Steve",)


def test_without_flags_the_file_decides(started: list[Settings], tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('offline = true\n[embedded]\nport = 4\ndifficulty = "easy"')
    for words in ([], ["--difficulty", "hard"]):
        run("up", "--config", str(config), *words, data_dir=tmp_path)
    assert [settings.embedded.difficulty for settings in started] == ["easy", "hard"]
    assert (started[0].offline, started[0].embedded.port) == (True, 4)


@pytest.mark.parametrize(
    "faults", [[DaemonRunning("one")], [DaemonRunning("one"), DaemonRunning("two")]]
)
def test_a_daemon_that_cannot_start_says_why_and_exits_1(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, faults: list[Exception]
) -> None:
    async def refuse(_settings: Settings, *, announce: object) -> int:
        raise ExceptionGroup("town", faults) if len(faults) > 1 else faults[0]

    stand_in(monkeypatch, refuse)
    result = run("up", data_dir=tmp_path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "".join(f"townsfolk: {fault}\n" for fault in faults)


def test_a_daemon_ended_while_it_starts_ends_cleanly(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def start_slowly(_settings: Settings, *, announce: object) -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.get_running_loop().create_future()
        return 1

    stand_in(monkeypatch, start_slowly)
    assert run("up", data_dir=tmp_path).exit_code == 0


def test_what_up_logs_goes_to_stderr_and_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def log_something(_settings: Settings, *, announce: object) -> int:
        structlog.get_logger().info("model.called", key="sk-ant-x", other="my-own-secret")
        return 0

    stand_in(monkeypatch, log_something)
    monkeypatch.setenv("TOWNSFOLK_LLM__API_KEY", "my-own-secret")
    result = run("up", data_dir=tmp_path)
    written = (tmp_path / "log" / "townsfolk.jsonl").read_text()
    assert result.stdout == ""
    assert "model.called" in result.stderr
    assert "model.called" in written
    for secret in ("sk-ant-x", "my-own-secret"):
        assert secret not in written + result.stderr


def test_the_version_is_told() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.stdout[:10]) == (0, "townsfolk ")


def test_the_log_of_a_running_daemon_is_shown_and_ends(daemon: StubDaemon, tmp_path: Path) -> None:
    daemon.trace.note("whisper.received", "Alice", chars=3, text="a\x1b[2Jb c")
    daemon.trace.note("reply.sent", "Bob", chars=2)
    result = run("log", "-v", data_dir=tmp_path)
    first, second = result.stdout.splitlines()
    assert first.split()[1:4] == ["Alice", "whisper.received", "chars=3"]
    assert second.split()[1:] == ["Bob", "reply.sent", "chars=2"]
    assert "\x1b" not in result.stdout
    of_bob = run("log", "--bot", "Bob", "--json", data_dir=tmp_path)
    assert json.loads(of_bob.stdout)["chars"] == 2


def test_following_goes_on_until_the_daemon_ends(tmp_path: Path) -> None:
    stub, shown = StubDaemon(), []
    stub.trace.note("daemon.started")
    with serving(stub, tmp_path):
        following = threading.Thread(
            target=lambda: shown.append(run("log", "-f", "-v", data_dir=tmp_path))
        )
        following.start()
        assert stub.watched.read.wait(timeout=60)
    following.join(timeout=60)
    assert shown[0].exit_code == 0
    assert "daemon.started" in shown[0].stdout


def log_file(folder: Path) -> Path:
    """Said, told, a fact for programs, by another version, broken: one line each."""
    file = folder / "log" / "townsfolk.jsonl"
    file.parent.mkdir()
    at = '"timestamp": "2026-01-02T12:04:05Z"'
    file.write_text(
        f'{{"event": "line.said", "by": "Bob", "to": "Alice", "text": "Hm.", {at}}}\n'
        f'{{"event": "bot.joined", "bot": "Alice", {at}}}\n'
        f'{{"event": "model.called", "bot": "Alice", {at}}}\n'
        f'{{"event": "bot.disconnected", "bot": "Bob", {at}}}\n'
        "{broken\n[]\n"
    )
    return file


def test_the_log_is_told_as_up_tells_it_even_without_a_daemon(tmp_path: Path) -> None:
    log_file(tmp_path)
    result = run("log", data_dir=tmp_path)
    day, *lines = [re.sub(r"^\d\d:", "HH:", line) for line in result.stdout.splitlines()]
    assert (result.exit_code, day) == (0, "2026-01-02")
    assert lines == [
        "HH:04:05  Bob → Alice    Hm.",
        "HH:04:05  Alice is in the world.",
        "HH:04:05 Bob              bot.disconnected",
    ]
    of_alice = run("log", "--bot", "Alice", data_dir=tmp_path).stdout.splitlines()
    assert len(of_alice) == 3


def test_without_a_daemon_all_that_was_logged_can_be_shown(tmp_path: Path) -> None:
    log_file(tmp_path)
    result = run("log", "-v", data_dir=tmp_path)
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 4
    assert "model.called" in result.stdout


def test_without_a_daemon_and_a_log_there_is_nothing_to_show(tmp_path: Path) -> None:
    shown = run("log", data_dir=tmp_path)
    assert (shown.exit_code, "no daemon runs" in shown.stderr) == (1, True)


def test_the_story_goes_on_until_the_daemon_ends_and_survives_a_rotation(tmp_path: Path) -> None:
    file = log_file(tmp_path)
    late = '{"event": "line.said", "by": "Bob", "to": "Alice", "text": "%s", "timestamp": "%s"}\n'

    def ends_after_two_lines() -> bool:
        if not file.with_suffix(".1").exists():
            with file.open("a") as log:
                log.write(late % ("One.", "2026-01-02T12:04:06Z"))
            file.rename(file.with_suffix(".1"))
            file.write_text(late % ("Two.", "2026-01-02T12:04:07Z"))
        return False

    *_, one, two = story(tmp_path, None, ends_after_two_lines)
    assert (one[-4:], two[-4:]) == ("One.", "Two.")


def test_status_shows_the_database_every_bot_and_a_link_that_opens_once(tmp_path: Path) -> None:
    with serving(StubDaemon(), tmp_path):
        shown = run("status", data_dir=tmp_path)
        as_json = run("status", "--json", data_dir=tmp_path)
        link = run("status", "--link", data_dir=tmp_path).stdout.strip()
        opened = [httpx2.get(link, trust_env=False, follow_redirects=False) for _ in range(2)]
    assert shown.exit_code == 0
    assert shown.stdout.splitlines() == [
        "The daemon is well; database: ok",
        "Alice            online",
        "Bob              waiting",
    ]
    assert [bot["name"] for bot in json.loads(as_json.stdout)["bots"]] == ["Alice", "Bob"]
    assert [one.status_code for one in opened] == [303, 401]


def test_status_of_an_unwell_daemon_says_why_and_fails(tmp_path: Path) -> None:
    daemon = StubDaemon()
    daemon.well = False
    with serving(daemon, tmp_path):
        shown = run("status", data_dir=tmp_path)
    assert shown.exit_code == 1
    assert "unwell; database: the disk is full" in shown.stdout


def test_status_names_what_is_wrong_with_the_broker_and_a_part_that_ended() -> None:
    found = {"ok": False, "database": "ok", "broker": "the broker has no room left", "bots": []}
    assert list(status.rendered(found)) == [
        "The daemon is unwell; database: ok",
        "The broker has no room left; townsfolk doctor says what to do",
    ]
    assert list(status.rendered({**found, "broker": "ok"})) == list(status.rendered(found))[:1]
    ended = {"ok": False, "database": "ok", "bots": [], "ended": ["traces of others: Broken"]}
    assert list(status.rendered(ended))[1:] == [
        "A part has ended, start the daemon anew: traces of others: Broken"
    ]


@pytest.mark.parametrize(
    ("flag", "well", "unwell"),
    [("--live", "live", "not live: Node is down"), ("--ready", "ready", "not ready: no bot is in")],
)
def test_status_tells_supervisors_by_its_exit_code(
    tmp_path: Path, flag: str, well: str, unwell: str
) -> None:
    daemon = StubDaemon()
    with serving(daemon, tmp_path):
        shown = run("status", flag, data_dir=tmp_path)
        daemon.well = False
        then = run("status", flag, data_dir=tmp_path)
    assert (shown.exit_code, shown.stdout) == (0, f"{well}\n")
    assert (then.exit_code, then.stdout.startswith(unwell)) == (1, True)


def test_help_tells_the_exit_codes() -> None:
    told = (
        "Exit codes: 0 success, 1 the answer is no or something failed, 2 wrong usage or settings."
    )
    assert told in CliRunner().invoke(app, ["--help"], terminal_width=120).stdout
    of_up = " ".join(CliRunner().invoke(app, ["up", "--help"]).stdout.split())
    assert "1 it failed and may be started anew, 2 wrong usage or settings" in of_up
