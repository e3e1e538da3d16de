"""A database with a journal: nothing is in the file that is not in the journal."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from support.numbers import made, numbers, put

from bots.errors import StoreError, StoreUnwritable
from bots.store import writer
from bots.store.database import Store
from bots.store.recording import Place, Replicated, replay, replicated, set_becoming

WITHIN_S = 20.0


class ListJournal:
    """Keeps its groups in a list."""

    def __init__(self) -> None:
        self.groups: list[bytes] = []
        self.refusal: Exception | None = None
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()
        self.ended = 0

    @property
    def place(self) -> Place:
        return Place("h", len(self.groups), "r", len(self.groups))

    async def append(self, group: bytes) -> Place:
        await self.may_go_on.wait()
        if self.refusal is not None:
            raise self.refusal
        self.groups.append(group)
        return self.place

    def end_soon(self) -> None:
        self.may_go_on.set()

    async def aclose(self) -> None:
        self.ended += 1


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home.sqlite"


@pytest.fixture
def journal() -> ListJournal:
    return ListJournal()


@pytest.fixture
async def store(path: Path, journal: ListJournal) -> AsyncIterator[Store]:
    store = await Store.open(path, journal)
    await store.write(made)
    yield store
    await store.aclose()


def replayed(groups: list[bytes]) -> list[int]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        copy.execute("BEGIN")
        for group in groups:
            replay(copy, group)
        return numbers(copy)


def state_of(path: Path) -> Replicated | None:
    with closing(sqlite3.connect(path)) as connection:
        return replicated(connection)


async def test_a_write_that_returned_is_in_the_journal(store: Store, journal: ListJournal) -> None:
    await store.write(put(1))
    assert replayed(journal.groups) == [1]


async def test_writes_that_wait_together_are_one_group(store: Store, journal: ListJournal) -> None:
    patient = [asyncio.ensure_future(store.write(put(n), patient=True)) for n in range(5)]
    await asyncio.sleep(0)
    await asyncio.gather(store.write(put(5)), *patient)
    assert len(journal.groups) == 2
    assert replayed(journal.groups) == list(range(6))


async def test_the_file_says_how_far_it_is(store: Store, journal: ListJournal, path: Path) -> None:
    await store.write(put(1))
    assert state_of(path) == Replicated(Place("h", 2, "r", 2), False, "")


async def test_a_failed_change_leaves_no_entry(store: Store, journal: ListJournal) -> None:
    outcomes = await asyncio.gather(
        store.write(put(1)),
        store.write(put(2, fail=ValueError("no"))),
        store.write(put(3)),
        return_exceptions=True,
    )
    assert [type(one) for one in outcomes] == [type(None), ValueError, type(None)]
    assert replayed(journal.groups) == [1, 3] == await store.read(numbers)


async def test_reading_is_not_appended_but_updates_are(store: Store, journal: ListJournal) -> None:
    before = len(journal.groups)
    assert await store.write(numbers) == []
    with pytest.raises(ValueError, match="no"):
        await store.write(put(1, fail=ValueError("no")))
    assert len(journal.groups) == before
    await store.write(lambda c: c.execute("UPDATE numbers SET n = 0").close())
    assert len(journal.groups) == before + 1


async def test_nothing_is_committed_before_its_entry(store: Store, journal: ListJournal) -> None:
    journal.may_go_on.clear()
    writing = asyncio.ensure_future(store.write(put(1)))
    assert await store.read(numbers) == []
    assert not writing.done()
    journal.may_go_on.set()
    await writing
    assert await store.read(numbers) == [1]


async def test_a_journal_that_refuses_refuses_for_good(store: Store, journal: ListJournal) -> None:
    journal.refusal = StoreUnwritable("another daemon has the home")
    together = (store.write(put(n)) for n in range(3))
    outcomes = await asyncio.gather(*together, return_exceptions=True)
    assert [str(one) for one in outcomes] == ["another daemon has the home"] * 3
    assert [type(one) for one in outcomes] == [StoreUnwritable] * 3
    journal.refusal = None
    with pytest.raises(StoreUnwritable, match="another daemon has the home"):
        await store.write(put(4))
    with pytest.raises(StoreUnwritable, match="another daemon has the home"):
        await store.write(numbers)
    assert await store.read(numbers) == []
    assert store.trouble == "another daemon has the home"
    assert len(journal.groups) == 1


async def test_a_broken_journal_commits_nothing(store: Store, journal: ListJournal) -> None:
    journal.refusal = ArithmeticError("a fault")
    with pytest.raises(StoreUnwritable, match="a fault"):
        await store.write(put(1))
    assert await store.read(numbers) == []


async def test_what_the_file_did_not_take_is_in_it_before_the_next_change(
    store: Store, journal: ListJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a disk that gets full between the journal and the commit, and stays so a while."""

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    await store.write(put(1))
    with monkeypatch.context() as patch:
        patch.setattr(writer, "set_place", full)
        for number in (2, 3):
            with pytest.raises(StoreError, match="disk is full"):
                await store.write(put(number))
    await store.write(put(4))
    assert await store.read(numbers) == [1, 2, 4] == replayed(journal.groups)


async def test_closing_ends_the_wait_and_the_journal(path: Path, journal: ListJournal) -> None:
    store = await Store.open(path, journal)
    journal.may_go_on.clear()
    writing = asyncio.ensure_future(store.write(made))
    await asyncio.sleep(0)
    async with asyncio.timeout(WITHIN_S):
        await store.aclose()
        await writing
    assert journal.ended == 1


async def test_a_change_it_cannot_record_fails_alone(store: Store, journal: ListJournal) -> None:
    with pytest.raises(StoreError, match="random"):
        await store.write(lambda c: c.execute("INSERT INTO numbers VALUES (random())").close())
    await store.write(put(1))
    assert replayed(journal.groups) == [1]


async def test_a_file_without_its_journal_is_marked(path: Path, journal: ListJournal) -> None:
    await (await Store.open(path)).aclose()
    assert state_of(path) is None
    await (await Store.open(path, journal)).aclose()
    assert state_of(path) == Replicated(journal.place, False, "")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        set_becoming(connection, "another")
    assert state_of(path) == Replicated(journal.place, False, "another")
    await (await Store.open(path)).aclose()
    assert state_of(path) == Replicated(journal.place, True, "")
