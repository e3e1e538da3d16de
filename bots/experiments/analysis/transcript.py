"""A talk as text, one line for each thing said: the whole transcript, or while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from bots.clock import MS_PER_S
from bots.experiments.analysis.timeline import Line, Notice, Timeline, TimelineBuilder
from bots.experiments.log.event_log import Transition


def transcript(timeline: Timeline) -> str:
    """The whole talk. The same timeline gives the same bytes."""
    return "".join(f"{text}\n" for text in _texts(timeline))


def line_text(line: Line) -> str:
    """Time, turn (- outside any turn), speaker, words and who did not hear them."""
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


@dataclass(slots=True)
class Watcher:
    """Shows what is new after every transition."""

    show: Callable[[str], None]
    wait: Callable[[float], None] = lambda seconds: None
    """Called with the seconds between two transitions."""
    _builder: TimelineBuilder = field(default_factory=TimelineBuilder)
    _notices: int = 0
    _lines: int = 0
    _at_ms: int = 0

    def __call__(self, transition: Transition) -> None:
        self.wait((transition.at_ms - self._at_ms) / MS_PER_S)
        self._at_ms = transition.at_ms
        self._builder.take(transition)
        for _, text in sorted(self._new(), key=itemgetter(0)):
            self.show(text)

    def _new(self) -> Iterator[tuple[tuple[int, int], str]]:
        """(order, text) of what can be shown; a line once it is known who heard it."""
        timeline = self._builder.timeline
        for notice in timeline.notices[self._notices :]:
            yield (notice.at_ms, 0), notice_text(notice)
        self._notices = len(timeline.notices)
        while self._lines < len(timeline.lines) and timeline.lines[self._lines].delivered:
            line = timeline.lines[self._lines]
            yield (line.at_ms, 1), line_text(line)
            self._lines += 1


def _texts(timeline: Timeline) -> Iterator[str]:
    lines = [(line.at_ms, 1, line_text(line)) for line in timeline.lines]
    notices = [(notice.at_ms, 0, notice_text(notice)) for notice in timeline.notices]
    for _, _, text in sorted((*lines, *notices), key=lambda entry: entry[:2]):
        yield text
