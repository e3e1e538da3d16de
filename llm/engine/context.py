"""The part of a conversation that a model is shown: recent turns, and summaries of older ones.

    |<- summaries ->|<------- not summarised yet ------->|
    oldest ........................................ newest
                    of these at most `most_turns` are shown; when they are more than
                    `summarise_after`, all but the newest `keep` are due, and all of them
                    when the conversation is over

Summaries are made beside the talk: until one is there the window is longer, never without end.

A model that reads little gets fewer tools, then less of what was said before. The tools go by the
context alone, so that they are the same from question to question: servers keep what they have
read of a prompt from its beginning, and the tools stand there."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import accumulate, takewhile
from typing import Any, TypeAlias, TypeVar

from llm.model import Question, Tool, ToolRound, Turn

UNSEEN_TOKENS = 1_000
"""Allowance for what the API adds by itself: the preamble of tools, roles and separators."""
_BYTES_PER_TOKEN = 3.0  # to begin with; English is nearer 4, Japanese nearer 2.5
_WEIGHT_OF_NEWEST = 0.2

PART_OF_ANSWER = 4
"""A context has room for an answer of a fourth of it."""
PART_OF_TOOLS = 4
_TOOL_BYTES_PER_TOKEN = 3  # of JSON in English
_LARGE = 16_000
"""Tokens from which everything has room."""

T = TypeVar("T")
Tokens: TypeAlias = Callable[[str], int]
"""The likely tokens of a text."""


def size_bytes(question: Question) -> int:
    """Bytes of all its text, in UTF-8; of pictures, those of a text with as many tokens."""
    texts = [question.instructions, *(turn.text for turn in question.turns)]
    texts += [_round_text(one) for one in question.rounds]
    if question.schema is not None:
        texts.append(_json(dict(question.schema)))
    shown = [image for turn in question.turns for image in turn.images]
    shown += [i for one in question.rounds for result in one.results for i in result.images]
    return (
        round(sum(image.tokens for image in shown) * _BYTES_PER_TOKEN)
        + _of_tools(question.tools)
        + sum(len(text.encode("utf-8", "replace")) for text in texts)
    )


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


def fitted(question: Question, context: int, tokens_of: Callable[[Question], int]) -> Question:
    """The question, as much of it as a model of this context reads; see `fits`.

    What was said last and who the model is stay whole."""
    tools = question.tools if context >= _LARGE else few(question.tools, context)
    most = min(question.max_tokens, context // PART_OF_ANSWER)
    tried = [replace(question, tools=tools, max_tokens=most)]
    for gone in range(1, len(question.turns)):  # less and less of what was said, oldest first
        steady = max(0, question.steady - gone)
        tried.append(replace(tried[0], turns=question.turns[gone:], steady=steady))
    return next((one for one in tried if fits(one, context, tokens_of)), tried[-1])


def fits(question: Question, context: int, tokens_of: Callable[[Question], int]) -> bool:
    """Whether question and answer have room in a context."""
    unseen = min(UNSEEN_TOKENS, context // 20)  # what a server adds by itself
    return tokens_of(question) + question.max_tokens + unseen <= context


@lru_cache(maxsize=16)
def few(tools: tuple[Tool, ...], context: int) -> tuple[Tool, ...]:
    """The first tools, which are asked for most, that take a fourth of a context at most."""
    room = context // PART_OF_TOOLS * _TOOL_BYTES_PER_TOKEN
    sizes = accumulate(tool.size_bytes for tool in tools)
    return tools[: len(list(takewhile(lambda size: size <= room, sizes)))]


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a context gets."""

    most_turns: int = 20
    summarise_after: int = 10
    keep: int = 5
    """So many of the newest turns are never summarised."""
    turns_tokens: int = 3_000
    """Of all turns together; the newest turn is shown whatever its length."""
    most_summaries: int = 3
    """With one more, the oldest two are due to become one."""
    summary_chars: int = 500
    worth_noting: int = 4
    """Lines of a conversation that is over; fewer are forgotten."""
    most_due: int = 40
    """Lines that one summary is made of; of more, the oldest are forgotten."""


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a talk."""

    until: int
    """Its number; it grows from line to line, not always by one."""
    turn: Turn
    sources: frozenset[Hashable] = frozenset()
    """Where its words come from; the caller knows what these mean."""
    at: datetime | None = None
    """When it was heard."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A stretch of a conversation, summarised."""

    until: int
    """The number of its last line."""
    text: str
    sources: frozenset[Hashable] = frozenset()
    """As of its lines."""
    at: datetime | None = None
    """When its last line was heard; None where nobody knows."""


@dataclass(frozen=True, slots=True)
class Due:
    """What one summary is to be made of, oldest first: lines, or the oldest summaries."""

    parts: tuple[Line, ...] | tuple[Summary, ...]

    @property
    def older(self) -> tuple[Summary, ...]:
        """The summaries that it takes the place of."""
        return tuple(part for part in self.parts if isinstance(part, Summary))

    def done(self, text: str) -> Summary:
        last = self.parts[-1]
        sources = frozenset().union(*(part.sources for part in self.parts))
        return Summary(last.until, text, sources, last.at)


def shown(lines: Sequence[Line], tokens: Tokens, limits: Limits = LIMITS) -> tuple[Turn, ...]:
    """The newest turns, oldest first, as far as there is room."""
    turns = [line.turn for line in lines[-limits.most_turns :]]
    return newest_within(turns, lambda turn: tokens(turn.text), limits.turns_tokens)


def due(
    lines: Iterable[Line],
    summaries: Sequence[Summary],
    limits: Limits = LIMITS,
    *,
    is_over: bool = False,
) -> Due | None:
    """What is to be shortened next; None when all is short enough.

    Older summaries come first: their number is bounded even when nothing can be shortened."""
    if len(summaries) > limits.most_summaries:
        return Due(tuple(summaries[:2]))
    fresh = not_in(summaries, lines)
    if is_over:
        return Due(tuple(fresh[-limits.most_due :])) if len(fresh) >= limits.worth_noting else None
    if len(fresh) <= limits.summarise_after:
        return None
    return Due(tuple(fresh[: -limits.keep][-limits.most_due :]))


def shortened(summaries: Sequence[Summary], found: Due, text: str) -> tuple[Summary, ...]:
    """The summaries with what was due in its new, short form."""
    if found.older:
        return (found.done(text), *summaries[len(found.older) :])
    return (*summaries, found.done(text))


def told_until(summaries: Sequence[Summary]) -> int:
    """The number of the last line that is in a summary; -1 when there is none."""
    return summaries[-1].until if summaries else -1


def newest_within(items: Sequence[T], tokens: Callable[[T], int], most: int) -> tuple[T, ...]:
    """The newest of these that together fit; the very newest always."""
    total, kept = 0, 0
    for item in reversed(items):
        total += tokens(item)
        if kept and total > most:
            break
        kept += 1
    return tuple(items[len(items) - kept :])


def first_within(texts: Sequence[str], tokens: Tokens, most: int) -> tuple[str, ...]:
    """The first of these that together fit."""
    totals = accumulate(tokens(text) for text in texts)
    return tuple(texts[: len(list(takewhile(lambda total: total <= most, totals)))])


def folded(events: Sequence[str], longest: int = LIMITS.summary_chars) -> str:
    """Old events in one line of at most `longest` characters: each once, the newest for sure."""
    times, told = Counter(events), ""
    for event in dict.fromkeys(reversed(events)):
        part = f"{event} ×{times[event]}" if times[event] > 1 else event
        longer = f"{part} / {told}" if told else part[:longest]
        if len(longer) > longest:
            break
        told = longer
    return told


def not_in(summaries: Sequence[Summary], lines: Iterable[Line]) -> list[Line]:
    """The lines that no summary tells of."""
    until = told_until(summaries)
    return [line for line in lines if line.until > until]
