"""Lets a scenario's events happen to real bots and persons while their talk goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress

from bots.access.origin import Operator
from bots.app import Daemon
from bots.commands.catalogue import handle_chat_command
from bots.experiments.live.extras import Extra
from bots.experiments.log.event_log import Moment
from bots.experiments.log.recorder import SEEN_EVERY_MS, LogRecorder
from bots.experiments.scenario.parts import Event
from bots.experiments.scenario.scenario import Scenario
from bots.experiments.scenario.schedule import Deed, Schedule, Utter
from bots.experiments.scenario.values import Place
from bots.experiments.simulation.ground import Standing, standing_at
from bots.experiments.simulation.simulation import plain_happening
from bots.owned_tasks import OwnedTasks
from bots.talks.live.live_talk import LiveTalk
from bots.talks.live.stage import Thought
from bots.talks.machine.events import Delivered, Say, TalkEffect, TalkEvent, Think
from bridge.errors import BridgeError
from bridge.world import Position, WorldSnapshot

MS_PER_S = 1_000
INTO_A_TURN_S = 0.3  # after a turn began, what should happen during it


class Director:
    """Witness of the talk: writes it down, and acts when the scenario's moments come."""

    def __init__(
        self,
        scenario: Scenario,
        daemon: Daemon,
        extras: Mapping[str, Extra],
        recorder: LogRecorder,
    ) -> None:
        self._scenario, self._daemon, self._extras = scenario, daemon, extras
        self._recorder = recorder
        self.schedule = Schedule(scenario)
        self.talk: LiveTalk | None = None
        self._tasks = OwnedTasks()
        self._zero_s = 0.0
        self._asked_ms: dict[int, int] = {}
        self._turn_of: dict[int, int] = {}
        """The turn of each line that is being said."""

    # --- what the talk tells -----------------------------------------------------------

    async def moment(
        self, at_ms: int, happening: TalkEvent | None, wishes: tuple[TalkEffect, ...]
    ) -> None:
        if happening is None:
            self._begin()
        self._recorder.moment(Moment(at_ms, happening, wishes))
        for wish in wishes:
            if isinstance(wish, Say):
                self._turn_of[wish.line] = wish.turn
            elif isinstance(wish, Think):
                self._asked_ms[wish.turn] = at_ms
                self._soon(self.schedule.during(wish.turn), INTO_A_TURN_S)
        if isinstance(happening, Delivered) and happening.line in self._turn_of:
            self._soon(self.schedule.after(self._turn_of.pop(happening.line)), 0.0)

    async def thought(self, wish: Think, thought: Thought) -> None:
        took_ms = self._at_ms - self._asked_ms.get(wish.turn, self._at_ms)
        self._recorder.thought(self._at_ms, wish, thought, took_ms)

    async def aclose(self) -> None:
        await self._tasks.aclose()

    # --- what the scenario wants -------------------------------------------------------

    async def walk(self, name: str, place: Place) -> None:
        """Send somebody there; of bots, waits for the arrival."""
        x, y, z = self._scenario.point(place)
        if name in self._extras:
            await self._extras[name].walk(Position(x, y, z))
            return
        order = f"!navigation gotoCoords {json.dumps({'coords': [x, y, z]})}"
        await handle_chat_command(self._daemon.bot(name), "scenario", order, Operator("python"))

    async def tell_positions(self) -> None:
        """Write down where everybody stands."""
        found: dict[str, Standing] = {}
        for name in self._scenario.names:
            with suppress(BridgeError, KeyError):
                world = await self._look(name)
                found[name] = standing_at(world.position, world.dimension)
        self._recorder.positions(self._at_ms, found)

    @property
    def _at_ms(self) -> int:
        """Milliseconds since the talk began; 0 before."""
        return round((self._stopwatch() - self._zero_s) * MS_PER_S) if self._zero_s else 0

    def _stopwatch(self) -> float:
        return self._daemon.times.stopwatch()

    def _begin(self) -> None:
        self._zero_s = self._stopwatch()
        for at_ms, deed in self.schedule.timed:
            self._soon([deed], at_ms / MS_PER_S)
        self._tasks.start(self._watch_positions(), "watching positions")

    def _soon(self, deeds: list[Deed], wait_s: float) -> None:
        for deed in deeds:
            self._tasks.start(self._do(deed, wait_s), "an event of the scenario")

    async def _watch_positions(self) -> None:
        while True:
            await self.tell_positions()
            await self._daemon.times.sleep(SEEN_EVERY_MS / MS_PER_S)

    async def _look(self, name: str) -> WorldSnapshot:
        if name in self._extras:
            return await self._extras[name].look()
        return await self._daemon.bot(name).snapshot()

    async def _do(self, deed: Deed, wait_s: float) -> None:
        await self._daemon.times.sleep(wait_s)
        talk = self.talk
        if talk is None or talk.machine.ended is not None:
            return
        if isinstance(deed, Utter):
            await self._utter(deed, talk)
        elif deed.do in ("walk", "teleport"):
            assert deed.to is not None  # a scenario without is refused
            await self.walk(deed.who, deed.to)
        else:
            self._tell(deed, talk)

    async def _utter(self, said: Utter, talk: LiveTalk) -> None:
        bots = [one for one in talk.machine.participants if one.kind == "bot"]
        if said.name in self._extras:
            await self._extras[said.name].say(said.text, bots)

    def _tell(self, event: Event, talk: LiveTalk) -> None:
        """What concerns the talk alone."""
        match event.do:
            case "join":
                roster = self._scenario.roster
                talk.join(next(one for one in roster if one.name == event.who))
            case "leave":
                talk.leave(event.who, event.why or "left")
            case _:
                talk.tell(plain_happening(event))


async def stand_in_place(director: Director, scenario: Scenario) -> None:
    """Have everybody walk to where the scenario wants them at the start."""
    walks = (director.walk(who.name, who.at) for who in scenario.players if not who.is_live)
    await asyncio.gather(*walks)
