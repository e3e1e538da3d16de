"""The port to a language model: what is asked and what comes back, provider-neutral."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier line; consecutive turns of one role are allowed, the adapter merges them."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """One request to a model."""

    system: str
    """Instructions only: nothing a player said ever goes in here."""
    turns: tuple[Turn, ...]
    max_tokens: int = 400
    """Ceiling of the answer, thinking included."""


@dataclass(frozen=True, slots=True)
class Completion:
    text: str
    model: str
    tokens_in: int
    """Everything read, cached or not."""
    tokens_out: int
    stop: Literal["end", "length"] = "end"


class ChatModel(Protocol):
    """Answers a question. Implementations: `AnthropicModel`, `FunctionModel` (tests)."""

    async def complete(self, question: Question, *, deadline_s: float) -> Completion:
        """Answer within `deadline_s` seconds, or raise a `ModelError` by then."""
        ...

    async def warm(self) -> None:
        """Make ready what the first question would otherwise wait for."""
        ...

    async def aclose(self) -> None: ...
