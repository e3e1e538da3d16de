"""The trace: one stream; slow or leaving readers harm nobody."""

from datetime import UTC, datetime

import anyio

from bots.observability.trace import KEPT, READER_BUFFER, TraceLog

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def trace_log() -> TraceLog:
    return TraceLog(lambda: NOON)


async def test_a_reader_gets_what_is_noted_from_then_on_in_order() -> None:
    log = trace_log()
    log.note("bot.joined", "Alice")
    with log.reading() as reader, anyio.fail_after(5):
        log.note("reply.sent", "Alice", to="Steve")
        log.note("reply.sent", "Bob", to="Alex")
        stream = aiter(reader)
        got = [await anext(stream), await anext(stream)]
    assert [(t.sequence, t.bot, t.facts["to"]) for t in got] == [
        (2, "Alice", "Steve"),
        (3, "Bob", "Alex"),
    ]


async def test_a_reader_that_lags_loses_its_oldest_and_knows_how_many() -> None:
    log = trace_log()
    with log.reading() as reader:
        for n in range(READER_BUFFER + 3):
            log.note("tick.seen", n=n)
        first = await anext(aiter(reader))
    assert (reader.lost, first.facts["n"]) == (3, 3)


async def test_only_the_newest_traces_are_kept() -> None:
    log = trace_log()
    for n in range(KEPT + 5):
        log.note("tick.seen", n=n)
    kept = list(log.recent("tick.seen"))
    assert (len(kept), kept[0].facts["n"]) == (KEPT, 5)


async def test_a_reader_that_left_is_offered_nothing_more() -> None:
    log = trace_log()
    with log.reading() as reader:
        pass
    for n in range(READER_BUFFER + 3):
        log.note("tick.seen", n=n)
    assert reader.lost == 0


async def test_a_trace_as_json_has_its_facts_beside_its_head() -> None:
    trace = trace_log().note("reply.sent", "Alice", to="Steve")
    assert trace.as_json() == {
        "sequence": 1,
        "at": "2026-01-01T12:00:00+00:00",
        "name": "reply.sent",
        "bot": "Alice",
        "to": "Steve",
    }
