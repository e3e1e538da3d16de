"""What an error of a server means, by its status and its words.

Anthropic words errors in one way. Servers for models at home have the same API and words of their
own, and servers without it answer 404 in many ways.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from llm.errors import Unavailable

_WHY_BY_TYPE: dict[str, Unavailable] = {
    "overloaded_error": "overloaded",
    "rate_limit_error": "rate_limited",
    "authentication_error": "auth",
    "permission_error": "auth",
    "billing_error": "billing",
    "timeout_error": "server",
    "api_error": "server",
    "invalid_request_error": "bad_request",
}
_WHY_BY_STATUS: dict[int, Unavailable] = {
    401: "auth",
    402: "billing",
    403: "auth",
    408: "server",
    409: "server",
    429: "rate_limited",
    529: "overloaded",
}
_VAGUE: tuple[Unavailable, ...] = ("bad_request", "server")
_NO_SUCH_PATH = (404, 405)
_TOO_LONG = re.compile(
    r"context (?:length|size|window|limit)|exceed_context_size|n_ctx|prompt is too long", re.I
)
"""vLLM, llama.cpp, LM Studio and Anthropic, each in its own words."""
_NO_SUCH_MODEL = re.compile(
    r"model\b.*(?:not found|not exist|not available)|(?:invalid|unknown|no such) model", re.I
)


def why_of(status: int, body: object) -> Unavailable:
    """What an error status means; `body` is its JSON, or text."""
    by_type, by_status = _WHY_BY_TYPE.get(_type_in(body)), _WHY_BY_STATUS.get(status)
    if by_type in (None, *_VAGUE) and by_status is None:
        if (by_words := _why_in(f"{_type_in(body)}: {message_in(body)}")) is not None:
            return by_words
        if status in _NO_SUCH_PATH and not _is_enveloped(body):
            return "no_api"
        if status in _NO_SUCH_PATH and by_type is None:
            return "unknown_model"
    # By the type first: servers at home are careless with the status.
    default: Unavailable = "bad_request" if 400 <= status < 500 else "server"
    return by_type or by_status or default


def why_broken_off(kind: str, message: str) -> Unavailable:
    """What an error means that ends an answer under way."""
    by_type = _WHY_BY_TYPE.get(kind, "server")
    return (_why_in(f"{kind}: {message}") or by_type) if by_type in _VAGUE else by_type


def message_in(body: object) -> str:
    """The words of an error."""
    match body:
        case {"error": {"message": str(message)}}:
            return message
        case {"error": str(message)} | {"message": str(message)} | {"detail": str(message)}:
            return message
        case str():
            return body
    return ""


def _why_in(message: str) -> Unavailable | None:
    if _TOO_LONG.search(message):
        return "context"
    return "unknown_model" if _NO_SUCH_MODEL.search(message) else None


def _type_in(body: object) -> str:
    match body:
        case {"error": {"type": str(kind)}}:
            return kind
    return ""


def _is_enveloped(body: object) -> bool:
    """Whether it is worded as by the Messages API: then the path is there."""
    return isinstance(body, Mapping) and body.get("type") == "error"
