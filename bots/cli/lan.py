"""`--server lan`: the one world opened to LAN in this network."""

from __future__ import annotations

import asyncio

from bots.errors import SettingsError
from bridge.errors import UserError
from bridge.server_ping import LISTEN_S, LanWorld, lan_worlds


def lan_address() -> tuple[str, int]:
    """Its host and port, after some seconds of listening. Raises SettingsError when there is
    none, or more than one to choose from."""
    try:
        worlds = asyncio.run(lan_worlds())
    except OSError as error:
        raise UserError(f"this network cannot be listened to: {error.strerror}") from error
    return the_only(worlds)


def the_only(worlds: list[LanWorld]) -> tuple[str, int]:
    """Raises SettingsError unless there is one."""
    if not worlds:
        raise SettingsError(
            f"no world was announced within {LISTEN_S:g} s; open one with Esc, Open to LAN, "
            "or write the address: --server HOST:PORT"
        )
    if len(worlds) > 1:
        choices = (f"  --server {w.host}:{w.port}   {w.name}" for w in worlds)
        raise SettingsError("\n".join(["several worlds are open; choose one:", *choices]))
    (world,) = worlds
    return world.host, world.port
