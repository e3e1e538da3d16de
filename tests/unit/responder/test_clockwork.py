"""Speakers who answer like machines are left alone after a handful of lines; people never are."""

from hypothesis import given
from hypothesis import strategies as st

from bots.access.origin import Level, Person
from bots.chat.natural_message import NaturalMessage
from bots.responder.limits import (
    SILENCE_S,
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


async def test_the_same_words_within_seconds_are_answered_a_handful_of_times() -> None:
    talk = Talk()
    heard = [await talk.says(GREETING, 4.0) for _ in range(12)]
    first = HANDFUL + 2  # the first line answers nothing, the second says nothing again
    assert heard[: first - 1] == ["heard"] * (first - 1)
    assert heard[first - 1 :] == ["notice", *["withheld"] * (12 - first)]


async def test_new_words_faster_than_anybody_types_are_no_persons() -> None:
    talk = Talk()
    lines = [f"That reminds me of the {n} sheep behind the hill over there." for n in range(9)]
    heard = [await talk.says(line, 1.5) for line in lines]
    assert heard == [*["heard"] * (HANDFUL + 1), "notice", "withheld"]


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
    while await talk.says(GREETING, 4.0) != "notice":
        pass
    talk.clockwork.unsaid("Carl")
    assert [await talk.says(GREETING, 4.0) for _ in range(2)] == ["notice", "withheld"]


async def test_who_was_silent_for_a_while_is_heard_anew() -> None:
    talk = Talk()
    for _ in range(12):
        await talk.says(GREETING, 1.0)
    assert await talk.says(GREETING, SILENCE_S + 1) == "heard"


async def test_something_new_in_its_own_time_is_heard() -> None:
    talk = Talk()
    for _ in range(12):
        await talk.says(GREETING, 1.0)
    assert await talk.says(GREETING, 30.0) == "withheld"
    assert await talk.says("Sorry, I pasted that too often.", 15.0) == "heard"


async def test_who_was_left_alone_before_is_answered_half_as_often_the_next_time() -> None:
    """Bots of two programs that each make a remark now and then began anew each time."""
    talk = Talk()
    answered = []
    for remark in range(5):
        heard = [await talk.says(f"Remark {remark}.", 30.0)]
        heard += [await talk.says(f"Answer {n} to {remark}.", 0.3) for n in range(12)]
        answered.append(heard.index("notice") - 1)
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
    assert notice("hello").startswith("You answer as fast")
    assert notice("こんにちは").endswith("黙ります。")


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
        await talk.clock.advance(4.0)
        refusals.append(limits.refuse(line))
        talk.clockwork.answered("Carl")
    assert refusals == [*[None] * (HANDFUL + 1), notice(GREETING), "", ""]
