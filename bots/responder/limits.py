"""Lines that need no decision: beyond the limit, with a fixed answer, or from other programs."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal, TypeAlias

from bots.access.origin import Level, Origin, Person
from bots.access.rate_limit import RateLimit, Verdict
from bots.access.sources import LevelOf, Sources, joined
from bots.chat.natural_message import NaturalMessage
from bots.clock import Stopwatch
from bots.responder.case.case import Case
from bots.text.language import Language
from bots.text.word_match import says
from bots.words import said_to, sentence
from llm.engine.budget import Asker, Payer

WINDOW_S = 60.0
READING_S = 0.5  # before anybody types an answer
AT_ONCE_S = 0.3  # a line this soon after the bot's words answers them if a machine wrote it
TYPED_PER_S = 20.0  # characters; the fastest typists reach 18
SOON_S = 10.0  # people repeat themselves too, but not so often this soon after each answer
REPEATS = 3  # times as many lines may say the same as may be too fast
SILENCE_S = 60.0  # after this silence a speaker starts afresh
QUIET_S = 600.0  # a machine is left alone; twice as long each further time,
LONGEST_QUIET_S = 6 * 3600.0  # and at most so long
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
            hearing = self.clockwork.hear(message.from_, message.content)
            if hearing != "heard":
                return notice(hearing, message.content)
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
        return said_to("closing.too_many_lines", message.content, count=self._per_minute)

    @property
    def sentence(self) -> str:
        return sentence("closing.too_many_lines", "en", count=self._per_minute)

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
        return said_to("closing.too_many_fixed", text, count=self._per_minute)


Hearing: TypeAlias = Literal["heard", "hurried", "repeated", "withheld"]
"""`hurried` and `repeated`: a line is the first to be left unanswered, as nobody types so fast, or
as it was said again and again."""
NOTICED: frozenset[Hearing] = frozenset({"hurried", "repeated"})


@dataclass(slots=True)
class _Speaker:
    said: list[str] = field(default_factory=list)
    """A deque would take six times as much of a speaker: each bot remembers a thousand."""
    spoke_at: float = -math.inf
    answered_at: float = -math.inf
    hurried: int = 0
    """The number of lines in a row that nobody could have typed,"""
    repeated: int = 0
    """and of those that said the same again."""
    told: Literal["", "hurried", "repeated"] = ""
    quiet_until: float = -math.inf
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
            speaker.told, speaker.times_told = "", speaker.times_told - 1

    def hear(self, name: str, text: str) -> Hearing:
        """Note a line, and whether it may be answered."""
        speaker, now = self._speaker(name), self._stopwatch()
        words = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
        is_silent = now - speaker.spoke_at > SILENCE_S
        if now >= speaker.quiet_until if speaker.told == "hurried" else is_silent:
            speaker.hurried, speaker.repeated, speaker.told = 0, 0, ""
        is_new = words not in speaker.said
        if is_new and speaker.told != "hurried":
            speaker.repeated, speaker.told = 0, ""
        if speaker.was_answered:
            typed = len(words) if is_new else 0  # of a line that repeats another none are typed
            waited, typing_s = now - speaker.answered_at, READING_S + typed / TYPED_PER_S
            begun_before = waited >= AT_ONCE_S and now - speaker.spoke_at >= typing_s
            was_typed = waited >= typing_s or begun_before
            speaker.hurried = 0 if was_typed else speaker.hurried + 1
            speaker.repeated += not is_new and now - speaker.answered_at < SOON_S
        speaker.said = [*speaker.said[1 - REMEMBERED :], words]
        speaker.spoke_at = now
        if speaker.told:
            return "withheld"
        return self._told(speaker, now)

    def _told(self, speaker: _Speaker, now: float) -> Hearing:
        """Whether the speaker is to be told now that lines stay unanswered."""
        allowed = max(FEWEST, self._handful >> speaker.times_told)
        if speaker.hurried > allowed:
            speaker.told = "hurried"
        elif speaker.repeated > REPEATS * allowed:
            speaker.told = "repeated"
        else:
            return "heard"
        quiet_s = QUIET_S * 2 ** min(speaker.times_told, 10)
        speaker.quiet_until = now + min(quiet_s, LONGEST_QUIET_S)
        speaker.times_told += 1
        return speaker.told

    def _speaker(self, name: str) -> _Speaker:
        speaker = self._speakers.pop(name, None) or _Speaker()
        self._speakers[name] = speaker
        if len(self._speakers) > SPEAKERS:
            del self._speakers[next(iter(self._speakers))]
        return speaker


def notice(hearing: Hearing, text: str) -> str:
    """What a speaker is told once, in the language of their line; '' = nothing is said."""
    return said_to(f"closing.heard.{hearing}", text) if hearing in NOTICED else ""


# --- Who pays for a decision, and who knows that the budget is spent -----------------------------

_ASKERS: dict[Level, Asker] = {
    Level.OWNER: "owner",
    Level.TRUSTED: "trusted",
    Level.PLAYER: "stranger",
}
_SPEAKERS = 1_000  # remembered; the one told longest ago is forgotten


def payer_of(case: Case, level_of: LevelOf) -> Payer:
    """Talk among bots is background; an answer to words that somebody had a bot say is not."""
    turn = case.turn
    if not turn.from_fellow:
        return Payer(case.bot, turn.speaker, asker=_ASKERS[case.level])
    asked = {message.sequence for message in turn.messages}
    lines = joined(line.utterance.sources for line in case.history if line.sequence in asked)
    if turn.is_small_talk:
        return among_bots(case.bot, lines, level_of)
    return answering_person(case.bot, lines, level_of)


def among_bots(bot: str, heard: Sources, level_of: LevelOf) -> Payer:
    """Of a bot that answers words of other bots, or thinks over what it heard."""
    people = [origin for origin in heard.origins if isinstance(origin, Person)]
    by_strangers = any(level_of(person) < Level.TRUSTED for person in people)
    return Payer(bot, None, background=True, asker="stranger" if by_strangers else None)


def answering_person(bot: str, heard: Sources, level_of: LevelOf) -> Payer:
    """Of a bot that answers a person's line in a talk, or by another bot's mouth."""
    return Payer(bot, None, asker=_ASKERS[heard.level_now(level_of)])


class BudgetNotice:
    """Remembers which speakers know that the budget is spent."""

    def __init__(self, stopwatch: Stopwatch, period: timedelta) -> None:
        self._stopwatch, self._period = stopwatch, period
        self._told: dict[str, float] = {}

    def due(self, speaker: str, language: Language) -> str:
        """The sentence, if this speaker has not had it in this period; else ''."""
        now, last = self._stopwatch(), self._told.pop(speaker, None)
        is_due = last is None or now - last >= self._period.total_seconds()
        self._told[speaker] = now if is_due or last is None else last
        if len(self._told) > _SPEAKERS:
            del self._told[next(iter(self._told))]
        return sentence("closing.spent", language) if is_due else ""
