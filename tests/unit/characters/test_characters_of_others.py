"""Characters of Mindcraft and of ElizaOS become personas; what instructs a model does not."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.characters.file import MOST_CHARACTERS, Character, CharacterRefused, character_from

WALT: dict[str, Any] = {
    "name": "walt",
    "model": {"api": "ollama", "model": "llama3.2", "url": "http://127.0.0.1:11434"},
    "conversing": (
        "You are a grumpy old lighthouse keeper named $NAME that can talk with players, see, move,"
        " and dig by using commands. You love the sea and never lend your axe. Be very brief."
        " Use commands at once, as '!stop'.\n$SELF_PROMPT You collect shells for Ida.\n"
        "Summarized memory: '$MEMORY'\n$STATS\n$COMMAND_DOCS\nConversation Begin:"
    ),
    "coding": "You write javascript.",
    "modes": {"hunting": False},
    "conversation_examples": [
        [
            {"role": "user", "content": "joe: come here"},
            {"role": "assistant", "content": "Mind the steps. !goToPlayer('joe', 3)"},
            {"role": "system", "content": "Arrived."},
            {"role": "assistant", "content": "!stop"},
        ]
    ],
}
ADA: dict[str, Any] = {
    "name": "Ada",
    "username": "ada_maps",
    "modelProvider": "anthropic",
    "bio": ["{{agentName}} maps caves.", "Ada was born by the sea."],
    "lore": ["Lost a boot in lava."],
    "adjectives": ["curious", "calm"],
    "topics": ["maps", "caves"],
    "style": {"all": ["short sentences"], "chat": ["asks back"], "post": ["hashtags"]},
    "messageExamples": [
        [
            {"user": "{{user1}}", "content": {"text": "Where to?"}},
            {"user": "Ada", "content": {"text": "Down, {{user1}}.", "action": "GO"}},
        ]
    ],
    "postExamples": ["A post."],
    "system": "Obey.",
    "settings": {"secrets": {"KEY": "sk-not-to-be-shown"}},
}


def read(folder: Path, value: object) -> Character:
    path = folder / "character.json"
    path.write_text(json.dumps(value))
    return character_from(str(path), "Alice")


def test_a_profile_of_mindcraft_becomes_a_persona(tmp_path: Path) -> None:
    found = read(tmp_path, WALT)
    assert found.text == (
        "# Alice\nLanguages: English, 日本語\n\n"
        "Alice is a grumpy old lighthouse keeper. You love the sea and never lend your axe. "
        "You collect shells for Ida.\n\n"
        "Sounds like this, in words of the moment:\n- Mind the steps."
    )
    assert found.left_out == (
        *("its instructions to a model", "which model it asks"),
        *("its instructions for writing code", "its modes"),
    )


def test_a_character_of_elizaos_becomes_a_persona(tmp_path: Path) -> None:
    found = read(tmp_path, ADA)
    assert found.text == (
        "# Alice\nLanguages: English, 日本語\n\n"
        "Alice maps caves.\nAlice was born by the sea.\n\n"
        "How Alice speaks:\nshort sentences\nasks back\n\n"
        "Alice is: curious, calm\n\nLost a boot in lava.\n\nSpeaks of: maps, caves\n\n"
        "Sounds like this, in words of the moment:\n- Down, the player."
    )
    assert found.left_out == ("its system prompt", "its settings")


def test_both_forms_of_elizaos_are_read_alike(tmp_path: Path) -> None:
    turns = [
        {"name": "{{name1}}", "content": {"text": "Where to?"}},
        {"name": "Ada", "content": {"text": "Down, {{name1}}."}},
    ]
    newer = {**ADA, "bio": "\n".join(ADA["bio"]), "messageExamples": [{"examples": turns}]}
    assert read(tmp_path, newer) == read(tmp_path, ADA)


def test_what_is_longest_and_least_goes_first_when_it_is_too_long(tmp_path: Path) -> None:
    words = ["word " * 20] * (MOST_CHARACTERS // 100)
    found = read(tmp_path, {**ADA, "topics": ["ores " * 200], "lore": words})
    assert len(found.text) <= MOST_CHARACTERS
    assert found.left_out[-3:] == ("its example lines", "its topics", "its lore")
    assert "How Alice speaks" in found.text
    with pytest.raises(CharacterRefused, match="a bot takes 8,000"):
        read(tmp_path, {**ADA, "bio": words * 2})


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"name": "gpt", "model": "gpt-4o"}, "a profile of Mindcraft that describes nobody"),
        ({**WALT, "conversing": "Use commands.\n$STATS"}, "Mindcraft that describes nobody"),
        ({**WALT, "conversing": 7}, "conversing is no text"),
        ({"name": "Eve", "bio": []}, "a character of ElizaOS that describes nobody"),
        ({"name": "Eve", "bio": [{"text": "x"}]}, "bio is no text"),
        ({"name": "Eve", "bio": "x", "topics": {"a": 1}}, "topics is no text"),
    ],
)
def test_what_describes_nobody_is_refused_in_words(tmp_path: Path, value: object, why: str) -> None:
    with pytest.raises(CharacterRefused, match=why):
        read(tmp_path, value)


def test_a_character_without_a_name_has_that_of_its_file(tmp_path: Path) -> None:
    nameless = {key: value for key, value in WALT.items() if key not in ("name", "model")}
    assert read(tmp_path, nameless).text == read(tmp_path, WALT).text


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["user", "name", "content", "text", "role", "x"]), inner)
    ),
    max_leaves=8,
)


@given(st.sampled_from([WALT, ADA]), st.data())
def test_any_json_in_them_is_a_character_or_a_refusal(
    tmp_path_factory: pytest.TempPathFactory, known: dict[str, Any], data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from(sorted(known)))
    with suppress(CharacterRefused):
        text = read(tmp_path_factory.mktemp("any"), {**known, key: data.draw(_JSON)}).text
        assert text
        assert len(text) <= MOST_CHARACTERS
        assert "sk-not-to-be-shown" not in text
