"""`townsfolk login`: signs a bot in with its Microsoft account."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from bots.daemon.data_folder import refuse_foreign
from bots.errors import SettingsError
from bots.private_files import make_private, make_private_folder
from bots.settings.fields import check_name
from bots.settings.settings import Settings
from bridge.accounts import SignInCode, sign_in
from bridge.errors import UserError
from bridge.node import ready

SECONDS_PER_MINUTE = 60


def login(settings: Settings, name: str, tell: Callable[[str], None]) -> str:
    """Sign the bot of this name in; a line for its owner. `tell` gets what to do.

    Raises SettingsError, SignInFailed, BotError subclasses."""
    try:
        check_name(name)
    except ValueError as error:
        raise SettingsError(str(error)) from error
    refuse_foreign(settings.data_dir)
    folder = settings.accounts_dir
    try:
        make_private_folder(folder)
        make_private(folder)
        named = asyncio.run(_sign_in(settings, folder, name, tell))
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror}") from error
    return _advice(settings, name, named)


async def _sign_in(settings: Settings, folder: Path, name: str, tell: Callable[[str], None]) -> str:
    """Tokens of a sign-in that fails, or of another player, replace none that are there."""
    runtime = await ready(tell, offline=settings.offline)
    fresh = folder / f".{name}.new"
    fresh.unlink(missing_ok=True)
    try:
        named = await sign_in(runtime, fresh, name, lambda code: tell(_asked(code)))
        if named != name:
            raise UserError(
                f"that account is called {named} in the game, and a bot has its account's name: "
                f"run `townsfolk login {named}`, and put {named} into bots.names and bots.accounts"
            )
        fresh.replace(folder / f"{name}.json")
    finally:
        fresh.unlink(missing_ok=True)
    return named


def _asked(code: SignInCode) -> str:
    minutes = code.seconds // SECONDS_PER_MINUTE
    return f"open {code.uri} within {minutes} minutes and type {code.code}"


def _advice(settings: Settings, name: str, named: str) -> str:
    done = f"{named} is signed in"
    if name in settings.bots.accounts:
        return f"{done}; a running daemon joins with it at its next try"
    return f"{done}; now set bots.accounts = {[*settings.bots.accounts, name]!r}".replace("'", '"')
