"""What a bot answers: its model's words or, in time, those of the rules, from a fresh look."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, replace
from typing import Protocol

from bots.answering import chatter, rules
from bots.answering.language import Language, language_of
from bots.answering.persona import Persona, PersonaFiles
from bots.answering.prompt import question
from bots.answering.scene import Scene
from bots.answering.spoken import spoken
from bots.answering.talk import Talk, talk_with
from bots.answering.waiting import Waiting
from bots.conversation.message import Message
from bridge.errors import BridgeError
from bridge.world import BotName, WorldSnapshot
from llm.engine.responder import Reply, Responder

LOOK_WITHIN_S = 0.5


class Senses(Protocol):
    """What a mind needs of its bot."""

    name: BotName

    async def snapshot(self) -> WorldSnapshot: ...

    def get_conversation_history(self) -> list[Message]: ...


@dataclass(frozen=True, slots=True)
class Mind:
    """One bot's answers; it says nothing and does nothing."""

    bot: Senses
    responder: Responder
    personas: PersonaFiles
    rng: random.Random

    async def reply(self, waiting: Waiting, deadline_s: float) -> Reply:
        """The answer to one speaker's lines; its text is '' when silence is the answer.

        The model is cut after `deadline_s` seconds."""
        talk = self._talk(waiting)
        if talk.is_over(self.bot.name, waiting.speaker):
            return Reply("", "rules", "talk_is_over", 0.0)
        persona = await asyncio.to_thread(self.personas.read, self.bot.name)
        world = None if self.responder.model is None else await self._look()
        asked = question(persona, self.bot.get_conversation_history(), waiting, world)

        async def by_rules(why: str) -> str:
            return await self._by_rules(waiting, persona, why)

        reply = await self.responder.answer(asked, by_rules, deadline_s=deadline_s)
        if reply.source == "rules":
            return reply
        words = spoken(reply.text, self.bot.name)
        if words:
            return replace(reply, text=words)
        return replace(reply, text=await by_rules("empty"), source="rules", why="empty")

    async def opener(self, fellow: str) -> str:
        """The line that begins a talk with a fellow bot, by rules."""
        persona = await asyncio.to_thread(self.personas.read, self.bot.name)
        japanese = persona.languages[0] in ("日本語", "Japanese")
        language: Language = "ja" if japanese else "en"
        return chatter.opener(
            Scene(self.bot.name, fellow, language, await self._look(), self.rng, persona.about)
        )

    def last_resort(self, waiting: Waiting) -> Reply:
        """What is said when thinking itself broke: needs nothing, cannot fail."""
        persona = Persona(self.bot.name, "")
        scene = self._scene(waiting, persona, None, "failed")
        return Reply(rules.unsure(scene), "rules", "failed", 0.0)

    async def _by_rules(self, waiting: Waiting, persona: Persona, why: str) -> str:
        scene = self._scene(waiting, persona, await self._look(), why)
        if waiting.from_fellow:
            return chatter.chat(scene, waiting.lines, self._talk(waiting))
        return rules.answer(scene, waiting.lines)

    def _scene(
        self, waiting: Waiting, persona: Persona, world: WorldSnapshot | None, why: str
    ) -> Scene:
        language = language_of(waiting.lines)
        name = self.bot.name
        return Scene(name, waiting.speaker, language, world, self.rng, persona.about, why)

    def _talk(self, waiting: Waiting) -> Talk:
        if not waiting.from_fellow:
            return Talk(())
        return talk_with(self.bot.get_conversation_history(), self.bot.name, waiting.speaker)

    async def _look(self) -> WorldSnapshot | None:
        """What the bot senses now; None when the world does not answer at once."""
        try:
            async with asyncio.timeout(LOOK_WITHIN_S):
                return await self.bot.snapshot()
        except (BridgeError, TimeoutError):
            return None
