"""Claude, or any server that speaks the Anthropic Messages API, as a `ChatModel`.

What a server lists, and how much its models read, each kind of server tells in its own way:

Anthropic   /v1/models: id, line, lifecycle, max_input_tokens
vLLM        /v1/models: id, max_model_len
llama.cpp   /v1/models: id, meta.n_ctx; /props: default_generation_settings.n_ctx
Ollama      /v1/models: id; /api/ps, once it is loaded: name, context_length
LM Studio   /v1/models: id; /api/v0/models, once it is loaded: id, loaded_context_length
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlsplit

from llm.claude.wire import Failure, Refusal
from llm.model import Completion, ModelRefused, ModelUnavailable, Question, Unavailable

if TYPE_CHECKING:
    from llm.claude.calls import MessagesApi


OWN_PATHS = ("/api/ps", "/props", "/api/v0/models")
"""Where servers for models at home tell how much the loaded model reads."""

T = TypeVar("T")

OFFICIAL_URL = "https://api.anthropic.com"
REAL_CALLS_ALLOWED = True
"""Tests set it to False: then a question for a server that is not on loopback raises."""

_LOOPBACK = {"127.0.0.1", "::1", "localhost"}


@dataclass(frozen=True, slots=True)
class Listing:
    """What a server tells of its models; empty where it tells nothing."""

    models: tuple[str, ...] = ()
    newest: Mapping[str, str] = field(default_factory=dict)
    """The newest active model of each line, such as `haiku`."""
    contexts: Mapping[str, int] = field(default_factory=dict)
    """Tokens that a model reads and writes at most, where that is told."""
    why: Unavailable | None = None
    """Why it told nothing; None: it did."""

    def has(self, model: str) -> bool:
        """Ollama's `qwen3` is `qwen3:latest`."""
        return any(_is_called(one, model) for one in self.models)


NOTHING_LISTED = Listing()


def listing_of(told: object) -> Listing:
    """The list in an answer. Raises LookupError where there is none."""
    if not (isinstance(told, Mapping) and isinstance(told.get("data"), list)):
        raise LookupError("no list of models")
    rows = list(_rows(told))
    newest: dict[str, str] = {}
    for row in rows:  # the newest come first
        if row.get("lifecycle") == "active" and row.get("line"):
            newest.setdefault(str(row["line"]), row["id"])
    contexts = {row["id"]: size for row in rows if (size := _context_of(row)) is not None}
    return Listing(tuple(row["id"] for row in rows), newest, contexts)


def context_in(told: object, model: str) -> int | None:
    """What a server tells at one of OWN_PATHS of how much this model reads."""
    match told:
        case {"default_generation_settings": {"n_ctx": int(size)}}:
            return _size(size)
    for row in _rows(told):
        if _is_called(row["id"], model):
            return _context_of(row)
    return None


def _rows(told: object) -> Iterator[dict[str, Any]]:
    """The rows of a list of models, each with its `id`."""
    if not isinstance(told, Mapping):
        return
    rows = told.get("data", told.get("models"))
    for row in rows if isinstance(rows, list) else ():
        name = row.get("id", row.get("name")) if isinstance(row, dict) else None
        if isinstance(name, str):
            yield {**row, "id": name}


def _context_of(row: Mapping[str, Any]) -> int | None:
    meta = row.get("meta")
    told = (
        *(row.get(key) for key in ("max_model_len", "context_length", "loaded_context_length")),
        meta.get("n_ctx") if isinstance(meta, Mapping) else None,
        row.get("max_input_tokens"),
    )
    return next((size for one in told if (size := _size(one)) is not None), None)


def _size(told: object) -> int | None:
    return told if isinstance(told, int) and told > 0 else None


def _is_called(listed: str, model: str) -> bool:
    return listed in (model, f"{model}:latest")


class RealCallForbidden(BaseException):
    """A test was about to ask a real model; no `Exception`, so that no fallback hides it."""


class _Connection:
    """The SDK's client, loaded once; models of one account share it."""

    def __init__(self, api_key: str | None, url: str, hidden: Sequence[str]) -> None:
        self.url = url
        self._api_key = (api_key or "").strip() or None
        self._hidden = hidden
        address = urlsplit(url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError("the model's base_url is no http(s) address")
        self._on_loopback = address.hostname in _LOOPBACK
        self._loading: asyncio.Future[MessagesApi] | None = None

    def check_allowed(self) -> None:
        if not (self._on_loopback or REAL_CALLS_ALLOWED):
            raise RealCallForbidden("the model's server has no loopback address")

    async def api(self) -> MessagesApi:
        if self._loading is None:
            self._loading = asyncio.ensure_future(_in_daemon_thread(self._load))
        return await asyncio.shield(self._loading)

    async def aclose(self) -> None:
        """Close the connections; an SDK still being loaded is not waited for."""
        loading, self._loading = self._loading, None
        if loading is None:
            return
        if not loading.done():
            loading.cancel()
        elif not loading.cancelled() and loading.exception() is None:
            await loading.result().aclose()

    def _load(self) -> MessagesApi:
        calls = import_module("llm.claude.calls")
        api: MessagesApi = calls.MessagesApi(self._api_key, self.url, self._hidden)
        return api


class AnthropicModel:
    """Answers through the Anthropic SDK, which loads in a thread; `warm` does that ahead of time.

    `api_key` may be None for a self-hosted server only. What a server says back of the key, or of
    what else is `hidden`, is not logged. Raises ValueError for a `base_url` that is no http
    address."""

    def __init__(
        self,
        model_id: str,
        *,
        api_key: str | None,
        base_url: str | None = None,
        hidden: Sequence[str] = (),
    ) -> None:
        self.model_id = model_id
        self._connection = _Connection(api_key, base_url or OFFICIAL_URL, hidden)

    def another(self, model_id: str) -> AnthropicModel:
        """Another model on the same connection, which ends for both when either is closed."""
        other = copy(self)
        other.model_id = model_id
        return other

    async def warm(self) -> None:
        """Load the SDK now."""
        await self._connection.api()

    async def listing(self, within_s: float) -> Listing:
        """The models that the server lists, in time."""
        self._connection.check_allowed()
        try:
            async with asyncio.timeout(within_s):
                api = await self._connection.api()
                return await api.listing(within_s)
        except TimeoutError:
            return replace(NOTHING_LISTED, why="deadline")

    async def is_known(self, within_s: float) -> bool:
        """Whether the server knows it, if only by another name than it lists."""
        self._connection.check_allowed()
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                api = await self._connection.api()
                return await api.facts(f"/v1/models/{quote(self.model_id, safe='')}") is not None
        return True

    async def context(self, within_s: float) -> int | None:
        """Tokens that the model reads and writes at most, once it is loaded, by what servers for
        models at home tell; None where none does."""
        self._connection.check_allowed()
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                api = await self._connection.api()
                for path in OWN_PATHS:
                    told = context_in(await api.facts(path), self.model_id)
                    if told is not None:
                        return told
        return None

    async def complete(self, question: Question, *, deadline_s: float) -> Completion:
        self._connection.check_allowed()
        heard: list[str] = []
        try:
            # The total deadline: the SDK's own timeouts are per read and per retry.
            async with asyncio.timeout(deadline_s):
                api = await self._connection.api()
                outcome = await api.ask(self.model_id, question, heard.append, deadline_s)
        except TimeoutError:
            outcome = Failure("deadline", unbilled=False)
        if isinstance(outcome, Completion):
            return outcome
        # Raised here and not where it was noticed: a fault of the SDK as the context of
        # this error would carry the request, and with it the key, into logs.
        if isinstance(outcome, Refusal):
            raise ModelRefused(self.model_id, outcome.usage)
        raise ModelUnavailable(outcome.why, "".join(heard), unbilled=outcome.unbilled)

    async def aclose(self) -> None:
        """Close the connections; an SDK still being loaded is not waited for."""
        await self._connection.aclose()


async def _in_daemon_thread(work: Callable[[], T]) -> T:
    """Run slow work in a thread that, unlike the loop's own, never delays an exit."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[T] = loop.create_future()

    def settle(finished: Future[T]) -> None:
        if outcome.done():
            return
        if (failure := finished.exception()) is not None:
            outcome.set_exception(failure)
        else:
            outcome.set_result(finished.result())

    def run() -> None:
        finished: Future[T] = Future()
        try:
            finished.set_result(work())
        except (ImportError, ValueError, OSError) as failure:
            finished.set_exception(failure)
        with suppress(RuntimeError):  # the loop may be closed by now
            loop.call_soon_threadsafe(settle, finished)

    Thread(target=run, daemon=True, name="load anthropic").start()
    return await outcome
