"""`townsfolk doctor`: each check finds its fault and names the next step."""

import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.data_folders import make_before_1_0
from support.served import SILENT, place_daemon_file
from typer.testing import CliRunner

from bots.cli import doctor
from bots.cli.doctor import Finding, Patient, State
from bots.cli.main import app
from bots.settings.settings import (
    DashboardSettings,
    EmbeddedSettings,
    PermissionSettings,
    ServerSettings,
    Settings,
    weaknesses,
)
from bots.store.database import FILE_NAME
from bots.store.migrations import migrate
from bridge.errors import NodeSetupError


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    return Patient(Settings(data_dir=tmp_path), "", tmp_path)


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def test_an_old_python_and_a_missing_or_old_node_are_found(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = [doctor.check_python, doctor.check_node, doctor.check_ports]
    assert [check(patient).state for check in checks] == ["ok"] * len(checks)
    monkeypatch.setattr(doctor, "OLDEST_PYTHON", (4, 0))
    assert not doctor.check_python(patient).well
    monkeypatch.setattr(doctor, "OLDEST_NODE", 99)
    assert "is older than 99" in doctor.check_node(patient).found

    def missing() -> Path:
        raise NodeSetupError("Node is missing")

    monkeypatch.setattr(doctor, "node_binary", missing)
    assert not doctor.check_node(patient).well


def test_packages_yet_to_be_installed_are_no_fault(
    patient: Patient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    finding = doctor.check_node_packages(patient)
    assert (finding.state, finding.well) == ("later", True)
    assert "townsfolk up" in finding.next_step


def test_wrong_settings_are_found_and_the_other_checks_still_run(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("ofline = true")
    findings = {f.what: f for f in doctor.examine(config, {"data_dir": tmp_path})}
    assert "did you mean offline?" in findings["settings"].found
    assert findings["data folder"].state == "ok"
    assert len(findings) == len(doctor.CHECKS)


def test_a_folder_that_cannot_be_written_is_found(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not doctor.check_data_dir(Patient(None, "", tmp_path / "file")).well


def make_sound(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection)


@pytest.mark.parametrize(
    ("make", "state", "found", "step"),
    [
        (lambda _: None, "later", "none yet", ""),
        (make_sound, "ok", FILE_NAME, ""),
        (lambda path: path.write_bytes(b"no database at all" * 100), "bad", "damaged", "move"),
        (
            *(make_before_1_0, "bad", "townsfolk before 1.0, which this one cannot read"),
            "use another --data-dir",
        ),
    ],
    ids=["none", "sound", "damaged", "before 1.0"],
)
def test_the_database_is_looked_at_and_left_alone(
    patient: Patient,
    tmp_path: Path,
    make: Callable[[Path], object],
    state: str,
    found: str,
    step: str,
) -> None:
    make(tmp_path / FILE_NAME)
    finding = doctor.check_database(patient)
    assert finding.state == state
    assert found in finding.found
    assert step in finding.next_step


def test_a_taken_port_is_found_by_number(tmp_path: Path, taken_port: int) -> None:
    settings = Settings(data_dir=tmp_path, dashboard=DashboardSettings(port=taken_port))
    finding = doctor.check_ports(Patient(settings, "", tmp_path))
    assert (finding.state, finding.found) == ("bad", f"taken: {taken_port}")


def test_no_daemon_is_no_fault_but_a_silent_one_is(patient: Patient, tmp_path: Path) -> None:
    assert doctor.check_daemon(patient).state == "later"
    place_daemon_file(tmp_path, SILENT)
    assert "does not answer" in doctor.check_daemon(patient).found
    assert not doctor.check_daemon(patient).well


@pytest.mark.parametrize(("state", "code"), [("ok", 0), ("later", 0), ("bad", 1)])
def test_the_exit_code_tells_whether_anything_is_wrong(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, state: State, code: int
) -> None:
    finding = Finding("Node", state, "v1", "reinstall it")
    monkeypatch.setattr(doctor, "CHECKS", (lambda _patient: finding,))
    result = CliRunner().invoke(app, ["doctor", "--data-dir", str(tmp_path)])
    assert result.exit_code == code
    assert "reinstall it" in result.stdout


def test_what_a_server_says_is_no_order_to_the_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = Finding("server", "bad", "“\x9b2J\u202eback\x1b[31m”\u2028", "ask \u2066them\x85")
    monkeypatch.setattr(doctor, "CHECKS", (lambda _patient: said,))
    shown = CliRunner().invoke(app, ["doctor", "--data-dir", str(tmp_path)]).stdout
    assert r"“\u009b2J\u202eback\u001b[31m”\u2028" in shown
    assert r"ask \u2066them\u0085" in shown
    assert all(line.isprintable() for line in shown.split("\n"))


@pytest.mark.parametrize(
    ("server", "owners", "state", "told"),
    [
        ("", (), "ok", "every player of the embedded server may command"),
        ("", ("Steve",), "ok", "Steve"),
        ("mc.example.org", (), "warn", 'owners = ["NAME"]'),
        ("127.0.0.1", (), "warn", "--owner NAME"),
    ],
)
def test_a_server_without_an_owner_is_told_with_the_setting(
    tmp_path: Path, server: str, owners: tuple[str, ...], state: str, told: str
) -> None:
    settings = Settings(
        data_dir=tmp_path,
        server=ServerSettings(host=server),
        permissions=PermissionSettings(owners=owners),
    )
    finding = doctor.check_owners(Patient(settings, "", tmp_path))
    assert (finding.state, finding.well) == (state, True)
    assert told in f"{finding.found} {finding.next_step}"


@pytest.mark.parametrize(
    ("server", "settings", "state"),
    [
        ({"host": "mc.example.org"}, {}, "warn"),
        ({"host": "mc.example.org"}, {"permissions": {"pin": "opensesame"}}, "ok"),
        ({"host": "mc.example.org"}, {"bots": {"accounts": ("Alice", "Bob")}}, "ok"),
        ({"host": "mc.example.org"}, {"bots": {"accounts": ("Alice",)}}, "warn"),
        ({"host": "mc.example.org", "on_join": ("/login {secret}",), "secret": "x1y2z3"}, {}, "ok"),
        ({"host": "mc.example.org", "on_join": ("/server survival",)}, {}, "warn"),
        ({}, {"bots": {"accounts": ("Alice", "Bob")}}, "warn"),
    ],
)
def test_an_owner_whose_name_nobody_checks_is_told_of_the_pin(
    tmp_path: Path, server: dict[str, Any], settings: dict[str, Any], state: str
) -> None:
    named = {"owners": ("Steve",), **settings.get("permissions", {})}
    chosen = {**settings, "permissions": named, "server": server, "data_dir": tmp_path}
    finding = doctor.check_names(Patient(Settings(**chosen), "", tmp_path))
    assert finding.state == state
    assert ("PIN" in finding.next_step) is (state == "warn")


def test_a_server_open_to_the_network_has_no_open_house(tmp_path: Path) -> None:
    open_to_all = EmbeddedSettings(host="0.0.0.0")
    settings = Settings(data_dir=tmp_path, embedded=open_to_all)
    assert doctor.check_owners(Patient(settings, "", tmp_path)).state == "warn"
    told = [one.found for one in weaknesses(settings, is_ours_alone=False)]
    assert "every device in your network can join" in told[0]
    assert "nobody is named as owner" in told[1]


def test_an_address_that_is_none_is_refused_with_what_would_be_right() -> None:
    with pytest.raises(ValueError, match=r"'lan' is no address.*0\.0\.0\.0 for all its networks"):
        EmbeddedSettings(host="lan")


def test_everything_that_is_open_is_told_each_with_its_setting(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('[server]\nhost = "mc.example.org"\n[permissions]\ntrusted = ["Tess"]\n')
    told = list(doctor.report(doctor.examine(config, {"data_dir": tmp_path})))
    open_doors = [line + told[place + 1] for place, line in enumerate(told) if "warn" in line]
    assert len(open_doors) == 2
    assert "nobody is named as owner" in open_doors[0]
    assert 'owners = ["NAME"] below [permissions]' in open_doors[0]
    assert "whoever joins as Tess" in open_doors[1]
    assert "TOWNSFOLK_PERMISSIONS__PIN" in open_doors[1]
