"""Small talk in a model's words.

It is asked where a person hears the line, and for a part of what talk among bots may cost; the
sentence that the rules found is the draft, and is said instead where there is no other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bots.access.sources import FACTS, LevelOf, Sources
from bots.idle.seen import Seen
from bots.idle.wording import Voice, topic_of
from bots.responder.case.persona import Persona, PersonaFiles
from bots.responder.case.quoting import MAX_TOKENS, files_of, quoted
from bots.responder.limits import among_bots
from bots.responder.records.record import DecisionRecorder, facts_of
from bots.responder.reply import spoken
from llm.engine.decision import Matter, no_words
from llm.engine.engine import Engine
from llm.model import Question, Turn
from llm.prompts import SMALL_TALK

WITHIN_S = 8.0
LEFT_FOR_OTHERS = 0.5
"""Of what talk among bots and analyses may cost: with less room than that, the rules speak."""
LONGEST = 160  # characters
LATELY = 8  # lines that are shown, so that none comes again


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be said, as the rules would say it."""

    voice: Voice
    seen: Seen
    text: str
    sources: Sources
    """Where the words come from that it shows."""
    to: str | None = None
    heard: tuple[str, str] | None = None
    """The fellow's line that it replies to: who, and what."""


class ModelWords:
    """Finds words for all bots of a daemon."""

    def __init__(
        self, engine: Engine, personas: PersonaFiles, recorder: DecisionRecorder, level_of: LevelOf
    ) -> None:
        self._engine, self._personas, self._recorder = engine, personas, recorder
        self._level_of = level_of
        self._lately: deque[str] = deque(maxlen=LATELY)

    def said(self, draft: Draft, text: str) -> None:
        """It was said just now. What not everybody may know is not shown again."""
        if draft.sources == FACTS:
            self._lately.append(text)

    async def instead_of(self, draft: Draft) -> str | None:
        """A model's words; None when it is not to be asked, or has none."""
        bot = draft.voice.name
        payer = among_bots(bot, draft.sources, self._level_of)
        caps = self._engine.budget.caps
        room = self._engine.budget.room(payer)
        if not self._engine.has_model or room < caps.of("background") * LEFT_FOR_OTHERS:
            return None
        asked = question_of(await self._personas.current(bot), draft, list(self._lately))
        decision = await self._engine.decide(Matter("talk", payer, asked, WITHIN_S), no_words)
        if decision.source == "rules":
            return None
        words = spoken(decision.text, bot)
        self._recorder.talked(bot, words, facts_of(decision))
        return words if 0 < len(words) <= LONGEST else None


def question_of(persona: Persona, draft: Draft, lately: Sequence[str]) -> Question:
    system = SMALL_TALK.substitute(files_of(persona))
    happened = {"what": topic_of(draft.seen), **asdict(draft.seen)}
    shown: dict[str, Any] = {"happened": happened, "draft": draft.text}
    if draft.to is not None:
        shown["to"] = draft.to
    if draft.heard is not None:
        shown["heard"] = {"from": draft.heard[0], "says": draft.heard[1]}
    language = "日本語" if draft.voice.language == "ja" else "English"
    return Question(
        system,
        (Turn("user", quoted({**shown, "lately": list(lately), "language": language})),),
        MAX_TOKENS,
    )
