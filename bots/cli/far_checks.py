"""The checks of `townsfolk doctor` that ask others: Minecraft server, broker and model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bots.cli.finding import Finding, Patient
from bots.cluster.broker_trouble import ADVICE
from bots.cluster.bus import BusUnavailable
from bots.observability.logs import silently
from bots.settings.llm import LlmSettings
from bots.settings.secrets import SecretUrl
from bots.settings.settings import Settings
from bots.text.printable import printable
from bridge.diagnosis import WAY_TO_NEWER, diagnose
from bridge.errors import BotError
from bridge.port import ServerAddress
from bridge.server_ping import NoAnswer, ServerStatus, ping
from bridge.versions import VERSIONS
from llm.engine.tiers import TIERS


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
    from bots.cluster.claims import Claims
    from bots.cluster.connecting import connected_bus

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
    from bots.daemon.model_check import Checked, check, is_short
    from bots.daemon.models import models_of
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
    names = _names(settings.llm)
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


def _names(llm: LlmSettings) -> str:
    tiers = [tier for tier in TIERS if tier != "opus" or llm.opus_enabled]
    return ", ".join(dict.fromkeys(llm.model_id(tier) for tier in tiers))
