"""Character cards as the text of a `persona.md`: those of SillyTavern, versions 1 to 3, profiles of
Mindcraft, and characters of ElizaOS.

They hold far more than a bot needs. What describes the character is kept; instructions for a
model, lore books, commands, settings, secrets and notes of the maker are not: a bot has
instructions of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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


def with_name(text: str, old: str, new: str) -> str:
    """The text with a name replaced wherever it stands as a word of its own."""
    word = rf"(?<![A-Za-z0-9_]){re.escape(old)}(?![A-Za-z0-9_])"
    return re.sub(word, lambda _: new, text)


# --- Characters of Mindcraft and of ElizaOS ------------------------------------------------------

MOST_LISTED = 64
"""Lines of examples that are looked at."""

_MINDCRAFT = frozenset({"conversing", "conversation_examples", "saving_memory", "bot_responder"})
_ELIZA = frozenset({"bio", "lore", "messageExamples", "postExamples", "adjectives"})
_CARDS = frozenset({"data", "description", "personality"})

_OF_MINDCRAFT = {
    "model": "which model it asks",
    "coding": "its instructions for writing code",
    "saving_memory": "its instructions for remembering",
    "modes": "its modes",
    "npc": "its goals",
}
_OF_ELIZA = {
    "system": "its system prompt",
    "templates": "its templates",
    "knowledge": "its knowledge",
    "plugins": "its plugins",
    "settings": "its settings",
    "secrets": "its secrets",
}

_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?=\S))+[.!?。！？]*")
_SLOT = re.compile(r"\$[A-Z_]+")
_COMMAND = re.compile(r"!\w+(?:\([^()]*\))?")
_CAN_PLAY = re.compile(
    r",?\s+(?:that|who|and you) can (?:converse|talk|chat)\b[^.!?\n]*\b(?:commands|calls)\b",
    re.IGNORECASE,
)
"""What such a prompt tells every bot of itself."""
_YOU_ARE = re.compile(
    r"^you are ((?:an?|the) [^.!?\n]*?)(?: (?:named|called) \{\{char\}\})?(?=[.,!?\n]|$)",
    re.IGNORECASE,
)
_TO_A_MODEL = re.compile(
    r"!\w|```|\b(?:commands?|tools?|function|code\w*|javascript|respon[ds]\w*|outputs?|prompts?"
    r"|examples?|instructions?|apologi[sz]e|refuse|pretend|breath|important to me|memory"
    r"|conversation|say this|brief|ai)\b",
    re.IGNORECASE,
)


def card_of_another(value: object, file_name: str) -> Card | None:
    """The card that this JSON of another program is; None where it is of none that is known.

    Raises NoCard."""
    if not isinstance(value, dict) or not _CARDS.isdisjoint(value):
        return None
    if not _MINDCRAFT.isdisjoint(value) or {"name", "model"} <= value.keys():
        return _of_mindcraft(value, file_name)
    return None if _ELIZA.isdisjoint(value) else _of_eliza(value, file_name)


def _of_mindcraft(profile: Mapping[str, Any], file_name: str) -> Card:
    # The sentences of a prompt that tell who somebody is.
    about = _CAN_PLAY.sub("", text_in(profile, "conversing").replace("$NAME", "{{char}}"))
    sentences = (found.strip() for found in _SENTENCE.findall(_SLOT.sub("\n", about)))
    kept = [one for one in sentences if re.search(r"\w{2}", one) and not _TO_A_MODEL.search(one)]
    told = " ".join(_YOU_ARE.sub(r"{{char}} is \1", one) for one in kept if one[-1] not in ":'\"")
    if not told:
        raise NoCard(
            "it is a profile of Mindcraft that describes nobody: its “conversing” is empty, or has"
            " instructions alone"
        )
    left = ("its instructions to a model", *left_of(profile, _OF_MINDCRAFT))
    examples = "\n".join(f"{{{{char}}}}: {line}" for line in _said_in_mindcraft(profile))
    return Card(text_in(profile, "name") or file_name, (told,), examples, "", left)


def _said_in_mindcraft(profile: Mapping[str, Any]) -> Iterator[str]:
    talks = _listed(profile.get("conversation_examples"))
    for turn in (turn for talk in talks for turn in _listed(talk)):
        if isinstance(turn, dict) and turn.get("role") == "assistant":
            said = str(turn.get("content") or "").replace("$NAME", "{{char}}")
            yield " ".join(_COMMAND.sub(" ", said).split())


def _of_eliza(character: Mapping[str, Any], file_name: str) -> Card:
    name, bio = text_in(character, "name") or file_name, text_in(character, "bio")
    style = character.get("style")
    manners = [text_in(style, key) for key in ("all", "chat")] if isinstance(style, dict) else []
    lists = {
        "its style": _headed("How {{char}} speaks", "\n".join(filter(None, manners)), "\n"),
        "its adjectives": _headed("{{char}} is", _in_a_row(character, "adjectives"), " "),
        "its lore": text_in(character, "lore"),
        "its topics": _headed("Speaks of", _in_a_row(character, "topics"), " "),
    }
    if not bio and not lists["its lore"]:
        raise NoCard("it is a character of ElizaOS that describes nobody: bio and lore are empty")
    more = {what: text for what, text in lists.items() if text}
    examples = "\n".join(f"{{{{char}}}}: {line}" for line in _said_in_eliza(character, name))
    described = (bio,) if bio else (more.pop("its lore"),)
    return Card(name, described, examples, "", left_of(character, _OF_ELIZA), more)


def _said_in_eliza(character: Mapping[str, Any], name: str) -> Iterator[str]:
    """Its lines of the example talks, which are lists, or objects that hold one."""
    for talk in _listed(character.get("messageExamples")):
        turns = talk.get("examples") if isinstance(talk, dict) else talk
        for turn in _listed(turns):
            if not isinstance(turn, dict) or name not in (turn.get("name"), turn.get("user")):
                continue
            content = turn.get("content")
            said = content.get("text") if isinstance(content, dict) else content
            yield " ".join(str(said or "").split())


def _in_a_row(found: Mapping[str, Any], key: str) -> str:
    return ", ".join(line.strip() for line in text_in(found, key).splitlines() if line.strip())


def _headed(head: str, text: str, between: str) -> str:
    return f"{head}:{between}{text}" if text else ""


def _listed(value: object) -> list[Any]:
    return value[:MOST_LISTED] if isinstance(value, list) else []
