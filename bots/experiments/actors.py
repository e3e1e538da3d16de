"""The participants of an experiment: their questions, and how each kind answers."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from inspect import isawaitable
from itertools import takewhile
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias

from bots.access.origin import Level, Person
from bots.access.sources import FACTS, Sources
from bots.access.visibility import Visibility
from bots.bot.bot import Bot
from bots.chat.message import Message
from bots.chat.natural_message import NaturalMessage
from bots.errors import SpeechRefused
from bots.experiments.own_functions import FAULTS, OwnFunction, told
from bots.experiments.scenario import Cue, Member, ScenarioError
from bots.responder.case.persona import Persona
from bots.responder.rules.scene import Scene
from bots.talks.live import rules
from bots.talks.live.runner import Answer
from bots.text.language import Language, language_of
from bots.text.sanitise import sanitise
from bots.text.word_match import says
from bridge.world import BotName, PlayerName, WorldSnapshot

if TYPE_CHECKING:
    from bots.experiments.seats import Seats


AskPerson: TypeAlias = Callable[[str, Sequence[str], float], Awaitable[str | None]]
"""Gets the bot's name, the lines that it heard, and the seconds there are; None: no words came."""


class Terminal:
    """Reads words typed in time; what was typed too late, or too early, is dropped."""

    def __init__(self, typed: TextIO, shown: TextIO) -> None:
        self._typed, self._shown = typed, shown
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._has_ended = False
        """Whether nobody can type any more."""
        self._reader = Thread(target=self._read, daemon=True, name="terminal")

    async def __call__(self, name: str, heard: Sequence[str], within_s: float) -> str | None:
        if not self._reader.ident:
            self._reader.start()
        elif self._typed.isatty():  # a file was not typed at any time
            while not self._lines.empty():
                self._lines.get_nowait()
        for line in (*heard, f"{name}, your words, within {within_s:g} s:"):
            self._shown.write(f"{line}\n")
        self._shown.flush()
        try:
            wait_s = 0.0 if self._has_ended else within_s
            line = await asyncio.to_thread(self._lines.get, timeout=wait_s)
        except Empty:
            return None
        return line.strip() or None

    def _read(self) -> None:
        with suppress(OSError):  # a terminal that was closed
            for line in self._typed:
                self._lines.put(line)
        self._has_ended = True
        self._lines.put("")


class InGame:
    """A player on the server: the bot whispers them what it heard, and they whisper its words."""

    def __init__(self, bot: Bot, player: str) -> None:
        self._bot, self._player = bot, player
        self._awaited: asyncio.Future[str] | None = None
        """Words for the turn that is theirs; whispers outside it are dropped."""
        bot.on_natural_message(self._hear)

    async def __call__(self, name: str, heard: Sequence[str], within_s: float) -> str | None:
        self._awaited = asyncio.get_running_loop().create_future()
        # Who is not there, or out of hearing, says nothing.
        with suppress(TimeoutError, SpeechRefused):
            async with asyncio.timeout(within_s):
                for line in (*heard, f"Your words as {name}, within {within_s:g} s:"):
                    await self._bot.speak(self._player, line)
                return await self._awaited
        return None

    def _hear(self, message: NaturalMessage) -> None:
        is_meant = message.from_ == self._player and not (message.public or message.relayed)
        if is_meant and self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(message.content)


@cache
def terminal() -> Terminal:
    return Terminal(sys.stdin, sys.stderr)


@dataclass(frozen=True, slots=True)
class Heard:
    speaker: str
    text: str
    sources: Sources = FACTS
    """Its audience: the participants to whom it was said."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn from the view of its bot; the argument of a scenario's functions."""

    name: str
    turn: int
    round: int
    why: str
    """The rule that chose it: round, nominated, addressed, …"""
    say_goodbye: bool
    heard: Sequence[Heard]
    """All lines it heard or said, oldest first; none that were out of its hearing range."""
    others: tuple[str, ...]
    """Everybody else who takes part."""
    near: frozenset[str]
    """The participants among `others` who would hear it now."""
    topic: str
    rng: random.Random
    """The bot's own source of chance, from the scenario's seed."""

    @property
    def new(self) -> list[Heard]:
        """The lines since its own last one."""
        return [*takewhile(lambda line: line.speaker != self.name, reversed(self.heard))][::-1]

    @property
    def view(self) -> Visibility:
        """The lines that all present hearers may know."""
        return cast_view(self.near)

    @property
    def shown(self) -> list[Heard]:
        """The lines of `heard` that they may know."""
        view = self.view
        return [line for line in self.heard if view.shows(line.sources, lambda _: Level.PLAYER)]


@dataclass(slots=True)
class CastSenses:
    """A bot of an experiment, which shows a line only where those hear it who heard that too."""

    name: BotName
    snapshot: Callable[[], Coroutine[Any, Any, WorldSnapshot]]
    history: list[Message]

    def get_conversation_history(self) -> list[Message]:
        return self.history

    def attended_history(self) -> list[Message]:
        return self.history


def cast_view(hearers: Iterable[str]) -> Visibility:
    """What may be shown where these hear the answer: in an experiment nobody knows everything."""
    return Visibility(Level.PLAYER, frozenset(hearers))


def said_among(speaker: str, hearers: Iterable[str]) -> Sources:
    return Sources.said_by(Person(PlayerName(speaker)), Level.PLAYER, {speaker, *hearers})


Actor: TypeAlias = Callable[[Asked], Answer | Coroutine[Any, Any, Answer]]
"""Finds a bot's words for a turn, at once or awaited. Raises ThinkingFailed if it cannot."""


class ThinkingFailed(Exception):
    """The actor found no words; the text says why. `facts` are for the log."""

    def __init__(self, why: str, **facts: Any) -> None:
        super().__init__(why)
        self.facts = facts


TAKES_S = "takes_s"
"""The key in `Answer.facts` for the seconds that the scenario wants a turn to take."""


class CueActor:
    """Says the first unused cue that fits; nothing if none does."""

    def __init__(self, member: Member) -> None:
        self._member = member
        self._used: set[int] = set()
        self._read = 0
        self._known: set[str] = set()
        """The words of `knows` and `unaware` that were heard or said so far."""
        self._watched = {word for cue in member.cues for word in (*cue.knows, *cue.unaware)}

    def __call__(self, asked: Asked) -> Answer:
        for line in asked.heard[self._read :] if self._watched else ():
            self._known |= {word for word in self._watched if says(line.text, word)}
        self._read = len(asked.heard)
        if asked.say_goodbye and self._member.goodbye:
            return _spoken(self._member.goodbye, asked, Cue())
        for number, cue in enumerate(self._member.cues):
            if number not in self._used and self._fits(cue, asked):
                if not cue.again:
                    self._used.add(number)
                if cue.fails:
                    raise ThinkingFailed(cue.fails, **_timed(cue))
                return _spoken(cue.say, asked, cue)
        return Answer("", facts={"source": "cues", "why": "no cue fits"})

    def _fits(self, cue: Cue, asked: Asked) -> bool:
        return (
            (not cue.hears or any(says(one.text, word) for one in asked.new for word in cue.hears))
            and (not cue.knows or not self._known.isdisjoint(cue.knows))
            and self._known.isdisjoint(cue.unaware)
            and asked.near.issuperset(cue.near)
            and asked.near.isdisjoint(cue.away)
        )


def _spoken(words: Sequence[str], asked: Asked, cue: Cue) -> Answer:
    """Replace `{last}` by the previous speaker and `{topic}` by the topic."""
    text = asked.rng.choice(words) if words else ""
    if "{" in text:
        others = (line.speaker for line in reversed(asked.heard) if line.speaker != asked.name)
        text = text.replace("{last}", next(others, "")).replace("{topic}", asked.topic)
    facts = {"source": "cues", **_timed(cue)}
    return Answer(text, cue.next or None, cue.tokens, cue.cost_usd, facts=facts)


def _timed(cue: Cue) -> dict[str, float]:
    return {} if cue.takes_s is None else {TAKES_S: cue.takes_s}


def scripted_actor(member: Member, folder: Path, seats: Seats | None = None) -> Actor | None:
    """The actor of a bot with cues, a function or a human who is not in the game; None for others.

    Loading a function runs its file. Raises ScenarioError if there is no such function."""
    if member.mind == "cues":
        return CueActor(member)
    if member.mind == "function":
        where = f"cast.{member.name}.function"
        own = OwnFunction(where, member.function, "actors", folder)
        return FunctionActor(own.checked().load())
    if member.chat:
        if seats is None:
            raise ScenarioError(f"cast.{member.name}.chat: `townsfolk experiment run` lets them in")
        return by_person(member, partial(seats.ask, member.chat))
    if member.mind == "human" and not member.player:
        return by_person(member, terminal())
    return None


UNANSWERED = "nobody answered in time"


def by_person(member: Member, person: AskPerson) -> Actor:
    """A person says what the bot says; what they take counts as the turn's time."""

    async def say(asked: Asked) -> Answer:
        own = (asked.name, member.player)
        heard = [f"{line.speaker}: {line.text}" for line in asked.new if line.speaker not in own]
        began_s = monotonic()
        words = await person(asked.name, heard, member.answer_within_s)
        facts = {"source": "human", TAKES_S: round(monotonic() - began_s, 3)}
        if words is not None:
            return Answer(sanitise(words), facts=facts)
        if member.unanswered == "fail":
            raise ThinkingFailed(UNANSWERED, **facts)
        return Answer("", facts={**facts, "why": UNANSWERED})

    return say


LINES_OF_LANGUAGE = 3  # newest lines that decide which language a bot speaks


class FunctionActor:
    """Calls a function of the scenario, sync or async; its errors fail the turn, and the run
    where `max_failed` does not allow for it."""

    def __init__(self, function: Callable[[Asked], Any]) -> None:
        self._function = function

    def __call__(self, asked: Asked) -> Answer | Coroutine[Any, Any, Answer]:
        with self._faults():
            answer = self._function(asked)
        return self._awaited(answer) if isawaitable(answer) else _of_function(answer)

    async def _awaited(self, answer: Awaitable[Any]) -> Answer:
        with self._faults():
            return _of_function(await answer)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except ThinkingFailed:
            raise
        except FAULTS as fault:
            raise ThinkingFailed(told(fault, self._function)) from fault


def _of_function(answer: object) -> Answer:
    if isinstance(answer, Answer):
        return answer
    if not isinstance(answer, str):
        raise ThinkingFailed(f"the function returned {type(answer).__name__}, not words")
    return Answer(answer, facts={"source": "function"})


def by_rules(persona: Persona, look: Callable[[], WorldSnapshot]) -> Actor:
    """Small talk by rules: a remark on what the bot senses and a question."""
    japanese = persona.languages[0] in ("日本語", "Japanese")

    def say(asked: Asked) -> Answer:
        shown = asked.shown
        last = shown[-1].speaker if shown else asked.name
        newest = [line.text for line in shown[-LINES_OF_LANGUAGE:]]
        language: Language = language_of(newest) if newest else "ja" if japanese else "en"
        scene = Scene(asked.name, last, language, look(), asked.rng, persona.about, "no_model")
        lines = rules.Lines(tuple((line.speaker, line.text) for line in shown))
        said = rules.say(scene, lines, sorted(asked.near), topic=None, goodbye=asked.say_goodbye)
        return Answer(said, hearers=asked.near, facts={"source": "rules"})

    return say


def opening_with(words: str, then: Actor) -> Actor:
    """Says the scenario's opening line first, then what another actor says."""
    opening = iter([Answer(words, facts={"source": "opening"})])
    return lambda asked: next(opening, None) or then(asked)
