"""A WebSocket of one daemon tells what happens at all of them, while somebody reads it."""

import asyncio
import json
from typing import Any

import pytest
from support.two_webs import TwoWebs, two_webs
from support.web_readers import WITHIN_S, reading

from bots.daemon.shapes import Positions
from bots.http import shared_traces


async def test_what_happens_elsewhere_comes_along_with_its_daemon(webs: TwoWebs) -> None:
    async with reading(webs.east) as reader:
        webs.west.daemon.trace.note("reply.sent", "Carol", text="Hi!", speaker="Steve")
        found = await reader.until_named("reply.sent")
    facts = (found["bot"], found["text"], found["daemon"], found["skipped"])
    assert facts == ("Carol", "Hi!", "west", 0)


async def test_what_happened_before_somebody_read_comes_first(webs: TwoWebs) -> None:
    webs.west.daemon.trace.note("job.started", "Carol", command="!goal")
    webs.east.daemon.trace.note("job.started", "Alice", command="!goal")
    async with reading(webs.east, "last=0&follow=0") as reader:
        kept = await reader.rest()
    assert sorted(found["bot"] for found in kept) == ["Alice", "Carol"]
    assert [found["sequence"] for found in kept] == [1, 2]


async def test_each_event_comes_once_in_the_order_of_its_daemon(webs: TwoWebs) -> None:
    for number in range(30):
        webs.west.daemon.trace.note("job.started", "Carol", number=number)
    async with reading(webs.east, "last=0") as first, reading(webs.east, "last=0") as second:
        for number in range(30, 60):
            webs.west.daemon.trace.note("job.started", "Carol", number=number)
            webs.east.daemon.trace.note("job.started", "Alice", number=number)
        for reader in (first, second):
            await reader.until(lambda found: found["bot"] == "Carol" and found["number"] == 59)
            theirs = [found["number"] for found in reader.got if found["bot"] == "Carol"]
            assert theirs == list(range(60))
            sequences = [found["sequence"] for found in reader.got]
            assert sequences == list(range(1, len(sequences) + 1))


async def test_a_batch_that_was_lost_is_asked_for(webs: TwoWebs) -> None:
    async with reading(webs.east) as reader:
        webs.west.daemon.trace.note("job.started", "Carol", number=1)
        await reader.until_named("job.started")
        is_lost = asyncio.Event()

        async def lose(name: str, body: bytes) -> None:
            if b'"number": 2' in body:
                is_lost.set()

        published, webs.bus.publish = webs.bus.publish, lose  # type: ignore[method-assign]
        webs.west.daemon.trace.note("job.started", "Carol", number=2)
        async with asyncio.timeout(WITHIN_S):
            await is_lost.wait()
        webs.bus.publish = published  # type: ignore[method-assign]
        webs.west.daemon.trace.note("job.started", "Carol", number=3)
        await reader.until(lambda found: found["number"] == 3)
        assert [found["number"] for found in reader.got] == [1, 2, 3]


async def test_a_daemon_that_began_anew_is_read_from_its_first_event(webs: TwoWebs) -> None:
    async with reading(webs.east) as reader:
        for number in range(5):
            webs.west.daemon.trace.note("job.started", "Carol", number=number)
        await reader.until(lambda found: found["number"] == 4)
        facts = {"sequence": 1, "at": "2026-11-23T12:00:00+00:00", "name": "job.finished"}
        anew = {"from": "west", "run": "another", "after": 0}
        told = {**anew, "traces": [{**facts, "bot": "Carol"}]}
        await webs.bus.publish(shared_traces.TRACES, json.dumps(told).encode())
        assert (await reader.until_named("job.finished"))["bot"] == "Carol"


async def test_decisions_and_talks_are_called_as_the_lists_call_them(webs: TwoWebs) -> None:
    own = webs.east.daemon.trace.note("decision.made", "Alice")
    async with reading(webs.east, "last=0") as reader:
        theirs = webs.west.daemon.trace.note("decision.made", "Carol")
        webs.west.daemon.trace.note("decision.approved", "Carol", decision=theirs.sequence)
        webs.west.daemon.trace.note("talk.ended", None, talk=3, why="done")
        await reader.until_named("talk.ended")
    made = [found["id"] for found in reader.got if found["name"] == "decision.made"]
    assert made == [own.sequence, f"{theirs.sequence}@west"]
    assert reader.got[-2]["decision"] == f"{theirs.sequence}@west"
    assert reader.got[-1]["talk"] == "3@west"


async def test_nothing_of_another_daemon_is_in_our_own_trace(webs: TwoWebs) -> None:
    async with reading(webs.east) as reader:
        webs.west.daemon.trace.note("decision.made", "Carol")
        await reader.until_named("decision.made")
    assert list(webs.east.daemon.trace.recent()) == []


async def test_nothing_is_published_while_nobody_reads(webs: TwoWebs) -> None:
    async with webs.bus.listen(shared_traces.TRACES) as published:
        webs.west.daemon.trace.note("job.started", "Carol")
        async with reading(webs.east) as reader:
            webs.west.daemon.trace.note("job.progressed", "Carol")
            await reader.until_named("job.progressed")
            webs.west.daemon.trace.note("job.finished", "Carol")
            await reader.until_named("job.finished")
        names = list[str]()
        async with asyncio.timeout(WITHIN_S):
            while "job.finished" not in names:
                traces = json.loads(await anext(published))["traces"]
                names += [trace["name"] for trace in traces]
    assert "job.started" not in names


async def test_publishing_ends_once_nobody_wishes_for_it(
    webs: TwoWebs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_traces, "WISH_HOLDS_S", 0.0)
    async with webs.bus.listen(shared_traces.TRACES) as published, reading(webs.east):
        async with asyncio.timeout(WITHIN_S):
            assert json.loads(await anext(published))["traces"] == []
        webs.west.daemon.trace.note("job.finished", "Carol")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(5 * shared_traces.GATHER_S):
                await anext(published)


async def test_what_is_published_holds_no_secret() -> None:
    async with two_webs(secrets=("of the west",)) as webs, reading(webs.east) as reader:
        webs.west.daemon.trace.note("reply.sent", "Carol", text="a word of the west")
        assert "of the west" not in (await reader.until_named("reply.sent"))["text"]


def moment(bot: str, x: float) -> Positions:
    place: Any = {"name": bot, "x": x, "y": 64.0, "z": 0.0, "dimension": "overworld"}
    return {
        "name": "positions",
        "at": "2026-11-23T12:00:00+00:00",
        "timeOfDay": 6000,
        "hearingRange": 15.0,
        "bots": [place],
        "people": [],
    }


async def test_positions_of_all_come_to_who_asks(webs: TwoWebs) -> None:
    async def both() -> None:
        while True:
            webs.west.daemon.moved.put(moment("Carol", 9))
            webs.east.daemon.moved.put(moment("Alice", 1))
            await asyncio.sleep(0.01)  # bots move without end

    moving = asyncio.create_task(both())
    async with reading(webs.east, "positions=1") as reader:
        found = await reader.until(lambda found: len(found["bots"]) == 2)
    moving.cancel()
    assert [(bot["name"], bot["x"]) for bot in found["bots"]] == [("Alice", 1), ("Carol", 9)]
