"""Microsoft accounts of bots: which bots have one, and signing them in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bridge.child_environment import child_environment
from bridge.diagnosis import diagnose
from bridge.errors import UserError
from bridge.foreign_json import NotJson, read_object
from bridge.node import NodeRuntime
from bridge.port import ServerAddress

_LOGIN = Path(__file__).parent / "host" / "login.cjs"
_MICROSOFT = ServerAddress("login.live.com", 443)


class SignInFailed(UserError):
    """Microsoft did not let the account in; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class SignInCode:
    """What a person types where, and for how long it is good."""

    uri: str
    code: str
    seconds: int


async def sign_in(
    runtime: NodeRuntime, file: Path, bot: str, told: Callable[[SignInCode], None]
) -> str:
    """Sign an account in and keep its tokens in `file`; returns its name in the game.

    `told` gets the code as soon as there is one. Raises SignInFailed, OSError."""
    async with _login(runtime, file) as process:
        assert process.stdout is not None
        async for line in process.stdout:
            try:
                message = read_object(line)
            except NotJson:  # a library's own words
                continue
            if message["t"] == "code":
                told(SignInCode(message["uri"], message["code"], message["seconds"]))
            elif message["t"] == "done":
                return str(message["name"])
            else:
                raise _failed(bot, message["text"], message["key"])
    raise SignInFailed("Node ended before the account was signed in; try again")


def _failed(bot: str, text: str, key: str) -> SignInFailed:
    found = diagnose("error", text, key, bot=bot, server=_MICROSOFT)
    if found.cause == "account_unreachable":  # a bot that joins tries again; here nobody does
        again = f"Check the network, then run `townsfolk login {bot}` again."
        found = replace(found, next_step=again)
    return SignInFailed(str(found))


@asynccontextmanager
async def _login(runtime: NodeRuntime, file: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """The program that signs in; ended with the block."""
    process = await asyncio.create_subprocess_exec(
        runtime.binary,
        _LOGIN,
        file,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=child_environment(network=True, TOWNSFOLK_NODE_DIR=str(runtime.packages_dir)),
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
