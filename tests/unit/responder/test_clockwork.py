"""Speakers who answer like machines are left alone after a handful of lines; people never are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.access.origin import Level, Person
from bots.chat.natural_message import NaturalMessage
from bots.responder.limits import (
    LONGEST_QUIET_S,
    QUIET_S,
    REPEATS,
    SPEAKERS,
    AutoReplies,
    Clockwork,
    Limits,
    LineLimit,
    notice,
)
from bridge.fake import VirtualClock
from bridge.world import BotName, PlayerName

HANDFUL = 6
GREETING = "Good evening, Alice!"


class Talk:
    """A bot that answers every line at once."""

    def __init__(self) -> None:
        self.clock = VirtualClock(auto=False)
        self.clockwork = Clockwork(HANDFUL, self.clock.monotonic)

    async def says(self, text: str, after_s: float) -> str:
        await self.clock.advance(after_s)
        heard = self.clockwork.hear("Carl", text)
        if heard != "withheld":
            self.clockwork.answered("Carl")
        return heard


async def test_who_says_the_same_too_often_is_told_so_and_heard_at_the_next_new_word() -> None:
    talk = Talk()
    heard = [await talk.says(GREETING, 4.0) for _ in range(REPEATS * HANDFUL + 5)]
    answered = REPEATS * HANDFUL + 1  # the first line repeats nothing
    assert heard == [*["heard"] * answered, "repeated", "withheld", "withheld", "withheld"]
    assert await talk.says("Sorry, I pasted that too often.", 4.0) == "heard"


@pytest.mark.parametrize("after_s", [1.0, 2.5, 6.0])
async def test_a_person_who_repeats_himself_a_dozen_times_is_always_heard(after_s: float) -> None:
    talk = Talk()
    assert {await talk.says("Come here!", after_s) for _ in range(12)} == {"heard"}


async def test_new_words_faster_than_anybody_types_are_no_persons() -> None:
    talk = Talk()
    lines = [f"That reminds me of the {n} sheep behind the hill over there." for n in range(9)]
    heard = [await talk.says(line, 1.5) for line in lines]
    assert heard == [*["heard"] * (HANDFUL + 1), "hurried", "withheld"]


@pytest.mark.parametrize("answer_takes_s", [0.05, 0.5, 1.2])
async def test_a_person_who_writes_quickly_is_always_heard_however_long_answers_take(
    answer_takes_s: float,
) -> None:
    """Two lines of 24 letters in 3.6 s: few type as fast, and they do not wait for answers."""
    talk = Talk()
    heard = []
    for number in range(40):
        await talk.clock.advance(1.8 - answer_takes_s)
        heard.append(talk.clockwork.hear("Steve", f"go on to the next one {number:2}"))
        await talk.clock.advance(answer_takes_s)
        talk.clockwork.answered("Steve")
    assert set(heard) == {"heard"}


async def test_a_lively_person_is_always_heard() -> None:
    talk = Talk()
    lines = ["hi", "how are you?", "ok", "ok", "where is Bob?", "thanks", "ok", "ok", "ok"] * 5
    heard = [await talk.says(line, 2.0 if line != "ok" else 12.0) for line in lines]
    assert set(heard) == {"heard"}


async def test_several_lines_before_an_answer_count_for_nothing() -> None:
    clock = VirtualClock(auto=False)
    clockwork = Clockwork(HANDFUL, clock.monotonic)
    assert {clockwork.hear("Steve", "hello?") for _ in range(30)} == {"heard"}


async def test_who_asks_again_because_nothing_was_said_is_always_heard() -> None:
    clock = VirtualClock(auto=False)
    clockwork = Clockwork(HANDFUL, clock.monotonic)
    heard = []
    for _ in range(12):
        await clock.advance(4.0)
        heard.append(clockwork.hear("Steve", "How are you?"))
        clockwork.answered("Steve")
        clockwork.unsaid("Steve")
    assert set(heard) == {"heard"}


async def test_a_notice_that_could_not_be_said_is_due_again() -> None:
    talk = Talk()
    while await talk.says(GREETING, 0.1) != "hurried":
        pass
    talk.clockwork.unsaid("Carl")
    assert [await talk.says(GREETING, 0.1) for _ in range(2)] == ["hurried", "withheld"]


async def test_a_machine_that_was_told_stays_told_for_ten_minutes_and_longer_each_time() -> None:
    talk = Talk()
    for quiet_s in (QUIET_S, 2 * QUIET_S, 4 * QUIET_S):
        while await talk.says(GREETING, 0.1) != "hurried":
            pass
        slots = 20
        for number in range(slots - 1):
            assert await talk.says(f"Remark {number}.", quiet_s / slots) == "withheld"
        assert await talk.says("Remark.", quiet_s / slots + 1) == "heard"


@given(st.lists(st.tuples(st.text(max_size=20), st.floats(0, 60)), max_size=60))
async def test_whatever_a_machine_says_it_stays_told_and_longer_each_time(
    lines: list[tuple[str, float]],
) -> None:
    talk = Talk()
    for quiet_s in (QUIET_S, 2 * QUIET_S, 4 * QUIET_S):
        while await talk.says(f"tick {talk.clock.monotonic()}", 0.1) != "hurried":
            pass
        nearly_s = talk.clock.monotonic() + quiet_s - 0.2
        for text, after_s in lines:
            if talk.clock.monotonic() + after_s < nearly_s:
                assert await talk.says(text, after_s) == "withheld"
        await talk.clock.advance(nearly_s - talk.clock.monotonic())
        assert await talk.says("tick", 0.1) == "withheld"
        assert await talk.says("hello again, here is something new", 5.0) == "heard"


async def test_nobody_is_left_alone_for_more_than_some_hours() -> None:
    talk = Talk()
    for _ in range(20):
        while await talk.says(GREETING, 0.1) != "hurried":
            pass
        await talk.clock.advance(LONGEST_QUIET_S)
    assert await talk.says(GREETING, 1.0) == "heard"


async def test_who_was_left_alone_before_is_answered_half_as_often_the_next_time() -> None:
    """Bots of two programs that each make a remark now and then began anew each time."""
    talk = Talk()
    answered = []
    for remark in range(5):
        heard = [await talk.says(f"Remark {remark}.", LONGEST_QUIET_S)]
        heard += [await talk.says(f"Answer {n} to {remark}.", 0.3) for n in range(12)]
        answered.append(heard.index("hurried") - 1)
    assert answered == [6, 3, 2, 2, 2]


async def test_each_speaker_has_a_pace_of_its_own() -> None:
    talk = Talk()
    for _ in range(12):
        await talk.says(GREETING, 1.0)
    assert talk.clockwork.hear("Steve", GREETING) == "heard"


@given(st.lists(st.tuples(st.text(max_size=9), st.floats(0, 90)), max_size=60))
async def test_a_clock_without_pauses_is_answered_no_more_often(
    lines: list[tuple[str, float]],
) -> None:
    talk = Talk()
    for text, after_s in lines:
        await talk.says(text, after_s)
    told = [await talk.says("tick", 0.1) for _ in range(HANDFUL + 2)]
    assert "withheld" in (told[-1], await talk.says("tick", 0.1))


def test_those_who_were_silent_longest_are_forgotten() -> None:
    clockwork = Clockwork(HANDFUL, VirtualClock(auto=False).monotonic)
    for number in range(SPEAKERS + 50):
        clockwork.hear(f"Player{number}", "hi")
    assert len(clockwork._speakers) == SPEAKERS


def test_the_notice_is_in_the_language_of_the_line() -> None:
    assert notice("hurried", "hello").startswith("You answer as fast")
    assert notice("hurried", "こんにちは").endswith("黙ります。")
    assert notice("repeated", "hello").startswith("You said that many times")
    assert notice("withheld", "hello") == ""


async def test_beyond_the_handful_a_speaker_is_told_once_and_then_refused_silently() -> None:
    talk = Talk()
    stopwatch = talk.clock.monotonic
    limits = Limits(
        LineLimit(100, lambda _: Level.PLAYER, stopwatch),
        AutoReplies((), per_minute=6, stopwatch=stopwatch),
        talk.clockwork,
    )
    line = NaturalMessage(BotName("Alice"), "Carl", GREETING, 0, Person(PlayerName("Carl")), 1)
    refusals = []
    for _ in range(HANDFUL + 4):
        await talk.clock.advance(0.2)
        refusals.append(limits.refuse(line))
        talk.clockwork.answered("Carl")
    assert refusals == [*[None] * (HANDFUL + 1), notice("hurried", GREETING), "", ""]
