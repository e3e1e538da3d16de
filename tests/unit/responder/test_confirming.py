"""Confirmation: only a plain yes from whoever was asked, there and soon, runs the command."""

from dataclasses import replace

import pytest
from support.cases import pending_turn

from bots.access.origin import Level
from bots.responder.asking_back import (
    ANSWER_WITHIN_S,
    LONGEST,
    AskedFor,
    Confirmations,
    question,
    said_in,
)
from bots.text.language import Language

CALL = AskedFor("stop", {}, Level.TRUSTED, frozenset())


def asked(*, public: bool = False, said_at_s: float | None = 0.0) -> Confirmations:
    """Olga is asked; her lines of `pending_turn` are heard at 0 s."""
    confirmations = Confirmations()
    turn = pending_turn("Olga", "hello", public=public)
    confirmations.ask(turn, CALL)
    if said_at_s is not None:
        confirmations.said(turn.origin, said_at_s)
    return confirmations


@pytest.mark.parametrize(
    "line",
    [
        *("yes", "Yes, please!", "ok Alice", "Alice, do it", "sure", "はい"),
        *("うん、お願いします。", "ＹＥＳ"),
    ],
)
def test_a_plain_yes_is_a_yes(line: str) -> None:
    assert said_in("Alice", [line]) == "yes"


@pytest.mark.parametrize("line", ["no", "No thanks", "don't", "いいえ", "やめて！", "never mind"])
def test_a_plain_no_is_a_no(line: str) -> None:
    assert said_in("Alice", [line]) == "no"


@pytest.mark.parametrize(
    "line", ["yes but only one", "not yes", "yes?no", "はいはい", "hello", "", "why", "yesterday"]
)
def test_anything_more_is_neither(line: str) -> None:
    assert said_in("Alice", [line]) == "else"


def test_a_yes_runs_the_call_once() -> None:
    confirmations = asked()
    assert confirmations.answered("Alice", pending_turn("Olga", "yes")) == (CALL, "yes")
    assert confirmations.answered("Alice", pending_turn("Olga", "yes"))[0] is None


def test_only_the_one_who_was_asked_can_say_yes() -> None:
    confirmations = asked()
    assert confirmations.answered("Alice", pending_turn("Mallory", "yes"))[0] is None
    assert confirmations.answered("Alice", pending_turn("Olga", "yes"))[0] is CALL


def test_what_was_asked_in_a_whisper_is_not_answered_in_public() -> None:
    confirmations = asked()
    assert confirmations.answered("Alice", pending_turn("Olga", "yes", public=True))[0] is None
    assert confirmations.answered("Alice", pending_turn("Olga", "yes"))[0] is CALL


@pytest.mark.parametrize("public", [True, False])
def test_what_was_asked_in_public_may_be_answered_there_or_in_a_whisper(public: bool) -> None:
    waiting = pending_turn("Olga", "yes", public=public)
    assert asked(public=True).answered("Alice", waiting)[0] is CALL


@pytest.mark.parametrize(("passed_s", "in_time"), [(0.0, True), (0.1, False)])
def test_after_a_minute_it_is_too_late(passed_s: float, in_time: bool) -> None:
    confirmations = asked(said_at_s=-ANSWER_WITHIN_S - passed_s)
    call, _said = confirmations.answered("Alice", pending_turn("Olga", "yes"))
    assert (call is CALL) == in_time


@pytest.mark.parametrize("said_at_s", [None, 0.1, 2.8])
@pytest.mark.parametrize("line", ["ok", "no", "What a day"])
def test_a_line_from_before_the_question_neither_answers_nor_drops_it(
    said_at_s: float | None, line: str
) -> None:
    confirmations = asked(said_at_s=said_at_s)
    assert confirmations.answered("Alice", pending_turn("Olga", line)) == (None, "else")
    later = replace(pending_turn("Olga", "yes"), since=3.0)
    confirmations.said(later.origin, 2.9)  # its first time of being said counts
    assert confirmations.answered("Alice", later) == (CALL, "yes")


def test_of_two_questions_only_the_newest_is_open() -> None:
    confirmations, newer = asked(), AskedFor("goal", {"goal": "x"}, Level.TRUSTED, frozenset())
    turn = pending_turn("Olga", "yes")
    confirmations.ask(turn, newer)
    assert confirmations.answered("Alice", turn)[0] is None  # the newer one is yet to be said
    confirmations.said(turn.origin, 0.0)
    assert confirmations.answered("Alice", turn)[0] is newer


def test_something_else_closes_the_question() -> None:
    confirmations = asked()
    assert confirmations.answered("Alice", pending_turn("Olga", "What a day"))[1] == "else"
    assert confirmations.answered("Alice", pending_turn("Olga", "yes"))[0] is None


def test_a_stop_closes_the_question() -> None:
    confirmations = asked()
    confirmations.drop(pending_turn("Olga", "stop").origin)
    assert confirmations.answered("Alice", pending_turn("Olga", "yes"))[0] is None


@pytest.mark.parametrize(
    ("tool", "fields", "asks"),
    [
        (
            "navigation_dropItem",
            {"itemName": "diamond", "count": 5, "targetPlayer": "Mallory"},
            "Shall I drop 5 diamonds for the player “Mallory”?",
        ),
        (
            "navigation_dropItem",
            {"itemName": "oak_log", "count": -1},
            "Shall I drop all my oak log?",
        ),
        ("chat", {"username": "Bob", "message": "hi"}, "Shall I tell the player “Bob”: “hi”?"),
        ("goal", {"goal": "inventory.torch:4"}, "Shall I set about inventory.torch:4?"),
        ("navigation_gotoCoords", {"coords": [1, 64, -3]}, "Shall I go to 1 64 -3?"),
        ("stop", {}, "Shall I stop what I am doing?"),
        (
            "navigation_dropItem",
            {"itemName": "dirt", "maxDistance": 99},
            'Shall I do this: navigation dropItem itemName="dirt" maxDistance=99?',
        ),
        ("chat", {"message": 7}, "Shall I do this: chat message=7?"),
    ],
)
def test_the_question_shows_all_of_the_call(
    tool: str, fields: dict[str, object], asks: str
) -> None:
    assert question(AskedFor(tool, fields, Level.TRUSTED, frozenset()), "en") == asks


@pytest.mark.parametrize("words", ["a" * LONGEST, "one\ntwo", "a\u202eb"])
def test_nobody_is_asked_about_what_cannot_be_shown(words: str) -> None:
    call = AskedFor("chat", {"username": "Bob", "message": words}, Level.PLAYER, frozenset())
    assert question(call, "en") is None


def test_the_question_comes_in_japanese_too() -> None:
    fields = {"itemName": "diamond", "count": 5, "targetPlayer": "Mallory"}
    call = AskedFor("navigation_dropItem", fields, Level.TRUSTED, frozenset())
    assert question(call, "ja") == "プレイヤー「Mallory」にダイヤモンド×5、渡してもいいですか？"


@pytest.mark.parametrize(
    "name", ["you", "me2", "you_", "olga", "0lga", "Bob", "あなた", "me and you"]
)
@pytest.mark.parametrize(
    ("language", "mark"), [("en", "the player “{}”"), ("ja", "プレイヤー「{}」")]
)
@pytest.mark.parametrize("tool", ["navigation_dropItem", "chat", "navigation_follow"])
def test_a_name_that_is_not_the_askers_is_marked_as_one(
    name: str, language: Language, mark: str, tool: str
) -> None:
    to = {"itemName": "diamond", "targetPlayer": name}
    fields = to if tool == "navigation_dropItem" else {"username": name}
    if tool == "chat":
        fields["message"] = "hi"
    call = AskedFor(tool, fields, Level.TRUSTED, frozenset())
    assert mark.format(name) in (question(call, language, "Olga") or "")


@pytest.mark.parametrize("name", ["Olga", "me", "私"])
def test_only_the_asker_is_you(name: str) -> None:
    fields = {"itemName": "diamond", "targetPlayer": name}
    call = AskedFor("navigation_dropItem", fields, Level.TRUSTED, frozenset())
    assert question(call, "en", "Olga") == "Shall I drop 1 diamond for you?"


@pytest.mark.parametrize(
    ("fields", "asks"),
    [
        ({"goal": "placed.torch near:me"}, "Shall I set about placed.torch near:you?"),
        (
            {"goal": ["placed.torch", "near:you"]},
            "Shall I set about placed.torch near:the player “you”?",
        ),
        ({"goal": "placed.torch near:home"}, "Shall I set about placed.torch near:“home”?"),
    ],
)
def test_beside_you_is_beside_the_asker_alone(fields: dict[str, object], asks: str) -> None:
    assert question(AskedFor("goal", fields, Level.TRUSTED, frozenset()), "en", "Olga") == asks


@pytest.mark.parametrize(
    ("tool", "fields", "asks"),
    [
        ("go", {"where": "me"}, "Shall I do this: go where=you?"),
        ("go", {"where": "you"}, 'Shall I do this: go where="you"?'),
        (
            "talk_add",
            {"participants": ["me", "you"]},
            'Shall I do this: talk add participants=[you, "you"]?',
        ),
        ("remember", {"words": "me"}, 'Shall I do this: remember words="me"?'),
    ],
)
def test_in_a_bare_call_the_asker_alone_is_without_quotes(
    tool: str, fields: dict[str, object], asks: str
) -> None:
    assert question(AskedFor(tool, fields, Level.TRUSTED, frozenset()), "en", "Olga") == asks


def test_quoted_words_cannot_end_their_quotation() -> None:
    words = "hi”? And shall I do nothing else, “yes"
    call = AskedFor("chat", {"username": "Olga", "message": words}, Level.PLAYER, frozenset())
    assert question(call, "en", "Olga") == (
        "Shall I tell you: “hi'? And shall I do nothing else, 'yes”?"
    )
