"""`townsfolk doctor` asks the Minecraft server and the model, and names the next step."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.broker import running_broker
from support.model_servers import ollama, openai_only, serving, vllm

from bots.cli.doctor import Finding, Patient, check_broker, check_model, check_ping
from bots.cluster.bus import Bus, BusCause, BusUnavailable
from bots.cluster.connecting import WORDS, connected_bus, named
from bots.cluster.heartbeats import Claims
from bots.settings.secrets import SecretUrl
from bots.settings.settings import (
    BotsSettings,
    ClusterSettings,
    LlmSettings,
    ServerSettings,
    Settings,
)
from bridge.diagnosis import WAY_TO_NEWER
from bridge.versions import VERSIONS

pytestmark = pytest.mark.usefixtures("patient_checks")

TOLD = {"version": {"name": "Paper 1.21.4", "protocol": 769}, "players": {"online": 3, "max": 20}}


@contextmanager
def minecraft(told: dict[str, Any]) -> Iterator[int]:
    """The port of a server that tells this of itself, once."""
    text = json.dumps(told).encode()
    body = b"\x00" + _number(len(text)) + text
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(64)
                connection.sendall(_number(len(body)) + body)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        thread.join(10)


def _number(value: int) -> bytes:
    low, high = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _number(high) if high else bytes([low])


def patient(tmp_path: Path, **chosen: Any) -> Patient:
    return Patient(Settings(data_dir=tmp_path, **chosen), "", tmp_path)


def of_cluster(tmp_path: Path, url: str, **chosen: Any) -> Patient:
    cluster = ClusterSettings(bus=url)  # type: ignore[arg-type]
    return patient(tmp_path, cluster=cluster, **chosen)


AT_A_SERVER = {"server": ServerSettings(host="here")}


def pinged(tmp_path: Path, told: dict[str, Any], **chosen: Any) -> Finding:
    with minecraft(told) as port:
        server = ServerSettings(host="127.0.0.1", port=port)
        return check_ping(patient(tmp_path, server=server, **chosen))


def test_a_server_tells_version_players_and_delay(tmp_path: Path) -> None:
    finding = pinged(tmp_path, TOLD)
    assert finding.state == "ok"
    assert "is Minecraft Paper 1.21.4, 3 of 20 players, answers in" in finding.found
    assert "townsfolk doctor --server 127.0.0.1:" in finding.next_step
    with minecraft(TOLD) as port:
        server = ServerSettings(host="127.0.0.1", port=port)
        joined_too = replace(patient(tmp_path, server=server), joins=True)
        assert check_ping(joined_too).next_step == ""


SIGNED = {**TOLD, "enforcesSecureChat": True}
CLOSED = {
    "players": {"max": 0, "online": 0},
    "description": "§cCould not connect to the backend server!",
    "version": {"protocol": -1, "name": "ViaProxy"},
}


def of_version(name: str, protocol: int) -> dict[str, Any]:
    return {**TOLD, "version": {"name": name, "protocol": protocol}}


@pytest.mark.parametrize(
    ("told", "accounts", "state", "found", "step"),
    [
        (
            *(SIGNED, (), "bad", "online-mode=true, and Alice has no account"),
            "townsfolk login Alice",
        ),
        (SIGNED, ("Alice",), "ok", "online-mode=true", "townsfolk doctor --server"),
        ({**TOLD, "players": {"online": 20, "max": 20}}, (), "bad", ": it is full", ""),
        (of_version("Paper 26.2", VERSIONS.newest.protocol), (), "ok", "Paper 26.2", ""),
        (of_version(f"Proxy 1.7.2-{VERSIONS.newest.name}", 9_999), (), "ok", "Proxy", ""),
        *(
            (
                of_version(f"Paper {newer.name}", newer.protocol),
                (),
                "bad",
                f"is Minecraft Paper {newer.name}; townsfolk speaks {VERSIONS}",
                WAY_TO_NEWER,
            )
            for newer in VERSIONS.newer
        ),
        (
            *(CLOSED, (), "bad"),
            "did not get through to the server behind it: “Could not connect",
            "target-address",
        ),
    ],
)
def test_what_a_server_tells_of_itself_is_judged_with_the_next_step(
    tmp_path: Path,
    told: dict[str, Any],
    accounts: tuple[str, ...],
    state: str,
    found: str,
    step: str,
) -> None:
    bots = BotsSettings(names=("Alice",), accounts=accounts)
    finding = pinged(tmp_path, told, bots=bots)
    assert (finding.state, finding.well) == (state, state == "ok")
    assert found in finding.found
    assert step in finding.next_step


def test_a_server_that_does_not_run_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    server = ServerSettings(host="127.0.0.1", port=port)
    finding = check_ping(patient(tmp_path, server=server))
    assert f"nothing answers at 127.0.0.1:{port}" in finding.found
    assert "start the server" in finding.next_step


def test_the_embedded_server_and_rules_alone_are_no_fault(tmp_path: Path) -> None:
    assert check_ping(patient(tmp_path)).state == "ok"
    assert check_model(patient(tmp_path)).found == "none: rules answer"
    unread = Patient(None, "a misspelt setting", tmp_path)
    checks = (check_ping, check_broker, check_model)
    assert {check(unread).state for check in checks} == {"later"}


def test_a_daemon_of_its_own_needs_no_broker(tmp_path: Path) -> None:
    assert check_broker(patient(tmp_path)) == Finding("broker", "ok", "none: a daemon of its own")


@pytest.mark.slow
def test_a_broker_that_does_not_run_is_told(tmp_path: Path) -> None:
    finding = check_broker(of_cluster(tmp_path, "nats://127.0.0.1:1", **AT_A_SERVER))
    assert finding.state == "bad"
    assert "nats://127.0.0.1:1: no NATS broker answers" in finding.found
    assert "nats-server -js" in finding.next_step


@pytest.mark.parametrize(
    ("cause", "step"), [("refused", "correct cluster.bus"), ("full", "max_file_store")]
)
def test_a_broker_of_no_use_is_told_by_its_cause_and_without_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cause: BusCause, step: str
) -> None:
    async def fails(_: object) -> list[str]:
        raise named(cause)

    monkeypatch.setattr("bots.cli.doctor._bots_of_cluster", fails)
    finding = check_broker(of_cluster(tmp_path, "nats://bob:canary@127.0.0.1:1", **AT_A_SERVER))
    assert finding.found == f"nats://127.0.0.1:1: {WORDS[cause]}"
    assert step in finding.next_step


@pytest.mark.slow
async def test_a_broker_that_answers_and_stores_nothing_is_told(tmp_path: Path) -> None:
    room = f'jetstream {{ store_dir: "{tmp_path}", max_file_store: 256KB }}'
    async with running_broker(tmp_path, config=room) as broker:
        async with connected_bus([SecretUrl(broker.url)]) as bus:
            with pytest.raises(BusUnavailable, match="no room"):
                await _fill(bus)
        chosen = of_cluster(tmp_path, broker.url, **AT_A_SERVER)
        finding = await asyncio.to_thread(check_broker, chosen)
    assert (finding.state, finding.found) == ("bad", f"{broker.url}: the broker has no room left")


async def _fill(bus: Bus) -> None:
    while True:
        await bus.append("history", b"x" * 8_000)


def test_a_cluster_without_a_server_for_all_is_told(tmp_path: Path) -> None:
    alone = of_cluster(tmp_path, "nats://127.0.0.1:1")
    assert "--server HOST:PORT" in check_broker(alone).next_step


@pytest.mark.slow
async def test_the_bots_of_a_cluster_are_told(tmp_path: Path) -> None:
    async with running_broker(tmp_path / "broker") as broker:
        async with connected_bus([SecretUrl(broker.url)]) as bus:
            await Claims(bus).claim("one", BotsSettings(names=("Bob", "Alice")))
        chosen = of_cluster(tmp_path, broker.url, **AT_A_SERVER)
        finding = await asyncio.to_thread(check_broker, chosen)
    assert finding.state == "ok"
    assert finding.found == f"{broker.url} answers; its cluster has Alice, Bob"


@pytest.mark.parametrize(
    ("server", "model", "state", "found", "advised"),
    [
        (vllm("qwen3", 16_384), "qwen3", "ok", "answers, and reads 16,384 tokens at once", ""),
        (ollama("qwen3:latest"), "qwen3", "warn", "reads 4,096 tokens", "OLLAMA_CONTEXT_LENGTH"),
        (ollama("qwen3:latest"), "qwen4", "bad", "no model qwen4; it has qwen3", "ollama pull"),
        (openai_only, "gpt-5", "bad", "has no Anthropic Messages API", "LiteLLM"),
    ],
    ids=["well", "little context", "unknown model", "no api"],
)
def test_the_model_is_asked(
    tmp_path: Path, server: Any, model: str, state: str, found: str, advised: str
) -> None:
    with serving(server) as home:
        llm = LlmSettings(base_url=SecretUrl(home.url), model=model)
        finding = check_model(patient(tmp_path, llm=llm))
    assert finding.state == state
    assert found in finding.found
    assert advised in finding.next_step


@pytest.mark.parametrize("offline", [False, True])
def test_asking_the_model_prints_nothing_and_offline_none_is_asked(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], offline: bool
) -> None:
    with serving(openai_only) as home:
        llm = LlmSettings(base_url=SecretUrl(home.url), model="gpt-5")
        found = check_model(patient(tmp_path, llm=llm, offline=offline))
        assert (found.state, not home.requests) == (("ok", True) if offline else ("bad", False))
    assert capfd.readouterr() == ("", "")
