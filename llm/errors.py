"""Why a model gave no usable answer. `llm` keeps its own root: it does not know `bridge`.

ModelError
├── ModelUnavailable    no answer: `why` is one of Unavailable
├── ModelRefused        the model declined to answer
└── LedgerUnavailable   the ledger cannot be read or written, so no call is made
"""

from __future__ import annotations

from typing import Literal

from llm.model import NOTHING_USED, Usage

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
