"""The question for a model whose turn it is in a talk, and the reading of its answer.

The system prompt holds the bot's own files and the names of our bots only. Everything anybody
said, players' names and the topic are quoted data in user turns. So does a bot's history look; who
said what cannot be forged:

own words          assistant turns
a person's         {"from":"Steve","says":"…"}
another bot's      (Bob said) "…"  or, in Japanese,  （Bobの発言） "…"
outside of it      {"from":"Steve","says":"…","who":"trusted","when":"2 hours ago"}

Every line of a user turn is one message. Its words, and a person's name, are JSON strings: no
line break, quote or bracket can end them, so nobody can pose as somebody else.

The scene is one look around each round, by the first bot, shared by all speakers.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from string import Template
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from bots.access.sources import FACTS, Sources
from bots.access.visibility import EVERYTHING, Visibility
from bots.bot.locations import Location
from bots.bot.looking import in_time
from bots.catalogue.handbook import Handbook
from bots.chat.message import PUBLIC, Circle, Delivery, Message
from bots.responder.case.persona import Persona
from bots.responder.case.quoting import BY_RULES, MAX_TOKENS, Retelling, files_of, quoted
from bots.responder.case.wording import clock_time, item_counts, part_of_day
from bots.responder.rules.reciting import Recited
from bots.responder.rules.scene import Scene
from bots.text.language import language_of
from bots.text.numbers import blocks
from bridge.foreign_json import NotJson, read_json, read_object
from bridge.world import WorldSnapshot
from llm.model import Question, Turn
from llm.prompts import TALK_PARTS

NOTHING_SEEN_TO: Mapping[int, tuple[str, ...]] = MappingProxyType({})
_UNPLAIN = re.compile(r"[^\w.\-]")
"""Characters that no bot's name has and that could end an annotation."""
LOOK_WITHIN_S = 0.5
BLOCKS_WITHIN = 8  # how far around the first bot, in blocks
MOST_BLOCKS = 6  # kinds of blocks
UNSENSED: dict[str, Any] = {"senses": "nothing right now"}
Look: TypeAlias = Callable[[], Awaitable[WorldSnapshot]]
"""Takes a snapshot by the first bot, with blocks."""
_PLAIN_NAME = re.compile(r"\w{1,16}", re.ASCII)
_ACTS = re.compile(r"\[{1,2}\s*act\s*\]{1,2}", re.IGNORECASE)
_SAYS = re.compile(r'"says"\s*:\s*"((?:[^"\\]|\\.)*)')


def view_of(
    history: Sequence[Message],
    bots: Container[str],
    seen_to: Mapping[int, tuple[str, ...]] = NOTHING_SEEN_TO,
    told: Retelling | None = None,
) -> tuple[Turn, ...]:
    """One bot's lines as turns, oldest first; `bots` are the names of all our bots.

    `seen_to` has the bots that see to a request outside of the talk, by utterance. `told` tells
    the lines of other conversations; None: there are none."""
    turns: list[Turn] = []
    for message in history:
        if message.was_said:
            is_of_talk = told is None or message.circle == told.circle
            line = None if told is None or is_of_talk else told.line_of(message)
            turns.append(_turn(message, bots, seen_to) if line is None else line.turn)
    return tuple(turns)


def _turn(message: Message, bots: Container[str], seen_to: Mapping[int, tuple[str, ...]]) -> Turn:
    said, words = message.utterance, message.text or ""
    if message.role == "assistant":
        if said.asked_by is not None:  # somebody else's words in our mouth
            aim = said.delivery
            to = aim.target if isinstance(aim, Delivery) else "several"
            order = {"from": said.asked_by, "to": to, "had_you_say": words}
            return Turn("user", quoted(order))
        if said.kind == "by_rules":
            return Turn("user", quoted({BY_RULES: words}))
        return Turn("assistant", words)
    if said.speaker in bots:
        name = _UNPLAIN.sub("_", said.speaker)
        head = f"（{name}の発言）" if language_of([words]) == "ja" else f"({name} said)"
        return Turn("user", f"{head} {quoted(words)}")
    line: dict[str, Any] = {"from": said.speaker, "says": words}
    if said.id in seen_to:
        line["seen_to_by"] = list(seen_to[said.id])
    return Turn("user", quoted(line))


class SharedScene:
    """The scene of the current round."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._round: int | None = None
        self._making = asyncio.Lock()
        self._scene: dict[str, Any] = UNSENSED

    async def of_round(self, number: int) -> dict[str, Any]:
        """The scene of this round, made when its first speaker asks."""
        async with self._making:
            if number != self._round:
                world = await in_time(self._look(), LOOK_WITHIN_S)
                self._scene, self._round = (UNSENSED if world is None else scene_of(world)), number
        return self._scene


def scene_of(world: WorldSnapshot) -> dict[str, Any]:
    """Place, time, weather, blocks around and players near, as `world.bot` senses them."""
    at, ticks = world.position.block, world.time_of_day
    return {
        "seen_by": world.bot,
        "place": [at.x, at.y, at.z],
        "dimension": world.dimension,
        "time": f"{part_of_day(ticks, 'en')}, {clock_time(ticks)}",
        "weather": world.weather,
        "around": {seen.name: seen.count for seen in world.blocks[:MOST_BLOCKS]},
        "near": [
            {
                "name": one.name,
                "blocks_away": None if (far := world.distance_to(one)) is None else blocks(far),
            }
            for one in world.players
        ],
    }


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
    handbook: Callable[[], Awaitable[Handbook]] | None = None
    """What the speaker knows of things; None: of none."""
    told: Callable[[Scene, str], Awaitable[Recited]] | None = None
    """What the speaker was told of what a line asks, as far as the view may show it."""
    place: Location | None = None
    """The nearest place with a name that the view may show."""


class Said(NamedTuple):
    """What a model's answer says."""

    words: str
    """With their tag."""
    following: str | None = None
    """From structured output."""
    acts: bool = False
    """The speaker sees to what it was asked to do, outside of the talk."""


@dataclass(frozen=True, slots=True)
class TalkPrompt:
    """Our part of the question for a turn; an experiment may change it."""

    parts: Mapping[str, str] = field(default_factory=lambda: TALK_PARTS)
    """Of the system prompt, by name; '' leaves one out."""
    tells_scene: bool = True
    """Whether it tells place, time and what the speaker carries."""

    @property
    def template(self) -> str:
        return "\n\n".join(filter(None, self.parts.values()))


OURS = TalkPrompt()


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
    prompt: TalkPrompt = OURS,
) -> Question:
    """The question; the lines of `history` and the snapshot `own` are the speaker's.

    `notes` are rows about earlier lines, `thoughts` about what the speaker plans and knows.
    `unanswered` is what people said since the speaker spoke last. `told` tells lines of other
    conversations."""
    view = view_of(history, bots, context.seen_to, told)
    before = (*(Turn("user", note) for note in notes), *view)
    sensed = _now(context, own, tells_scene=prompt.tells_scene)
    lines = [{"from": one.utterance.speaker, "says": one.text or ""} for one in unanswered]
    around = quoted({"now": {**sensed, **({"to_answer": lines} if lines else {})}})
    now = Turn("user", "\n".join([*thoughts, around]))
    system = system_prompt(persona, [name for name in context.others if name in bots], prompt)
    schema = _schema(_following(context), may_act=context.may_act and bool(unanswered))
    return Question(system, (*before, now), MAX_TOKENS, schema=schema, steady=len(before))


def system_prompt(persona: Persona, other_bots: Sequence[str], prompt: TalkPrompt = OURS) -> str:
    """The system prompt; ours begins with the persona lock."""
    others = ", ".join(other_bots) or "none"
    template = Template(prompt.template)  # a `$` that names nothing stays, in others' words
    return template.safe_substitute(files_of(persona), other_characters=others)


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


def _now(context: TurnContext, own: WorldSnapshot | None, *, tells_scene: bool) -> dict[str, Any]:
    now: dict[str, Any] = {"scene": dict(context.scene)} if tells_scene else {}
    now["others"] = list(context.others)
    if context.may_follow not in (None, context.others):
        now["may_speak_next"] = list(_following(context))
    if context.topic:
        now["topic"] = context.topic
    if own is not None and tells_scene:
        at = own.position.block
        now["you"] = {
            "position": [at.x, at.y, at.z],
            "health": own.health,
            "carrying": dict(item_counts(own)),
            **({"doing": context.doing} if context.doing else {}),
        }
    now["your_turn_because"] = context.why
    return {**now, "say_goodbye": True} if context.say_goodbye else now


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
