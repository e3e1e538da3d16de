"""Wires what decides and answers: models, budget, rules, personas, reflection, records."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Container, Mapping
from functools import partial

import structlog

from bots.access.permissions import ranking
from bots.access.visibility import standing
from bots.bot.bot import Bot
from bots.catalogue.handbook import handbook_for
from bots.chat.attendance import Begin
from bots.chat.turn_taking import PersonTalk
from bots.clock import steady
from bots.daemon.models import (
    check,
    is_short,
    limits_of,
    models_of,
    newest_models,
    tiers_of,
    with_context,
)
from bots.daemon.shared import SharedServices
from bots.idle.model_words import ModelWords
from bots.owned_tasks import OnEnd, not_told
from bots.responder.asking_back import Confirmations
from bots.responder.case.inbox import EventBuffer, Inbox
from bots.responder.case.persona import PersonaFiles
from bots.responder.command_tools import CommandToolbox
from bots.responder.decide import DecisionMaker
from bots.responder.event_watch import EventWatch
from bots.responder.limits import AutoReplies, AutoReply, BudgetNotice, Clockwork, Limits, LineLimit
from bots.responder.model_health import MORE_CONTEXT, ModelHealth
from bots.responder.prompt.builder import ContextPrompts
from bots.responder.prompt.knowledge import PromptKnowledge
from bots.responder.prompt.learning import Learning
from bots.responder.prompt.summaries import SqliteSummaries
from bots.responder.records.keeper import (
    OLD_FILES,
    PROMPTS_NAME,
    PromptKeeper,
    RecordFile,
    RecordKeeper,
)
from bots.responder.records.record import DecisionRecorder
from bots.responder.reflection.reflections import BotReflection, Pace, Reflections
from bots.responder.reflection.reflector import Reflector
from bots.responder.reflection.thought import SqliteThoughts
from bots.responder.request import DecisionParts
from bots.responder.responder import Responder
from bots.responder.rules.acting import ActingRules
from bots.responder.rules.reciting import Reciting
from bots.settings.settings import Settings
from bots.store.database import Store
from bots.talks.live.thinker import TalkThinker
from bots.talks.live.with_people import of_building
from llm.engine.budget import Budget
from llm.engine.engine import Engine
from llm.engine.tiers import Tier
from llm.model import ChatModel

log = structlog.get_logger()


class Responders:
    """Makes the responder of each bot. `model`, if given, serves every tier."""

    def __init__(
        self,
        settings: Settings,
        shared: SharedServices,
        model: ChatModel | None,
        budget: Budget,
        store: Store,
        on_end: OnEnd = not_told,
    ) -> None:
        """`on_end` hears of each part that fails."""
        times, trace, llm = shared.times, shared.trace, settings.llm
        self._shared, self._llm = shared, llm
        self.budget = budget
        self._handful = settings.talk.max_turns_without_person
        self.persons = PersonTalk(times.stopwatch)
        self._auto_replies = AutoReplies(
            [AutoReply(fixed.match, fixed.reply) for fixed in settings.chat.auto_replies],
            per_minute=settings.limits.auto_replies_per_minute,
            stopwatch=times.stopwatch,
        )
        self.models: Mapping[Tier, ChatModel] = models_of(settings, model)
        """The model of each tier; none where rules decide."""
        self.checked = asyncio.Event()
        """Set once the models were asked whether they answer."""
        file = RecordFile(settings.data_dir, settings.secrets)
        evenly = steady(times.clock(), times.stopwatch)
        self.records = RecordKeeper(trace, file, budget, evenly, on_end)
        prompt_bytes = llm.prompts_mb * 1_000_000
        prompt_file = RecordFile(
            settings.data_dir,
            settings.secrets,
            name=PROMPTS_NAME,
            file_bytes=prompt_bytes // (OLD_FILES + 1),
        )
        self.kept_prompts = PromptKeeper(
            prompt_file, self.records.run, times.clock, on_end, is_on=prompt_bytes > 0
        )
        self.health = ModelHealth(llm, is_on=bool(self.models))
        self.engine = Engine(
            self.models,
            tiers_of(llm),
            budget,
            stopwatch=times.stopwatch,
            sonnet_from=llm.sonnet_threshold,
            opus_from=llm.complexity_threshold,
            prompts=self.kept_prompts,
            heed=self.health.heed,
        )
        self.recorder = DecisionRecorder(trace)
        self._line_limit = LineLimit(
            settings.limits.player_lines_per_minute, shared.permissions.level_of, times.stopwatch
        )
        self.personas = PersonaFiles.of(settings.data_dir)
        self._knowledge = PromptKnowledge(
            shared.cards.of,
            shared.permissions.level_of,
            shared.known_bots,
            times.clock,
            trace,
            self.engine,
            settings.knowledge.prompt_tokens,
        )
        learning = Learning(shared.cards.of, shared.knowledge.of, times.clock)
        reflector = Reflector(
            self.engine,
            self.personas,
            self.recorder,
            shared.permissions.level_of,
            standing(shared.permissions, shared.known_bots),
            times,
            self._knowledge,
            learning,
        )
        pace = Pace(llm.briefing, llm.periodic_rounds, llm.periodic_every_s)
        self._reflections = Reflections(reflector, SqliteThoughts(store), pace)
        self._prompts = ContextPrompts(
            self.engine,
            SqliteSummaries(store),
            shared.permissions.level_of,
            shared.known_bots,
            times,
            self._reflections,
            self._knowledge,
            learning,
            limits_of(llm),
        )
        notice = BudgetNotice(times.stopwatch, budget.caps.period)
        self._parts = DecisionParts(
            self.engine,
            self.personas,
            self._prompts,
            notice,
            self.health,
            times.rng,
            llm.model_cut_s,
            llm.deep_cut_s,
        )
        self._toolboxes: list[CommandToolbox] = []

    def responder(self, bot: Bot, begin_talk: Begin) -> Responder:
        """A responder that hears this bot; the caller runs it. `begin_talk` may begin talks."""
        shared, times = self._shared, self._shared.times
        inbox = Inbox(bot.name, shared.trace, ranking(bot.permissions.level_of))
        buffer = EventBuffer()
        toolbox = CommandToolbox(bot, shared.commands, shared.limit, inbox.report, times.stopwatch)
        self._toolboxes.append(toolbox)
        rules = ActingRules(
            times.rng,
            bot.catalogue,
            bot.snapshot,
            lambda: bot.is_busy,
            bot.agenda,
            shared.cards.of(bot.name).absences,
            Reciting(partial(handbook_for, bot), bot.knowledge.mark_used, bot.known_bots),
            of_building,
        )
        maker = DecisionMaker(bot, self._parts, rules, toolbox)
        bot.services.provide(Confirmations, maker.confirmations)
        responder = Responder(
            bot,
            maker,
            inbox,
            buffer,
            turns=shared.turns,
            persons=self.persons,
            attendance=shared.attendance,
            begin_talk=begin_talk,
            limits=Limits(
                self._line_limit, self._auto_replies, Clockwork(self._handful, times.stopwatch)
            ),
            strangers=shared.strangers,
            recorder=self.recorder,
            trace=shared.trace,
            times=times,
        )
        self._knowledge.begin(bot)
        watch = EventWatch(bot, buffer, toolbox, inbox.report, times.stopwatch)
        bot.events.subscribe(watch.take)
        bot.services.provide(LineLimit, self._line_limit)
        bot.services.provide(ContextPrompts, self._prompts)
        bot.services.provide(BotReflection, self._reflections.begin(bot, inbox.report))
        responder.listen()
        return responder

    def talk_thinker(self, bots: Container[str]) -> TalkThinker:
        """How these bots think in group talks."""
        return TalkThinker(
            self.engine,
            self._parts.personas,
            bots,
            self._parts.rng,
            self._shared.permissions.level_of,
            self._parts.model_cut_s,
            self._prompts,
            limits_of(self._llm),
        )

    def small_talk_words(self) -> ModelWords:
        """How models help bots to make small talk."""
        level_of = self._shared.permissions.level_of
        return ModelWords(self.engine, self.personas, self.recorder, level_of)

    def start(self) -> None:
        """Begin to keep records."""
        self.records.start()
        self.kept_prompts.start()

    async def warm(self) -> None:
        """Prepare the models, so that the first question does not wait for it."""
        for model in self._every_model:
            await model.warm()
        if not self.models:
            return
        checked = await check(self._llm, self.models)
        self.health.found(checked.trouble)
        found = newest_models(self._llm, self.models, checked.listing.newest)
        self.models, tiers = found or (self.models, tiers_of(self._llm))
        self.engine.use(self.models, with_context(tiers, checked.context))
        self.checked.set()
        if self._llm.context is None and is_short(checked.context):
            log.warning("model.context_short", tokens=checked.context, advice=MORE_CONTEXT)

    async def aclose(self) -> None:
        await asyncio.gather(*(toolbox.aclose() for toolbox in self._toolboxes))
        await self._reflections.aclose()
        await self._prompts.aclose()
        await self.engine.aclose()
        await asyncio.gather(*(model.aclose() for model in self._every_model))
        await self.records.aclose()
        await self.kept_prompts.aclose()

    @property
    def _every_model(self) -> Collection[ChatModel]:
        """Each model once: tiers may share one."""
        return {id(model): model for model in self.models.values()}.values()
