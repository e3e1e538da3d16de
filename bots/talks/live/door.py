"""Who may join a talk: anybody, while bots alone talk; else whom a person in it lets in.

A yes lets the newcomer hear what is said from then on, and the topic, but nothing said before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from bots.access.origin import OPERATOR_NAME
from bots.clock import Sleep
from bots.owned_tasks import OwnedTasks
from bots.responder.confirming import names, said_in
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
            self._settle(asking, speaker, lets_in=said == "yes")
        return answered

    async def aclose(self) -> None:
        """Ask no more."""
        await self._tasks.aclose()

    def _settle(self, asking: _Asking, speaker: str, *, lets_in: bool) -> None:
        if lets_in:
            asking.is_let_in = True
        else:
            asking.refused_by.add(speaker)
        if lets_in or asking.refused_by >= set(self._persons()):
            asking.settled.set()

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
            await self._answered(asking)
        finally:
            self._asking.pop(name, None)
        if asking.is_let_in:
            self._let_in(newcomer)
            self._tell(name, "You are in the talk.", None)
        else:
            self._tell(name, "Nobody in that talk has let you in.", None)

    async def _answered(self, asking: _Asking) -> None:
        """Wait until somebody says yes, all say no, or it is too late."""
        late = asyncio.ensure_future(self._sleep(ANSWER_WITHIN_S))
        settled = asyncio.ensure_future(asking.settled.wait())
        try:
            await asyncio.wait({late, settled}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            late.cancel()
            settled.cancel()
            await asyncio.gather(late, settled, return_exceptions=True)

    def _persons(self) -> list[str]:
        return [one.name for one in self._who() if one.kind == "person"]
