"""The prompt: rules from files, everything said as quoted data."""

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import (
    ALICE,
    AT,
    FIRST_WAITING,
    case_of,
    heard,
    pending_turn,
    question_of,
    whispered_by,
)

from bots.chat.message import Delivery, Message, Utterance, with_one
from bots.responder.case.inbox import EventReport
from bots.responder.case.persona import Persona, PersonaFiles
from bots.responder.case.quoting import SENSES, Retelling, character_of, turn_of
from bots.responder.reply import LONGEST, spoken
from llm.prompts import REPLY

NAMES = st.text(min_size=1, max_size=20).filter(lambda name: name != "Alice")


@given(NAMES, st.lists(st.text(max_size=80), min_size=1, max_size=5))
def test_no_text_or_name_of_a_player_reaches_the_system_prompt(name: str, lines: list[str]) -> None:
    history = [heard(name, line, n) for n, line in enumerate(lines, 1)]
    asked = question_of(case_of(history, pending_turn(name, *lines)))
    assert (asked.system, asked.character) == (REPLY, character_of(ALICE))


@given(NAMES, NAMES, st.lists(st.text(max_size=80), min_size=1, max_size=4))
def test_no_line_can_pose_as_another_speaker_or_as_ours(
    earlier: str, name: str, lines: list[str]
) -> None:
    history = [heard(earlier, line, n, public=True) for n, line in enumerate(lines, 1)]
    asked = question_of(case_of(history, pending_turn(name, *lines)))
    said = "\n".join(turn.text for turn in asked.turns).partition(f"\n{SENSES}\n")[0]
    rows = [json.loads(row) for row in said.split("\n")]
    told = [(row["from"], row["says"]) for row in rows if "answer" not in row]
    assert told == [*((earlier, line) for line in lines), *((name, line) for line in lines)]
    assert ["answer" in row for row in rows] == [False] * len(told) + [True]
    assert {turn.role for turn in asked.turns} == {"user"}


def test_hidden_characters_are_shown_as_escapes() -> None:
    asked = question_of(case_of([], pending_turn("Ste\u202eve", "a\u2028b\u200b\ud800")))
    text = asked.turns[-1].text
    assert "\\u202e" in text
    assert "\\u2028" in text
    assert text.encode("utf-8")


def test_own_lines_are_the_assistants_and_unheard_ones_are_left_out() -> None:
    history = [
        heard("Steve", "hi", 1),
        heard("Alice", "Hello Steve", 2, to="Steve"),
        heard("Alice", "nobody heard this", 3, to="Bob", delivered=False),
    ]
    turns = question_of(case_of(history, pending_turn("Steve", "bye"))).turns
    assert [turn.role for turn in turns] == ["user", "assistant", "user"]
    assert turns[1].text == "Hello Steve"


def row_of(message: Message, *, seconds: float = 7_300) -> dict[str, str]:
    """How a line is told so long after, to somebody who asks by whisper."""
    told = Retelling(with_one("Olga"), {"Alice", "Bob"}, AT + timedelta(seconds=seconds))
    line = told.line_of(message)
    assert line is not None
    row: dict[str, str] = json.loads(line.turn.text)
    return row


def test_a_line_tells_who_said_it_what_they_are_and_when() -> None:
    assert row_of(heard("Steve", "hi")) == {
        **{"from": "Steve", "says": "hi", "who": "player", "when": "2 hours ago"}
    }
    assert row_of(heard("Tom", "hi", public=True)) == {
        **{"from": "Tom", "says": "hi", "who": "trusted", "to": "everybody"},
        "when": "2 hours ago",
    }
    assert row_of(heard("Bob", "hi"))["who"] == "bot"


def test_within_the_hour_a_line_is_told_the_same_every_time() -> None:
    """So that the prompt begins as the one before, which a cache still holds."""
    said = heard("Steve", "hi")
    told = [row_of(said, seconds=after) for after in (0, 70, 3_599)]
    assert told == [{"from": "Steve", "says": "hi", "who": "player"}] * 3


def test_own_words_to_others_tell_to_whom() -> None:
    told = row_of(heard("Alice", "Dig here.", to="Bob"))
    assert told == {"you_said": "Dig here.", "to": "Bob", "when": "2 hours ago"}
    assert row_of(heard("Alice", "Hello all.", public=True))["to"] == "everybody"


def test_an_answer_to_the_operator_tells_to_whom() -> None:
    told = heard("Alice", "Iron is at 10 12 30.", to="@operator")
    assert row_of(told)["to"] == "@operator"
    assert told.content == "Iron is at 10 12 30."


@pytest.mark.parametrize("speaker", ["Alice", "talk"])
def test_what_was_noted_but_never_said_is_no_turn(speaker: str) -> None:
    noted = Utterance(1, speaker, "The goal failed", "system_info", AT)
    data = Utterance(2, "Steve", {"a": 1}, "conversation", AT)
    assert [turn_of(Message("Alice", said.id, said, AT)) for said in (noted, data)] == [None, None]


def test_words_somebody_had_the_bot_say_are_quoted_data_and_no_words_of_its_own() -> None:
    aim = Delivery("Steve", 3.0, 15.0, delivered=True)
    sources = whispered_by("Mallory").released_to(frozenset({"Steve"}))
    said = Utterance(1, "Alice", "I obey Mallory", "conversation", AT, aim, "Mallory", sources)
    asked = question_of(case_of([Message("Alice", 1, said, AT)], pending_turn("Steve", "hi")))
    assert [turn.role for turn in asked.turns] == ["user", "user"]
    told = json.loads(asked.turns[0].text)
    assert told.pop("when")
    assert told == {"from": "Mallory", "to": "Steve", "had_you_say": "I obey Mallory"}


def test_waiting_lines_are_asked_once() -> None:
    turn = pending_turn("Steve", "hi")
    history = [heard("Steve", "hi", 1), heard("Steve", "hi", FIRST_WAITING)]
    asked = question_of(case_of(history, turn))
    assert "\n".join(turn.text for turn in asked.turns).count('"says":"hi"') == 2


def test_what_happened_is_quoted_data_too() -> None:
    turn = pending_turn("Steve")
    turn.events.append(EventReport("action_ended", 'Got 3 "logs".', 0.0, about="!skill gather"))
    rows = question_of(case_of([], turn)).turns[-1].text.split("\n")
    event = json.loads(rows[0])
    assert event.pop("when")
    assert event == {"event": 'Got 3 "logs".', "of": "!skill gather"}


def test_the_character_begins_with_who_the_bot_is_and_holds_its_files() -> None:
    top, _, rest = character_of(ALICE).partition("\n\n")
    assert "You are Alice and nobody else" in top
    assert "Alice likes bees." in rest
    assert "m1" in rest


def test_headings_of_a_bots_own_files_stand_below_ours() -> None:
    persona = Persona("Alice", "# Alice\n## Habits\nShe hums #1 hits.", "# Debts\nNone.")
    headings = re.findall(r"^#+ .*$", character_of(persona), re.MULTILINE)
    assert headings == [
        *("# Who you are", "## Alice", "### Habits"),
        *("# What you remember", "## Debts"),
    ]


def test_all_bots_share_the_beginning_of_their_instructions() -> None:
    alice, bob = (
        question_of(replace(case_of([], pending_turn("Steve", "hi")), persona=persona))
        for persona in (ALICE, Persona("Bob", "Bob digs."))
    )
    assert alice.system == bob.system
    assert not {"Alice", "Bob"} & set(re.findall(r"\w+", alice.system))
    assert alice.character != bob.character


def test_a_missing_persona_is_created_and_an_edited_one_is_read_at_once(tmp_path: Path) -> None:
    files = PersonaFiles(tmp_path)
    alice, carol = files.read("Alice"), files.read("Carol")
    assert "gather" in alice.about
    assert carol.about.startswith("Carol")
    (tmp_path / "Alice" / "persona.md").write_text("# Alice\nAlice is a pirate.\n")
    (tmp_path / "Alice" / "core_memory.md").write_text("Steve is a friend.")
    assert files.read("Alice") == Persona(
        "Alice", "# Alice\nAlice is a pirate.", "Steve is a friend."
    )


def test_every_bot_without_a_character_gets_another_one(tmp_path: Path) -> None:
    names = ["Alice", "Bob", "Carol", "Dan", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy"]
    abouts = [PersonaFiles(tmp_path).read(name).about.removeprefix(name) for name in names]
    assert len(set(abouts)) == len(names)
    again = [PersonaFiles(tmp_path).read(name).about.removeprefix(name) for name in names]
    assert again == abouts
    assert PersonaFiles(tmp_path).read("Kim").about.startswith("Kim ")  # all are taken


def test_a_bot_with_a_name_of_the_gallery_is_that_character(tmp_path: Path) -> None:
    otto, other = PersonaFiles(tmp_path).read("Otto"), PersonaFiles(tmp_path).read("Xu")
    assert otto.about.startswith("Otto dug tunnels")
    assert other.about.removeprefix("Xu") != otto.about.removeprefix("Otto")


def test_a_new_character_keeps_the_one_before(tmp_path: Path) -> None:
    files = PersonaFiles(tmp_path)
    before = files.read("Alice").text
    kept = files.replace("Alice", "# Alice\nAlice is a pirate.")
    assert files.read("Alice").about == "Alice is a pirate."
    assert kept is not None
    assert kept.read_text().strip() == before
    assert files.replace("Zoe", "Zoe hums.") is None


async def test_files_that_did_not_change_are_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = PersonaFiles(tmp_path)
    await files.current("Alice")  # creates its file
    first = await files.current("Alice")
    with monkeypatch.context() as unread:
        unread.setattr(PersonaFiles, "read", lambda *args: 1 / 0)
        assert await files.current("Alice") is first
    (tmp_path / "Alice" / "core_memory.md").write_text("Steve is a friend.")
    assert (await files.current("Alice")).memory == "Steve is a friend."
    (tmp_path / "Alice" / "core_memory.md").unlink()
    assert await files.current("Alice") == first


def test_a_persona_that_cannot_be_read_has_a_default(tmp_path: Path) -> None:
    (tmp_path / "Alice").write_text("a file where a folder belongs")
    assert PersonaFiles(tmp_path).read("Alice").about.startswith("Alice likes to gather")


def picture(path: Path) -> None:
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")


@pytest.mark.parametrize("make", [picture, os.mkfifo, Path.mkdir])
def test_what_is_no_text_is_no_persona_and_left_as_it_is(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    (tmp_path / "Alice").mkdir()
    for name in ("persona.md", "core_memory.md"):
        make(tmp_path / "Alice" / name)
    before = [(path.name, path.lstat()) for path in sorted((tmp_path / "Alice").iterdir())]
    found = PersonaFiles(tmp_path).read("Alice")
    assert found.about.startswith("Alice likes to gather")
    assert found.memory == ""
    after = [(path.name, path.lstat()) for path in sorted((tmp_path / "Alice").iterdir())]
    assert [(name, one.st_ino, one.st_mtime) for name, one in after] == [
        (name, one.st_ino, one.st_mtime) for name, one in before
    ]


def test_the_first_language_and_sentence_of_a_persona_are_found() -> None:
    assert (ALICE.languages, ALICE.about) == (("日本語", "English"), "Alice likes bees.")
    assert (Persona("Bob", "").languages, Persona("Bob", "").about) == (("English",), "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Hello there.", "Hello there."),
        ("/op Steve", "op Steve"),
        ("!stop now", "stop now"),
        (" //! /tell x", "tell x"),
        ("Alice: hi", "hi"),
        ("**alice**: hi", "hi"),
        ('"Hi Steve"', "Hi Steve"),
        ("「やあ」", "やあ"),
        ("one\ntwo", "one two"),
        ('{"from":"Alice","says":"hi"}', "hi"),
        ("{not json", "{not json"),
        ("//", ""),
    ],
)
def test_only_words_are_said(text: str, words: str) -> None:
    assert spoken(text, "Alice") == words


@given(st.text(max_size=1000))
def test_what_is_said_is_no_order_and_not_too_long(text: str) -> None:
    words = spoken(text, "Alice")
    assert not words.startswith(("/", "!"))
    assert len(words) <= LONGEST
