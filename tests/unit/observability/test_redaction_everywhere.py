"""No secret leaves in any output, wherever it stands in a text."""

import asyncio
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
import structlog
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr
from support.http_stub import HOST, PORT, TOKEN, Broken, StubDaemon, ask

from bots.cli import doctor
from bots.cli.doctor import Finding
from bots.errors import SettingsError
from bots.http.app import create_app
from bots.http.security import Keys, OwnAddresses
from bots.observability.logs import log_file, logging_to
from bots.observability.redaction import HIDDEN, Redactor, new_token
from bots.responder.records.keeper import RecordFile
from bots.settings.loading import load_settings, parse_address
from bots.settings.secrets import SecretUrl
from bots.settings.settings import LlmSettings, LogSettings, Settings

KEY = 'ключ-of-"the"-owner\\1'
PASSWORD = "p@ss wörd/7"
WRITTEN = "p%40ss%20w%C3%B6rd%2F7"
LLM = LlmSettings(
    api_key=SecretStr(KEY), base_url=SecretUrl(f"http://me:{WRITTEN}@api.test:8080/v1")
)
SECRETS = Settings(llm=LLM).secrets
MUST_NOT_SHOW = (KEY, PASSWORD, WRITTEN, "me:")

secrets = st.sampled_from((KEY, PASSWORD, WRITTEN, LLM.base_url.get_secret_value()))
around = st.text(st.characters(codec="utf-8"), max_size=20)
texts = st.builds(lambda before, secret, after: before + secret + after, around, secrets, around)
values = st.recursive(
    texts | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def assert_hidden(written: str) -> None:
    """Neither as it stands there nor as a reader of JSON gets it."""
    shown = [written, *map(str, _read(written))]
    for text in shown:
        assert [secret for secret in MUST_NOT_SHOW if secret in text] == []


def _read(written: str) -> Iterator[Any]:
    for line in written.splitlines():
        try:
            yield from _leaves(json.loads(line))
        except ValueError:
            continue


def _leaves(value: Any) -> Iterator[Any]:
    match value:
        case dict():
            for key, inner in value.items():
                yield key
                yield from _leaves(inner)
        case list():
            for inner in value:
                yield from _leaves(inner)
        case _:
            yield value


@settings(max_examples=50)
@given(value=values, text=texts)
def test_neither_log_nor_records_hold_a_secret(value: Any, text: str) -> None:
    """The password of `base_url` was logged."""
    with tempfile.TemporaryDirectory() as folder:
        data_dir, out = Path(folder), io.StringIO()
        with logging_to(data_dir, LogSettings(), SECRETS, stream=out):
            structlog.get_logger().info("model.on", server=text, facts=value)
            try:
                raise ValueError(text)
            except ValueError:
                structlog.get_logger().exception("model.broke")
        records = RecordFile(data_dir, SECRETS)
        records.append([{"at": "2026-01-01T00:00:00+00:00", "name": "x", text: value}])
        assert_hidden(out.getvalue())
        assert_hidden(log_file(data_dir).read_text())
        assert_hidden(records.path.read_text())


@settings(max_examples=50)
@given(value=values, text=texts)
def test_no_answer_over_http_holds_a_secret(value: Any, text: str) -> None:
    daemon = StubDaemon()
    daemon.outcome = {"success": True, "value": value}

    async def asked() -> list[bytes]:
        app = create_app(daemon, OwnAddresses(PORT), Keys(TOKEN), SECRETS, asyncio.Event())
        well = await ask(app, "POST", "/api/stop")
        daemon.failure = Broken(text)
        broken = await ask(app, "POST", "/api/stop")
        for reply in (well, broken):
            assert int(reply.headers["content-length"]) == len(reply.body)
        return [well.body, broken.body]

    for body in anyio.run(asked):
        assert_hidden(body.decode())


def test_neither_doctor_nor_errors_show_a_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOWNSFOLK_LLM__BASE_URL", LLM.base_url.get_secret_value())
    monkeypatch.setattr(
        doctor, "CHECKS", (lambda _: Finding("x", "bad", LLM.base_url.get_secret_value()),)
    )
    (finding,) = doctor.examine(None, {"data_dir": tmp_path})
    assert finding.found == f"http://{HIDDEN}@api.test:8080"
    monkeypatch.setenv("TOWNSFOLK_LLM__BASE_URL", f"ftp://me:{WRITTEN}@api.test")
    with pytest.raises(SettingsError) as refused:
        load_settings(None, {"data_dir": tmp_path})
    assert_hidden(str(refused.value))
    with pytest.raises(SettingsError) as refused:
        parse_address(f"me:{WRITTEN}@host:25565")
    assert_hidden(str(refused.value))


@given(before=st.text("ab :/=?&", max_size=5), after=st.text(' "\n', min_size=1, max_size=5))
def test_secrets_of_unknown_value_are_known_by_their_shape(before: str, after: str) -> None:
    for secret in (new_token(), "sk-ant-api03-x_y", "http://u:pw@h", "Bearer abc", "?token=abc"):
        hidden = Redactor().text(before + secret + after)
        assert HIDDEN in hidden
        for part in ("tf_", "sk-ant", "pw", "abc"):
            assert part not in hidden.removeprefix(before)


def test_help_and_plain_text_stay_as_they_are() -> None:
    for text in (f"http://{HOST}/", "send `Authorization: Bearer TOKEN`;", "mail me@home.test"):
        assert Redactor(SECRETS).text(text) == text
