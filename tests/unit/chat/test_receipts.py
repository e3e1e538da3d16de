"""Receipts: a whisper from one of our bots is matched with what that bot said."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.chat.receipts import IN_FLIGHT, Partial, Receipts

NO_TIME = 0.0


@pytest.fixture
def receipts() -> Receipts:
    return Receipts()


async def test_the_arrival_and_the_recording_of_a_line_can_be_awaited(receipts: Receipts) -> None:
    receipt = receipts.expect("Alice", "Bob", 7, ["hello"])
    waiting = asyncio.create_task(receipt.wait(timeout_s=60))
    await asyncio.sleep(0)
    assert receipts.match("Bob", "Alice", "hello") == 7
    assert await waiting
    assert await receipt.wait()
    assert not await receipt.wait_recorded(NO_TIME)
    receipts.recorded(7, "Bob")
    assert await receipt.wait_recorded(timeout_s=60)


async def test_an_utterance_is_whole_only_with_its_last_line(receipts: Receipts) -> None:
    receipt = receipts.expect("Alice", "Bob", 7, ["one", "two", "three"])
    for line in ("one", "two"):
        partial = receipts.match("Bob", "Alice", line)
        assert isinstance(partial, Partial)
        assert partial.utterance_id == 7
        assert not receipt.delivered
    assert receipts.match("Bob", "Alice", "three") == 7
    assert await receipt.wait()


async def test_without_its_last_line_it_is_undelivered(receipts: Receipts) -> None:
    receipt = receipts.expect("Alice", "Bob", 7, ["one", "two"])
    receipts.match("Bob", "Alice", "one")
    assert not await receipt.wait(NO_TIME)
    assert receipt.heard == ("one",)
    assert receipts.match("Bob", "Alice", "two") is None


@pytest.mark.parametrize("lost", [0, 1])
async def test_a_lost_line_leaves_it_undelivered_at_once(receipts: Receipts, lost: int) -> None:
    lines = ["one", "two", "three"]
    receipt = receipts.expect("Alice", "Bob", 7, lines)
    arriving = [line for line in lines if line != lines[lost]]
    for line in arriving:
        assert isinstance(receipts.match("Bob", "Alice", line), Partial)
    assert not await receipt.wait(timeout_s=60)
    assert receipt.heard == tuple(arriving)


MATCHES: dict[str, tuple[list[list[str]], list[tuple[str, str, str, int | str | None]]]] = {
    "other words": ([["hello"]], [("Bob", "Alice", "other", None)]),
    "another speaker": ([["hello"]], [("Bob", "Steve", "hello", None)]),
    "another listener": ([["hello"]], [("Carol", "Alice", "hello", None)]),
    "a line is a receipt only once": (
        [["hello"]], [("Bob", "Alice", "hello", 0), ("Bob", "Alice", "hello", None)]),
    "equal words arrive in the order they were said": (
        [["yes"], ["yes"], ["yes"]], [("Bob", "Alice", "yes", number) for number in range(3)]),
    "a begun utterance takes a line another could begin with": (
        [["yes"], ["well", "yes"]],
        [("Bob", "Alice", "well", "a part"),
         ("Bob", "Alice", "yes", 1), ("Bob", "Alice", "yes", 0)]),
    "folded white space is no difference": (
        [["so  far\u3000away "]], [("Bob", "Alice", "so far away", 0)]),
}  # fmt: skip


@pytest.mark.parametrize(("said", "heard"), MATCHES.values(), ids=MATCHES)
async def test_a_heard_line_is_matched_with_what_was_said(
    receipts: Receipts, said: list[list[str]], heard: list[tuple[str, str, str, int | str | None]]
) -> None:
    for number, lines in enumerate(said):
        receipts.expect("Alice", "Bob", number, lines)
    for listener, speaker, line, expected in heard:
        found = receipts.match(listener, speaker, line)
        assert ("a part" if isinstance(found, Partial) else found) == expected


async def test_leaving_the_block_ends_the_expectation(receipts: Receipts) -> None:
    with pytest.raises(OSError, match="gone"), receipts.expect("Alice", "Bob", 7, ["hello"]):
        raise OSError("gone")
    assert receipts.match("Bob", "Alice", "hello") is None


async def test_beyond_the_bound_the_oldest_lapses(receipts: Receipts) -> None:
    oldest = receipts.expect("Alice", "Bob", 0, ["line 0"])
    for number in range(1, IN_FLIGHT + 1):
        receipts.expect("Alice", "Bob", number, [f"line {number}"])
    assert not await oldest.wait(timeout_s=60)
    assert receipts.match("Bob", "Alice", "line 0") is None
    assert receipts.match("Bob", "Alice", "line 1") == 1


LINE = st.sampled_from(["ha", "ho", "hi", "so be it"])
ANSWERS = st.lists(st.lists(LINE, min_size=1, max_size=4), min_size=1, max_size=6)


@given(ANSWERS)
def test_what_arrives_whole_is_delivered_in_its_order(answers: list[list[str]]) -> None:
    receipts = Receipts()
    for number, lines in enumerate(answers):
        receipts.expect("Alice", "Bob", number, lines)
    matched = [receipts.match("Bob", "Alice", line) for lines in answers for line in lines]
    assert [found for found in matched if isinstance(found, int)] == list(range(len(answers)))
    assert None not in matched
