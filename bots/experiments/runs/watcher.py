"""Lets somebody watch a run: each line as it is said, at the pace of the talk or faster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from bots.experiments.analysis.story import Teller
from bots.experiments.analysis.transcript import line_text, notice_text
from bots.experiments.log.event_log import Moment

MS_PER_S = 1_000


@dataclass(slots=True)
class Watcher:
    """Shows what is new after every moment."""

    show: Callable[[str], None]
    wait: Callable[[float], None] = lambda seconds: None
    """Is called with the seconds that pass between two moments."""
    _teller: Teller = field(default_factory=Teller)
    _notices: int = 0
    _lines: int = 0
    _at_ms: int = 0

    def __call__(self, moment: Moment) -> None:
        self.wait((moment.at_ms - self._at_ms) / MS_PER_S)
        self._at_ms = moment.at_ms
        self._teller.take(moment)
        for _, text in sorted(self._new(), key=itemgetter(0)):
            self.show(text)

    def _new(self) -> Iterator[tuple[tuple[int, int], str]]:
        """(order, text) of what can be shown by now: a line once it is known who heard it."""
        story = self._teller.story
        for notice in story.notices[self._notices :]:
            yield (notice.at_ms, 0), notice_text(notice)
        self._notices = len(story.notices)
        while self._lines < len(story.lines) and story.lines[self._lines].delivered:
            line = story.lines[self._lines]
            yield (line.at_ms, 1), line_text(line)
            self._lines += 1
