"""The history of a home: what its owner wrote is in every copy, and of two owners one writes."""

import asyncio
import random
import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.buses import KINDS, two_buses
from support.homes import HOME, contents, home_of, numbers_in, put, putting

from bots.cluster import history, journal
from bots.cluster import journal as entries
from bots.cluster.bus import LARGEST, Bus, StreamMoved
from bots.cluster.history import HistoryConflict, HomeHistory, HomeTooNew
from bots.cluster.journal import read_entry
from bots.errors import SettingsError, StoreUnwritable
from bots.store import migrations, replica
from bots.store.database import Store
from bots.store.replica import Replica, base_of

WITHIN_S = 60.0


@dataclass(frozen=True)
class Homes:
    """One home as two daemons see it: the bus and the file of each."""

    mine: Bus
    yours: Bus
    own: Path
    copy: Path

    async def write(self, *numbers: int) -> None:
        """At its owner, from its opening to its end."""
        async with home_of(self.mine, self.own) as home:
            for number in numbers:
                await put(home, number)

    async def follow(self) -> int:
        return await caught_up(self.yours, self.copy)

    async def are_alike(self, numbers: list[int]) -> None:
        """The copy, once it has followed, has these as the file has."""
        await self.follow()
        assert numbers_in(self.copy) == numbers
        assert contents(self.copy) == contents(self.own)


@pytest.fixture(params=KINDS)
async def homes(
    request: pytest.FixtureRequest, tmp_path: Path, own: Path, copy: Path
) -> AsyncIterator[Homes]:
    async with two_buses(request.param, tmp_path / "broker") as (mine, yours):
        yield Homes(mine, yours, own, copy)


async def caught_up(bus: Bus, path: Path) -> int:
    return await HomeHistory(bus, HOME).catch_up(path)


async def written_outside(path: Path, number: int) -> None:
    store = await Store.open(path)
    await store.write(putting(number))
    await store.aclose()


def file_number(path: Path) -> int:
    return path.stat().st_ino if path.exists() else 0


async def kinds_in(bus: Bus) -> list[str]:
    found: list[str] = []
    after = 0
    while page := await bus.read(f"home.{HOME}", after):
        found += [read_entry(entry)[0].kind for entry in page]
        after = page[-1].position
    return found


async def test_a_copy_goes_on_from_where_it_is(homes: Homes) -> None:
    async with home_of(homes.mine, homes.own) as home:
        positions = []
        for number in range(3):
            await put(home, number, f"{number} 町")
            before = file_number(homes.copy)
            positions.append(await homes.follow())
            assert before in (0, file_number(homes.copy))
            assert numbers_in(homes.copy) == list(range(number + 1))
            assert contents(homes.copy) == contents(homes.own)
        assert await homes.follow() == positions[-1]
    assert positions == sorted(set(positions))


async def test_an_unknown_home_has_no_copy(homes: Homes) -> None:
    assert await caught_up(homes.mine, homes.copy) == 0
    assert file_number(homes.copy) == 0


async def test_a_file_from_before_becomes_the_homes(homes: Homes) -> None:
    await written_outside(homes.own, 1)
    async with home_of(homes.mine, homes.own) as home:
        await put(home, 2)
    await homes.are_alike([1, 2])


@pytest.mark.parametrize("doing", ["write", "settle", "run"])
async def test_who_is_cancelled_as_a_copy_is_written_leaves_it_alone_from_then_on(
    homes: Homes, doing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, enough = threading.Event(), threading.Event()
    kind = Replica if doing == "run" else replica.BaseFile
    work = getattr(kind, doing)

    def slowly(self: Any, *args: Any) -> None:
        begun.set()
        assert enough.wait(WITHIN_S)
        work(self, *args)

    async with home_of(homes.mine, homes.own) as home:
        await put(home, 1)
        monkeypatch.setattr(kind, doing, slowly)
        following = asyncio.ensure_future(caught_up(homes.yours, homes.copy))
        await asyncio.to_thread(begun.wait, WITHIN_S)
        following.cancel()
        _ended, still = await asyncio.wait({following}, timeout=0.05)
        assert still
        enough.set()
        with pytest.raises(asyncio.CancelledError):
            await following
        monkeypatch.setattr(kind, doing, work)
        await homes.follow()
        assert contents(homes.copy) == contents(homes.own)


async def test_a_home_goes_on_at_another_daemon(homes: Homes) -> None:
    await homes.write(1)
    async with home_of(homes.yours, homes.copy, "two") as home:
        await put(home, 2)
    async with home_of(homes.mine, homes.own) as home:
        found = await home.store.read(lambda c: c.execute("SELECT n FROM numbers").fetchall())
        assert found == [(1,), (2,)]
        await put(home, 3)
    await homes.are_alike([1, 2, 3])


async def test_of_two_owners_the_earlier_one_writes_nothing_more(homes: Homes) -> None:
    async with home_of(homes.mine, homes.own) as first:
        await put(first, 0)
        writes = [asyncio.ensure_future(put(first, n)) for n in range(1, 200)]
        async with home_of(homes.yours, homes.copy, "two") as second:
            outcomes = await asyncio.gather(*writes, return_exceptions=True)
            with pytest.raises(StoreUnwritable, match="another daemon has taken this home over"):
                await put(first, 500)
            assert await first.journal.until_lost() == first.journal.lost == journal.TAKEN_OVER
            await put(second, 1000)
        acknowledged = [n for n, one in enumerate(outcomes, 1) if one is None]
    assert {type(one) for one in outcomes} <= {type(None), StoreUnwritable}
    assert [n for n in numbers_in(homes.copy) if n not in (0, 1000)] == acknowledged
    assert numbers_in(homes.copy)[0 :: len(numbers_in(homes.copy)) - 1] == [0, 1000]
    assert 1000 not in numbers_in(homes.own)


@pytest.mark.parametrize("is_new", [True, False])
async def test_of_many_who_open_a_home_at_once_one_can_write(
    homes: Homes, tmp_path: Path, is_new: bool
) -> None:
    if not is_new:
        async with home_of(homes.mine, homes.own) as home:
            await put(home, 0)

    async def opened_and_written(number: int) -> int:
        async with home_of(
            (homes.mine, homes.yours)[number % 2], tmp_path / f"{number}.sqlite"
        ) as home:
            await put(home, number)
            return number

    many = (opened_and_written(number) for number in range(1, 5))
    outcomes = await asyncio.gather(*many, return_exceptions=True)
    assert {type(one) for one in outcomes} <= {int, StoreUnwritable, StreamMoved, HistoryConflict}
    await homes.follow()
    written = [one for one in outcomes if isinstance(one, int)]
    assert [n for n in numbers_in(homes.copy) if n] == sorted(written)
    assert written


async def test_a_group_that_is_larger_than_a_message_is_in_the_copy(homes: Homes) -> None:
    words = random.Random(5).randbytes(3 * LARGEST)
    async with home_of(homes.mine, homes.own) as home:
        await put(home, 1, words)
        await put(home, 2)
        await homes.follow()
    assert contents(homes.copy) == contents(homes.own)


async def test_a_group_whose_owner_stopped_in_the_middle_never_happened(homes: Homes) -> None:
    await homes.write(1)
    (*_, last) = await homes.mine.read(f"home.{HOME}")
    head, _ = read_entry(last)
    torn = journal._following(head, last.position, kind="changes", part=0, parts=2)
    await homes.mine.append(f"home.{HOME}", torn.with_body(b"half of it"), last.position)
    await homes.follow()
    assert numbers_in(homes.copy) == [1]
    await homes.write(2)
    await homes.follow()
    assert numbers_in(homes.copy) == [1, 2] == numbers_in(homes.own)


async def test_an_old_file_that_is_put_back_catches_up(homes: Homes, tmp_path: Path) -> None:
    """So does one that is as it was before the last write, as after a crash."""
    await homes.write(1)
    old = shutil.copy(homes.own, tmp_path / "old.sqlite")
    await homes.write(*range(2, 30))
    newest = contents(homes.own)
    shutil.copy(old, homes.own)
    async with home_of(homes.mine, homes.own):
        pass
    assert contents(homes.own) == newest


async def test_what_was_written_outside_of_the_history_is_in_it_at_the_next_opening(
    homes: Homes,
) -> None:
    await homes.write(1)
    await homes.follow()
    await written_outside(homes.own, 2)
    async with home_of(homes.mine, homes.own) as home:
        await put(home, 3)
        await homes.are_alike([1, 2, 3])


async def test_where_file_and_cluster_each_have_more_somebody_must_choose(homes: Homes) -> None:
    await homes.write(1)
    await written_outside(homes.own, 2)
    async with home_of(homes.yours, homes.copy, "two") as home:
        await put(home, 3)
        entries_before = await kinds_in(homes.mine)
        with pytest.raises(HistoryConflict, match="--keep-file") as refused:
            await HomeHistory(homes.mine, HOME).open(homes.own, "one", 1)
        assert isinstance(refused.value, SettingsError)
        assert await kinds_in(homes.mine) == entries_before
        await put(home, 4)
    async with home_of(homes.mine, homes.own, keep_file=True):
        pass
    await homes.are_alike([1, 2])


async def test_a_file_that_is_moved_away_is_made_anew(homes: Homes) -> None:
    async with home_of(homes.mine, homes.copy, "two") as home:
        await put(home, 3)
    await written_outside(homes.own, 2)
    with pytest.raises(HistoryConflict, match="never a part"):
        await HomeHistory(homes.mine, HOME).open(homes.own, "one", 1)
    shutil.move(homes.own, homes.own.with_suffix(".away"))
    async with home_of(homes.mine, homes.own):
        pass
    assert numbers_in(homes.own) == [3]


async def test_making_a_file_the_homes_can_be_cut_off_and_done_again(
    homes: Homes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cut_off(*_: object) -> None:
        raise StoreUnwritable("cut off")

    await homes.write(1)
    await written_outside(homes.own, 2)
    with monkeypatch.context() as patch:
        patch.setattr(journal.HomeJournal, "_end_base", cut_off)
        with pytest.raises(StoreUnwritable, match="cut off"):
            await HomeHistory(homes.mine, HOME).open(homes.own, "one", 1)
    await homes.follow()
    assert numbers_in(homes.copy) == [1]
    with monkeypatch.context() as patch:
        patch.setattr(journal.HomeJournal, "_drop", cut_off)
        with pytest.raises(StoreUnwritable, match="cut off"):
            await HomeHistory(homes.mine, HOME).open(homes.own, "one", 1)
    await homes.write(3)
    await homes.follow()
    assert numbers_in(homes.copy) == [1, 2, 3] == numbers_in(homes.own)


async def test_old_entries_are_dropped_once_a_new_base_holds_them(
    homes: Homes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "MOST_ENTRIES", 50)
    monkeypatch.setattr(entries, "PART", 700)
    monkeypatch.setattr(journal, "PART", 700)
    async with home_of(homes.mine, homes.own) as home:
        for number in range(20):
            await put(home, number)
        await homes.follow()
        first = (await homes.mine.read(f"home.{HOME}"))[0].position
        number = 20
        async with asyncio.timeout(WITHIN_S):
            while (await homes.mine.read(f"home.{HOME}"))[0].position == first:
                await put(home, number)
                number += 1
        await put(home, number)
        assert await homes.follow() == await caught_up(homes.yours, tmp_path / "new.sqlite")
    kinds = await kinds_in(homes.mine)
    assert kinds.count("base_end") == 1
    assert len(kinds) < number
    assert numbers_in(homes.copy) == list(range(number + 1))
    assert contents(homes.copy) == contents(tmp_path / "new.sqlite") == contents(homes.own)


async def test_a_copy_that_is_behind_what_was_dropped_begins_anew(homes: Homes) -> None:
    async with home_of(homes.mine, homes.own) as home:
        await put(home, 1)
        await homes.follow()
        for number in range(2, 6):
            await put(home, number)
        await home.journal.make_base()
        assert await homes.follow() > 0
        assert contents(homes.copy) == contents(homes.own)
        await put(home, 6)
        await homes.follow()
    assert contents(homes.copy) == contents(homes.own)
    async with home_of(homes.mine, homes.copy, "two"):
        pass


async def test_changes_during_the_making_of_a_base_are_in_every_copy(
    homes: Homes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()

    def with_writes_between(parts: Iterator[bytes]) -> Iterator[bytes]:
        for number, part in enumerate(parts, 1):
            yield part
            asyncio.run_coroutine_threadsafe(put_and_follow(number), loop).result()

    async def put_and_follow(number: int) -> None:
        await put(home, number)
        await homes.follow()

    async with home_of(homes.mine, homes.own) as home:
        await put(home, 0, random.Random(1).randbytes(5_000))
        monkeypatch.setattr(journal, "base_of", lambda *of: with_writes_between(base_of(*of)))
        monkeypatch.setattr(journal, "PART", 500)
        await home.journal.make_base()
        await put_and_follow(1000)
        await caught_up(homes.yours, tmp_path / "new.sqlite")
    kinds = await kinds_in(homes.mine)
    assert kinds[:4] == ["changes", "base", "changes", "base"]
    assert len(numbers_in(homes.own)) > 10
    assert contents(homes.copy) == contents(tmp_path / "new.sqlite") == contents(homes.own)


async def test_a_long_history_is_caught_up_in_pieces(
    homes: Homes, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    run = Replica.run

    def counted(self: Any, steps: Any) -> None:
        sizes.append(len(steps))
        run(self, steps)

    monkeypatch.setattr(Replica, "run", counted)
    monkeypatch.setattr(history, "AT_ONCE", 20_000)
    await homes.write(*range(300))
    await homes.follow()
    assert numbers_in(homes.copy) == list(range(300))
    assert max(sizes) < 100


async def test_a_home_of_a_newer_townsfolk_is_not_followed(
    homes: Homes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as newer:
        newer.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, lambda _: None))
        async with home_of(homes.mine, homes.own) as home:
            await put(home, 1)
    with pytest.raises(HomeTooNew, match="newer townsfolk"):
        await homes.follow()
    with pytest.raises(HomeTooNew, match="until this one is upgraded"):
        await HomeHistory(homes.yours, HOME).open(homes.copy, "two", 2)
    assert file_number(homes.copy) == 0


async def test_a_newer_townsfolk_brings_copies_to_its_shape(
    homes: Homes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with home_of(homes.mine, homes.own) as home:
        await put(home, 1, "older")
    await homes.follow()
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, more_numbers))
    async with home_of(homes.mine, homes.own) as home:
        await home.store.write(lambda c: c.execute("UPDATE numbers SET more = 7").close())
    await homes.follow()
    assert contents(homes.copy) == contents(homes.own)
    assert contents(homes.copy)["numbers"] == [(1, "older", 7)]


def more_numbers(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE numbers ADD COLUMN more INTEGER")


async def test_closing_a_home_whose_journal_is_lost_ends(homes: Homes) -> None:
    async with asyncio.timeout(WITHIN_S), home_of(homes.mine, homes.own) as home:
        home.journal.lose("the lease ran out")
        with pytest.raises(StoreUnwritable, match="the lease ran out"):
            await put(home, 1)
    assert numbers_in(homes.own) == []


async def test_no_entry_is_no_reason_to_write_on(homes: Homes) -> None:
    async with home_of(homes.mine, homes.own) as home:
        await homes.yours.append(f"home.{HOME}", b"junk")
        with pytest.raises(StoreUnwritable, match="taken this home over"):
            await put(home, 1)
