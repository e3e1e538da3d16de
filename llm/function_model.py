"""A model that is a function: for tests, and for talks written by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from inspect import isawaitable

from llm.errors import ModelUnavailable
from llm.model import Completion, Question


class FunctionModel:
    """Answers with what `answer` returns, awaits or raises; keeps every question."""

    def __init__(self, answer: Callable[[Question], str | Awaitable[str]]) -> None:
        self._answer = answer
        self.questions: list[Question] = []

    async def complete(self, question: Question, *, deadline_s: float) -> Completion:
        self.questions.append(question)
        try:
            async with asyncio.timeout(deadline_s):
                answer = self._answer(question)
                text = await answer if isawaitable(answer) else answer
        except TimeoutError:
            raise ModelUnavailable("deadline") from None
        return Completion(text, "function", tokens_in=0, tokens_out=0)

    async def warm(self) -> None:
        """Nothing to make ready."""

    async def aclose(self) -> None:
        """Nothing to close."""
