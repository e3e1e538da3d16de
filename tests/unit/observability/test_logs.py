"""Logging: both outputs, one shape, no secrets, bounded."""

import io
import json
import logging
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st
from structlog.contextvars import bound_contextvars

from bots.errors import SettingsError
from bots.observability import logs
from bots.observability.logs import log_file, logging_to, quietly, silently
from bots.observability.redaction import HIDDEN, Redactor, new_token
from bots.settings.settings import LogSettings

KEY = "a-very-secret-key"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def lines_of(data_dir: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log_file(data_dir).read_text().splitlines()]


def test_an_event_reaches_stderr_and_the_file_with_its_context(tmp_path: Path) -> None:
    out = io.StringIO()
    with logging_to(tmp_path, LogSettings(), stream=out), bound_contextvars(bot="Alice"):
        structlog.get_logger().info("reply.sent", chars=3, text="やあ")
    (event,) = lines_of(tmp_path)
    assert (event["event"], event["bot"], event["chars"]) == ("reply.sent", "Alice", 3)
    assert (event["level"], event["text"]) == ("info", "やあ")
    assert event["timestamp"]
    assert json.loads(out.getvalue()) == event


@pytest.mark.parametrize("no_color", ["", "1"])
@pytest.mark.parametrize(
    ("out", "format", "begins"),
    [
        (Terminal, "auto", ""),
        (Terminal, "json", "{"),
        (io.StringIO, "console", ""),
        (io.StringIO, "auto", "{"),
    ],
)
def test_a_terminal_gets_lines_to_read_and_the_file_gets_json(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    out: type[io.StringIO],
    format: Any,
    begins: str,
    no_color: str,
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    shown = out()
    with logging_to(tmp_path, LogSettings(format=format), stream=shown):
        structlog.get_logger().info("bot.joined", bot="Alice")
    assert shown.getvalue().startswith("{") is (begins == "{")
    if (out, format) == (Terminal, "auto"):
        assert "Alice is in the world." in shown.getvalue()
    if no_color:
        assert "\x1b" not in shown.getvalue()
    assert [one["event"] for one in lines_of(tmp_path)] == ["bot.joined"]


def test_what_is_below_the_level_is_left_out_and_of_libraries_what_is_below_a_warning(
    tmp_path: Path,
) -> None:
    with logging_to(tmp_path, LogSettings(level="warning"), stream=io.StringIO()):
        structlog.get_logger().info("reply.sent")
        structlog.get_logger().warning("bot.disconnected")
    with logging_to(tmp_path, LogSettings(), stream=io.StringIO()):
        logging.getLogger("uvicorn.error").info("chatter")
        logging.getLogger("uvicorn.error").warning("port %d is odd", 7)
    told = [(event["event"], event.get("logger")) for event in lines_of(tmp_path)]
    assert told == [("bot.disconnected", None), ("port 7 is odd", "uvicorn.error")]


def test_secrets_are_hidden_wherever_they_stand(tmp_path: Path) -> None:
    token, out = new_token(), io.StringIO()
    with logging_to(tmp_path, LogSettings(), [KEY], out):
        log = structlog.get_logger()
        log.info("model.called", key=KEY, nested={"a": [f"x{token}y"]}, thing=Exception(KEY))
        logging.getLogger("uvicorn.error").warning("GET /ws?token=%s", token)
        logging.getLogger("x").warning("Authorization: Bearer abc.def sk-ant-api03-hush")
        try:
            raise ValueError(f"key {KEY} is wrong")
        except ValueError:
            log.exception("model.failed")
    for written in (out.getvalue(), log_file(tmp_path).read_text()):
        assert "key *** is wrong" in written
        for secret in (KEY, token, "abc.def", "sk-ant"):
            assert secret not in written


def test_the_file_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "FILE_BYTES", 2_000)
    with logging_to(tmp_path, LogSettings(), stream=io.StringIO()):
        for number in range(200):
            structlog.get_logger().info("step.taken", number=number)
    kept = list((tmp_path / "log").iterdir())
    assert len(kept) == logs.OLD_FILES + 1
    assert all(file.stat().st_size <= 2_000 for file in kept)
    assert lines_of(tmp_path)[-1]["number"] == 199


def test_what_a_terminal_would_obey_is_escaped_in_json_too(tmp_path: Path) -> None:
    obeyed, out = "\x1b[2J\x9b2J\u202egnirts\u2066", io.StringIO()
    with logging_to(tmp_path, LogSettings(format="json"), stream=out):
        structlog.get_logger().info("line.heard", text=obeyed)
        structlog.get_logger().info("line.heard", text="half a character: \ud800")
    lines = log_file(tmp_path).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["text"] for line in (lines[0], out.getvalue().split("\n")[0])] == [
        *(obeyed, obeyed)
    ]
    assert len(lines) == 2
    assert all(line.isprintable() for line in (*lines, *out.getvalue().split("\n")))


def test_afterwards_logging_is_as_it_was(tmp_path: Path) -> None:
    before = (logging.getLogger().handlers[:], logging.getLogger("uvicorn").level)
    with logging_to(tmp_path, LogSettings(), stream=io.StringIO()):
        pass
    assert (logging.getLogger().handlers, logging.getLogger("uvicorn").level) == before
    assert not structlog.is_configured()


def test_a_folder_that_takes_no_log_is_told(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("")
    with (
        pytest.raises(SettingsError, match="cannot write logs"),
        logging_to(tmp_path, LogSettings(), stream=io.StringIO()),
    ):
        pass


def test_what_the_disk_does_not_take_is_dropped_and_told_once(tmp_path: Path) -> None:
    """A full disk: one line on stderr says so, none for each event that is lost, and the file
    goes on when there is room again."""
    out = io.StringIO()
    with logging_to(tmp_path, LogSettings(), stream=out):
        log_file(tmp_path).unlink()
        log_file(tmp_path).symlink_to("/dev/full")
        logging.getLogger().handlers[1].close()  # it opens the file anew
        for number in range(50):
            structlog.get_logger().info("step.taken", number=number)
        log_file(tmp_path).unlink()
        log_file(tmp_path).write_text('{"torn')
        structlog.get_logger().info("step.taken", number=50)
    events = [json.loads(line)["event"] for line in out.getvalue().splitlines()]
    assert events.count("log.write_failed") == 1
    assert events.count("step.taken") == 51
    torn, *whole = log_file(tmp_path).read_text().splitlines()
    assert torn == '{"torn'
    assert [json.loads(line)["event"] for line in whole] == ["step.taken", "log.recovered"]
    assert json.loads(whole[1])["dropped"] == 51  # with what said so


def test_a_full_disk_is_told_each_time_and_not_over_while_little_room_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, bytes_free = io.StringIO(), 0
    disk = lambda _: SimpleNamespace(total=10**9, free=bytes_free)  # noqa: E731
    monkeypatch.setattr(shutil, "disk_usage", disk)

    def step(onto: str) -> None:
        log_file(tmp_path).unlink()
        log_file(tmp_path).symlink_to(onto)
        logging.getLogger().handlers[1].close()  # it opens the file anew
        structlog.get_logger().info("step.taken")

    with logging_to(tmp_path, LogSettings(), stream=out):
        step("/dev/full")
        step("/dev/null")  # as when an event still fits
        step("/dev/full")
        bytes_free = 10**8
        step("/dev/null")
        step("/dev/full")
        step("/dev/null")
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    told = [one for one in told if one["event"] != "step.taken"]
    failed, recovered = "log.write_failed", "log.recovered"
    assert [one["event"] for one in told] == [failed, recovered, failed, recovered]
    assert [one.get("times") or one["dropped"] for one in told] == [1, 3, 2, 2]


def test_the_same_error_again_and_again_fills_no_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without descriptors, the same traceback was written thousands of times a second."""
    out = io.StringIO()
    with logging_to(tmp_path, LogSettings(), stream=out):
        for _ in range(1_000):
            structlog.get_logger().warning("bot.disconnected", bot="Alice")
            logging.getLogger("asyncio").error("out of resource", exc_info=OSError(24, "none"))
        structlog.get_logger().warning("bot.disconnected", bot="Bob")
        monkeypatch.setattr(logs, "REPEATED_AFTER_S", 0.0)
        structlog.get_logger().warning("bot.disconnected", bot="Alice")
    events = lines_of(tmp_path)
    told = [(event["event"], event.get("bot")) for event in events]
    alice, bob = ("bot.disconnected", "Alice"), ("bot.disconnected", "Bob")
    assert told == [alice, ("out of resource", None), bob, alice]
    assert events[-1]["repeated"] == 999
    assert len(out.getvalue().splitlines()) == 4


@given(st.text(), st.text())
def test_a_known_secret_never_survives_in_any_text(before: str, after: str) -> None:
    redactor = Redactor([KEY])
    assert KEY not in redactor.text(f"{before}{KEY}{after}")
    assert HIDDEN in redactor.value({"x": [before + KEY]})["x"][0]


def test_text_without_secrets_stays_as_it_is() -> None:
    text = "Steve: tf_short token= sk- Bearer"
    assert Redactor(["abc"]).text(text) == text


def test_a_traceback_shows_no_variables(capsys: pytest.CaptureFixture[str]) -> None:
    """As structlog does by itself, it would show the key that a function had in its hands."""
    with quietly():
        held = "-".join(("canary", "of", "a", "variable"))
        try:
            raise ValueError(len(held))
        except ValueError:
            structlog.get_logger().exception("model.broke", detail="http://me:pass@host")
    said = capsys.readouterr().err
    assert "ValueError: 20" in said
    assert "canary-of-a-variable" not in said
    assert "pass" not in said


def test_what_was_set_up_before_is_so_again_afterwards(capsys: pytest.CaptureFixture[str]) -> None:
    """Within a command that logs quietly, one check was to be silent; then all was logged."""
    with quietly():
        with silently():
            structlog.get_logger().error("not told")
        structlog.get_logger().info("not told either")
        structlog.get_logger().error("told")
    assert not structlog.is_configured()
    said = capsys.readouterr()
    assert "not told" not in said.out + said.err
    assert "told" in said.err
