"""The question a model is asked on its turn in a talk, and what of its answer is meant.

The system prompt is made of the bot's own files and the names of our bots alone; everything
anybody said, every player's name and the topic are quoted data in user turns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from bots.access.visibility import EVERYTHING, Visibility
from bots.chat.message import Message
from bots.responder.case.persona import Persona
from bots.responder.case.quoting import MAX_TOKENS, quoted
from bots.responder.case.wording import item_counts
from bots.talks.live.history_view import Aloud, view_of
from bridge.world import WorldSnapshot
from llm.model import Question, Turn

_PLAIN_NAME = re.compile(r"\w{1,16}", re.ASCII)
_SAYS = re.compile(r'"says"\s*:\s*"((?:[^"\\]|\\.)*)')


@dataclass(frozen=True, slots=True)
class Occasion:
    """One turn of a talk, for its speaker."""

    others: tuple[str, ...]
    """Everybody else who takes part."""
    scene: Mapping[str, Any]
    """Shared by all speakers of the round."""
    topic: str = ""
    why: str = ""
    """The rule that chose the speaker."""
    say_goodbye: bool = False
    view: Visibility = EVERYTHING
    """What all who hear the words may know."""
    public_since: int | None = None
    """In a talk in public chat: the number of the speaker's last message before it."""


def question(
    persona: Persona,
    history: Sequence[Message],
    bots: Container[str],
    occasion: Occasion,
    own: WorldSnapshot | None,
    notes: Sequence[str] = (),
) -> Question:
    """What the model is asked; `history` and the look around `own` are the speaker's.

    `notes` are what it noted of lines before that history."""
    since = occasion.public_since
    aloud = None if since is None else Aloud(since, occasion.others)
    view = view_of(history, bots, aloud)
    before = tuple(Turn("user", quoted({"notes": note})) for note in notes)
    now = Turn("user", quoted({"now": _now(occasion, own)}))
    system = system_prompt(persona, [name for name in occasion.others if name in bots])
    return Question(system, (*before, *view, now), MAX_TOKENS, schema=_schema(occasion.others))


def system_prompt(persona: Persona, other_bots: Sequence[str]) -> str:
    """The persona lock first of all."""
    return _template().substitute(
        name=persona.name,
        persona=persona.text,
        memory=persona.memory or "Nothing special yet.",
        other_characters=", ".join(other_bots) or "none",
    )


def answered(text: str) -> tuple[str, str | None]:
    """The words of an answer, tag and all, and whom it nominates where it is JSON.

    Of JSON that was cut off, the words as far as they came."""
    if not text.lstrip().startswith("{"):
        return text, None
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        begun = _SAYS.search(text)
        return (_unescaped(begun[1]) if begun else ""), None
    says, following = answer.get("says"), answer.get("next")
    words = says if isinstance(says, str) else ""
    return words, following if isinstance(following, str) and following else None


def _now(occasion: Occasion, own: WorldSnapshot | None) -> dict[str, Any]:
    now: dict[str, Any] = {"scene": dict(occasion.scene), "others": list(occasion.others)}
    if occasion.topic:
        now["topic"] = occasion.topic
    if own is not None:
        at = own.position.block
        now["you"] = {
            "position": [at.x, at.y, at.z],
            "health": own.health,
            "carrying": dict(item_counts(own)),
        }
    now["your_turn_because"] = occasion.why
    return {**now, "say_goodbye": True} if occasion.say_goodbye else now


def _schema(others: Sequence[str]) -> dict[str, Any]:
    named = [name for name in others if _PLAIN_NAME.fullmatch(name)]
    return {
        "type": "object",
        "properties": {
            "says": {"type": "string"},
            "next": {"type": "string", **({"enum": named} if named else {})},
        },
        "required": ["says", "next"],
        "additionalProperties": False,
    }


def _unescaped(inside: str) -> str:
    """The words of a JSON string that lost its end."""
    try:
        words: str = json.loads(f'"{inside}"')
    except ValueError:  # cut within an escape
        return ""
    return words


@cache
def _template() -> Template:
    return Template((files("llm") / "prompts" / "talk.md").read_text(encoding="utf-8"))
