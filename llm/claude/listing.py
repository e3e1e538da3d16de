"""The models that a server lists, and how much they read, as each kind of server tells it.

Anthropic   /v1/models: id, line, lifecycle, max_input_tokens
vLLM        /v1/models: id, max_model_len
llama.cpp   /v1/models: id, meta.n_ctx; /props: default_generation_settings.n_ctx
Ollama      /v1/models: id; /api/ps, once it is loaded: name, context_length
LM Studio   /v1/models: id; /api/v0/models, once it is loaded: id, loaded_context_length
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from llm.errors import Unavailable

OWN_PATHS = ("/api/ps", "/props", "/api/v0/models")
"""Where servers for models at home tell how much the loaded model reads."""


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
