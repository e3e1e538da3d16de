"""The HTTP client of the daemon that runs on a data folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast
from urllib.parse import quote, urlencode

import httpx2
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from bots.daemon import daemon_file
from bots.daemon.daemon_file import DaemonFile, DaemonSilent
from bridge.foreign_json import NotJson, read_json, read_object

ANSWERS_WITHIN_S = 3.0
LONGEST_COMMAND_S = 3_600.0  # each command has its own, shorter deadline in the daemon
CLOSES_WITHIN_S = 0.5
PICTURE_WITHIN_S = 15.0  # on a busy machine, behind others

Json: TypeAlias = dict[str, Any]
Asked: TypeAlias = Literal["stats", "positions", "budget", "load", "goals", "terrain"]


class DaemonClient:
    """Asks one daemon, with its token. Use it as a context manager."""

    def __init__(self, daemon: DaemonFile) -> None:
        self._daemon = daemon
        self._http = httpx2.Client(
            base_url=daemon.dashboard.url,
            headers=daemon.dashboard.bearer,
            timeout=ANSWERS_WITHIN_S,
            # No proxy from the environment may stand between us and this machine.
            trust_env=False,
        )

    @classmethod
    def of(cls, data_dir: Path) -> DaemonClient:
        """Raises NoDaemon when none runs on this folder."""
        return cls(daemon_file.read(data_dir))

    def __enter__(self) -> DaemonClient:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def health(self, of: Literal["", "/live", "/ready"] = "") -> Json:
        """How it is; or whether it should be left alone, or can be talked with now. Raises
        DaemonSilent when nothing answers in time."""
        return self._ask("GET", f"/healthz{of}")

    def link(self) -> str:
        """A link that opens the page once. Raises DaemonSilent."""
        link = self._ask("POST", "/api/link").get("url")
        if not isinstance(link, str):
            raise self._daemon.foreign()
        return link

    def bots(self) -> list[Json]:
        """Every bot, and how it is. Raises DaemonSilent when another program answers."""
        found = self._ask("GET", "/api/bots")
        if found.get("reason") == "unauthorised":
            raise DaemonSilent(str(found["message"]))
        bots = found.get("bots")
        if not isinstance(bots, list):
            raise self._daemon.foreign()
        return bots

    def command(self, bot: str, text: str, wait: bool = True, *, plain: bool = False) -> Json:
        """The command's result; waits for its end unless told otherwise.

        With `plain`, also the lines that tell it to a person."""
        self.health()
        asked = {"text": text, "wait": wait, "plain": plain}
        return self._ask("POST", _of_bot(bot, "commands"), asked, LONGEST_COMMAND_S)

    def message(self, bot: str, text: str, name: str | None) -> Json:
        """What the bot answers to an operator, who may have a name."""
        self.health()
        asked = {"text": text, "name": name}
        return self._ask("POST", _of_bot(bot, "messages"), asked, LONGEST_COMMAND_S)

    def prompt(self, bot: str, text: str, name: str | None) -> Json:
        """What a model would be asked if the operator, or a player of this name, said this."""
        self.health()
        return self._ask("POST", _of_bot(bot, "prompt"), {"text": text, "name": name})

    def picture(self, bot: str, *, is_map: bool) -> bytes | None:
        """What a bot sees now, or the map around it, as a PNG; None while it cannot look."""
        path = _of_bot(bot, "map" if is_map else "picture")
        try:
            reply = self._http.get(path, timeout=PICTURE_WITHIN_S)
        except httpx2.TransportError as error:
            raise self._daemon.silent() from error
        return reply.content if reply.headers["content-type"] == "image/png" else None

    def get(self, what: Asked, bot: str | None = None) -> Json:
        """What `/api/WHAT` answers, or `/api/bots/BOT/WHAT`: docs/http.md. Raises DaemonSilent."""
        path = f"/api/{what}" if bot is None else _of_bot(bot, what)
        within_s = PICTURE_WITHIN_S if what == "terrain" else ANSWERS_WITHIN_S
        return self._ask("GET", path, None, within_s)

    def stop_all(self) -> Json:
        """`!stop` for every bot. Raises DaemonSilent."""
        return self._ask("POST", "/api/stop", None, LONGEST_COMMAND_S)

    def traces(self, follow: bool) -> Iterator[Json]:
        """The events the daemon still has; with `follow` also new ones until it ends."""
        with self._reading(f"last=0&follow={int(follow)}") as traces:
            yield from traces

    def new_traces(self) -> AbstractContextManager[Iterator[Json]]:
        """The events from now on, until the daemon ends. None is missed once it is entered."""
        return self._reading("follow=1")

    def seat(self, bot: str, person: str) -> AbstractContextManager[Iterator[Json]]:
        """What the person hears who speaks for a bot of an experiment, and has heard. Raises
        DaemonSilent, with why, for somebody else."""
        return self._reading(f"last=0&follow=1&{urlencode({'bot': bot, 'as': person})}")

    @contextmanager
    def batches(self) -> Iterator[Iterator[list[Json]]]:
        """The kept events, and then the new ones of each tenth of a second, until the daemon
        ends."""
        with self._reading("last=0&follow=1&batch=1") as batches:
            yield cast(Iterator[list[Json]], batches)

    @contextmanager
    def _reading(self, query: str) -> Iterator[Iterator[Json]]:
        try:
            socket = connect(
                f"{self._daemon.dashboard.stream}?{query}",
                additional_headers=self._daemon.dashboard.bearer,
                open_timeout=ANSWERS_WITHIN_S,
                close_timeout=CLOSES_WITHIN_S,
                proxy=None,
            )
        except InvalidStatus as refused:
            with suppress(NotJson, KeyError):
                why = read_object(bytes(refused.response.body or b""))["message"]
                raise DaemonSilent(str(why)) from refused
            raise self._daemon.foreign() from refused
        except (OSError, InvalidHandshake) as error:
            raise self._daemon.silent() from error
        with socket:
            yield self._until_closed(socket)

    def _until_closed(self, socket: ClientConnection) -> Iterator[Json]:
        with suppress(ConnectionClosed):
            try:
                yield from map(read_json, socket)
            except NotJson as error:
                raise self._daemon.foreign() from error

    def _ask(
        self, method: str, path: str, body: Json | None = None, within_s: float = ANSWERS_WITHIN_S
    ) -> Json:
        timeout = httpx2.Timeout(within_s, connect=ANSWERS_WITHIN_S)
        try:
            reply = self._http.request(method, path, json=body, timeout=timeout)
            return read_object(reply.content)
        except httpx2.TransportError as error:
            raise self._daemon.silent() from error
        except NotJson as error:
            raise self._daemon.foreign() from error


def _of_bot(bot: str, what: str) -> str:
    return f"/api/bots/{quote(bot, safe='')}/{what}"
