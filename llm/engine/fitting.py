"""Makes a question fit a model that reads little: fewer tools, then less of what was said before.

The tools go by the context alone, so that they are the same from question to question: servers
keep what they have read of a prompt from its beginning, and the tools stand there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, takewhile

from llm.engine.sizing import UNSEEN_TOKENS
from llm.model import Question, Tool

PART_OF_ANSWER = 4
"""A context has room for an answer of a fourth of it."""
PART_OF_TOOLS = 4
_TOOL_BYTES_PER_TOKEN = 3  # of JSON in English
_LARGE = 16_000
"""Tokens from which everything has room."""


def fitted(question: Question, context: int, tokens_of: Callable[[Question], int]) -> Question:
    """The question, as much of it as a model of this context reads; see `fits`.

    What was said last and who the model is stay whole."""
    tools = question.tools if context >= _LARGE else few(question.tools, context)
    most = min(question.max_tokens, context // PART_OF_ANSWER)
    tried = [replace(question, tools=tools, max_tokens=most)]
    tried += _forgetting(tried[0])
    return next((one for one in tried if fits(one, context, tokens_of)), tried[-1])


def fits(question: Question, context: int, tokens_of: Callable[[Question], int]) -> bool:
    """Whether question and answer have room in a context."""
    return tokens_of(question) + question.max_tokens + _unseen(context) <= context


@lru_cache(maxsize=16)
def few(tools: tuple[Tool, ...], context: int) -> tuple[Tool, ...]:
    """The first tools, which are asked for most, that take a fourth of a context at most."""
    room = context // PART_OF_TOOLS * _TOOL_BYTES_PER_TOKEN
    sizes = accumulate(tool.size_bytes for tool in tools)
    return tools[: len(list(takewhile(lambda size: size <= room, sizes)))]


def _forgetting(question: Question) -> Iterator[Question]:
    """The question with less and less of what was said before, oldest first."""
    for gone in range(1, len(question.turns)):
        steady = max(0, question.steady - gone)
        yield replace(question, turns=question.turns[gone:], steady=steady)


def _unseen(context: int) -> int:
    """What a server adds by itself, in a small context only little."""
    return min(UNSEEN_TOKENS, context // 20)
