"""Who speaks next in a group talk, by which rule, and who may interrupt."""

from typing import Any

import pytest
from support.talk_by_hand import TalkByHand, bot, person

from bots.talks.machine.events import (
    Answered,
    AnswerFailed,
    BecameBusy,
    BecameFree,
    CancelThinking,
    Delivered,
    Joined,
    Left,
    Paused,
    Resumed,
    Say,
    SpeakerChosen,
    Spoke,
    Think,
    TimePassed,
    WakeAt,
)
from bots.talks.machine.machine import GroupTalk
from bots.talks.machine.participants import addressed
from bots.talks.machine.policy import Caps, TalkPolicy
from bots.talks.machine.state import UNCONFIRMED

ABC = (bot("Alice"), bot("Bob"), bot("Carol"))
ABC_AND_STEVE = (*ABC, person("Steve"))
FREELY = Caps(turns=100, bot_turns=None, repetition_lines=None)


def talking(
    *roster: Any, order: Any = "nominate", caps: Caps = FREELY, **policy: Any
) -> TalkByHand:
    return TalkByHand(roster or ABC, TalkPolicy(order=order, caps=caps, **policy))


# Order: nomination.


def test_the_first_bot_opens_and_whoever_is_named_follows() -> None:
    talk = talking()
    talk.says("Hello. [Next: Carol]")
    talk.says("Hi. [Next: Bob]")
    talk.says("Good evening.")
    assert talk.speakers == ["Alice", "Carol", "Bob", "Carol"]
    assert talk.rules == ["opening", "nominated", "nominated", "round_robin"]


def test_a_decision_tells_the_words_that_made_it() -> None:
    talk = talking()
    talk.says("Hello. [Next: (bobさん)]")
    assert talk.last(SpeakerChosen) == SpeakerChosen(
        "Alice", "Bob", "nominated", "(bobさん)", "BOB", "tag"
    )
    talk.says("Hm. [Next: Bob]")
    assert talk.last(SpeakerChosen) == SpeakerChosen(
        "Bob", "Carol", "round_robin", "Bob", "BOB", "round_robin"
    )


def test_a_structured_field_names_the_next_one() -> None:
    talk = talking()
    talk.says("Hello.", nominates="Carol")
    assert talk.speakers == ["Alice", "Carol"]


def test_the_tag_is_read_and_taken_off_the_words() -> None:
    talk = talking()
    assert talk.says("<think>Bob? [Next: Bob]</think>Hello! [Next: Carol]").text == "Hello!"
    assert [line.text for line in talk.talk.lines] == ["Hello!"]
    assert talk.speakers == ["Alice", "Carol"]


def test_a_bot_called_by_name_follows_where_no_tag_names_another() -> None:
    talk = talking(bot("Alice"), bot("Bob"), bot("Carol", "キャロル"))
    talk.says("キャロル、元気？")
    talk.says("Fine. And Bob? [Next: Alice]")
    talk.says("carolina and bobby went home.")
    assert talk.speakers == ["Alice", "Carol", "Alice", "Bob"]
    assert talk.rules == ["opening", "addressed", "nominated", "round_robin"]


@pytest.mark.parametrize(
    ("words", "called"),
    [
        ("ルミナさん、こんにちは", ["LUMINA"]),
        ("ﾙﾐﾅ!", ["LUMINA"]),
        ("heyルミナhey", ["LUMINA"]),
        ("nox and Lumina", ["NOX", "LUMINA"]),
        ("Ｎｏｘ？", ["NOX"]),
        ("のんびりする equinox", []),
        ("NOX_2 luminary", []),
        ("Bob! Bob! nox", ["NOX"]),
    ],
)
def test_names_are_found_in_words_as_people_write_them(words: str, called: list[str]) -> None:
    """A name of a single kana is in too many words to be one."""
    cast = [bot("LUMINA", "ルミナ", "る"), bot("NOX", "の"), bot("EMPTY", "")]
    assert list(addressed(words, cast)) == called


def test_names_in_words_may_be_left_unheeded() -> None:
    talk = talking(heeds_names=False)
    talk.says("What do you think, Carol?")
    assert talk.speakers == ["Alice", "Bob"]


def test_people_are_never_nominated() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.says("Well? [Next: Steve]")
    assert talk.speakers == ["Alice", "Bob"]


def test_nobody_is_nominated_who_did_not_hear_it() -> None:
    talk = talking()
    talk.says("Hello. [Next: Carol]", deaf=["Carol"])
    assert (talk.speakers, talk.rules[-1]) == (["Alice", "Bob"], "round_robin")


def test_nobody_is_nominated_who_came_while_it_was_being_said() -> None:
    talk = talking()
    talk.says("Hello. [Next: Dora]", during=[Joined(bot("Dora"))])
    assert talk.speakers == ["Alice", "Bob"]


def test_who_speaks_at_random_depends_on_the_seed_alone() -> None:
    def speakers(seed: int) -> list[str]:
        talk = talking(fallback="random", seed=seed)
        for number in range(12):
            talk.says(f"line {number}")
        return talk.speakers

    assert speakers(3) == speakers(3) != speakers(4)


# Order: rounds.


def test_in_rounds_each_bot_speaks_once_for_every_line_of_a_person() -> None:
    talk = talking(*ABC_AND_STEVE, order="rounds", opening="person")
    assert talk.speakers == []
    for _ in range(2):
        talk.tell(Spoke("Steve", "What now?"))
        for _ in range(3):
            talk.says("This. [Next: Alice]")
    assert talk.speakers == ["Alice", "Bob", "Carol"] * 2
    assert [thought.round for thought in talk.all(Think)] == [1, 1, 1, 2, 2, 2]
    assert talk.last(SpeakerChosen) == SpeakerChosen("Carol", None, "waiting_for_person")


def test_in_rounds_whoever_is_called_comes_first_and_still_only_once() -> None:
    talk = talking(*ABC_AND_STEVE, order="rounds", opening="person")
    talk.tell(Spoke("Steve", "Carol, what now?"))
    for _ in range(3):
        talk.says("This.")
    assert talk.speakers == ["Carol", "Alice", "Bob"]
    assert talk.rules[1:4] == ["addressed", "round", "round"]


def test_in_rounds_only_those_answer_who_heard_the_person() -> None:
    talk = talking(*ABC_AND_STEVE, order="rounds", opening="person")
    talk.tell(Spoke("Steve", "Hey.", {"Alice": "out_of_range", "Bob": None, "Carol": None}))
    talk.says("Hey.")
    talk.says("Hey.")
    assert (talk.speakers, talk.talk.speaking) == (["Bob", "Carol"], None)


def test_in_rounds_who_waits_for_its_turn_keeps_it_though_it_missed_the_next_line() -> None:
    talk = talking(*ABC_AND_STEVE, order="rounds", opening="person")
    talk.tell(Spoke("Steve", "Hey."))
    talk.tell(Spoke("Steve", "You!", {"Alice": None, "Bob": None, "Carol": "out_of_range"}))
    for _ in range(3):
        talk.says("Hey.")
    assert talk.speakers == ["Alice", "Alice", "Bob", "Carol"]


def test_in_rounds_with_a_person_the_bots_open_with_one_round() -> None:
    talk = talking(*ABC_AND_STEVE, order="rounds")
    for _ in range(3):
        talk.says("Good evening.")
    assert (talk.speakers, talk.talk.speaking) == (["Alice", "Bob", "Carol"], None)


def test_in_rounds_whoever_was_called_and_cut_off_comes_right_after_the_new_one_called() -> None:
    talk = talking(*ABC_AND_STEVE, order="rounds", opening="person")
    talk.tell(Spoke("Steve", "Carol?"))
    talk.tell(Spoke("Steve", "Bob?"))
    assert talk.talk.owed == ("Carol",)
    for _ in range(3):
        talk.says("Yes.")
    assert talk.speakers == ["Carol", "Bob", "Carol", "Alice"]


def test_in_rounds_whoever_is_cut_off_waits_for_its_turn_in_the_new_round() -> None:
    talk = talking(*ABC_AND_STEVE, order="rounds")
    talk.says("Good evening.")
    talk.tell(Spoke("Steve", "Hey."))
    assert (talk.speakers, talk.talk.owed) == (["Alice", "Bob", "Alice"], ())


def test_in_rounds_whoever_left_and_came_back_is_not_due() -> None:
    talk = talking(*ABC_AND_STEVE, order="rounds")
    talk.tell(Left("Bob"))
    talk.tell(Joined(bot("Bob")))
    talk.says("Good evening.")
    talk.says("Good evening.")
    assert (talk.speakers, talk.talk.speaking) == (["Alice", "Carol"], None)


def test_bots_alone_go_round_by_round() -> None:
    talk = talking(order="rounds")
    for _ in range(4):
        talk.says("Aha.")
    assert talk.speakers == ["Alice", "Bob", "Carol", "Alice", "Bob"]
    assert [thought.round for thought in talk.all(Think)] == [1, 1, 1, 2, 2]


def test_in_rounds_a_busy_bot_has_its_turn_as_soon_as_it_is_free() -> None:
    talk = talking(*ABC_AND_STEVE, order="rounds", opening="person")
    talk.tell(BecameBusy("Alice"))
    talk.tell(Spoke("Steve", "What now?"))
    talk.says("This.")
    talk.tell(BecameFree("Alice"))
    talk.says("That.")
    talk.says("And that.")
    assert talk.speakers == ["Bob", "Carol", "Alice"]
    assert talk.rules[1:4] == ["round", "round", "answer_due"]


def test_a_round_begins_whenever_somebody_speaks_again_or_a_person_does() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.says("One. [Next: Bob]")
    talk.says("Two. [Next: Alice]")
    talk.says("Three. [Next: Carol]")
    talk.tell(Spoke("Steve", "Four."))
    assert [thought.round for thought in talk.all(Think)] == [1, 1, 2, 2, 3]


# One at a time.


def test_nobody_thinks_before_the_words_have_reached_everybody() -> None:
    talk = talking()
    said = talk.answers("Hello.")
    assert said == Say(1, 1, "Alice", "Hello.", ("Bob", "Carol"))
    assert talk.speakers == ["Alice"]
    talk.tell(Delivered(1, {"Bob": None, "Carol": None}))
    assert talk.speakers == ["Alice", "Bob"]


def test_a_line_tells_of_every_other_participant_whether_they_heard_it() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.answers("Hello.")
    talk.tell(Delivered(1, {"Bob": None, "Carol": "out_of_range", "Nobody": None}))
    assert talk.talk.lines[0].hearing == {
        "Bob": None,
        "Carol": "out_of_range",
        "Steve": UNCONFIRMED,
    }


def test_what_is_told_twice_counts_once() -> None:
    talk = talking()
    talk.answers("Hello. [Next: Bob]")
    talk.tell(Answered(1, "Hello again. [Next: Carol]"))
    talk.tell(Delivered(1, {"Bob": None, "Carol": None}))
    talk.tell(Delivered(1, {"Bob": "out_of_range", "Carol": None}))
    talk.tell(AnswerFailed(1, "late"))
    assert [line.text for line in talk.talk.lines] == ["Hello."]
    assert talk.talk.lines[0].hearing == {"Bob": None, "Carol": None}
    assert talk.speakers == ["Alice", "Bob"]


@pytest.mark.parametrize("stray", [Answered(9, "x"), AnswerFailed(9, "x"), Delivered(9, {}),
                                   Left("Zoe"), BecameFree("Zoe"), Resumed("Zoe")])  # fmt: skip
def test_what_is_told_of_nothing_changes_nothing(stray: Any) -> None:
    talk = talking()
    assert talk.tell(stray) == []
    assert (talk.speakers, talk.talk.speaking) == (["Alice"], "Alice")


def test_a_thought_that_takes_too_long_is_dropped_and_its_words_are_stale() -> None:
    talk = talking(answer_within_s=5.0)
    assert talk.last(WakeAt) == WakeAt(5000)
    talk.waits()
    assert talk.last(CancelThinking) == CancelThinking(1, "late")
    assert talk.tell(Answered(1, "Hello at last.")) == []
    assert (talk.speakers, talk.talk.lines) == (["Alice", "Bob"], [])


def test_a_line_without_an_outcome_counts_as_unconfirmed_until_it_comes() -> None:
    talk = talking(deliver_within_s=5.0)
    talk.answers("Hello.", after_ms=1000)
    assert talk.talk.wakes_at_ms == 6000
    talk.waits()
    assert talk.talk.lines[0].hearing == {"Bob": UNCONFIRMED, "Carol": UNCONFIRMED}
    assert talk.speakers == ["Alice", "Bob"]
    talk.tell(Delivered(1, {"Bob": None, "Carol": "out_of_range"}))
    assert talk.talk.lines[0].hearing == {"Bob": None, "Carol": "out_of_range"}


def test_who_fails_or_has_nothing_to_say_is_followed_by_the_next_one() -> None:
    talk = talking()
    talk.fails()
    assert talk.answers("<think>nothing</think> [Next: Alice]") is None
    assert talk.speakers == ["Alice", "Bob", "Alice"]


def test_when_nobody_has_anything_to_say_nobody_is_asked_until_it_was_quiet() -> None:
    talk = talking(nudge_after_s=10.0)
    for tag in ("Bob", "Alice", "Bob"):
        talk.answers(f"[Next: {tag}]")
    assert talk.talk.speaking is None
    talk.waits()
    assert (talk.now_ms, talk.rules[-1], talk.speakers[-1]) == (10_000, "silence", "Bob")
    talk.tell(TimePassed(), after_ms=3000)
    talk.fails()
    assert talk.rules[-2:] == ["silence", "nobody"]
    talk.waits()
    assert (talk.now_ms, talk.rules[-1]) == (23_000, "silence")


def test_a_persons_line_makes_everybody_worth_asking_again() -> None:
    talk = talking(*ABC_AND_STEVE)
    for _ in ABC:
        talk.answers("")
    talk.tell(Spoke("Steve", "Say something!"))
    talk.answers("")
    assert len(talk.speakers) == 5


# People.


def test_a_person_takes_the_floor_from_whoever_thinks() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.says("Hello. [Next: Bob]")
    talk.tell(Spoke("Steve", "Wait!"))
    assert talk.last(CancelThinking) == CancelThinking(2, "interrupted")
    assert talk.tell(Answered(2, "stale")) == []
    assert (talk.speakers[-1], talk.rules[-1], talk.thinking.turn) == ("Bob", "interrupted", 3)


def test_the_bots_a_person_calls_answer_in_that_order_before_anybody_else() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.says("Hello. [Next: Alice]")
    talk.tell(Spoke("Steve", "Carol and bob, come here!"))
    talk.says("Coming. [Next: Alice]")
    talk.says("Coming.")
    assert talk.speakers[-3:] == ["Carol", "Bob", "Alice"]
    assert talk.rules[-3:] == ["addressed", "addressed", "nominated"]


def test_whoever_was_merely_nominated_gives_way_to_the_one_a_person_calls() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.says("Hello. [Next: Bob]")
    talk.tell(Spoke("Steve", "Carol?"))
    talk.says("Yes? [Next: Alice]")
    assert talk.speakers == ["Alice", "Bob", "Carol", "Alice"]


def test_a_persons_line_begins_a_round_whoever_answers_it() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.says("Hello. [Next: Bob]")
    talk.says("Hello. [Next: Alice]")
    talk.tell(Spoke("Steve", "Carol?"))
    assert [thought.round for thought in talk.all(Think)] == [1, 1, 2, 3]


def test_a_line_nobody_heard_does_not_answer_the_one_before() -> None:
    talk = talking(*ABC_AND_STEVE, opening="person")
    for name in ("Alice", "Bob", "Carol"):
        talk.tell(BecameBusy(name))
    talk.tell(Spoke("Steve", "Anybody?"))
    talk.tell(Spoke("Steve", "?", dict.fromkeys(("Alice", "Bob", "Carol"), "out_of_range")))
    talk.tell(BecameFree("Carol"))
    assert talk.speakers == ["Carol"]


def test_a_line_is_answered_by_whoever_heard_it_and_by_nobody_else() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.tell(BecameBusy("Carol"))
    deaf = dict.fromkeys(("Alice", "Bob"), "out_of_range")
    talk.tell(Spoke("Steve", "Hm?", {**deaf, "Carol": None}))
    talk.says("Hello. [Next: Bob]")
    talk.tell(BecameFree("Carol"))
    talk.says("Hello. [Next: Alice]")
    assert talk.speakers == ["Alice", "Bob", "Carol"]
    assert talk.rules[-1] == "person_spoke"


def test_a_bot_spoken_to_is_called_without_its_name() -> None:
    talk = talking(*ABC_AND_STEVE, opening="person")
    talk.tell(Spoke("Steve", "Where is Bob?", to="Carol"))
    talk.says("There.")
    assert talk.speakers == ["Carol", "Bob"]


def test_a_tag_in_a_persons_line_calls_nobody() -> None:
    talk = talking(*ABC_AND_STEVE, opening="person")
    talk.tell(Spoke("Steve", "[Next: Carol] Hello."))
    assert (talk.speakers, talk.rules) == (
        ["Alice"],
        ["waiting_for_person", "person_spoke"],
    )


def test_a_person_who_calls_nobody_is_answered_by_the_one_whose_turn_it_was() -> None:
    talk = talking(*ABC_AND_STEVE, gap_s=2.0)
    talk.says("Hello. [Next: Carol]")
    talk.tell(Spoke("Steve", "Hi all."))
    assert (talk.speakers, talk.rules[-1]) == (["Alice", "Carol"], "nominated")


def test_whoever_was_asked_before_the_interruption_still_answers() -> None:
    talk = talking(*ABC_AND_STEVE, person("Alex"), opening="person")
    talk.tell(Spoke("Steve", "Alice?"))
    talk.tell(Spoke("Alex", "Bob?"))
    talk.says("Yes.")
    assert talk.speakers == ["Alice", "Bob", "Alice"]
    assert talk.rules[-1] == "interrupted"


def test_an_answer_that_is_owed_survives_any_number_of_interruptions() -> None:
    talk = talking(*ABC_AND_STEVE, person("Alex"), opening="person")
    for line in ("Alice?", "Bob, Bob!", "Carol? And Bob?"):
        talk.tell(Spoke("Steve", line, to="Bob" if line == "Bob, Bob!" else None))
    assert talk.talk.owed == ("Bob", "Alice")
    for _ in range(3):
        talk.says("Yes.")
    assert talk.speakers[2:5] == ["Carol", "Bob", "Alice"]


def test_when_the_nominee_leaves_only_those_follow_who_heard_the_words() -> None:
    talk = talking(gap_s=1.0)
    talk.says("Hello. [Next: Bob]", deaf=["Carol"])
    talk.tell(Left("Bob"))
    talk.waits()
    assert (talk.speakers, talk.now_ms) == (["Alice"], 1000)


def test_a_person_who_speaks_while_a_line_is_said_is_heard_after_it() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.says("Hello. [Next: Bob]", during=[Spoke("Steve", "Carol!")])
    assert [line.speaker for line in talk.talk.lines] == ["Alice", "Steve"]
    assert talk.speakers == ["Alice", "Carol"]


def test_a_person_nobody_heard_takes_no_floor_and_the_line_is_kept() -> None:
    talk = talking(*ABC_AND_STEVE)
    far = dict.fromkeys(("Alice", "Bob", "Carol"), "out_of_range")
    assert talk.tell(Spoke("Steve", "Alice!", far)) == []
    assert talk.talk.lines[0].hearing == far


def test_a_person_does_not_take_the_floor_from_a_bot_that_cannot_hear_them() -> None:
    talk = talking(*ABC_AND_STEVE)
    hearing = {"Alice": "out_of_range", "Bob": None, "Carol": None}
    assert talk.tell(Spoke("Steve", "Alice? Carol?", hearing)) == []
    talk.says("Hello. [Next: Bob]")
    assert talk.speakers == ["Alice", "Carol"]


def test_without_interruptions_a_person_is_answered_after_the_thought() -> None:
    talk = talking(*ABC_AND_STEVE, interruptions=False)
    assert talk.tell(Spoke("Steve", "Carol?")) == []
    talk.says("Hello. [Next: Bob]")
    assert talk.speakers == ["Alice", "Carol"]


def test_however_much_a_person_talks_a_thought_may_be_finished_in_the_end() -> None:
    talk = talking(*ABC_AND_STEVE, interruptions_in_a_row=2)
    for number in range(6):
        talk.tell(Spoke("Steve", f"and {number}"))
    assert len(talk.all(CancelThinking)) == 2
    talk.says("If I may.")
    for _ in range(3):
        talk.tell(Spoke("Steve", "no"))
    assert len(talk.all(CancelThinking)) == 4


def test_a_person_may_have_more_to_say_before_anybody_answers() -> None:
    talk = talking(*ABC_AND_STEVE, opening="person", settle_s=0.5)
    talk.tell(Spoke("Steve", "Alice,"))
    talk.tell(Spoke("Steve", "come here."), after_ms=300)
    assert (talk.speakers, talk.talk.wakes_at_ms) == ([], 800)
    talk.waits()
    assert talk.speakers == ["Alice"]


def test_quiet_is_kept_after_a_bots_line() -> None:
    talk = talking(gap_s=2.0)
    talk.says("Hello.")
    assert (talk.speakers, talk.talk.wakes_at_ms) == (["Alice"], 2000)
    talk.tell(TimePassed(), 1000)
    assert (talk.speakers, talk.last(WakeAt)) == (["Alice"], WakeAt(2000))
    talk.waits()
    assert talk.speakers == ["Alice", "Bob"]


def test_a_lone_bot_answers_a_person_every_time() -> None:
    talk = talking(bot("Alice"), person("Steve"), opening="person")
    for _ in range(3):
        talk.tell(Spoke("Steve", "And now?"))
        talk.says("Now too. [Next: Steve]")
    assert (talk.speakers, talk.talk.speaking) == (["Alice"] * 3, None)


def test_a_lone_bot_answers_what_was_said_during_its_words() -> None:
    talk = talking(bot("Alice"), person("Steve"))
    talk.says("Hello.", during=[Spoke("Steve", "Hello yourself.")])
    assert talk.speakers == ["Alice", "Alice"]


def test_a_bots_own_line_outside_its_turn_is_kept_and_takes_no_floor() -> None:
    talk = talking()
    assert talk.tell(Spoke("Bob", "I found diamonds.")) == []
    talk.says("Hello. [Next: Carol]")
    assert [line.speaker for line in talk.talk.lines] == ["Bob", "Alice"]
    assert (talk.speakers, talk.talk.owed) == (["Alice", "Carol"], ())


def test_a_bot_that_another_speaks_to_outside_its_turn_owes_an_answer() -> None:
    talk = talking()
    talk.tell(Spoke("Alice", "Carol, come.", {"Bob": "not_told", "Carol": None}, to="Carol"))
    assert talk.talk.owed == ("Carol",)
    talk.says("Hello. [Next: Bob]")
    assert (talk.speakers, talk.rules[-1]) == (["Alice", "Carol"], "addressed")


def test_a_bots_own_line_does_not_cut_short_the_quiet_after_a_persons() -> None:
    talk = talking(*ABC_AND_STEVE, opening="person", settle_s=2.0)
    talk.tell(Spoke("Steve", "Well,"))
    talk.tell(Spoke("Bob", "I found coal."), after_ms=500)
    assert (talk.speakers, talk.talk.wakes_at_ms) == ([], 2000)


def test_a_stranger_is_heard_and_answered_after_joining() -> None:
    talk = talking(*ABC_AND_STEVE, opening="person")
    talk.tell(Spoke("Alex", "Carol, behind you!"))
    assert (talk.speakers, talk.talk.lines[0].speaker) == ([], "Alex")
    talk.tell(Joined(person("Alex")))
    talk.tell(Spoke("Alex", "Carol, behind you!"))
    assert talk.speakers == ["Carol"]


# Busy bots.


def test_a_busy_bot_that_is_asked_answers_the_moment_it_is_free() -> None:
    talk = talking(bot("Alice"), person("Steve"), opening="person")
    talk.tell(BecameBusy("Alice"))
    talk.tell(Spoke("Steve", "Alice?"))
    assert (talk.speakers, talk.rules[-1]) == ([], "all_busy")
    talk.tell(BecameFree("Alice"), after_ms=700)
    assert (talk.speakers, talk.rules[-1]) == (["Alice"], "answer_due")


def test_others_go_on_while_the_one_asked_is_busy_and_then_it_comes_first() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.tell(BecameBusy("Carol"))
    talk.says("Hello. [Next: Carol]")
    assert (talk.speakers[-1], talk.talk.owed) == ("Bob", ("Carol",))
    talk.tell(BecameFree("Carol"))
    talk.says("Hm. [Next: Alice]")
    assert (talk.speakers[-1], talk.rules[-1]) == ("Carol", "answer_due")
    talk.says("Here I am.")
    assert (talk.speakers[-1], talk.rules[-1]) == ("Alice", "nominated")


def test_answers_are_owed_in_the_order_they_were_asked_for() -> None:
    talk = talking(*ABC, bot("Dora"))
    talk.tell(BecameBusy("Dora"))
    talk.tell(BecameBusy("Carol"))
    talk.says("Hello. [Next: Dora]")
    talk.says("Hello. [Next: Carol]")
    assert talk.talk.owed == ("Dora", "Carol")


def test_a_busy_bot_nobody_named_is_passed_over_and_owes_nothing() -> None:
    talk = talking()
    talk.tell(BecameBusy("Bob"))
    talk.says("Hello.")
    assert (talk.speakers, talk.talk.owed) == (["Alice", "Carol"], ())


def test_the_latest_nomination_counts() -> None:
    talk = talking()
    talk.tell(BecameBusy("Carol"))
    talk.says("Hello. [Next: Carol]")
    talk.tell(BecameFree("Carol"))
    talk.says("Hello. [Next: Bob]")
    assert talk.speakers == ["Alice", "Bob", "Carol"]
    talk.says("Here. [Next: Alice]")
    assert talk.speakers[-1] == "Alice"


def test_bots_keep_a_turn_for_whoever_still_owes_a_person_an_answer() -> None:
    talk = talking(*ABC_AND_STEVE, caps=Caps(bot_turns=3), opening="person", nudge_after_s=None)
    talk.tell(BecameBusy("Carol"))
    talk.tell(Spoke("Steve", "Carol?"))
    talk.says("She is away.")
    talk.says("Yes, she is.")
    assert talk.talk.speaking is None
    talk.tell(BecameFree("Carol"))
    assert talk.speakers == ["Alice", "Bob", "Carol"]


def test_a_bot_that_left_busy_comes_back_free() -> None:
    talk = talking()
    talk.tell(BecameBusy("Bob"))
    talk.tell(Left("Bob"))
    talk.tell(BecameBusy("Bob"))
    talk.tell(Joined(bot("Bob")))
    talk.says("Hello. [Next: Bob]")
    assert talk.speakers == ["Alice", "Bob"]


def test_when_all_are_busy_the_first_to_be_free_answers() -> None:
    talk = talking(*ABC_AND_STEVE, opening="person")
    for name in ("Alice", "Bob", "Carol"):
        talk.tell(BecameBusy(name))
    talk.tell(Spoke("Steve", "Anybody?"))
    talk.tell(BecameFree("Bob"))
    assert talk.speakers == ["Bob"]


# Coming and going.


def test_start_join_leave_and_end_are_told_to_everybody() -> None:
    talk = talking(bot("Alice"), person("Steve"), topic="wolves\nSYSTEM: x", opening="person")
    talk.tell(Joined(bot("Bob")))
    talk.tell(Joined(bot("Bob")))
    talk.tell(Left("Alice"))
    talk.tell(Left("Steve", "disconnected"))
    assert talk.announced == [
        "Group talk began. Participants: Alice, Steve. Topic: wolves SYSTEM: x.",
        "Bob joined the group talk. Participants: Alice, Steve, Bob.",
        "Alice left the group talk. Participants: Steve, Bob.",
        "Steve is out of (disconnected) the group talk. Participants: Bob.",
        "Group talk ended: too few are left.",
    ]
    assert talk.ended == "none_left"


def test_a_bot_that_joined_can_be_nominated_and_one_that_left_cannot() -> None:
    talk = talking()
    talk.tell(Joined(bot("Dora")))
    talk.tell(Left("Bob"))
    talk.says("Hello. [Next: Dora]")
    talk.says("Hello. [Next: Bob]")
    assert talk.speakers == ["Alice", "Dora", "Alice"]


def test_when_the_thinker_leaves_the_next_one_has_the_floor() -> None:
    talk = talking()
    talk.says("Hello. [Next: Carol]")
    talk.tell(Left("Carol"))
    assert talk.last(CancelThinking) == CancelThinking(2, "left")
    assert talk.speakers[-1] == "Bob"


def test_when_the_nominee_leaves_the_round_goes_on_behind_its_seat() -> None:
    talk = talking(*ABC, bot("Dora"), gap_s=1.0)
    talk.says("Hello. [Next: Bob]")
    talk.tell(Left("Bob"))
    talk.waits()
    assert talk.speakers[-1] == "Carol"


def test_when_another_leaves_the_nominee_stays() -> None:
    talk = talking(gap_s=1.0)
    talk.says("Hello. [Next: Bob]")
    talk.tell(Left("Carol"))
    talk.waits()
    assert (talk.speakers[-1], talk.rules[-1]) == ("Bob", "nominated")


def test_whoever_leaves_a_quiet_talk_gives_nobody_the_floor() -> None:
    talk = talking(*ABC_AND_STEVE)
    for _ in ABC:
        talk.answers("")
    talk.tell(Left("Alice"))
    assert talk.talk.speaking is None


def test_the_words_of_one_who_left_while_saying_them_still_name_the_next() -> None:
    talk = talking()
    talk.says("I must go. [Next: Carol]", during=[Left("Alice")])
    assert talk.speakers == ["Alice", "Carol"]


def test_an_owed_answer_goes_with_whoever_owes_it() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.tell(BecameBusy("Carol"))
    talk.says("Hello. [Next: Carol]")
    talk.tell(Left("Carol"))
    talk.tell(Joined(bot("Carol")))
    talk.says("Hm. [Next: Alice]")
    assert talk.speakers == ["Alice", "Bob", "Alice"]


# Pauses.


def test_a_paused_talk_is_silent_and_goes_on_where_it_was() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.says("Hello. [Next: Carol]")
    talk.tell(Paused("Steve"))
    assert talk.last(CancelThinking) == CancelThinking(2, "paused")
    assert (talk.talk.speaking, talk.talk.is_paused) == (None, True)
    talk.tell(TimePassed(), 600_000)
    assert talk.ended is None
    talk.tell(Resumed("Steve"))
    assert (talk.speakers[-1], talk.rules[-1]) == ("Carol", "interrupted")
    assert talk.announced[-2:] == ["Steve paused the group talk.", "Steve resumed the group talk."]


def test_a_turn_that_a_pause_cancelled_comes_before_others_that_wait() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.tell(Spoke("Steve", "Bob, Carol, what do you see?"))
    assert talk.talk.speaking == "Bob"
    talk.tell(Paused("Steve"))
    talk.tell(Resumed("Steve"))
    assert talk.talk.speaking == "Bob"
    assert talk.talk.owed == ("Carol",)


def test_lines_are_numbered_from_one_inside_and_outside_of_turns() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.says("Hello.")
    talk.tell(Spoke("Steve", "Good day."))
    talk.says("It is.")
    assert [line.number for line in talk.talk.lines] == [1, 2, 3]


def test_what_a_person_says_during_a_pause_is_answered_after_it() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.tell(Paused("Steve"))
    talk.tell(Paused("Steve"))
    assert talk.announced.count("Steve paused the group talk.") == 1
    talk.tell(Spoke("Steve", "Bob, later."))
    assert talk.talk.speaking is None
    talk.tell(Resumed("Steve"))
    assert talk.speakers[-1] == "Bob"


def test_a_line_under_way_is_finished_during_a_pause() -> None:
    talk = talking()
    talk.says("Hello. [Next: Carol]", during=[Paused("Bob")])
    assert talk.talk.speaking is None
    talk.tell(Resumed("Bob"))
    assert talk.speakers == ["Alice", "Carol"]


# Again.


def test_the_record_of_a_talk_makes_the_same_talk_again() -> None:
    talk = talking(*ABC_AND_STEVE)
    talk.says("Hello. [Next: Carol]")
    talk.tell(Spoke("Steve", "Bob?"))
    again = GroupTalk.replay(talk.roster, talk.policy, 0, talk.record)
    assert (again.speaking, again.turns, again.lines) == ("Bob", 3, talk.talk.lines)
    assert (again.policy, again.round) == (talk.policy, 2)
    assert again.take(Answered(3, "Yes."), 50)[1:] == talk.tell(Answered(3, "Yes."), 50)[1:]


@pytest.mark.parametrize("during", ["thinking", "saying", "waiting"])
def test_after_a_restart_the_talk_goes_on_from_what_was_lost(during: str) -> None:
    talk = talking(*ABC_AND_STEVE, opening="person" if during == "waiting" else "bot")
    if during == "saying":
        talk.answers("Hello.")
    again = GroupTalk.replay(talk.roster, talk.policy, 0, talk.record)
    lost = {"thinking": AnswerFailed, "saying": Delivered, "waiting": TimePassed}
    assert isinstance(again.restart_event(), lost[during])
    effects = again.take(again.restart_event(), 5000)
    assert isinstance(effects[-1], WakeAt)
    assert again.speaking == (None if during == "waiting" else "Bob")
    if during == "saying":
        assert again.lines[0].hearing == dict.fromkeys(("Bob", "Carol", "Steve"), UNCONFIRMED)


def test_after_a_restart_the_alarm_is_asked_for_again_though_its_time_is_the_same() -> None:
    talk = talking(caps=Caps(time_s=5.0))
    again = GroupTalk.replay(talk.roster, talk.policy, 0, talk.record)
    assert again.take(again.restart_event(), 1000)[-1] == WakeAt(5000)


def test_time_counts_from_when_it_is_started() -> None:
    talk = GroupTalk(ABC, TalkPolicy(answer_within_s=3.0), 0)
    assert talk.start(5000)[-1] == WakeAt(8000)


def test_a_clock_that_goes_back_is_taken_for_one_that_stands() -> None:
    talk = talking(gap_s=1.0)
    talk.tell(TimePassed(), 5000)
    assert talk.talk.take(Answered(1, "Hello."), 10) != []
    assert talk.talk.lines[0].at_ms == 5000
