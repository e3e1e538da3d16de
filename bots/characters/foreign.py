"""Characters of other programs, as cards: profiles of Mindcraft, characters of ElizaOS.

Both mix who somebody is with instructions to a model. What describes is kept, a sentence at a time;
commands, prompts, settings and secrets are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bots.characters.card import Card, NoCard, left_of, text_in

MOST_EXAMPLES = 64
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
    told = _describing(text_in(profile, "conversing"))
    if not told:
        raise NoCard(
            "it is a profile of Mindcraft that describes nobody: its “conversing” is empty, or has"
            " instructions alone"
        )
    left = ("its instructions to a model", *left_of(profile, _OF_MINDCRAFT))
    examples = "\n".join(f"{{{{char}}}}: {line}" for line in _said_in_mindcraft(profile))
    return Card(text_in(profile, "name") or file_name, (told,), examples, "", left)


def _describing(prompt: str) -> str:
    """The sentences of a prompt that tell who somebody is."""
    about = _CAN_PLAY.sub("", prompt.replace("$NAME", "{{char}}"))
    sentences = (found.strip() for found in _SENTENCE.findall(_SLOT.sub("\n", about)))
    kept = [one for one in sentences if re.search(r"\w{2}", one) and not _TO_A_MODEL.search(one)]
    return " ".join(_YOU_ARE.sub(r"{{char}} is \1", one) for one in kept if one[-1] not in ":'\"")


def _said_in_mindcraft(profile: Mapping[str, Any]) -> Iterator[str]:
    talks = profile.get("conversation_examples")
    turns = (turn for talk in _listed(talks) for turn in _listed(talk))
    for turn in turns:
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
    return value[:MOST_EXAMPLES] if isinstance(value, list) else []
