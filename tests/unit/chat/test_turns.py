"""Turn limits: bots do not talk among themselves for ever, and nobody floods a bot."""

from hypothesis import given
from hypothesis import strategies as st

from bots.access.rate_limit import SPEAKERS, RateLimit
from bots.chat.turn_taking import TURNS_WITHOUT_A_PERSON, TurnLimit
from bots.clock import Stopwatch


def turn_limit(
    turns: int = TURNS_WITHOUT_A_PERSON, stopwatch: Stopwatch = lambda: 0.0
) -> TurnLimit:
    return TurnLimit(turns, stopwatch)


def exchange(turns: TurnLimit, lines: int) -> None:
    for number in range(lines):
        turns.heard(*(("Alice", "Bob") if number % 2 else ("Bob", "Alice")))


def test_six_lines_may_pass_between_two_bots() -> None:
    turns = turn_limit()
    exchange(turns, 5)
    assert turns.may_answer("Alice", "Bob")
    exchange(turns, 1)
    assert not turns.may_answer("Alice", "Bob")
    assert not turns.may_answer("Bob", "Alice")
    assert turns.may_answer("Alice", "Carol")


def test_a_person_gives_the_bot_new_turns() -> None:
    turns = turn_limit(2)
    exchange(turns, 2)
    turns.person_spoke("Carol")
    assert not turns.may_answer("Alice", "Bob")
    turns.person_spoke("Bob")
    assert turns.may_answer("Alice", "Bob")


def test_public_chat_is_one_room_with_turns_that_all_bots_share() -> None:
    turns = turn_limit(3)
    assert [turns.take_public_turn() for _ in range(5)] == [True, True, True, False, False]
    assert turns.may_answer("Alice", "Bob")
    turns.person_spoke("Carol")
    assert turns.take_public_turn()


class Watch:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_first_refusal_is_told_and_the_next_are_not() -> None:
    limit = RateLimit(Watch(), count=2, window_s=10)
    verdicts = [limit.admit("Steve") for _ in range(5)]
    assert verdicts == ["admitted", "admitted", "refused", "refused_again", "refused_again"]


def test_a_speaker_is_admitted_again_and_told_again_after_the_window() -> None:
    watch = Watch()
    limit = RateLimit(watch, count=1, window_s=10)
    assert [limit.admit("Steve"), limit.admit("Steve")] == ["admitted", "refused"]
    watch.now = 10
    assert [limit.admit("Steve"), limit.admit("Steve")] == ["admitted", "refused"]


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.floats(0, 3)), max_size=200))
def test_no_window_ever_holds_more_than_the_limit(asked: list[tuple[str, float]]) -> None:
    watch = Watch()
    limit = RateLimit(watch, count=3, window_s=5)
    admitted: dict[str, list[float]] = {}
    for speaker, pause_s in asked:
        watch.now += pause_s
        if limit.admit(speaker) == "admitted":
            admitted.setdefault(speaker, []).append(watch.now)
    for times in admitted.values():
        assert all(later - earlier >= 5 for earlier, later in zip(times, times[3:], strict=False))


def test_only_so_many_speakers_are_remembered() -> None:
    limit = RateLimit(Watch(), count=1)
    for number in range(SPEAKERS + 1):
        limit.admit(f"player {number}")
    assert limit.admit("player 0") == "admitted"
    assert limit.admit(f"player {SPEAKERS}") == "refused"
