"""The question for a model whose turn it is in a talk, and the reading of its answer.

The system prompt holds the bot's own files and the names of our bots only. Everything anybody
said, players' names and the topic are quoted data in user turns.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bots.access.sources import FACTS, Sources
from bots.access.visibility import EVERYTHING, Visibility
from bots.chat.message import PUBLIC, Circle, Message
from bots.responder.case.persona import Persona
from bots.responder.case.quoting import MAX_TOKENS, Retelling, files_of, quoted
from bots.responder.case.wording import item_counts
from bots.talks.live.history_view import view_of
from bridge.foreign_json import NotJson, read_json, read_object
from bridge.world import WorldSnapshot
from llm.model import Question, Turn
from llm.prompts import TALK

_PLAIN_NAME = re.compile(r"\w{1,16}", re.ASCII)
_ACTS = re.compile(r"\[{1,2}\s*act\s*\]{1,2}", re.IGNORECASE)
_SAYS = re.compile(r'"says"\s*:\s*"((?:[^"\\]|\\.)*)')


@dataclass(frozen=True, slots=True)
class TurnContext:
    """What the speaker is told about its turn."""

    others: tuple[str, ...]
    """Everybody else in the talk."""
    scene: Mapping[str, Any]
    """The same for all speakers of a round."""
    topic: str = ""
    why: str = ""
    """The rule that chose the speaker."""
    say_goodbye: bool = False
    view: Visibility = EVERYTHING
    """What all who hear the words may know."""
    circle: Circle = PUBLIC
    """The conversation that the words belong to."""
    topic_sources: Sources = FACTS
    doing: str = ""
    """The speaker's job under way and its progress."""
    seen_to: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Utterances that asked bots to do something, which these see to outside of the talk."""
    may_follow: tuple[str, ...] | None = None
    """Whom the speaker may give the floor; None: any of the others."""
    nicknames: Mapping[str, str] = field(default_factory=dict)
    """Other names of bots in the talk, and whose they are."""
    may_act: bool = False
    """Whether the speaker may leave the floor to do what a person asks."""


class Said(NamedTuple):
    """What a model's answer says."""

    words: str
    """With their tag."""
    following: str | None = None
    """From structured output."""
    acts: bool = False
    """The speaker sees to what it was asked to do, outside of the talk."""


def question(
    persona: Persona,
    history: Sequence[Message],
    bots: Container[str],
    context: TurnContext,
    own: WorldSnapshot | None,
    notes: Sequence[str] = (),
    unanswered: Sequence[Message] = (),
    told: Retelling | None = None,
    thoughts: Sequence[str] = (),
) -> Question:
    """The question; the lines of `history` and the snapshot `own` are the speaker's.

    `notes` are rows about earlier lines, `thoughts` about what the speaker plans and knows.
    `unanswered` is what people said since the speaker spoke last. `told` tells lines of other
    conversations."""
    view = view_of(history, bots, context.seen_to, told)
    before = (*(Turn("user", note) for note in notes), *view)
    around = quoted({"now": {**_now(context, own), **_to_answer(unanswered)}})
    now = Turn("user", "\n".join([*thoughts, around]))
    system = system_prompt(persona, [name for name in context.others if name in bots])
    schema = _schema(_following(context), may_act=context.may_act and bool(unanswered))
    return Question(system, (*before, now), MAX_TOKENS, schema=schema, steady=len(before))


def system_prompt(persona: Persona, other_bots: Sequence[str]) -> str:
    """The system prompt; it begins with the persona lock."""
    others = ", ".join(other_bots) or "none"
    return TALK.substitute(files_of(persona), other_characters=others)


def answered(text: str) -> Said:
    """What an answer says, plain or as JSON. Of JSON that was cut off, the words up to the cut."""
    if not text.lstrip().startswith("{"):
        words = _ACTS.sub("", text)
        return Said(words, None, words != text)
    try:
        answer = read_object(text)
    except NotJson:
        begun = _SAYS.search(text)
        return Said(_unescaped(begun[1]) if begun else "")
    says, following = answer.get("says"), answer.get("next")
    return Said(
        says if isinstance(says, str) else "",
        following if isinstance(following, str) and following else None,
        answer.get("acts") is True,
    )


def _following(context: TurnContext) -> Sequence[str]:
    return context.others if context.may_follow is None else context.may_follow


def _now(context: TurnContext, own: WorldSnapshot | None) -> dict[str, Any]:
    now: dict[str, Any] = {"scene": dict(context.scene), "others": list(context.others)}
    if context.may_follow not in (None, context.others):
        now["may_speak_next"] = list(_following(context))
    if context.topic:
        now["topic"] = context.topic
    if own is not None:
        at = own.position.block
        now["you"] = {
            "position": [at.x, at.y, at.z],
            "health": own.health,
            "carrying": dict(item_counts(own)),
            **({"doing": context.doing} if context.doing else {}),
        }
    now["your_turn_because"] = context.why
    return {**now, "say_goodbye": True} if context.say_goodbye else now


def _to_answer(unanswered: Sequence[Message]) -> dict[str, Any]:
    lines = [{"from": one.utterance.speaker, "says": one.text or ""} for one in unanswered]
    return {"to_answer": lines} if lines else {}


def _schema(following: Sequence[str], *, may_act: bool) -> dict[str, Any]:
    named = [name for name in following if _PLAIN_NAME.fullmatch(name)]
    properties: dict[str, Any] = {"says": {"type": "string"}}
    if following:
        properties["next"] = {"type": "string", **({"enum": named} if named else {})}
    if may_act:
        properties["acts"] = {"type": "boolean"}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _unescaped(inside: str) -> str:
    """A JSON string without its end, decoded."""
    try:
        words: str = read_json(f'"{inside}"')
    except NotJson:  # cut inside an escape
        return ""
    return words
