"""An answer in time, whatever the model does: the model's, a salvaged part, or the fallback's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Literal

import structlog

from llm.engine.sentences import up_to_last_sentence
from llm.errors import ModelRefused, ModelUnavailable
from llm.model import ChatModel, Completion, Question

log = structlog.get_logger()

MODEL_CUT_S = 7.0
GRACE_S = 0.1  # a model that keeps its own deadline hands over what it has within this

Source = Literal["model", "partial", "rules"]
Fallback = Callable[[str], Awaitable[str]]
"""Answers without the model; told why there is no model's answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    source: Source
    why: str | None
    """Why the model's answer was not used whole; None when it was.

    no_model, empty, length, refused, failed or one of `llm.errors.Unavailable`."""
    seconds: float
    tokens_in: int = 0
    tokens_out: int = 0
    model: str | None = None


class Responder:
    """Asks a model and falls back in time. Safe for questions at the same time."""

    def __init__(
        self,
        model: ChatModel | None,
        *,
        model_cut_s: float = MODEL_CUT_S,
        stopwatch: Callable[[], float],
    ) -> None:
        self.model = model
        self._model_cut_s = model_cut_s
        self._stopwatch = stopwatch
        self._overdue: set[asyncio.Future[Completion]] = set()

    async def answer(
        self,
        question: Question,
        fallback: Fallback,
        *,
        deadline_s: float = MODEL_CUT_S,
    ) -> Reply:
        """A reply; the model is cut after `deadline_s` seconds, or sooner by `model_cut_s`.

        `fallback` is not timed here: it has to be quick. Whoever cancels this, because
        nobody waits for the answer any more, ends the model's work with it."""
        began = self._stopwatch()
        reply = await self._by_model(question, min(deadline_s, self._model_cut_s))
        if not reply.text:
            why = reply.why or "failed"
            reply = replace(reply, text=await fallback(why), source="rules", why=why)
        return replace(reply, seconds=self._stopwatch() - began)

    async def aclose(self) -> None:
        """End what a model still does past its deadline."""
        for task in self._overdue:
            task.cancel()
        await asyncio.gather(*self._overdue, return_exceptions=True)

    async def _by_model(self, question: Question, deadline_s: float) -> Reply:
        """The model's reply; its text is '' when there is nothing to use."""
        if self.model is None:
            return _nothing("no_model")
        if deadline_s <= 0:
            return _nothing("deadline")
        asking = self.model.complete(question, deadline_s=deadline_s)
        task = asyncio.ensure_future(asking)
        try:
            await asyncio.wait({task}, timeout=deadline_s + GRACE_S)
        finally:
            self._give_up(task)
        return _reply_of(task) if task.done() else _nothing("deadline")

    def _give_up(self, task: asyncio.Future[Completion]) -> None:
        """The answer does not wait for a model that is slow to notice its end."""
        if not task.done():
            self._overdue.add(task)
            task.add_done_callback(self._ended_overdue)
            task.cancel()

    def _ended_overdue(self, task: asyncio.Future[Completion]) -> None:
        self._overdue.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, so that asyncio does not report it as forgotten


def _nothing(why: str) -> Reply:
    return Reply("", "rules", why, 0.0)


def _reply_of(task: asyncio.Future[Completion]) -> Reply:
    error = _Cancelled() if task.cancelled() else task.exception()
    match error:
        case None:
            return _whole_or_cut(task.result())
        case ModelUnavailable(why=why, partial=partial):
            return Reply(up_to_last_sentence(partial), "partial", why, 0.0)
        case ModelRefused():
            return _nothing("refused")
        case Exception():
            log.error("model.broke", exc_info=error)
            return _nothing("failed")
    raise error


class _Cancelled(Exception):
    """The model ended as if somebody had cancelled it."""


def _whole_or_cut(completion: Completion) -> Reply:
    text, why = completion.text.strip(), None
    if completion.stop == "length":
        text, why = up_to_last_sentence(text), "length"
    elif not text:
        why = "empty"
    return Reply(
        text,
        "model" if why is None else "partial",
        why,
        seconds=0.0,
        tokens_in=completion.usage.prompt,
        tokens_out=completion.usage.output,
        model=completion.model,
    )
