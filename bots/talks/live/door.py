"""Who may join a talk: anybody, while bots alone talk; else whom a person in it lets in.

A yes lets the newcomer hear what is said from then on, and the topic, but nothing said before. The
seats are kept in step with the machine; `!stop` makes a bot leave its seat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial

from bots.access.origin import OPERATOR_NAME, Origin
from bots.bot.bot import Bot
from bots.chat.attendance import Attendance, Attended
from bots.clock import Sleep
from bots.owned_tasks import OwnedTasks, until_first
from bots.responder.asking_back import names, said_in
from bots.talks.machine.events import Participant
from bots.text.pronouns import as_told

ANSWER_WITHIN_S = 60.0
MOST_ASKING = 5  # newcomers at once; further ones are refused
Tell = Callable[[str, str, Callable[[], None] | None], None]
"""Whispers a sentence to a person by a bot of the talk; returns at once, and calls back once that
is said."""


@dataclass(slots=True)
class _Asking:
    """A newcomer who waits for an answer."""

    newcomer: str
    told: set[str] = field(default_factory=set)
    """The persons who were asked by now: what they said before answers nothing."""
    asked: set[str] = field(default_factory=set)
    """Those of them who have not said anything since."""
    refused_by: set[str] = field(default_factory=set)
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    is_let_in: bool = False

    def is_told(self, person: str) -> None:
        """The question was said to this one."""
        self.told.add(person)
        self.asked.add(person)


class Door:
    """The door of one talk. `who` returns its participants."""

    def __init__(
        self,
        who: Callable[[], Sequence[Participant]],
        let_in: Callable[[Participant], None],
        tell: Tell,
        sleep: Sleep,
    ) -> None:
        self._who, self._let_in, self._tell, self._sleep = who, let_in, tell, sleep
        self._asking: dict[str, _Asking] = {}
        self._tasks = OwnedTasks()

    def is_open_to(self, name: str) -> bool:
        """Whether this one need not ask: no person takes part, or it is the operator."""
        return name == OPERATOR_NAME or not self._persons()

    def knock(self, newcomer: Participant) -> bool:
        """Ask the persons in the talk whether to let somebody in; False when too many ask."""
        if newcomer.name in self._asking:
            return True
        if len(self._asking) >= MOST_ASKING:
            return False
        asking = _Asking(newcomer.name)
        self._asking[newcomer.name] = asking
        self._tasks.start(self._ask(newcomer, asking), f"{newcomer.name} asks to join")
        return True

    def answers(self, speaker: str, text: str) -> bool:
        """Whether a line is a yes or no to somebody who asks to join; it is no line of the talk.

        A plain yes counts as the speaker's first words since the only question; else it needs
        the newcomer's name."""
        if speaker not in self._persons():
            return False
        answered = False
        waiting = [one for one in self._asking.values() if speaker in one.asked]
        for asking in list(self._asking.values()):
            said = said_in(asking.newcomer, [text])
            is_meant = waiting == [asking] or names(asking.newcomer, text)
            asking.asked.discard(speaker)
            if said == "else" or not is_meant or answered or speaker not in asking.told:
                continue
            answered = True
            lets_in = said == "yes"
            if lets_in:
                asking.is_let_in = True
            else:
                asking.refused_by.add(speaker)
            if lets_in or asking.refused_by >= set(self._persons()):
                asking.settled.set()
        return answered

    async def aclose(self) -> None:
        """Ask no more."""
        await self._tasks.aclose()

    async def _ask(self, newcomer: Participant, asking: _Asking) -> None:
        name = newcomer.name
        asks = f"{as_told(name, begins=True)} asks to join this talk."
        for person in self._persons():
            said = partial(asking.is_told, person)
            if person == OPERATOR_NAME:  # sees who knocks
                said()
            else:
                self._tell(person, f"{asks} Whisper yes or no within a minute.", said)
        try:
            await until_first(self._sleep(ANSWER_WITHIN_S), asking.settled.wait())
        finally:
            self._asking.pop(name, None)
        if asking.is_let_in:
            self._let_in(newcomer)
            self._tell(name, "You are in the talk.", None)
        else:
            self._tell(name, "Nobody in that talk has let you in.", None)

    def _persons(self) -> list[str]:
        return [one.name for one in self._who() if one.kind == "person"]


class Seats:
    """The seats of one talk. `leave` is called with who gave up a seat, or got none, and why."""

    def __init__(
        self,
        attendance: Attendance,
        talk: Attended,
        bot: Callable[[str], Bot],
        *,
        name: str,
        started_by: Origin,
        leave: Callable[[str, str], None],
    ) -> None:
        self._attendance, self._talk, self._bot = attendance, talk, bot
        self._name, self._started_by, self._leave = name, started_by, leave
        self._taken: dict[str, ExitStack] = {}

    def follow(self, present: Sequence[Participant]) -> list[Participant]:
        """Seat exactly these participants; returns those who are new."""
        new = [one for one in present if one.name not in self._taken]
        for one in new:
            self._taken[one.name] = self._seat(one)
        names = {one.name for one in present}
        for gone in [name for name in self._taken if name not in names]:
            self._taken.pop(gone).close()
        return new

    def _seat(self, who: Participant) -> ExitStack:
        seat = ExitStack()
        if not self._attendance.enter(who.name, self._talk):
            self._leave(who.name, "in another talk")
            return seat
        seat.callback(self._attendance.leave, who.name, self._talk)
        if who.kind != "bot":
            return seat
        try:
            bot = self._bot(who.name)
        except KeyError:  # it was in the talk before a restart
            self._leave(who.name, "gone")
            return seat
        bot.leisure.turned_to()
        stop = partial(self._leave, who.name, "stopped")
        seat.enter_context(bot.running(self._name, stop, self._started_by))
        return seat
