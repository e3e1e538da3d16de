"""Asks the daemon that runs on a data folder just now: after a restart it is the new one."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

import httpx2

from bots.daemon import daemon_file
from bots.daemon.daemon_file import DaemonFile, DaemonSilent, NoDaemon
from bridge.foreign_json import NotJson, read_object

ANSWERS_WITHIN_S = 3.0
LONGEST_COMMAND_S = 3_600.0  # each command has its own, shorter deadline in the daemon

Json: TypeAlias = dict[str, Any]
Query: TypeAlias = dict[str, str | int]


class RunningDaemon:
    """Every answer is a JSON object; that no daemon runs is an answer too. Close it at the end."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        # No proxy from the environment may stand between us and this machine.
        self._http = httpx2.AsyncClient(trust_env=False)

    async def aclose(self) -> None:
        await self._http.aclose()

    async def bots(self) -> Json:
        """`bots`: each of them, and how it is."""
        return await self._get("/api/bots")

    async def history(self, bot: str, query: Query) -> Json:
        return await self._get(_of_bot(bot, "history"), query)

    async def message(self, bot: str, text: str, name: str | None) -> Json:
        """What the bot answers to an operator, who may have a name."""
        return await self._post(_of_bot(bot, "messages"), {"text": text, "name": name})

    async def command(self, bot: str, text: str) -> Json:
        """The command's result. A caller that is cancelled ends the command."""
        return await self._post(_of_bot(bot, "commands"), {"text": text, "attached": True})

    async def begin(self, bot: str, text: str) -> Json:
        """Begin a command that goes on by itself."""
        return await self._post(_of_bot(bot, "commands"), {"text": text, "wait": False})

    async def _get(self, path: str, query: Query | None = None) -> Json:
        return await self._answer("GET", path, ANSWERS_WITHIN_S, params=query)

    async def _post(self, path: str, body: Json) -> Json:
        """What may take long is sent to a daemon only that has just shown that it answers."""
        health = await self._answer("GET", "/healthz", ANSWERS_WITHIN_S)
        if "reason" in health:
            return health
        return await self._answer("POST", path, LONGEST_COMMAND_S, json=body)

    async def _answer(self, method: str, path: str, within_s: float, **sent: Any) -> Json:
        try:
            return await self._ask(daemon_file.read(self._data_dir), method, path, within_s, sent)
        except NoDaemon as none:
            return refusal("no_daemon", str(none))
        except DaemonSilent as silent:
            return refusal("daemon_silent", str(silent))

    async def _ask(
        self, daemon: DaemonFile, method: str, path: str, within_s: float, sent: Json
    ) -> Json:
        url, headers = daemon.dashboard.url.rstrip("/") + path, daemon.dashboard.bearer
        timeout = httpx2.Timeout(within_s, connect=ANSWERS_WITHIN_S)
        try:
            reply = await self._http.request(method, url, headers=headers, timeout=timeout, **sent)
            return read_object(reply.content)
        except httpx2.TransportError as error:
            raise daemon.silent() from error
        except NotJson as error:
            raise daemon.foreign() from error


def refusal(reason: str, message: str) -> Json:
    return {"success": False, "reason": reason, "message": message}


def _of_bot(bot: str, what: str) -> str:
    return f"/api/bots/{quote(bot, safe='')}/{what}"
