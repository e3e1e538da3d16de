"""Renders a result as a few lines that fit into whispers."""

from __future__ import annotations

from bots.bot.result import Result

LINE = 230  # characters: with `/tell` and the longest name still one chat line of 256
LINES = 8  # as many as a whispered history has; other results have fewer


def render(result: Result) -> list[str]:
    """At least one line, at most `LINES`, none longer than `LINE` characters."""
    lines = [flat for line in result.lines() if (flat := " ".join(line.split()))]
    return [_cut(line) for line in lines[:LINES]] or ["Done."]


def _cut(line: str) -> str:
    return line if len(line) <= LINE else line[: LINE - 1] + "…"
