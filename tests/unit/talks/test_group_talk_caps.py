"""A talk ends within its caps, and says goodbye if there is time."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.talk_by_hand import TalkByHand, bot, person

from bots.talks.machine.events import (
    Answered,
    BecameBusy,
    CancelThinking,
    Delivered,
    EndAsked,
    Ended,
    Left,
    Paused,
    Resumed,
    SpeakerChosen,
    Spoke,
    Think,
    TimePassed,
)
from bots.talks.machine.policy import Caps, Repetition, TalkPolicy, grams

ABC = (bot("Alice"), bot("Bob"), bot("Carol"))
STEVE = person("Steve")
WORDS = ["oak", "river", "stone", "moon", "wolf", "bread", "lantern", "copper", "snow", "iron"]


def capped(*roster: Any, order: Any = "nominate", policy: Any = None, **caps: Any) -> TalkByHand:
    without = {"bot_turns": None, "repetition_lines": None}
    rules = TalkPolicy(order=order, caps=Caps(**{**without, **caps}), **(policy or {}))
    return TalkByHand(roster or ABC, rules)


def talk_on(talk: TalkByHand, *, most: int = 200, **spent: Any) -> None:
    """Everybody says something new until the talk has ended."""
    for number in range(most):
        if talk.ended:
            return
        if talk.talk.speaking is None:
            talk.waits()
            continue
        words = f"{number} " + " ".join(WORDS[(number * k) % 10] for k in (1, 3, 7))
        said = Answered(talk.thinking.turn, words, **spent)
        talk.tell(said, after_ms=1000)
        line = talk.talk.lines[-1]
        talk.tell(Delivered(line.number, dict.fromkeys(one.name for one in talk.talk.participants)))


def test_the_last_turns_are_goodbyes_one_from_each_bot() -> None:
    talk = capped(turns=10)
    talk_on(talk)
    thoughts = talk.all(Think)
    assert [thought.say_goodbye for thought in thoughts] == [False] * 7 + [True] * 3
    assert {thought.speaker for thought in thoughts[7:]} == {"Alice", "Bob", "Carol"}
    assert {thought.why for thought in thoughts[7:]} == {"goodbye"}
    assert (talk.ended, talk.talk.closing) == ("goodbye", "turns")
    sentence = "Group talk ended: everybody has said goodbye, as its turns are nearly used up."
    assert talk.announced[-1] == sentence


def test_without_goodbyes_the_cap_itself_ends_it() -> None:
    talk = capped(turns=10, policy={"goodbye": False})
    talk_on(talk)
    assert (talk.ended, talk.talk.turns) == ("turns", 10)
    assert not any(thought.say_goodbye for thought in talk.all(Think))


def test_a_short_talk_does_not_consist_of_goodbyes() -> None:
    talk = capped(turns=4)
    talk_on(talk)
    assert [thought.say_goodbye for thought in talk.all(Think)] == [False, False, True, True]
    assert talk.ended == "turns"


def test_dropped_thoughts_count_as_turns() -> None:
    talk = capped(*ABC, STEVE, turns=3, policy={"interruptions_in_a_row": 9})
    for _ in range(2):
        talk.tell(Spoke("Steve", "Now!"))
    assert (talk.ended, talk.talk.turns) == (None, 3)
    talk.tell(Spoke("Steve", "Now!"))
    assert (talk.ended, talk.talk.turns) == ("turns", 3)


def test_time_ends_it_even_in_the_middle_of_a_thought() -> None:
    talk = capped(time_s=7.0, policy={"answer_within_s": 60.0})
    talk.waits()
    assert (talk.now_ms, talk.ended) == (7000, "time")
    assert [type(effect).__name__ for effect in talk.effects[-3:]] == [
        "CancelThinking",
        "Announce",
        "Ended",
    ]


def test_goodbyes_begin_when_there_is_just_time_for_them() -> None:
    """Turns of one second: four times the longest must be left for three goodbyes."""
    talk = capped(time_s=20.0, turns=100)
    talk_on(talk)
    assert (talk.talk.closing, talk.ended) == ("time", "goodbye")
    assert [thought.say_goodbye for thought in talk.all(Think)] == [False] * 16 + [True] * 3


def test_slow_turns_do_not_make_goodbyes_of_the_first_half() -> None:
    talk = capped(time_s=30.0)
    for _ in range(2):
        talk.answers("Well.", after_ms=9000)
        talk.tell(Delivered(len(talk.talk.lines), {}))
    assert [thought.say_goodbye for thought in talk.all(Think)] == [False, False, True]


def test_time_goes_on_during_a_pause() -> None:
    talk = capped(time_s=60.0)
    talk.tell(Paused("Alice"))
    talk.waits()
    assert (talk.now_ms, talk.ended) == (60_000, "time")


def test_words_that_cost_nothing_count_no_tokens_and_no_money() -> None:
    talk = capped()
    talk.says("Hello.")
    assert (talk.talk.spending.tokens, talk.talk.spending.cost_usd) == (0, 0.0)


def test_tokens_are_never_overrun_once_a_turns_size_is_known() -> None:
    talk = capped(tokens=1000, turns=100, policy={"goodbye": False})
    talk_on(talk, tokens=300)
    assert (talk.ended, talk.talk.spending.tokens) == ("tokens", 900)


def test_a_reserve_keeps_the_very_first_turns_within_the_cap() -> None:
    talk = capped(tokens=1000, tokens_a_turn=600, turns=100, policy={"goodbye": False})
    talk_on(talk, tokens=10)
    assert (talk.ended, talk.talk.spending.tokens) == ("tokens", 410)


def test_money_ends_it_after_goodbyes() -> None:
    talk = capped(cost_usd=1.0, turns=100)
    talk_on(talk, cost_usd=0.1)
    assert (talk.talk.closing, talk.ended) == ("money", "goodbye")
    assert talk.talk.spending.cost_usd == pytest.approx(1.0)


def test_a_dropped_thought_is_paid_when_its_words_come_and_only_once() -> None:
    talk = capped(*ABC, STEVE, tokens=1000, turns=100)
    talk.tell(Spoke("Steve", "Wait!"))
    for _ in range(2):
        talk.tell(Answered(1, "stale", tokens=300, cost_usd=0.5))
    assert (talk.talk.spending.tokens, talk.talk.spending.cost_usd) == (300, 0.5)


def test_words_of_a_turn_there_never_was_cost_nothing() -> None:
    talk = capped()
    for turn in (0, 2, -1):
        talk.tell(Answered(turn, "stray", tokens=300))
    assert talk.talk.spending.tokens == 0


def test_money_too_is_kept_for_thoughts_not_paid_yet() -> None:
    talk = capped(*ABC, STEVE, cost_usd=1.0, cost_a_turn_usd=0.4, turns=100)
    for _ in range(2):
        talk.tell(Spoke("Steve", "Wait!"))
    assert (talk.ended, talk.talk.turns) == ("money", 2)


def test_a_thought_that_failed_is_kept_in_reserve_no_longer() -> None:
    talk = capped(tokens=1000, tokens_a_turn=400, turns=100, policy={"goodbye": False})
    for _ in range(3):
        talk.fails()
        assert talk.ended is None
    talk.tell(Answered(1, "Too late.", tokens=300))
    assert talk.talk.spending.tokens == 300


def test_thoughts_not_paid_yet_are_kept_in_reserve() -> None:
    talk = capped(*ABC, STEVE, tokens=1000, tokens_a_turn=400, turns=100)
    talk.tell(Spoke("Steve", "Wait!"))
    assert talk.talk.speaking is not None
    talk.tell(Spoke("Steve", "Wait!"))
    assert (talk.ended, talk.talk.turns) == ("tokens", 2)


def test_bots_alone_end_after_their_turns() -> None:
    talk = capped(bot_turns=6, turns=100)
    talk_on(talk)
    assert (talk.talk.turns, talk.talk.closing, talk.ended) == (6, "bot_turns", "goodbye")


def test_goodbyes_too_wait_for_a_person_when_bots_have_had_their_turns() -> None:
    talk = capped(bot("Alice"), bot("Bob"), STEVE, bot_turns=3, turns=4)
    for _ in range(3):
        talk.says("Well.")
    assert (talk.talk.closing, talk.talk.speaking, talk.ended) == ("turns", None, None)
    talk.tell(Spoke("Steve", "Good night."))
    assert (talk.talk.speaking, talk.thinking.say_goodbye) == ("Bob", True)


def test_bots_alone_keep_no_turn_for_whoever_is_busy() -> None:
    talk = capped(bot_turns=3, turns=100, policy={"goodbye": False})
    talk.tell(BecameBusy("Carol"))
    talk.says("Hello. [Next: Carol]")
    talk.says("She is away.")
    talk.says("Yes, she is.")
    assert (talk.speakers, talk.ended) == (["Alice", "Bob", "Alice"], "bot_turns")


def test_with_a_person_bots_wait_for_them_instead_and_start_anew() -> None:
    talk = capped(*ABC, STEVE, bot_turns=2, turns=100)
    for _ in range(2):
        talk.says("Well.")
    assert talk.last(SpeakerChosen) == SpeakerChosen("Bob", None, "waiting_for_person")
    talk.tell(Spoke("Steve", "Go on."))
    assert (talk.talk.speaking, talk.talk.spending.bot_turns) == ("Carol", 1)


def test_when_the_person_leaves_the_bots_have_spoken_enough() -> None:
    talk = capped(*ABC, STEVE, bot_turns=2, turns=100)
    for _ in range(2):
        talk.says("Well.")
    talk.tell(Left("Steve"))
    assert talk.ended == "bot_turns"


def test_a_persons_line_calls_off_goodbyes_that_were_for_want_of_one() -> None:
    talk = capped(*ABC, STEVE, repetition_lines=2, turns=100)
    for _ in range(3):
        talk.says("Indeed, the moon is made of bread.")
    assert (talk.talk.closing, talk.thinking.say_goodbye) == ("repetition", True)
    talk.tell(Spoke("Steve", "Let us talk about copper."))
    assert (talk.talk.closing, talk.thinking.say_goodbye) == (None, False)


def test_goodbyes_that_were_called_off_are_all_said_when_it_ends_after_all() -> None:
    talk = capped(*ABC, STEVE, repetition_lines=2, turns=100)
    for _ in range(4):
        talk.says("Indeed, the moon is made of bread.")
    talk.tell(Spoke("Steve", "No."))
    while not talk.ended:
        talk.says("Indeed, the moon is made of bread.")
    assert [thought.say_goodbye for thought in talk.all(Think)][-3:] == [True] * 3
    assert set(talk.speakers[-3:]) == {"Alice", "Bob", "Carol"}


def test_whoever_a_person_calls_says_goodbye_first() -> None:
    talk = capped(*ABC, STEVE, turns=6, policy={"gap_s": 1.0})
    for _ in range(3):
        talk.says("Well.")
        talk.waits()
    talk.says("Goodbye.")
    talk.tell(Spoke("Steve", "And you, Carol?"))
    assert (talk.speakers[-1], talk.thinking.say_goodbye) == ("Carol", True)
    talk_on(talk)
    goodbyes = [thought.speaker for thought in talk.all(Think) if thought.say_goodbye]
    assert (goodbyes, talk.ended) == (["Alice", "Carol", "Bob"], "goodbye")


def test_bots_that_go_in_circles_say_goodbye() -> None:
    talk = capped(turns=100, repetition_lines=3)
    for number in range(4):
        assert not talk.thinking.say_goodbye, number
        talk.says("Indeed, the moon is made of bread!")
    for _ in ABC:
        assert talk.thinking.say_goodbye
        talk.says("Indeed, goodbye.")
    assert (talk.talk.closing, talk.ended) == ("repetition", "goodbye")


def test_a_turn_without_words_does_not_lead_out_of_a_circle() -> None:
    talk = capped(turns=100, repetition_lines=2, policy={"goodbye": False})
    talk.says("The moon is made of bread.")
    talk.says("The moon is made of bread.")
    talk.answers("")
    talk.says("The moon is made of bread.")
    assert talk.ended == "repetition"


def test_without_goodbyes_circles_end_at_once() -> None:
    talk = capped(turns=100, repetition_lines=3, policy={"goodbye": False})
    for _ in range(4):
        talk.says("月はパンでできています。")
    assert talk.ended == "repetition"


def test_silence_ends_it() -> None:
    talk = capped(*ABC, STEVE, silence_s=30.0, order="rounds", policy={"opening": "person"})
    talk.waits()
    assert (talk.now_ms, talk.ended) == (30_000, "silence")


def test_silence_is_counted_anew_after_every_line_and_every_pause() -> None:
    talk = capped(
        bot("Alice"), STEVE, silence_s=30.0, policy={"nudge_after_s": None, "opening": "person"}
    )
    talk.tell(Spoke("Steve", "Hi."), 20_000)
    talk.says("Hi.")
    talk.tell(Paused("Steve"), 20_000)
    talk.tell(Resumed("Steve"), 20_000)
    talk.waits()
    assert (talk.now_ms, talk.ended) == (90_000, "silence")


@pytest.mark.parametrize("speaker", ["Alice", "Steve"])
def test_anybodys_line_breaks_the_silence(speaker: str) -> None:
    talk = capped(
        bot("Alice"), STEVE, silence_s=30.0, policy={"nudge_after_s": None, "opening": "person"}
    )
    talk.tell(BecameBusy("Alice"))
    talk.tell(Spoke(speaker, "Hm."), 20_000)
    assert talk.last(SpeakerChosen).after == speaker
    talk.waits()
    assert (talk.now_ms, talk.ended) == (50_000, "silence")


def test_a_nudge_brings_a_quiet_talk_on_and_rounds_with_a_person_know_none() -> None:
    talk = capped(*ABC, STEVE, policy={"opening": "person", "nudge_after_s": 5.0})
    talk.waits()
    assert (talk.now_ms, talk.talk.speaking) == (5000, "Alice")
    still = capped(*ABC, STEVE, order="rounds", policy={"opening": "person", "nudge_after_s": 5.0})
    still.tell(TimePassed(), 10_000)
    assert still.talk.speaking is None


def test_only_when_all_are_silent_in_a_row_nobody_is_asked_any_more() -> None:
    talk = capped(policy={"nudge_after_s": None})
    talk.says("Hello.")
    for _ in ABC:
        assert talk.ended is None
        talk.answers("")
    assert talk.ended == "nobody_next"


def test_nobody_next_ends_it_where_nobody_can_come_to_speak() -> None:
    talk = capped(policy={"nudge_after_s": None})
    for _ in ABC:
        talk.answers("")
    assert talk.ended == "nobody_next"


def test_it_does_not_end_while_a_busy_bot_may_still_speak() -> None:
    talk = capped(bot("Alice"), bot("Bob"), policy={"nudge_after_s": None})
    talk.tell(BecameBusy("Bob"))
    talk.says("Hello.")
    assert (talk.ended, talk.last(SpeakerChosen).rule) == (None, "nobody")


def test_rounds_of_bots_alone_end_when_all_are_silent() -> None:
    talk = capped(order="rounds", policy={"nudge_after_s": None})
    for _ in ABC:
        talk.fails()
    assert (talk.ended, talk.speakers) == ("nobody_next", ["Alice", "Bob", "Carol"])


def test_a_busy_bot_is_not_waited_for_to_say_goodbye() -> None:
    talk = capped(turns=6)
    talk.tell(BecameBusy("Carol"))
    talk_on(talk)
    goodbyes = [thought.speaker for thought in talk.all(Think) if thought.say_goodbye]
    assert (sorted(goodbyes), talk.ended) == (["Alice", "Bob"], "goodbye")


def test_end_asked_for_ends_it_at_once_and_only_outcomes_count_after_it() -> None:
    talk = capped()
    said = talk.answers("Hello.")
    assert said is not None
    talk.tell(EndAsked("Steve"))
    assert talk.ended == "asked"
    assert talk.tell(Spoke("Alice", "One more thing")) == []
    assert talk.tell(Delivered(said.line, {"Bob": None, "Carol": "stopped"})) == []
    assert talk.talk.lines[0].hearing == {"Bob": None, "Carol": "stopped"}
    assert len(talk.talk.lines) == 1


def test_end_asked_for_drops_the_thought() -> None:
    talk = capped()
    talk.tell(EndAsked("Steve"))
    assert talk.all(CancelThinking) == [CancelThinking(1, "ended")]


@pytest.mark.parametrize("roster", [[], [bot("Alice")], [person("Steve"), person("Alex")]])
def test_too_few_to_talk_end_it_before_the_first_word(roster: Any) -> None:
    talk = TalkByHand(roster, TalkPolicy())
    assert (talk.ended, talk.all(Think)) == ("none_left", [])
    assert talk.effects[-1] == Ended("none_left")


@pytest.mark.parametrize(
    "caps",
    [
        {"turns": 0},
        {"time_s": -1.0},
        {"time_s": float("inf")},
        {"time_s": float("nan")},
        {"silence_s": float("inf")},
        {"tokens": 0},
        {"repetition_overlap": 0.0},
        {"tokens_a_turn": -1},
    ],
)
def test_caps_that_cap_nothing_or_everything_are_refused(caps: Any) -> None:
    with pytest.raises(ValueError, match=next(iter(caps))):
        Caps(**caps)


def test_overlap_is_the_part_of_a_lines_letters_that_were_there_before() -> None:
    repetition = Repetition(overlap=0.8)
    assert repetition.said("abcdefgh") == 0.0
    assert repetition.said("ABCD-EFGH!") == 1.0
    assert repetition.said("abcdxyzw") == pytest.approx(1 / 5)
    assert repetition.lines_in_a_row == 0
    assert repetition.said("ok") == 0.0
    assert (repetition.said("OK!"), repetition.lines_in_a_row) == (1.0, 1)
    repetition.person_spoke()
    assert repetition.lines_in_a_row == 0
    assert (repetition.said("ok"), repetition.lines_in_a_row) == (0.0, 0)


def test_just_enough_overlap_is_a_repetition() -> None:
    repetition = Repetition(overlap=0.2)
    repetition.said("abcdefgh")
    assert repetition.said("abcdxyzw") == pytest.approx(0.2)
    assert repetition.lines_in_a_row == 1


@given(st.text(), st.text())
def test_what_is_said_again_is_there_already(first: str, second: str) -> None:
    repetition = Repetition(overlap=0.5)
    repetition.said(first)
    assert repetition.said(first) == (1.0 if grams(first) else 0.0)
    assert 0.0 <= repetition.said(second) <= 1.0
