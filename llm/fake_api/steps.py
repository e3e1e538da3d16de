"""What the fake API does with one request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from llm.model import Usage

USED = Usage(fresh=20, output=9, cache_read=5)


@dataclass(frozen=True, slots=True)
class Call:
    """A tool the model asks for."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    json: str | None = None
    """Sent in place of the arguments: broken JSON, for example."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A streamed answer; the faults strike after so many events were sent."""

    text: str = "Hello there."
    thinking: str = ""
    calls: tuple[Call, ...] = ()
    stop: str = ""
    """'' = as the content asks: tool_use with calls, else end_turn."""
    usage: Usage = USED
    slow_s: float = 0.0
    """Silence before the first byte."""
    drip_s: float = 0.0
    """Silence after every event."""
    cut_after: int | None = None
    """The connection breaks."""
    end_after: int | None = None
    """The stream ends as if it were complete."""
    error_after: int | None = None
    """An error event follows."""
    garbage_after: int | None = None
    """An event with broken JSON follows."""

    @property
    def stop_reason(self) -> str:
        return self.stop or ("tool_use" if self.calls else "end_turn")


@dataclass(frozen=True, slots=True)
class Failure:
    """An error status as the API words it."""

    status: int
    kind: str = "api_error"
    message: str = "scripted"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Body:
    """Status 200 with a body that is no stream."""

    text: str
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection closes before any answer."""


Step: TypeAlias = Reply | Failure | Body | Drop
