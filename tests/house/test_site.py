"""The pages of docs/ make a site, and the files for running for long are what their page says."""

from __future__ import annotations

import configparser
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from bots.cli.main import app
from bots.daemon.health import NODE_BACK_WITHIN_S
from bots.daemon.server import NOTICED_WITHIN_S

yaml = pytest.importorskip("yaml", reason="the extra docs brings it")
pytest.importorskip("material", reason="the extra docs brings it")

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
CLUSTER: dict[str, Any] = yaml.safe_load((ROOT / "deploy/cluster/compose.yaml").read_text())
COMMANDS = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "python/index.html").exists()
    loaded = re.findall(r'(?:src|href)="(https?://[^"]+)"', (tmp_path / "index.html").read_text())
    assert [one for one in loaded if one.endswith((".js", ".css"))] == []


def instructions(name: str) -> list[str]:
    lines = DOCKERFILE.replace("\\\n", " ").splitlines()
    return [line.partition(" ")[2] for line in lines if line.startswith(f"{name} ")]


def test_the_image_is_built_of_files_that_exist_and_ignores_none_of_them() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    copied = [line.split()[:-1] for line in instructions("COPY") if "--from=" not in line]
    sources = [source for sources in copied for source in sources]
    assert [source for source in sources if not (ROOT / source).exists()] == []
    assert [source for source in sources if source in ignored] == []
    packages = {path.name for path in ROOT.iterdir() if (path / "py.typed").exists()}
    assert packages <= set(sources)


def test_the_image_runs_without_root_and_tells_its_health() -> None:
    [user], [health] = instructions("USER"), instructions("HEALTHCHECK")
    assert user != "root"
    assert '["townsfolk", "status", "--live"]' in health
    assert len(instructions("FROM")) == 2
    assert {"status", "up"} <= COMMANDS


def test_compose_keeps_the_data_and_says_no_key() -> None:
    bots = COMPOSE["services"]["bots"]
    assert bots["command"][0] in COMMANDS
    assert bots["volumes"] == ["townsfolk:/data"]
    assert bots["environment"] == {"ANTHROPIC_API_KEY": "${ANTHROPIC_API_KEY:-}"}
    server = COMPOSE["services"]["minecraft"]
    assert server["profiles"] == ["server"]
    assert all(port.startswith("127.0.0.1:") for port in server["ports"])


def test_the_cluster_keeps_each_daemons_data_apart_and_what_the_broker_stores() -> None:
    services = CLUSTER["services"]
    broker = services.pop("broker")
    assert "--jetstream" in broker["command"]
    assert broker["volumes"] == ["broker:/data"]
    assert len({daemon["volumes"][0] for daemon in services.values()}) == len(services) == 2
    for name, daemon in services.items():
        assert daemon["command"][:3] == ["up", "--cluster", "nats://broker:4222"]
        assert daemon["environment"]["TOWNSFOLK_CLUSTER__NAME"] == name
    assert 'cluster]"' in " ".join(instructions("RUN"))


def test_the_unit_starts_what_the_page_installs() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(ROOT / "deploy/townsfolk.service")
    program, command, *_ = unit["Service"]["ExecStart"].split()
    page = (ROOT / "docs/running.md").read_text()
    assert Path(program).parent.as_posix() in page
    assert command in COMMANDS
    assert unit["Service"]["User"] == "townsfolk"


def test_systemd_is_told_and_starts_anew_what_a_new_start_can_help() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(ROOT / "deploy/townsfolk.service")
    service = unit["Service"]
    assert (service["Type"], service["Restart"]) == ("notify", "on-failure")
    assert float(service["WatchdogSec"]) >= 2 * NODE_BACK_WITHIN_S
    assert service["RestartPreventExitStatus"] == "2"


def test_the_page_says_how_soon_a_hanging_server_is_noticed() -> None:
    page = (ROOT / "docs/running.md").read_text()
    assert f"within {NOTICED_WITHIN_S:.0f} s" in page
