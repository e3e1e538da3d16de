"""Why a model gave no usable answer. `llm` keeps its own root: it does not know `bridge`.

ModelError
├── ModelUnavailable    no answer: `why` is one of Unavailable
└── ModelRefused        the model declined to answer
"""

from __future__ import annotations

from typing import Literal

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
]


class ModelError(Exception):
    """The model gave no usable answer."""


class ModelUnavailable(ModelError):
    """No answer came; never carries a key or a prompt in its text."""

    def __init__(self, why: Unavailable, partial: str = "") -> None:
        super().__init__(f"model unavailable: {why}")
        self.why = why
        self.partial = partial
        """What had arrived before it ended; '' when nothing had."""


class ModelRefused(ModelError):
    """The model declined to answer."""
