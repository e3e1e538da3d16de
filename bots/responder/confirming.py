"""Questions that a bot asks before it does something, and the speaker's yes or no to them.

The words of somebody without the right may have led a model to an action. Code then asks the
speaker, in words made from the call alone. A yes within `ANSWER_WITHIN_S` after the question runs
exactly that call, once. A no, or any other line of that speaker there, drops it. Lines from before
the question neither answer nor drop it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bots.access.origin import Origin
from bots.responder.asking_back import AskedFor
from bots.responder.case.inbox import PendingTurn
from bots.text.language import normal
from bots.words.heard import heard

ANSWER_WITHIN_S = 60.0
MOST_ASKED = 200  # questions open at once; the oldest is dropped
_WORDS = ("yes", "no", "turns")

Said: TypeAlias = Literal["yes", "no", "else"]


@dataclass(slots=True)
class _Open:
    call: AskedFor
    public: bool
    said_at_s: float | None = None
    """When the speaker was told the question; None: not yet."""


class Confirmations:
    """One bot's open questions, at most one to each speaker."""

    def __init__(self) -> None:
        self._open: dict[Origin, _Open] = {}

    def ask(self, turn: PendingTurn, call: AskedFor) -> None:
        """Remember a question to the speaker in place of an earlier one."""
        self._open.pop(turn.origin, None)
        self._open[turn.origin] = _Open(call, turn.public)
        if len(self._open) > MOST_ASKED:
            del self._open[next(iter(self._open))]

    def is_open(self, origin: Origin) -> bool:
        """Whether a question to this speaker waits for its answer, however long already."""
        return origin in self._open

    def said(self, origin: Origin, at_s: float) -> None:
        """The newest question left for the speaker at this time: then on it can be answered."""
        asked = self._open.get(origin)
        if asked is not None and asked.said_at_s is None:
            asked.said_at_s = at_s

    def answered(self, bot: str, turn: PendingTurn) -> tuple[AskedFor | None, Said]:
        """The call these lines are the answer to, and what they say to it; the question is closed.

        None when nothing was asked, or not here, or later than the oldest of these lines, or too
        long ago."""
        asked = self._open.get(turn.origin)
        if asked is None or not turn.messages or (turn.public and not asked.public):
            return None, "else"
        if asked.said_at_s is None or turn.since < asked.said_at_s:
            return None, "else"
        del self._open[turn.origin]
        said = said_in(bot, turn.lines)
        if turn.since - asked.said_at_s > ANSWER_WITHIN_S:
            return None, said
        return asked.call, said

    def drop(self, origin: Origin) -> None:
        """Forget what this speaker was asked."""
        self._open.pop(origin, None)


def said_in(bot: str, lines: list[str]) -> Said:
    """Whether these lines are a plain yes, a plain no, or something else."""
    words = [_bare(bot, line) for line in lines]
    if words and all(_only("confirm.yes", one) for one in words):
        return "yes"
    return "no" if words and all(_only("confirm.no", one) for one in words) else "else"


def names(name: str, line: str) -> bool:
    """Whether a line names somebody, whose name is no word of an answer itself."""
    return _called(name).search(normal(line)) is not None


def _called(name: str) -> re.Pattern[str]:
    word = normal(name)
    is_word = not word or any(heard(f"confirm.{one}").fullmatch(word) for one in _WORDS)
    return re.compile("(?!)" if is_word else rf"(?<!\w){re.escape(word)}(?!\w)")


def _only(meaning: str, line: str) -> bool:
    """Whether a line consists of these words only: “yes, do it”."""
    said = heard(meaning).pattern
    return re.fullmatch(rf"(?:{said})(?: (?:{said}))*", line) is not None


def _bare(bot: str, line: str) -> str:
    """A line without courtesy and the bot's name."""
    words = heard("confirm.courtesy").sub(" ", _called(bot).sub(" ", normal(line)))
    return " ".join(words.split())
