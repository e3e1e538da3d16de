"""What the bus promises, in one process and over a NATS broker."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from support.buses import KINDS, two_buses

from bots.clock import utc_now
from bots.cluster.bus import LARGEST, PAGE, Bus, Entry, Lease, LeaseLost, NobodyAnswers, StreamMoved

WITHIN_S = 20.0  # for what takes a moment; a busy machine is no failure
SHORT_LEASE_S = 1.0


@pytest.fixture(params=KINDS)
async def buses(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Bus, Bus]]:
    """The bus as two daemons see it."""
    async with two_buses(request.param, tmp_path) as two:
        yield two


@pytest.fixture(params=KINDS)
async def hasty(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Bus, Bus]]:
    """The same, with leases that run out soon."""
    async with two_buses(request.param, tmp_path, SHORT_LEASE_S) as two:
        yield two


@pytest.fixture
def mine(buses: tuple[Bus, Bus]) -> Bus:
    return buses[0]


@pytest.fixture
def yours(buses: tuple[Bus, Bus]) -> Bus:
    return buses[1]


async def first(messages: AsyncIterator[bytes]) -> bytes:
    async with asyncio.timeout(WITHIN_S):
        return await anext(messages)


async def taken(bus: Bus, name: str, holder: str) -> Lease:
    lease = await bus.take(name, holder)
    assert lease is not None
    return lease


async def taken_once_free(bus: Bus, name: str, holder: str) -> Lease:
    async with asyncio.timeout(WITHIN_S):
        while (lease := await bus.take(name, holder)) is None:
            pass
    return lease


async def test_a_message_reaches_every_listener_of_its_name(mine: Bus, yours: Bus) -> None:
    async with mine.listen("news") as here, yours.listen("news") as there:
        async with yours.listen("other") as elsewhere:
            await mine.publish("news", "やあ".encode())
            await mine.publish("other", b"done")
            assert await first(elsewhere) == b"done"
        heard = [await first(listener) for listener in (here, there)]
    assert heard == ["やあ".encode()] * 2


async def test_messages_come_in_order(mine: Bus, yours: Bus) -> None:
    async with yours.listen("news") as there:
        for number in range(200):
            await mine.publish("news", b"%d" % number)
        assert [int(await first(there)) for _ in range(200)] == list(range(200))


async def test_a_request_is_answered(mine: Bus, yours: Bus) -> None:

    async def shout(body: bytes) -> bytes:
        return body.upper()

    async with yours.answering("shout", shout):
        assert await mine.request("shout", b"hello") == b"HELLO"


async def test_a_slow_answer_does_not_hold_up_others(mine: Bus, yours: Bus) -> None:
    second_came = asyncio.Event()

    async def answer(body: bytes) -> bytes:
        if body == b"second":
            second_came.set()
        await second_came.wait()
        return body

    async with yours.answering("ask", answer):
        replies = await asyncio.gather(
            mine.request("ask", b"first", WITHIN_S), mine.request("ask", b"second", WITHIN_S)
        )
    assert list(replies) == [b"first", b"second"]


async def test_a_request_that_nobody_answers_fails(mine: Bus, yours: Bus) -> None:
    async def never(body: bytes) -> bytes:
        await asyncio.Event().wait()
        return body

    with pytest.raises(NobodyAnswers):
        await mine.request("nobody", b"?")
    async with yours.answering("silent", never):
        with pytest.raises(NobodyAnswers, match="within"):
            await mine.request("silent", b"?", 0.1)


async def test_what_was_appended_is_read_in_order(mine: Bus, yours: Bus) -> None:
    bodies = [b"%d" % number for number in range(PAGE + 3)]
    for body in bodies:
        await mine.append("history.Alice", body)
    await mine.append("history.Bob", b"another stream")
    page = await yours.read("history.Alice")
    rest = await yours.read("history.Alice", page[-1].position)
    assert len(page) == PAGE
    assert await yours.read("history.Alice", page[0].position, 2) == page[1:3]
    assert [entry.body for entry in (*page, *rest)] == bodies
    assert await yours.read("history.Alice", rest[-1].position) == ()
    assert await yours.read("history.Nobody") == ()


async def test_positions_are_those_that_append_returned(mine: Bus, yours: Bus) -> None:
    one, two = await mine.append("s", b"one", 0), await mine.append("s", b"two")
    assert await yours.read("s") == (Entry(one, b"one"), Entry(two, b"two"))
    assert await yours.read("s", one) == (Entry(two, b"two"),)


async def test_the_last_entry_is_found(mine: Bus, yours: Bus) -> None:
    assert await mine.last("s") is None
    await mine.append("s", b"one")
    last = await mine.append("s", b"two")
    await mine.append("other", b"")
    assert await yours.last("s") == Entry(last, b"two")


async def test_what_is_before_a_position_is_dropped_for_good(mine: Bus, yours: Bus) -> None:
    positions = [await mine.append("s", b"%d" % number) for number in range(5)]
    other = await mine.append("other", b"kept")
    await mine.drop("s", 0)
    assert len(await yours.read("s")) == 5
    await mine.drop("s", positions[3])
    assert [one.position for one in await yours.read("s")] == positions[3:]
    assert await yours.read("other") == (Entry(other, b"kept"),)
    assert await yours.append("s", b"more", positions[4]) > other
    await mine.drop("s", positions[3])
    assert len(await yours.read("s")) == 3


async def test_of_two_who_append_after_an_entry_one_is_refused(mine: Bus, yours: Bus) -> None:
    last = await mine.append("s", b"one", 0)
    outcomes = await asyncio.gather(
        mine.append("s", b"mine", last), yours.append("s", b"yours", last), return_exceptions=True
    )
    refused = [outcome for outcome in outcomes if isinstance(outcome, StreamMoved)]
    assert len(refused) == 1
    assert len(await mine.read("s")) == 2


async def test_a_stream_can_be_read_from_a_time_on(mine: Bus, yours: Bus) -> None:
    long_ago, soon = utc_now() - timedelta(days=1), utc_now() + timedelta(days=1)
    assert (await mine.before("s", long_ago), await mine.before("s", soon)) == (0, 0)
    await mine.append("other", b"")
    positions = [await mine.append("s", b"one"), await mine.append("s", b"two")]
    assert len(await yours.read("s", await yours.before("s", long_ago))) == 2
    assert await yours.before("s", soon) == positions[-1]


async def test_a_lease_is_held_by_one(mine: Bus, yours: Bus) -> None:
    lease = await taken(mine, "bot.Alice", "one")
    assert await yours.take("bot.Alice", "two") is None
    assert await yours.holder("bot.Alice") == "one"
    renewed = await mine.renew(lease)
    assert (renewed.holder, renewed.token) == ("one", lease.token)
    assert await yours.take("bot.Alice", "two") is None


async def test_of_many_who_want_a_lease_one_gets_it(buses: tuple[Bus, Bus]) -> None:
    tries = [bus.take("bot.Alice", f"{n}") for n in range(10) for bus in buses]
    assert len([lease for lease in await asyncio.gather(*tries) if lease]) == 1


async def test_a_lease_that_was_given_back_is_free_at_once(mine: Bus, yours: Bus) -> None:
    lease = await taken(mine, "bot.Alice", "one")
    await mine.give_back(lease)
    assert await yours.holder("bot.Alice") is None
    later = await taken(yours, "bot.Alice", "two")
    assert later.token > lease.token
    await mine.give_back(lease)  # which another has now
    assert await mine.holder("bot.Alice") == "two"


@pytest.mark.slow
async def test_a_lease_that_is_not_renewed_runs_out(hasty: tuple[Bus, Bus]) -> None:
    mine, yours = hasty
    lease = await taken(mine, "bot.Alice", "one")
    renewed = await mine.renew(lease)
    later = await taken_once_free(yours, "bot.Alice", "two")
    assert later.token > renewed.token
    with pytest.raises(LeaseLost):
        await mine.renew(renewed)
    assert await mine.holder("bot.Alice") == "two"


@pytest.mark.slow
async def test_what_ran_out_cannot_be_renewed_though_nobody_took_it(hasty: tuple[Bus, Bus]) -> None:
    mine, _ = hasty
    lease = await taken(mine, "bot.Alice", "one")
    async with asyncio.timeout(WITHIN_S):
        while await mine.holder("bot.Alice"):
            pass
    with pytest.raises(LeaseLost):
        await mine.renew(lease)


async def test_a_lease_cannot_be_forged(mine: Bus, yours: Bus) -> None:
    lease = await taken(mine, "bot.Alice", "one")
    with pytest.raises(LeaseLost):
        await yours.renew(replace(lease, holder="two", token=lease.token + 1, revision=999))


@pytest.mark.parametrize("name", ["", ".", "a..b", "a b", "a.*", ">", "ü", "a" * 65, "a\r\nPUB x"])
async def test_a_name_that_is_none_is_refused(buses: tuple[Bus, Bus], name: str) -> None:
    bus = buses[0]
    for call in (
        bus.publish(name, b""),
        bus.request(name, b""),
        bus.append(name, b""),
        bus.read(name),
        bus.last(name),
        bus.drop(name, 2),
        bus.take(name, "one"),
        bus.holder(name),
    ):
        with pytest.raises(ValueError, match="no name on the bus"):
            await call


async def test_a_body_that_is_too_large_is_refused(buses: tuple[Bus, Bus]) -> None:
    bus, body = buses[0], b"x" * (LARGEST + 1)
    for call in (bus.append("s", body), bus.request("r", body)):
        with pytest.raises(ValueError, match="more than"):
            await call
    assert await bus.append("s", body[:LARGEST]) > 0
