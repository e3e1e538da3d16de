"""What a rule may know when it answers: who asks, in which language, and the world as it is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from re import Match, Pattern
from typing import Literal, TypeAlias

from bots.text.language import Language
from bridge.world import WorldSnapshot


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment of answering. Everything a rule says comes from here and is true."""

    bot: str
    speaker: str
    language: Language
    world: WorldSnapshot | None
    """Fresh; None when the bot cannot sense the world right now."""
    rng: random.Random
    about: str = ""
    """One sentence of the bot's persona; '' when it has none."""
    why: str = "no_model"
    """Why no model answers, as `Reply.why`."""

    def say(self, en: str, ja: str) -> str:
        """The one in the language of the speaker."""
        return ja if self.language == "ja" else en

    def pick(self, en: tuple[str, ...], ja: tuple[str, ...]) -> str:
        """Any of those in the language of the speaker."""
        return self.rng.choice(ja if self.language == "ja" else en)

    def join(self, sentences: Iterable[str]) -> str:
        return ("" if self.language == "ja" else " ").join(sentences)


Answer: TypeAlias = Callable[[Scene, Match[str]], str | None]
"""None: the pattern fitted, but the question is another one."""
WorldAnswer: TypeAlias = Callable[[Scene, WorldSnapshot, Match[str]], str | None]


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing rules can answer, matched clause by clause against normalised text."""

    name: str
    pattern: Pattern[str]
    answer: Answer
    kind: Literal["fact", "manners"] = "fact"


def in_world(answer: WorldAnswer) -> Answer:
    """An answer that needs a snapshot, and says so when there is none."""

    def see_and_answer(scene: Scene, asked: Match[str]) -> str | None:
        if scene.world is None:
            return scene.say(
                "I cannot sense the world right now, so I do not know.",
                "今はまわりの様子がわからないので、答えられません。",
            )
        return answer(scene, scene.world, asked)

    return see_and_answer
