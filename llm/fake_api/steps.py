"""What the fake API does with one request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from llm.model import Usage

USED = Usage(fresh=20, output=9, cache_read=5)

Stop: TypeAlias = Literal[
    "",
    "end_turn",
    "max_tokens",
    "tool_use",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
]
"""'' = as the content asks: tool_use with calls, else end_turn. No question of ours names a stop
sequence."""

ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""What the API calls the error of a status; source: platform.claude.com/docs/en/api/errors. Any
other 4xx is an invalid request."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool the model asks for."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    json: str | None = None
    """Sent in place of the arguments: broken JSON, for example."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. Its faults strike after so many events of a stream were sent; without a stream
    there is none but a slow one."""

    text: str = "Hello there."
    thinking: str = ""
    """What is thought first; shown to whoever asks for a summary."""
    calls: tuple[Call, ...] = ()
    stop: Stop = ""
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
    kind: str = ""
    """'' = the type of error that the API has for the status."""
    message: str = "scripted"
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def type(self) -> str:
        usual = "invalid_request_error" if self.status < 500 else "api_error"
        return self.kind or ERROR_TYPES.get(self.status, usual)


@dataclass(frozen=True, slots=True)
class Body:
    """Status 200 with a body that is no stream."""

    text: str
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection closes before any answer."""


Step: TypeAlias = Reply | Failure | Body | Drop
