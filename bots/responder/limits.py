"""Lines that need no decision: beyond the limit, with a fixed answer, or from other programs."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from bots.access.origin import Level, Origin, Person
from bots.access.rate_limit import RateLimit, Verdict
from bots.access.sources import LevelOf
from bots.chat.natural_message import NaturalMessage
from bots.clock import Stopwatch
from bots.text.language import language_of
from bots.text.word_match import says

WINDOW_S = 60.0
READING_S = 0.5  # before anybody types an answer
TYPED_PER_S = 20.0  # characters; the fastest typists reach 18
SOON_S = 10.0  # a program, not a person, repeats a text this soon after the bot's words
SILENCE_S = 60.0  # after this silence a speaker starts afresh
REMEMBERED = 8  # lines of each speaker
FEWEST = 2  # such lines in a row may be a person's mistake
SPEAKERS = 1_000  # we forget the speaker who has been silent longest


@dataclass(frozen=True, slots=True)
class Limits:
    """The lines that one bot answers without a decision, or not at all."""

    lines: LineLimit
    fixed: AutoReplies
    clockwork: Clockwork
    """Of this bot alone; the others are shared by all bots."""

    def refuse(self, message: NaturalMessage) -> str | None:
        """Why this line gets no answer, as its speaker is told; '' = nothing is said.

        None: it may be answered, and counts."""
        if isinstance(message.origin, Person):
            match self.clockwork.hear(message.from_, message.content):
                case "notice":
                    return notice(message.content)
                case "withheld":
                    return ""
        return self.refuse_beyond(message)

    def refuse_beyond(self, message: NaturalMessage) -> str | None:
        """The same for the number of lines alone."""
        return None if self.lines.admits(message) else self.lines.notice_due(message)


class LineLimit:
    """The lines that all bots answer, counted per speaker."""

    def __init__(self, per_minute: int, level_of: LevelOf, stopwatch: Stopwatch) -> None:
        self._per_minute, self._level_of = per_minute, level_of
        self._lines = RateLimit(stopwatch, count=per_minute, window_s=WINDOW_S)
        self._notices = RateLimit(stopwatch, count=1, window_s=WINDOW_S)
        self._withheld: Counter[str] = Counter()

    def admits(self, message: NaturalMessage) -> bool:
        """Whether a line may be answered; if so, it counts."""
        return self.admits_words_of(message.origin, message.bot)

    def admits_words_of(self, origin: Origin, bot: str) -> bool:
        """The same for words that somebody has a bot say to another one."""
        if not isinstance(origin, Person) or self._level_of(origin) >= Level.TRUSTED:
            return True
        if self._lines.admit(origin.name) == "admitted":
            return True
        self._withheld[bot] += 1
        return False

    def notice_due(self, message: NaturalMessage) -> str:
        """The notice for a speaker whose line gets no answer; '' if they already know."""
        if self._notices.admit(message.from_) != "admitted":
            return ""
        if language_of([message.content]) == "ja":
            return f"一人につき一分間に{self._per_minute}回までお答えします。少し待ってください。"
        return self.sentence

    @property
    def sentence(self) -> str:
        return f"I answer {self._per_minute} lines a minute of each player; wait a little."

    def withheld(self, bot: str) -> int:
        """Lines that a bot has left unanswered since the start."""
        return self._withheld[bot]


@dataclass(frozen=True, slots=True)
class AutoReply:
    match: str
    """Whole words to look for in a line, see bots/text/word_match.py."""
    reply: str


class AutoReplies:
    """The fixed answers of all bots, limited per speaker."""

    def __init__(
        self, replies: Sequence[AutoReply], *, per_minute: int, stopwatch: Stopwatch
    ) -> None:
        self._replies, self._per_minute = tuple(replies), per_minute
        self._limit = RateLimit(stopwatch, count=per_minute, window_s=WINDOW_S)

    def to(self, message: NaturalMessage) -> AutoReply | None:
        """The first answer whose words occur in a person's line."""
        if not isinstance(message.origin, Person):
            return None
        return next((reply for reply in self._replies if says(message.content, reply.match)), None)

    def admit(self, speaker: str) -> Verdict:
        """Whether this speaker may get one more now; if so, it counts."""
        return self._limit.admit(speaker)

    def notice(self, text: str) -> str:
        """What a speaker is told whose line gets no more answers, in the line's language."""
        if language_of([text]) == "ja":
            return f"決まったお返事は一分間に{self._per_minute}回までです。少し待ってください。"
        return f"I answer that {self._per_minute} times a minute; wait a little."


Hearing: TypeAlias = Literal["heard", "notice", "withheld"]


@dataclass(slots=True)
class _Speaker:
    said: list[str] = field(default_factory=list)
    """A deque would take six times as much of a speaker: each bot remembers a thousand."""
    spoke_at: float = -math.inf
    answered_at: float = -math.inf
    in_a_row: int = 0
    """The number of lines since the last one that looked typed by a person."""
    told: bool = False
    times_told: int = 0

    @property
    def was_answered(self) -> bool:
        return self.answered_at >= self.spoke_at


class Clockwork:
    """Observes how fast the speakers of one bot write."""

    def __init__(self, handful: int, stopwatch: Stopwatch) -> None:
        self._handful, self._stopwatch = handful, stopwatch
        self._speakers: dict[str, _Speaker] = {}

    def answered(self, name: str) -> None:
        """The bot says something to a speaker."""
        self._speaker(name).answered_at = self._stopwatch()

    def answered_first(self, name: str) -> None:
        """The same where several answer: the first words since a speaker's line count, as people
        type while others talk."""
        if not self._speaker(name).was_answered:
            self.answered(name)

    def unsaid(self, name: str) -> None:
        """That could not be said: whoever asks again was not answered, and knows nothing yet."""
        speaker = self._speaker(name)
        speaker.answered_at = -math.inf
        if speaker.told:
            speaker.told, speaker.times_told = False, speaker.times_told - 1

    def hear(self, name: str, text: str) -> Hearing:
        """Note a line. `notice`: it is the first to be left unanswered."""
        speaker, now, words = self._speaker(name), self._stopwatch(), _plain(text)
        if now - speaker.spoke_at > SILENCE_S:
            speaker.in_a_row, speaker.told = 0, False
        if self._is_mechanical(speaker, words, now):
            speaker.in_a_row += 1
        elif not self._is_beyond(speaker) or words not in speaker.said:
            speaker.in_a_row, speaker.told = 0, False
        speaker.said = [*speaker.said[1 - REMEMBERED :], words]
        speaker.spoke_at = now
        if not self._is_beyond(speaker):
            return "heard"
        if speaker.told:
            return "withheld"
        speaker.told, speaker.times_told = True, speaker.times_told + 1
        return "notice"

    def _is_beyond(self, speaker: _Speaker) -> bool:
        """Whether the speaker has sent more such lines than we answer."""
        if speaker.told:
            return True
        return speaker.in_a_row > max(FEWEST, self._handful >> speaker.times_told)

    def _is_mechanical(self, speaker: _Speaker, words: str, now: float) -> bool:
        waited = now - speaker.answered_at
        if self._is_beyond(speaker) and waited < SOON_S:
            return True  # it answers the notice
        if not speaker.was_answered:
            return False
        is_typed = waited >= READING_S + len(words) / TYPED_PER_S
        return not is_typed or (waited < SOON_S and words in speaker.said)

    def _speaker(self, name: str) -> _Speaker:
        speaker = self._speakers.pop(name, None) or _Speaker()
        self._speakers[name] = speaker
        if len(self._speakers) > SPEAKERS:
            del self._speakers[next(iter(self._speakers))]
        return speaker


def notice(text: str) -> str:
    """The notice that a speaker gets once, in the language of their line."""
    if language_of([text]) == "ja":
        return "返事が機械のように速いので、少しのあいだ黙ります。"
    return "You answer as fast as a machine, so I am quiet for a while."


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
