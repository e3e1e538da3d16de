"""The port to a language model: what is asked and what comes back, provider-neutral.

Errors say why a model gave no usable answer. `llm` keeps its own root: it does not know `bridge`.

ModelError
├── ModelUnavailable    no answer: `why` is one of Unavailable
├── ModelRefused        the model declined to answer
└── LedgerUnavailable   the ledger cannot be read or written, so no call is made
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

_PIXELS_PER_TOKEN = 750
"""Source: docs.anthropic.com, Vision: how a picture is counted."""

Unavailable = Literal[
    "deadline",
    "rate_limited",
    "overloaded",
    "auth",
    "billing",
    "server",
    "network",
    "bad_reply",
    "bad_request",
    "unknown_model",
    "no_api",
    "context",
]
"""`no_api`: the server has no Anthropic Messages API. `context`: the question is longer than the
model reads."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that a model looks at."""

    base64: str = field(repr=False)
    width: int
    height: int
    media_type: str = "image/png"

    @property
    def tokens(self) -> int:
        return math.ceil(self.width * self.height / _PIXELS_PER_TOKEN)


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier line; consecutive turns of one role are allowed, the adapter merges them."""

    role: Literal["user", "assistant"]
    text: str
    images: tuple[Image, ...] = ()
    """Behind the text; of users alone."""


@dataclass(frozen=True, eq=False)  # without slots: its size is found once and kept
class Tool:
    """Something a model may ask to have done. Compared by identity: a schema has no hash."""

    name: str
    """Letters, digits, `_` and `-`."""
    description: str
    schema: Mapping[str, Any]
    """JSON schema of its arguments, an object."""

    @cached_property
    def size_bytes(self) -> int:
        """Of all its text, the schema as JSON, in UTF-8."""
        schema = json.dumps(dict(self.schema), ensure_ascii=False)
        return len(f"{self.name}{self.description}{schema}".encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a model asks to have done. Nobody has checked it yet."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    """None when what arrived is no JSON object."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    call_id: str
    text: str
    failed: bool = False
    images: tuple[Image, ...] = ()
    """Behind the text."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What one answer used; `fresh`, `cache_write` and `cache_read` together were its prompt."""

    fresh: int = 0
    """Prompt tokens that no cache held."""
    output: int = 0
    """Thinking included."""
    cache_read: int = 0
    cache_write: int = 0

    @property
    def prompt(self) -> int:
        return self.fresh + self.cache_read + self.cache_write

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.fresh + other.fresh,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )


NOTHING_USED = Usage()


@dataclass(frozen=True, slots=True)
class Completion:
    text: str
    model: str
    usage: Usage = NOTHING_USED
    stop: Literal["end", "length", "tools"] = "end"
    calls: tuple[ToolCall, ...] = ()
    """With stop `tools`: to be answered, all of them, by a `ToolRound` of the next question."""
    thinking: str = ""
    """Summary of the reasoning, where the model shows one; never part of the answer."""
    raw: Any = field(default=None, compare=False)
    """The adapter's own form of this answer, for the tool loop it belongs to and no other."""


@dataclass(frozen=True, slots=True)
class ToolRound:
    """An answer that asked for tools, and what they came to."""

    asked: Completion
    results: tuple[ToolResult, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One request to a model."""

    system: str
    """Instructions only: nothing a player said ever goes in here."""
    turns: tuple[Turn, ...]
    max_tokens: int = 400
    """Ceiling of the answer, thinking included."""
    tools: tuple[Tool, ...] = ()
    rounds: tuple[ToolRound, ...] = ()
    """The tool loop so far, oldest first; all of it with one model."""
    schema: Mapping[str, Any] | None = None
    """Asks for an answer that is JSON of this schema; a model that cannot answers freely."""
    character: str = ""
    """Who the model is to be: instructions that follow `system`, which all characters share."""
    temperature: float | None = None
    """None: the model's own."""
    steady: int = 0
    """So many of the first turns stand the same way in the next question of the conversation."""

    @property
    def instructions(self) -> str:
        """All of them, as a model reads them."""
        return "\n\n".join(filter(None, (self.system, self.character)))


class ChatModel(Protocol):
    """Answers a question. Implementations: `AnthropicModel`, `FunctionModel` (tests)."""

    model_id: str

    async def complete(self, question: Question, *, deadline_s: float) -> Completion:
        """Answer within `deadline_s` seconds, or raise a `ModelError` by then."""
        ...

    async def warm(self) -> None:
        """Make ready what the first question would otherwise wait for."""
        ...

    async def aclose(self) -> None: ...


class ModelError(Exception):
    """The model gave no usable answer."""


class ModelUnavailable(ModelError):
    """No answer came; never carries a key or a prompt in its text."""

    def __init__(self, why: Unavailable, partial: str = "", *, unbilled: bool = False) -> None:
        super().__init__(f"model unavailable: {why}")
        self.why = why
        self.partial = partial
        """What had arrived before it ended; '' when nothing had."""
        self.unbilled = unbilled
        """True when it certainly cost nothing."""


class ModelRefused(ModelError):
    """The model declined to answer, which is billed all the same."""

    def __init__(self, model_id: str = "the model", usage: Usage = NOTHING_USED) -> None:
        super().__init__(f"{model_id} declined to answer")
        self.usage = usage


class LedgerUnavailable(ModelError):
    """The ledger of the budget cannot be read or written."""
