"""How many tokens a question has: at most, for budgets, and likely, for windows."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from llm.model import Question, Tool, ToolRound

UNSEEN_TOKENS = 1_000
"""Allowance for what the API adds by itself: the preamble of tools, roles and separators."""
_BYTES_PER_TOKEN = 3.0  # to begin with; English is nearer 4, Japanese nearer 2.5
_WEIGHT_OF_NEWEST = 0.2


def size_bytes(question: Question) -> int:
    """Bytes of all its text, in UTF-8; of pictures, those of a text with as many tokens."""
    texts = [question.instructions, *(turn.text for turn in question.turns)]
    texts += [_round_text(one) for one in question.rounds]
    if question.schema is not None:
        texts.append(_json(dict(question.schema)))
    return (
        _of_images(question)
        + _of_tools(question.tools)
        + sum(len(text.encode("utf-8", "replace")) for text in texts)
    )


def _of_images(question: Question) -> int:
    shown = [image for turn in question.turns for image in turn.images]
    shown += [i for one in question.rounds for result in one.results for i in result.images]
    return round(sum(image.tokens for image in shown) * _BYTES_PER_TOKEN)


@lru_cache(maxsize=16)
def _of_tools(tools: tuple[Tool, ...]) -> int:
    return sum(tool.size_bytes for tool in tools)


def most_tokens(question: Question) -> int:
    """An upper bound for the tokens of its prompt: no token is shorter than a byte."""
    return size_bytes(question) + UNSEEN_TOKENS


class TokenEstimate:
    """Likely tokens of a text, corrected by what the API counted."""

    def __init__(self) -> None:
        self.bytes_per_token = _BYTES_PER_TOKEN

    def tokens(self, text: str) -> int:
        return round(len(text.encode("utf-8", "replace")) / self.bytes_per_token)

    def tokens_of(self, question: Question) -> int:
        """Those of a whole question."""
        return round(size_bytes(question) / self.bytes_per_token)

    def learn(self, sent_bytes: int, counted_tokens: int) -> None:
        """Take a prompt of known size into account."""
        if sent_bytes > 0 and counted_tokens > 0:
            seen = min(max(sent_bytes / counted_tokens, 1.0), 8.0)
            self.bytes_per_token += _WEIGHT_OF_NEWEST * (seen - self.bytes_per_token)


def _round_text(one: ToolRound) -> str:
    """What was asked goes back in the adapter's form, which may be longer than its text."""
    asked = one.asked.raw if one.asked.raw is not None else one.asked.text
    return _json([asked, [result.text for result in one.results]])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
