"""What a rule knows when it answers: who asks, in which language, and the current world."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from re import Match, Pattern
from typing import Any, Literal, TypeAlias

from bots.access.origin import called
from bots.catalogue.counted import told
from bots.catalogue.names import Things
from bots.responder.case.case import SpeakerTools
from bots.text.language import Language
from bots.text.numbers import blocks
from bots.words import Saying, filled, joined, sentence, variants
from bridge.world import WorldSnapshot
from llm.engine.decision import ToolOutcome
from llm.model import ToolCall

NO_THINGS = Things(frozenset())


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a rule may say comes from here, and is true."""

    bot: str
    speaker: str
    language: Language
    world: WorldSnapshot | None
    """The current world; None when the bot cannot sense it right now."""
    rng: random.Random
    about: str = ""
    """One sentence of the bot's persona; '' when it has none."""
    why: str = "no_model"
    """Why no model answers, as in `Decision.why`."""
    tongue: str = ""
    """The language of who asked, where that is a file of phrases and nothing else."""
    is_again: bool = False
    """Whether the speaker was told lately what can be asked."""
    things: Things = NO_THINGS
    """All that the version has; none where that is not known."""
    away: str = ""
    """How long the speaker was away who has just come back: a week; '' where that is no news."""
    said: str = ""
    """The lines that are answered."""

    @property
    def speaks(self) -> str:
        """The language in which the speaker is answered."""
        return self.tongue or self.language

    @property
    def called(self) -> str:
        """The speaker's name as one says it to them."""
        return called(self.speaker)

    def tell(self, meaning: str, **slots: object) -> str:
        """What is said of this id of `bots/words/`, or a random one of its sentences."""
        if ways := variants(meaning, self.speaks):
            return filled(self.rng.choice(ways), slots)
        return sentence(meaning, self.speaks, **slots)

    def who(self, name: str) -> str:
        """How a sentence to the speaker names somebody."""
        if name == self.speaker:
            return self.tell("who.you")
        return self.tell("who.person", who=called(name))

    def in_blocks(self, distance: float) -> str:
        """A distance as it is said."""
        return self.tell("world.away", n=blocks(distance))

    def say(self, one: Saying | None) -> str:
        """A saying in the speaker's language; '' for none."""
        return told(one, self.speaks) if one else ""

    def say_one_of(self, texts: tuple[str, ...], **slots: str) -> str:
        """A random one of the texts, to the speaker."""
        return filled(self.rng.choice(texts), {"name": self.called, **slots})

    def join(self, sentences: Iterable[str | None]) -> str:
        return joined(sentences, self.speaks)


Answer: TypeAlias = Callable[[Scene, Match[str]], str | None]
"""None = the pattern matched, but it is another question."""
WorldAnswer: TypeAlias = Callable[[Scene, WorldSnapshot, Match[str]], str | None]


@dataclass(frozen=True, slots=True)
class Topic:
    """A kind of question that rules can answer, matched against normalised clauses."""

    name: str
    pattern: Pattern[str]
    answer: Answer
    kind: Literal["fact", "manners"] = "fact"


def plainly(meaning: str) -> Answer:
    """An answer that is a sentence without slots."""
    return lambda scene, _asked: scene.tell(meaning)


def in_world(answer: WorldAnswer) -> Answer:
    """Wraps an answer that needs a snapshot; without one it says so."""

    def see_and_answer(scene: Scene, asked: Match[str]) -> str | None:
        if scene.world is None:
            return scene.tell("world.cannot_sense")
        return answer(scene, scene.world, asked)

    return see_and_answer


async def use_in_time(
    tools: SpeakerTools, name: str, fields: Mapping[str, Any], within_s: float
) -> ToolOutcome:
    """A tool's outcome; one without a result where it may not be used or takes too long."""
    if not tools.permits(name):
        return ToolOutcome("", failed=True)
    try:
        async with asyncio.timeout(within_s):
            return await tools.use(ToolCall("rule", name, dict(fields)))
    except TimeoutError:
        return ToolOutcome("", failed=True)
