"""The history of a home: its one file, replicated through a durable stream of the bus.

    owner:     change -> Store -> HomeJournal -> stream `home.ID` -> commit
    followers: stream -> `catch_up` -> a copy, ready to be opened by the next owner

The file of a home is all that stands in the stream up to a position (bots/store/recording.py). A
follower runs the same statements on its copy; where it has none it begins with the newest base,
the whole file as it was at a place. Entries are told in bots/cluster/journal.py.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from bots.cluster.bus import PAGE, Bus, BusUnavailable, Entry, StreamMoved
from bots.cluster.journal import Head, HomeJournal, Steps, read_entry
from bots.errors import SettingsError
from bots.owned_tasks import in_thread, opened_in_thread
from bots.store.database import Store
from bots.store.migrations import newest
from bots.store.recording import Place
from bots.store.replica import BaseFile, Replica, Step, state_of

AT_ONCE = 4 * 1024 * 1024  # bytes of a stream, about, that are read at once
FIRST_PAGE = 8  # entries; each may be as large as a message
TRIES = 5  # to read on while what is read is dropped
TWO_WAYS = (
    "Move the file away to go on with what the cluster has, or start with --keep-file to go on"
    " with the file; what only the other one has is lost then."
)


class HistoryConflict(SettingsError):
    """A file and its home's stream each have what the other has not; somebody must choose."""


class HomeTooNew(SettingsError):
    """The home is kept by a newer townsfolk; this daemon cannot follow it."""


class _BeginAnew(Exception):
    """The copy is no beginning of the stream, or what it needs next was dropped."""


@dataclass(frozen=True, slots=True)
class OpenHome:
    """A home that is ours, until it is lost."""

    store: Store
    """Closing it closes the journal."""
    journal: HomeJournal


class HomeHistory:
    """The history of one home."""

    def __init__(self, bus: Bus, home: str) -> None:
        self._bus, self.home = bus, home
        self.stream = f"home.{home}"

    async def catch_up(self, path: Path) -> int:
        """Bring a copy, missing or old, to the end of the stream; the position there, 0 for none.

        The copy must not be open. One that is no beginning of the stream is made anew. Raises
        BusUnavailable; HomeTooNew; StoreError when the copy cannot be written."""
        begins_anew = False
        for _ in range(TRIES):
            last = await self._last()
            if last is None or last[1].base_at == 0:
                return 0
            place = None if begins_anew else await in_thread(_place_of, path, last[1])
            try:
                place = place or await self._take_base(path, last)
                await self._replay(path, place, last)
            except _BeginAnew:
                begins_anew = True
            else:
                return last[0]
        raise BusUnavailable(f"{self.stream} changes faster than it can be read")

    async def open(
        self, path: Path, member: str, token: int, *, keep_file: bool = False
    ) -> OpenHome:
        """Take the home over and open its file, caught up with all that earlier owners wrote.

        `member` and `token` (of the lease) go into the stream, for people to see. Where the stream
        is empty the file, or a new one, becomes the home's; with `keep_file` it does in any case.
        Raises HistoryConflict, HomeTooNew, BusError, StoreError."""
        await self._is_file_the_home(path, keep_file)  # refuses before it disturbs an owner
        journal = await HomeJournal.take_over(self._bus, self.stream, path, member, token)
        async with AsyncExitStack() as on_failure:
            on_failure.push_async_callback(journal.aclose)
            if await self._is_file_the_home(path, keep_file):
                await journal.begin_anew()
            elif await self.catch_up(path) != journal.place.position:
                raise StreamMoved(f"another daemon takes {self.stream} over at the same time")
            store = await Store.open(path, journal)
            on_failure.pop_all()
        return OpenHome(store, journal)

    async def _is_file_the_home(self, path: Path, keep_file: bool) -> bool:
        """Whether the home is what the file holds, rather than what its stream does.

        Raises HistoryConflict where each has what the other has not."""
        last = await self._last()
        if last is None or last[1].base_at == 0:
            return True
        if not await in_thread(path.exists):
            return False
        return keep_file or await self._has_file_more(path, last)

    async def _has_file_more(self, path: Path, last: tuple[int, Head]) -> bool:
        """Raises HistoryConflict when the stream has more too."""
        found = await in_thread(state_of, path)
        end, head = last
        if found is not None and found.becoming == head.history:
            return False  # it was made the home's, and stopped before it noted so
        if found is None or found.place.history != head.history:
            raise _conflict(path, "the file was never a part of this history")
        if not await self._is_known(found.place):
            is_earlier = head.run == found.place.run and head.number < found.place.number
            if found.place.position > end and is_earlier:
                return True  # the broker lost the end of the stream, as in a power cut
            raise _conflict(path, "what the file has last is not in the cluster")
        if not found.outside:
            return False
        if await self._is_changed_since(found.place):
            raise _conflict(path, "the file was written without the cluster, and so was the other")
        return True

    async def _is_known(self, place: Place) -> bool:
        """Whether the entry at a place is that of the stream; also when it was dropped."""
        oldest = await self._bus.read(self.stream, 0, 1)
        if oldest and oldest[0].position > place.position:
            return True
        found = await self._bus.read(self.stream, place.position - 1, 1)
        return bool(found) and _is_at(found[0], place)

    async def _is_changed_since(self, place: Place) -> bool:
        """Whether the stream has changes after a place, or no longer tells."""
        steps, position = Steps(place.history), place.position
        last = await self._bus.last(self.stream)
        async for page in self._pages(position, last.position if last else 0):
            for entry in page:
                head, body = read_entry(entry)
                step = steps.next(entry.position, head, body)
                if head.after != position or (step is not None and step.group is not None):
                    return True
                position = entry.position
        return False

    async def _last(self) -> tuple[int, Head] | None:
        """Where the last entry is, and what it says. Raises HomeTooNew."""
        last = await self._bus.last(self.stream)
        if last is None:
            return None
        head, _ = read_entry(last)
        if head.version > newest():
            raise HomeTooNew(
                f"the home {self.home} is kept by a newer townsfolk (its version {head.version},"
                f" known here: {newest()}); it is not followed until this one is upgraded"
            )
        return last.position, head

    async def _pages(self, after: int, until: int) -> AsyncIterator[tuple[Entry, ...]]:
        """The entries after a position and up to another, as many at once as is wise."""
        most = FIRST_PAGE
        while after < until and (page := await self._bus.read(self.stream, after, most)):
            fitting = tuple(entry for entry in page if entry.position <= until)
            yield fitting
            after = page[-1].position
            size = sum(len(entry.body) for entry in page)
            most = max(1, min(PAGE, AT_ONCE * len(page) // size))

    async def _replay(self, path: Path, place: Place, last: tuple[int, Head]) -> None:
        """Run what stands after a place. Raises _BeginAnew."""
        until, newest = last
        if newest.place(until) == place:
            return
        first = await self._bus.read(self.stream, place.position - 1, 1)
        if not first or not _is_at(first[0], place):
            raise _BeginAnew
        walk = _Walk(place)
        async with opened_in_thread(Replica, path) as replica:
            async for page in self._pages(place.position, until):
                await in_thread(replica.run, list(walk.steps(page)))
        if walk.position != until:
            raise _BeginAnew

    async def _take_base(self, path: Path, last: tuple[int, Head]) -> Place:
        """Make the copy of the newest base; its place. Raises _BeginAnew when it is gone."""
        until, newest = last
        parts = _BaseParts(newest.base_at)
        async with opened_in_thread(BaseFile, path) as file:
            async for page in self._pages(newest.base_at - 1, until):
                for part in parts.of(page):
                    await in_thread(file.write, part)
                if parts.place is not None:
                    await in_thread(file.settle, parts.place)
                    return parts.place
        raise _BeginAnew


class _Walk:
    """Goes from entry to entry of one history, none left out."""

    def __init__(self, place: Place) -> None:
        self.position, self._history = place.position, place.history
        self._steps = Steps(place.history)

    def steps(self, page: tuple[Entry, ...]) -> Iterator[Step]:
        """Raises _BeginAnew where an entry is missing, or another history begins."""
        for entry in page:
            head, body = read_entry(entry)
            is_of_another = head.history != self._history and head.kind != "base"
            if head.after != self.position or is_of_another:
                raise _BeginAnew
            self.position = entry.position
            step = self._steps.next(entry.position, head, body)
            if step is not None:
                yield step


class _BaseParts:
    """The parts of one base among other entries."""

    def __init__(self, first: int) -> None:
        self._next = 0
        self._first, self._base = first, ""
        self.place: Place | None = None
        """Once all parts were there."""

    def of(self, page: tuple[Entry, ...]) -> Iterator[bytes]:
        """Raises _BeginAnew where one is missing."""
        for entry in page:
            head, body = read_entry(entry)
            if not self._base:
                if entry.position != self._first:
                    raise _BeginAnew
                self._base = head.base
            if head.base != self._base or self.place is not None:
                continue
            if head.kind == "base_end" and head.holds is not None and head.parts == self._next:
                self.place = Place(head.history, *head.holds)
            elif head.part != self._next:
                raise _BeginAnew
            else:
                self._next += 1
                yield body


def _place_of(path: Path, newest: Head) -> Place | None:
    """Where a copy is that can go on in this history."""
    found = state_of(path)
    fits = found is not None and not found.outside and found.place.history == newest.history
    return found.place if found is not None and fits else None


def _is_at(entry: Entry, place: Place) -> bool:
    head, _ = read_entry(entry)
    return (entry.position, head.run, head.number) == (place.position, place.run, place.number)


def _conflict(path: Path, why: str) -> HistoryConflict:
    return HistoryConflict(f"{path}: {why}. {TWO_WAYS}")
