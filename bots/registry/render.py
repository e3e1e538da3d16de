"""Renders a result as lines: a few that fit into whispers, or all of them."""

from __future__ import annotations

from collections.abc import Sequence

from bots.bot.result import Result
from bots.text.sanitise import one_line

LINE = 230  # characters: with `/tell` and the longest name still one chat line of 256
LINES = 8  # as many as a whispered history has; other results have fewer


def render(result: Result) -> list[str]:
    """At least one line, at most `LINES`, none longer than `LINE` characters."""
    lines = plain_lines(result)
    told = lines[-LINES:] if result.newest_last else lines[:LINES]
    cut = [_cut(line) for line in told]
    return _packed(cut, result.between_lines)


def plain_lines(result: Result) -> list[str]:
    """Everything a result tells, at least one line, as for a terminal."""
    lines = [*result.lines(), result.aside]
    return [flat for line in lines if (flat := one_line(line))] or ["Done."]


def _packed(lines: Sequence[str], between: str | None) -> list[str]:
    """Join as many lines as a whisper can hold: each whisper counts for the spam limit."""
    packed: list[str] = []
    for line in lines:
        joined = f"{packed[-1]}{between}{line}" if packed and between is not None else None
        if joined is not None and len(joined) <= LINE:
            packed[-1] = joined
        else:
            packed.append(line)
    return packed


def _cut(line: str) -> str:
    return line if len(line) <= LINE else line[: LINE - 1] + "…"
