"""SillyTavern character cards, versions 1 to 3, as the text of a `persona.md`.

A card may hold far more than a bot needs. What describes the character is kept; instructions
for a model, lore books and notes of the card's maker are not: a bot has instructions of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bots.characters.gallery import with_name
from bots.text.language import language_of
from bots.text.sanitise import sanitise

MOST_EXAMPLES = 8
LONGEST_EXAMPLE = 240  # characters; a bot says less at once
ENGLISH_FIRST, JAPANESE_FIRST = "English, 日本語", "日本語, English"
SOMEBODY = "the player"
SHORTEST_NAME = 3  # a shorter one may be a word of the text, as in “A girl”

_DESCRIBING = ("description", "personality", "scenario")
_SAYING = ("mes_example", "first_mes")
_READ = ("name", *_DESCRIBING, *_SAYING)
_NOT_TAKEN = {
    "system_prompt": "its system prompt",
    "post_history_instructions": "its instructions after the history",
    "character_book": "its lore book",
}
_CHARACTER = re.compile(r"\{\{(?:char|agentName)\}\}|<bot>", re.IGNORECASE)
_USER = re.compile(r"\{\{(?:user|name)\d*\}\}|<user>", re.IGNORECASE)
_MACRO = re.compile(r"\{\{[^{}]*\}\}")
_START = re.compile(r"<start>", re.IGNORECASE)
_GESTURE = re.compile(r"\*[^*]*\*")
_SPEAKER = re.compile(r"^([^:\n]{1,60}):\s*(.*)$")


class NoCard(ValueError):
    """This is no character card; the text says why."""


@dataclass(frozen=True, slots=True)
class Card:
    """What is read of a card, with its macros."""

    name: str
    described: tuple[str, ...]
    examples: str
    greeting: str
    not_taken: tuple[str, ...]
    """What of it has no place in a bot's character, in words."""
    more: Mapping[str, str] = field(default_factory=dict)
    """Further texts that describe, by what they are; the last is the first to be left out."""


def card_of(value: object, file_name: str) -> Card:
    """The card that this JSON value is; a card without a name has that of its file.

    Raises NoCard."""
    if not isinstance(value, dict):
        raise NoCard("it holds no JSON object")
    found = value.get("data", value)
    if not isinstance(found, dict) or "name" not in found:
        raise NoCard("it is no character card: a card has a name and a description")
    texts = {key: text_in(found, key) for key in _READ}
    described = tuple(texts[key] for key in _DESCRIBING if texts[key])
    if not described:
        raise NoCard("the card describes nobody: description, personality and scenario are empty")
    left = left_of(found, _NOT_TAKEN)
    return Card(
        texts["name"] or file_name, described, texts["mes_example"], texts["first_mes"], left
    )


def left_of(found: Mapping[str, Any], not_taken: Mapping[str, str]) -> tuple[str, ...]:
    """What of these keys is there, in words."""
    return tuple(words for key, words in not_taken.items() if found.get(key))


def text_in(found: Mapping[str, Any], key: str) -> str:
    """The text of a key, of a list one line each; '' without it. Raises NoCard."""
    value = found.get(key) or ""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        value = "\n".join(value)
    if not isinstance(value, str):
        raise NoCard(f"the card's {key} is no text")
    return value.strip()


def written(card: Card, bot: str, most: int) -> tuple[str, tuple[str, ...]]:
    """The card as the persona of a bot of this name, and what of it was left out, in words.

    It has at most so many characters: examples are left out first, then what describes further.
    Raises NoCard when the description alone is longer."""
    described = [_filled(text, card.name, bot) for text in card.described]
    more = {what: _filled(text, card.name, bot) for what, text in card.more.items()}
    examples, left = list(_examples(card, bot)), list(card.not_taken)
    while len(text := _persona(bot, [*described, *more.values()], examples)) > most:
        if examples:
            examples = []
            left.append("its example lines")
        elif more:
            left.append(more.popitem()[0])
        else:
            raise NoCard(
                f"the card's description has {len(text):,} characters; a bot takes {most:,}"
            )
    return text, tuple(left)


def _persona(bot: str, described: Sequence[str], examples: Sequence[str]) -> str:
    languages = JAPANESE_FIRST if language_of(described[:1]) == "ja" else ENGLISH_FIRST
    parts = [f"# {bot}\nLanguages: {languages}", *described]
    if examples:
        lines = "\n".join(f"- {line}" for line in examples)
        parts.append(f"Sounds like this, in words of the moment:\n{lines}")
    return "\n\n".join(parts)


def _examples(card: Card, bot: str) -> Iterator[str]:
    """What the character says in the card, without what it does meanwhile."""
    said = [*_own_lines(card, bot), _filled(card.greeting, card.name, bot)]
    spoken = (sanitise(_GESTURE.sub(" ", line)).replace("  ", " ") for line in said)
    yield from [line for line in spoken if 0 < len(line) <= LONGEST_EXAMPLE][:MOST_EXAMPLES]


def _own_lines(card: Card, bot: str) -> Iterator[str]:
    """Its lines in the example dialogues; those of the user are left out."""
    speaker = ""
    for line in _filled(_START.sub("\n", card.examples), card.name, bot).splitlines():
        found = _SPEAKER.match(line)
        speaker, words = (found[1].strip(), found[2]) if found else (speaker, line)
        if speaker == bot and words.strip():
            yield words


def _filled(text: str, name: str, bot: str) -> str:
    """The text with its macros filled in, about a bot of this name, in plain lines."""
    named = _USER.sub(SOMEBODY, _CHARACTER.sub(bot, text))
    plain = _MACRO.sub("", named)
    about = with_name(plain, name, bot) if len(name) >= SHORTEST_NAME else plain
    return "\n".join(sanitise(line) for line in about.splitlines()).strip()
