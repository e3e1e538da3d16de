"""All talks of a daemon: begins them, finds them, resumes them after a restart."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from bots.access.origin import OPERATOR_NAME, Level, Origin, Person
from bots.access.sources import LevelOf
from bots.chat.attendance import Attendance, GiveBack
from bots.chat.natural_message import NaturalMessage
from bots.clock import MS_PER_S, Times
from bots.errors import CommandError, StoreError
from bots.observability.trace import TraceLog
from bots.owned_tasks import OwnedTasks
from bots.responder.records.record import DecisionRecorder
from bots.store.table import readable
from bots.talks.live.bot_io import TalkServices
from bots.talks.live.prompt import NOTHING_SEEN_TO
from bots.talks.live.runner import NO_OBSERVER, Observer
from bots.talks.live.start_phrases import called_together, nicknames_of, topic_of
from bots.talks.live.storage import Beginning, TalkStore, UnendedTalk
from bots.talks.live.talk import LiveTalk
from bots.talks.live.thinker import Thinker
from bots.talks.machine.events import Participant
from bots.talks.machine.machine import GroupTalk
from bots.talks.machine.policy import TalkPolicy
from bots.talks.machine.state import NO_OWN_RULES, OwnRules
from bots.text import suggest
from bots.text.spelling import spelt
from bridge.errors import BridgeError

FEWEST = 2  # participants


class Talks:
    """All talks under way. `bots` returns the names of all bots that can take part."""

    def __init__(
        self,
        services: TalkServices,
        attendance: Attendance,
        store: TalkStore,
        policy: TalkPolicy,
        bots: Callable[[], Sequence[str]],
        times: Times,
        trace: TraceLog,
        recorder: DecisionRecorder,
        unended: Sequence[UnendedTalk],
    ) -> None:
        self.policy = policy
        """The policy of the settings, to begin talks with."""
        self._unended = unended
        self._services, self._attendance, self._store = services, attendance, store
        self._bots, self._times = bots, times
        self._trace, self._recorder = trace, recorder
        self._beginning = asyncio.Lock()  # so that two talks cannot seat the same bot
        self._tasks = OwnedTasks()
        self._under_way: dict[int, LiveTalk] = {}

    @property
    def under_way(self) -> tuple[LiveTalk, ...]:
        return tuple(talk for talk in self._under_way.values() if not talk.machine.ended)

    def is_taken(self, name: str) -> bool:
        """Whether a bot or person is in a talk."""
        return self._attendance.is_taken(name)

    def of(self, name: str) -> LiveTalk | None:
        """The talk that a bot or person takes part in."""
        return next(
            (
                talk
                for talk in self.under_way
                if any(one.name == name for one in talk.machine.participants)
            ),
            None,
        )

    async def start(
        self,
        names: Iterable[str | Participant],
        *,
        started_by: Origin,
        policy: TalkPolicy,
        observer: Observer = NO_OBSERVER,
        thinker: Thinker | None = None,
        brakes_machines: bool = True,
        rules: OwnRules = NO_OWN_RULES,
    ) -> LiveTalk:
        """Begin a talk of these bots and people. `thinker` finds its bots' words and `rules` hold
        until a restart; without `brakes_machines` people may answer like clocks till then.

        Raises CommandError: too_few, player_not_found, in_a_talk."""
        roster = await self.roster(names)
        services = self._services if thinker is None else replace(self._services, thinker=thinker)
        if not brakes_machines:
            services = replace(services, handful=sys.maxsize)
        async with self._beginning:
            return await self._begin(roster, started_by, policy, services, observer, rules)

    def begin_by_words(
        self, level_of: LevelOf, message: NaturalMessage, give_back: GiveBack
    ) -> bool:
        """Begin a talk if its speaker, who may also do so by command, calls several free bots by
        this line, which is its first one; returns whether it does."""
        if not isinstance(message.origin, Person) or level_of(message.origin) < Level.TRUSTED:
            return False
        nicknames = nicknames_of(self._services.nicknames.values())
        free = [name for name in self._bots() if not self.is_taken(name)]
        called = called_together(message.content, free, nicknames)
        if len(called) < 2 or self.is_taken(message.from_):
            return False
        topic = topic_of(message.content, called, nicknames)
        policy = replace(self.policy, opening="person", topic=topic)
        starting = self._start_from(message, give_back, called, policy)
        self._tasks.start(starting, f"talk with {message.from_}")
        return True

    async def participant(self, name: str) -> Participant:
        """A bot of ours or a person on the server; a name as it is spelt before one that differs
        only in case. Raises CommandError `player_not_found`."""
        if name == OPERATOR_NAME:
            return Participant(name, "person")
        bots = self._bots()
        people = [] if name in bots else await self._people()
        if (found := spelt(name, [*bots, *people])) is not None:
            return self._bot(found) if found in bots else self.outsider(found)
        hint = suggest.as_sentence(suggest.similar(name, [*self._bots(), *people]))
        raise CommandError("player_not_found", f"Nobody called {name} is here.{hint}")

    def outsider(self, name: str) -> Participant:
        """Somebody who is no bot of ours: a person, or a bot of another daemon."""
        is_bot = self._services.known_bots.is_elsewhere(name)
        return Participant(name, "bot_elsewhere" if is_bot else "person")

    def _bot(self, name: str) -> Participant:
        return self._services.nicknames.get(name) or Participant(name, "bot")

    async def roster(self, names: Iterable[str | Participant]) -> tuple[Participant, ...]:
        """These participants, each once. Raises CommandError: too_few, player_not_found."""
        found = {one.name: one for one in [await self._found(name) for name in names]}
        if len(found) < FEWEST or not any(one.kind == "bot" for one in found.values()):
            raise CommandError(
                "too_few", "A talk needs at least two participants, one of them a bot."
            )
        return tuple(found.values())

    async def _found(self, who: str | Participant) -> Participant:
        """The participant, with the other names that were given for it; a bot that only records
        takes part where it is given as one."""
        if isinstance(who, str):
            return await self.participant(who)
        is_ours = who.kind == "bot" and who.name in self._services.known_bots.ours
        found = self._bot(who.name) if is_ours else await self.participant(who.name)
        display_name, short_name = who.display_name, who.short_name
        return replace(
            found,
            display_name=display_name or found.display_name,
            short_name=short_name or found.short_name,
        )

    async def resume(self, ready: Callable[[], Awaitable[object]]) -> None:
        """Resume the talks that a restart interrupted, once `ready`; their caps still hold."""
        if self._unended:
            await ready()
        rows = [(stored.number, stored) for stored in self._unended]
        for talk in readable(rows, lambda row: self._resumed(row[1]), "talks"):
            self._run(talk)

    async def aclose(self) -> None:
        """Stop the talks under way; the next start resumes them."""
        await self._tasks.aclose()

    async def _start_from(
        self,
        message: NaturalMessage,
        give_back: GiveBack,
        bots: Sequence[str],
        policy: TalkPolicy,
    ) -> None:
        roster = (*map(self._bot, bots), self.outsider(message.from_))
        begun: LiveTalk | None = None
        async with self._beginning:
            if not self._attendance.together(message.bot, message.from_):  # by an earlier line
                # Somebody is in another talk by now, or the talk cannot be stored.
                with suppress(CommandError, StoreError):
                    begun = await self._begin(
                        roster, message.origin, policy, self._services, NO_OBSERVER
                    )
        if begun is not None:
            begun.begin_with(message, give_back)
        elif not self._attendance.takes(message, give_back):
            give_back()

    async def _begin(
        self,
        roster: tuple[Participant, ...],
        started_by: Origin,
        policy: TalkPolicy,
        services: TalkServices,
        observer: Observer,
        rules: OwnRules = NO_OWN_RULES,
    ) -> LiveTalk:
        if taken := [one.name for one in roster if self.is_taken(one.name)]:
            raise CommandError("in_a_talk", f"{', '.join(taken)}: in another talk already.")
        beginning = Beginning(roster, policy, started_by, self._times.clock())
        number = await self._store.begin(beginning)
        machine = GroupTalk(roster, policy, 0, rules)
        talk = self._talk(number, beginning, machine, services, observer)
        names = [one.name for one in roster]
        self._trace.note("talk.begun", talk=number, participants=names, topic=policy.topic)
        self._run(talk)
        return talk

    def _resumed(self, stored: UnendedTalk) -> LiveTalk:
        beginning = stored.beginning
        machine = GroupTalk.replay(beginning.roster, beginning.policy, 0, stored.record)
        passed_s = (self._times.clock() - beginning.began_at).total_seconds()
        resumed_ms = max(stored.last_ms, round(passed_s * MS_PER_S))
        talk = self._talk(
            stored.number,
            beginning,
            machine,
            self._services,
            NO_OBSERVER,
            resumed_ms=resumed_ms,
            seen_to=stored.seen_to,
        )
        self._trace.note("talk.resumed", talk=stored.number, lines=len(machine.lines))
        talk.tell(machine.restart_event())
        return talk

    def _talk(
        self,
        number: int,
        beginning: Beginning,
        machine: GroupTalk,
        services: TalkServices,
        observer: Observer,
        *,
        resumed_ms: int | None = None,
        seen_to: Mapping[int, tuple[str, ...]] = NOTHING_SEEN_TO,
    ) -> LiveTalk:
        return LiveTalk(
            number,
            beginning,
            machine,
            services,
            attendance=self._attendance,
            store=self._store,
            times=self._times,
            trace=self._trace,
            recorder=self._recorder,
            observer=observer,
            resumed_ms=resumed_ms,
            seen_to=seen_to,
        )

    def _run(self, talk: LiveTalk) -> None:
        talk.seat()
        self._under_way[talk.number] = talk
        task = self._tasks.start(talk.run(), f"talk {talk.number}")
        task.add_done_callback(lambda _ended: self._under_way.pop(talk.number, None))

    async def _people(self) -> list[str]:
        """The people on the server: on the list of any bot that is online, since lists differ."""
        people = dict[str, None]()
        for name in self._bots():
            with suppress(BridgeError):
                world = await self._services.bot(name).snapshot()
                people |= dict.fromkeys(player.name for player in world.players)
        return [name for name in people if name not in self._bots()]
