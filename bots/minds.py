"""What all bots think with: the model, if there is one, and their personas."""

from __future__ import annotations

import structlog

from bots.answering.answerer import Answerer
from bots.answering.auto_replies import AutoReplies, AutoReply
from bots.answering.mind import Mind
from bots.answering.person_talk import PersonTalk
from bots.answering.persona import PersonaFiles
from bots.bot import Bot
from bots.resident import Commons
from bots.settings import LlmSettings, Settings
from llm.anthropic_model import AnthropicModel
from llm.engine.responder import Responder
from llm.model import ChatModel

log = structlog.get_logger()

PERSONA_FOLDER = "bots"


class Minds:
    """Makes the answerer of each bot. `model` None = answers by rules."""

    def __init__(self, settings: Settings, commons: Commons, model: ChatModel | None) -> None:
        self.model = model
        self.persons = PersonTalk(commons.times.stopwatch)
        self._commons = commons
        self._auto_replies = AutoReplies(
            [AutoReply(fixed.match, fixed.reply) for fixed in settings.chat.auto_replies],
            per_minute=settings.limits.auto_replies_per_minute,
            stopwatch=commons.times.stopwatch,
        )
        self._hearing_range = settings.chat.hearing_range
        self._personas = PersonaFiles(settings.data_dir / PERSONA_FOLDER)
        self._responder = Responder(
            model, model_cut_s=settings.llm.model_cut_s, stopwatch=commons.times.stopwatch
        )

    def answerer(self, bot: Bot) -> Answerer:
        """An answerer that hears this bot; the caller runs it."""
        times = self._commons.times
        answerer = Answerer(
            bot,
            Mind(bot, self._responder, self._personas, times.rng),
            turns=self._commons.turns,
            persons=self.persons,
            auto_replies=self._auto_replies,
            hearing_range=self._hearing_range,
            trace=self._commons.trace,
            stopwatch=times.stopwatch,
            sleep=times.sleep,
            rng=times.rng,
        )
        answerer.listen()
        return answerer

    async def warm(self) -> None:
        """Make the model ready, so that the first person who asks does not wait for that."""
        if self.model is not None:
            await self.model.warm()

    async def aclose(self) -> None:
        await self._responder.aclose()
        if self.model is not None:
            await self.model.aclose()


def model_of(settings: Settings) -> ChatModel | None:
    """The model the settings ask for; None when bots answer by rules."""
    if not settings.model_active:
        log.info("model.off", meaning="bots answer by rules; ANTHROPIC_API_KEY gives them a model")
        return None
    log.info("model.on", model=settings.llm.model, server=settings.llm.base_url or "Anthropic")
    return AnthropicModel(
        settings.llm.model, api_key=_key(settings.llm), base_url=settings.llm.base_url or None
    )


def _key(llm: LlmSettings) -> str | None:
    # The SDK sends both kinds the same way: as a bearer token.
    secret = llm.api_key or llm.auth_token
    return secret.get_secret_value() if secret else None
