"""A talk as text: one line for each thing said, with who did not hear it."""

from __future__ import annotations

from collections.abc import Iterator

from bots.experiments.analysis.story import Line, Notice, Story

MS_PER_S = 1_000


def transcript(story: Story) -> str:
    """The whole talk; the same story gives the same bytes."""
    return "".join(f"{text}\n" for text in _texts(story))


def line_text(line: Line) -> str:
    """Time, turn (- for what was said of oneself), speaker and words."""
    missed = [f"{name}: {why}" for name, why in sorted(line.missed_by.items())]
    suffix = f"   [not heard by {', '.join(missed)}]" if missed else ""
    if not line.delivered:
        suffix = "   [the talk ended before it was known who heard it]"
    turn = "-" if line.turn is None else str(line.turn)
    return f"{clock(line.at_ms)}  {turn:>3}  {line.speaker}: {line.text}{suffix}"


def notice_text(notice: Notice) -> str:
    return f"{clock(notice.at_ms)}    *  {notice.text}"


def clock(at_ms: int) -> str:
    """Minutes, seconds and thousandths since the talk began."""
    minutes, ms = divmod(at_ms, 60 * MS_PER_S)
    return f"{minutes:02d}:{ms // MS_PER_S:02d}.{ms % MS_PER_S:03d}"


def _texts(story: Story) -> Iterator[str]:
    lines = [(line.at_ms, 1, line_text(line)) for line in story.lines]
    notices = [(notice.at_ms, 0, notice_text(notice)) for notice in story.notices]
    for _, _, text in sorted((*lines, *notices), key=lambda entry: entry[:2]):
        yield text
