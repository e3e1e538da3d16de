"""A model that is a function: for tests, and for talks written by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import TypeAlias

from llm.model import Completion, ModelUnavailable, Question

Answer: TypeAlias = str | Completion


class FunctionModel:
    """Answers with what `answer` returns, awaits or raises; keeps every question."""

    def __init__(
        self, answer: Callable[[Question], Answer | Awaitable[Answer]], model_id: str = "function"
    ) -> None:
        self.model_id = model_id
        self._answer = answer
        self.questions: list[Question] = []

    async def complete(self, question: Question, *, deadline_s: float) -> Completion:
        self.questions.append(question)
        try:
            async with asyncio.timeout(deadline_s):
                answer = self._answer(question)
                answered = await answer if isawaitable(answer) else answer
        except TimeoutError:
            raise ModelUnavailable("deadline") from None
        if isinstance(answered, Completion):
            return answered
        return Completion(answered, self.model_id)

    async def warm(self) -> None:
        """Nothing to make ready."""

    async def aclose(self) -> None:
        """Nothing to close."""
