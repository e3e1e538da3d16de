"""Serves over stdin and stdout, or over HTTP on loopback with a token that stays the same."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from mcp.server.stdio import stdio_server
from pydantic import BaseModel, Field, ValidationError
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bots.commands.catalogue import commands
from bots.daemon.data_folder import MCP_NAME, refuse_foreign
from bots.errors import SettingsError
from bots.http.requests import read_bytes
from bots.http.responses import Refused
from bots.http.security import Guard, Keys, OwnAddresses
from bots.http.server import HttpServer
from bots.mcp.server import make_server
from bots.observability.redaction import new_token
from bots.private_files import for_owner_alone, make_private_folder

HOST = "127.0.0.1"
PORT = 8931
PATH = "/mcp"
MOST_SESSIONS = 64
MOST_BYTES = 1024 * 1024  # of a request


class McpFile(BaseModel):
    """How clients find the server: DATA/mcp.json. The token outlives the server, as it is written
    into the settings of clients."""

    url: str
    token: str = Field(repr=False)


async def over_stdio(data_dir: Path) -> None:
    """Serve one client until it closes stdin."""
    server = make_server(data_dir, commands)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


async def over_http(data_dir: Path, port: int, announce: Callable[[str], None]) -> None:
    """Serve until cancelled; `announce` gets the ready line. Raises SettingsError when the port or
    the folder cannot be used."""
    refuse_foreign(data_dir)
    server, token = make_server(data_dir, commands), _token(data_dir)
    inner = server.streamable_http_app(
        streamable_http_path=PATH, host=HOST, max_sessions=MOST_SESSIONS
    )

    def guarded(port: int, _closing: asyncio.Event) -> ASGIApp:
        return Guard(WholeRequests(inner), OwnAddresses(port), Keys(token), MCP_NAME)

    http = await HttpServer.serve(guarded, HOST, port, "--port")
    try:
        url = http.url.rstrip("/") + PATH
        async with server.session_manager.run():
            _write(data_dir, McpFile(url=url, token=token))
            announce(f"ready mcp={url} token in {data_dir / MCP_NAME}")
            await asyncio.Event().wait()
    finally:
        await http.aclose()


class WholeRequests:
    """Gives `app` whole requests only, and answers where it does not.

    expected: the SDK refuses what is no request of its protocol. actual: a client that hangs up
    within its body is a traceback, a wish to go on with a stream that is not kept a 500. remove
    when: it refuses these too (2.3 does not)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        try:
            body = await read_bytes(Request(scope, receive), MOST_BYTES)
            await self._answered(scope, _after(body, receive), send)
        except Refused as refused:
            await refused.as_response()(scope, receive, send)

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises Refused where the app has nothing to say."""
        has_begun = False

        async def sent(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        await self._app(scope, receive, sent)
        if not has_begun:
            raise Refused(400, "bad_request", "this is no request of the protocol")


def _after(body: bytes, receive: Receive) -> Receive:
    """Tells the body in one piece, then what comes after it."""
    told: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def whole() -> Message:
        return told.pop() if told else await receive()

    return whole


def _token(data_dir: Path) -> str:
    """The one of earlier times, else a new one."""
    with suppress(OSError, ValidationError):
        return McpFile.model_validate_json((data_dir / MCP_NAME).read_bytes()).token
    return new_token()


def _write(data_dir: Path, file: McpFile) -> None:
    path = data_dir / MCP_NAME
    try:
        make_private_folder(data_dir)
        path.unlink(missing_ok=True)
        with open(path, "x", encoding="utf-8", opener=for_owner_alone) as out:
            out.write(json.dumps(file.model_dump(), indent=2) + "\n")
    except OSError as error:
        raise SettingsError(f"cannot write {path}: {error.strerror}") from error
