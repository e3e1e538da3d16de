"""Pacing: below the server's spam limit, one answer at a time, nothing dropped."""

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from itertools import count, groupby
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rig import never_back

from bots.access.permissions import PATIENCE
from bots.chat.governor import CEILING, COST, DRAIN_PER_S, LONGEST_QUEUE, Governor, Listener
from bots.errors import SpeechRefused
from bridge.errors import BridgeDown, NotConnected
from bridge.world import PlayerName

STEVE = PlayerName("Steve")
RANKS = {"Olga": 3, "Tom": 2, "Bob": 0}
"""Of an owner, a trusted player and a bot of ours; others are players."""
FULL_BUCKET = int(CEILING // COST)  # lines that leave at once
LINE = "a" * 200  # fits one line, two do not


class VirtualTime:
    """Moves only when every task sleeps, straight to the earliest end of a sleep."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self._sleeping: list[tuple[float, int, asyncio.Future[None]]] = []
        self._number = count()

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        awake: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleeping, (self.now + seconds, next(self._number), awake))
        await awake

    async def run(self, *work: Coroutine[Any, Any, Any]) -> list[Any]:
        """Let time pass until all the work is done; errors are among the results."""
        done = asyncio.gather(*work, return_exceptions=True)
        while not done.done():
            for _ in range(10):  # whoever can run without time passing
                await asyncio.sleep(0)
            self._wake_next()
        return await done

    def _wake_next(self) -> None:
        while self._sleeping:
            self.now, _, awake = heapq.heappop(self._sleeping)
            if not awake.done():
                return awake.set_result(None)
        return None


@dataclass
class Chat:
    """Where the lines go; `takes_s` is how long sending one takes."""

    time: VirtualTime
    takes_s: float = 0.0
    lines: list[tuple[float, str]] = field(default_factory=list)
    broken: bool = False

    async def send(self, to: Listener, line: str) -> None:
        if self.broken:
            raise ConnectionError("gone")
        if self.takes_s:
            await self.time.sleep(self.takes_s)
        self.lines.append((self.time.now, line))

    @property
    def words(self) -> list[str]:
        return [line for _, line in self.lines]


@pytest.fixture
def time() -> VirtualTime:
    return VirtualTime()


@pytest.fixture
def chat(time: VirtualTime) -> Chat:
    return Chat(time)


@pytest.fixture
def governor(chat: Chat) -> Governor:
    return governor_of(chat)


def governor_of(
    chat: "Chat | Outage",
    version: str = "1.16.5",
    pace: bool = True,
    back: Callable[[], Awaitable[bool]] = never_back,
) -> Governor:
    return Governor(
        chat.send,
        version=lambda: version,
        rank=lambda speaker: RANKS.get(speaker or "", 1),
        back=back,
        stopwatch=chat.time,
        sleep=chat.time.sleep,
        pace=pace,
    )


def answer(number: int, lines: int) -> str:
    """A text that needs exactly so many lines, each of which names it."""
    return " ".join(f"{number}:{part}:".ljust(240, "x") for part in range(lines))


async def fill(governor: Governor) -> None:
    for _ in range(FULL_BUCKET):
        await governor.say(STEVE, "hi")


@dataclass
class Outage:
    """Node dies as the bot says its line of this number, and is back a while later, if ever."""

    chat: Chat
    strikes_at: int
    comes_back: bool = True
    lasts_s: float = 5.0
    is_out: bool = False
    error: Exception = field(default_factory=lambda: BridgeDown("whisper", "Node died"))

    async def send(self, to: Listener, line: str) -> None:
        if len(self.chat.lines) == self.strikes_at and not self.is_out:
            self.is_out = True
            raise self.error
        if self.is_out and self.lasts_s:
            raise NotConnected("Alice")
        await self.chat.send(to, line)

    async def back(self) -> bool:
        await self.chat.time.sleep(self.lasts_s)
        self.lasts_s = 0.0
        return self.comes_back

    @property
    def governor(self) -> Governor:
        return governor_of(self, back=self.back)

    @property
    def time(self) -> VirtualTime:
        return self.chat.time


@pytest.mark.parametrize("error", [BridgeDown("whisper", "Node died"), NotConnected("Alice")])
async def test_an_answer_cut_off_by_an_outage_goes_on_where_it_stopped(
    chat: Chat, time: VirtualTime, error: Exception
) -> None:
    governor, begun = Outage(chat, strikes_at=1, error=error).governor, time.now
    (said,) = await time.run(governor.say(STEVE, answer(1, 3)))
    assert chat.words == list(said)
    assert chat.lines[0][0] - begun < 5 <= chat.lines[1][0] - begun


async def test_what_may_not_wait_or_waits_in_vain_is_unsaid(chat: Chat, time: VirtualTime) -> None:
    hasty = Outage(chat, strikes_at=0).governor.say(STEVE, "hi", max_wait_s=20)
    in_vain = Outage(chat, strikes_at=0, comes_back=False).governor.say(STEVE, "hi")
    for failure in await time.run(hasty, in_vain):
        assert isinstance(failure, BridgeDown)
    assert chat.lines == []


async def test_a_short_text_leaves_as_one_line_at_once(
    governor: Governor, chat: Chat, time: VirtualTime
) -> None:
    assert await governor.say(STEVE, " hello\nthere ") == ("hello there",)
    assert chat.lines == [(time.now, "hello there")]


async def test_a_full_bucket_of_lines_leaves_at_once_and_the_next_is_paced(
    governor: Governor, chat: Chat, time: VirtualTime
) -> None:
    start = time.now
    await time.run(*(governor.say(STEVE, str(n)) for n in range(FULL_BUCKET + 2)))
    moments = [at - start for at, _ in chat.lines]
    pace_s = COST / DRAIN_PER_S
    assert moments == pytest.approx([0.0] * FULL_BUCKET + [pace_s, 2 * pace_s], abs=0.01)


async def test_lines_of_one_answer_stay_together_and_answers_in_order(
    governor: Governor, chat: Chat, time: VirtualTime
) -> None:
    chat.takes_s = 0.2
    sizes = [3, 1, 4, 2]
    await time.run(*(governor.say(STEVE, answer(n, size)) for n, size in enumerate(sizes)))
    expected = [f"{n}:{part}:" for n, size in enumerate(sizes) for part in range(size)]
    assert [line.rstrip("x") for line in chat.words] == expected


async def test_the_expected_wait_is_the_wait(
    governor: Governor, chat: Chat, time: VirtualTime
) -> None:
    await fill(governor)
    start, expected = time.now, governor.wait_for(3)
    await time.run(governor.say(STEVE, answer(0, 3)))
    assert chat.lines[-1][0] - start == pytest.approx(expected, abs=0.01)


async def test_the_expected_wait_counts_the_lines_that_wait_already(
    governor: Governor, chat: Chat, time: VirtualTime
) -> None:
    await fill(governor)
    before = governor.wait_for(1)
    talking = asyncio.create_task(governor.say(STEVE, answer(0, 4)))
    await asyncio.sleep(0)
    assert governor.wait_for(1) == pytest.approx(before + 4 * COST / DRAIN_PER_S)
    await time.run(asyncio.wait([talking]))


async def test_too_long_a_wait_is_refused_and_a_shorter_one_is_waited(
    governor: Governor, chat: Chat, time: VirtualTime
) -> None:
    await fill(governor)
    with pytest.raises(SpeechRefused) as caught:
        await governor.say(STEVE, answer(0, 4), max_wait_s=1.0)
    assert caught.value.reason == "rate_limited"
    assert len(chat.lines) == FULL_BUCKET
    assert await time.run(governor.say(STEVE, "hi", max_wait_s=5.0)) == [("hi",)]


async def test_an_answer_waits_for_nothing_that_gives_way(
    governor: Governor, chat: Chat, time: VirtualTime
) -> None:
    results = [governor.say(STEVE, f"result {n}", gives_way=True) for n in range(40)]

    async def ask(at_s: float) -> float:
        await time.sleep(at_s)
        start = time.now
        await governor.say(STEVE, "answer", max_wait_s=1.0)
        return time.now - start

    outcomes = await time.run(*results, ask(0.1), ask(5.0), ask(20.0))
    assert outcomes[-3:] == pytest.approx([0.0] * 3, abs=0.01)
    assert [words for words in chat.words if words != "answer"] == [
        f"result {number}" for number in range(40)
    ]


async def test_what_gives_way_fills_no_place_of_an_answer(
    governor: Governor, chat: Chat, time: VirtualTime
) -> None:
    results = [governor.say(STEVE, "result", gives_way=True) for _ in range(LONGEST_QUEUE + 5)]
    *_, answered = await time.run(*results, governor.say(STEVE, "answer"))
    assert answered == ("answer",)


async def test_more_waiting_lines_than_the_bound_are_refused(
    governor: Governor, chat: Chat, time: VirtualTime
) -> None:
    await fill(governor)
    outcomes = await time.run(*(governor.say(STEVE, "hi") for _ in range(LONGEST_QUEUE + 5)))
    refused = [one for one in outcomes if isinstance(one, SpeechRefused)]
    assert [one.reason for one in refused] == ["rate_limited"] * 5
    assert len(chat.lines) == FULL_BUCKET + LONGEST_QUEUE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((text, "too_long") for text in (answer(0, 5), "木" * 20_000)),
        *((text, "empty") for text in ("", " \n\t", "§\u200b\u202e")),
    ],
)
async def test_more_than_four_lines_and_nothing_sayable_are_refused(
    governor: Governor, chat: Chat, text: str, reason: str
) -> None:
    with pytest.raises(SpeechRefused) as caught:
        await governor.say(STEVE, text)
    assert caught.value.reason == reason
    assert chat.lines == []


async def test_a_text_that_just_fits_four_lines_is_said(governor: Governor) -> None:
    room = 256 - len("/tell Steve ")
    text = ("so. " * room)[: 4 * room - 3]
    lines = await governor.say(STEVE, text)
    assert " ".join(lines) == text.strip()


async def test_lines_fit_an_old_server(chat: Chat) -> None:
    lines = await governor_of(chat, version="1.8.9").say(STEVE, "word " * 60)
    assert max(len(f"/tell Steve {line}") for line in lines) <= 100


async def test_an_order_in_a_text_is_marked_unless_an_operator_typed_it(governor: Governor) -> None:
    assert await governor.say(STEVE, "/op Steve") == ("> /op Steve",)
    assert await governor.say(STEVE, "!status", may_order=True) == ("!status",)


async def test_whoever_stops_waiting_leaves_the_others_their_turn(
    governor: Governor, chat: Chat, time: VirtualTime
) -> None:
    await fill(governor)
    first, second, third = (
        asyncio.create_task(governor.say(STEVE, answer(n, 2))) for n in range(3)
    )
    await asyncio.sleep(0)
    second.cancel()
    await time.run(asyncio.wait([first, second, third]))
    assert [line[0] for line in chat.words[FULL_BUCKET:]] == ["0", "0", "2", "2"]
    assert governor.wait_for(1) == pytest.approx(COST / DRAIN_PER_S, abs=0.01)


async def test_a_cancelled_answer_leaves_its_rest_unsaid(
    governor: Governor, chat: Chat, time: VirtualTime
) -> None:
    chat.takes_s = 1.0
    talking = asyncio.create_task(governor.say(STEVE, answer(0, 4)))
    await time.run(time.sleep(2.5))
    talking.cancel()
    await time.run(asyncio.wait([talking]), governor.say(STEVE, "after"))
    assert [line[:2] for line in chat.words] == ["0:", "0:", "af"]


async def test_a_failed_line_leaves_the_rest_unsaid(governor: Governor, chat: Chat) -> None:
    chat.broken = True
    for _ in range(FULL_BUCKET):
        with pytest.raises(ConnectionError):
            await governor.say(STEVE, answer(0, 3))
    assert governor.wait_for(1) == pytest.approx(COST / DRAIN_PER_S, abs=0.01)


async def test_without_pace_nothing_waits(chat: Chat, time: VirtualTime) -> None:
    hasty, start = governor_of(chat, pace=False), time.now
    for number in range(LONGEST_QUEUE + 5):
        await hasty.say(STEVE, str(number), max_wait_s=0.0)
    assert {at for at, _ in chat.lines} == {start}
    assert hasty.wait_for(1_000) == 0.0


async def in_order(governor: Governor, chat: Chat, *said: Coroutine[Any, Any, Any]) -> list[str]:
    """The words as they leave when the bucket is full and all of these wait."""
    await fill(governor)
    await chat.time.run(*said)
    return [line.rstrip("x").strip() for line in chat.words[FULL_BUCKET:]]


async def test_nobody_waits_for_ever_behind_others(governor: Governor, chat: Chat) -> None:
    owners = [governor.say(PlayerName("Olga"), f"O{n}") for n in range(10)]
    said = [*owners, governor.say(PlayerName("Mallory"), "M"), governor.say(PlayerName("Bob"), "B")]
    words = await in_order(governor, chat, *said)
    assert words.index("M") == PATIENCE
    assert words.index("B") == PATIENCE + 1


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ([("Bob", "B"), ("Mallory", "M"), ("Tom", "T"), ("Olga", "O")], "OTMB"),
        ([*((f"P{n}", str(n)) for n in range(3)), ("Olga", "R", {"gives_way": True})], "R012"),
        ([*(("Mallory", str(n)) for n in range(6)), ("Ann", "A"), ("Ben", "B")], "0AB12345"),
        ([("Olga", "told", {"on_behalf_of": "Mallory"}), ("Tom", "T")], ["T", "told"]),
    ],
    ids=["ranks", "an owner's result", "speakers of a rank", "on behalf of a player"],
)
async def test_higher_ranks_come_first_and_speakers_of_a_rank_take_turns(
    governor: Governor, chat: Chat, said: Sequence[Any], order: Sequence[str]
) -> None:
    waiting = [governor.say(PlayerName(to), text, **dict(*how)) for to, text, *how in said]
    assert await in_order(governor, chat, *waiting) == [*order]


async def test_an_owner_waits_for_no_long_text_to_another_but_for_one_to_them(
    governor: Governor, chat: Chat
) -> None:
    async def later() -> None:
        await chat.time.sleep(1.5)
        await governor.say(PlayerName("Olga"), "answer")

    words = await in_order(governor, chat, governor.say(STEVE, answer(0, 4)), later())
    assert words == ["0:0:", "answer", "0:1:", "0:2:", "0:3:"]
    await chat.time.run(chat.time.sleep(1_000))
    chat.lines.clear()
    told = governor.say(PlayerName("Olga"), answer(0, 2), on_behalf_of="Mallory")
    waiting = governor.say(PlayerName("Mallory"), "M")
    words = await in_order(governor, chat, told, waiting, later())
    assert words == ["0:0:", "0:1:", "answer", "M"]


async def test_a_flood_of_one_fills_no_place_of_other_speakers_or_ranks(
    governor: Governor, chat: Chat, time: VirtualTime
) -> None:
    flood = [governor.say(STEVE, "hi") for _ in range(LONGEST_QUEUE + 30)]
    others = [governor.say(PlayerName(name), name) for name in ("Ann", "Olga")]
    outcomes = await time.run(*flood, *others)
    assert outcomes[-2:] == [("Ann",), ("Olga",)]


@dataclass(frozen=True)
class Call:
    after_s: float
    lines: int
    takes_s: float


CALLS = st.lists(
    st.builds(
        Call,
        after_s=st.sampled_from([0.0, 0.0, 0.3, 2.0, 30.0]) | st.floats(0, 12),
        lines=st.integers(1, 4),
        takes_s=st.sampled_from([0.0, 0.002, 0.7]),
    ),
    min_size=1,
    max_size=25,
)
DELAYS = st.lists(st.floats(0.0, 2.5), min_size=1, max_size=20)


@given(CALLS, DELAYS, st.sampled_from([20.0, 16.0]))
@settings(deadline=None)
def test_no_sequence_of_answers_is_ever_kicked_nor_mixed(
    calls: list[Call], delays: list[float], ticks_per_s: float
) -> None:
    chat = asyncio.run(said(calls))
    spoken = [line.split(":")[0] for line in chat.words]
    assert [(int(n), len(list(lines))) for n, lines in groupby(spoken)] == [
        (number, call.lines) for number, call in enumerate(calls)
    ]
    assert highest_count(arrivals(chat, delays), ticks_per_s) <= 200


async def said(calls: list[Call]) -> Chat:
    time = VirtualTime()
    chat = Chat(time)
    governor = governor_of(chat)

    async def caller() -> None:
        async with asyncio.TaskGroup() as talking:
            for number, call in enumerate(calls):
                await time.sleep(call.after_s)
                chat.takes_s = call.takes_s
                talking.create_task(governor.say(STEVE, answer(number, call.lines)))

    await time.run(caller())
    return chat


def arrivals(chat: Chat, delays: list[float]) -> list[float]:
    """When each line reaches the server: late by up to 2.5 s, never overtaking."""
    moments: list[float] = []
    for number, (sent, _) in enumerate(chat.lines):
        moments.append(max(sent + delays[number % len(delays)], *moments[-1:], 0.0))
    return moments


def highest_count(moments: list[float], ticks_per_s: float) -> int:
    """The vanilla counter: 20 up for a message, 1 down for a tick."""
    counter = highest = last_tick = 0
    for moment in moments:
        tick = int(moment * ticks_per_s)
        counter = max(0, counter - (tick - last_tick)) + 20
        highest, last_tick = max(highest, counter), tick
    return highest
