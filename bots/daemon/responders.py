"""What all bots think with: the models, if there are any, a budget, rules, personas."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Container, Mapping
from dataclasses import replace

from bots.access.visibility import standing
from bots.bot.bot import Bot
from bots.chat.attendance import Begin
from bots.chat.turn_taking import PersonTalk
from bots.clock import Stopwatch
from bots.daemon.models import caps_of, models_of, newest_models, tiers_of
from bots.daemon.shared import SharedServices
from bots.responder.auto_replies import AutoReplies, AutoReply
from bots.responder.budget_notice import CapNotice
from bots.responder.case.events import EventBuffer
from bots.responder.case.persona import PersonaFiles
from bots.responder.decide import DecisionMaker, DecisionParts
from bots.responder.event_watch import Controller
from bots.responder.prompt.builder import ContextPrompts
from bots.responder.prompt.summary_store import KeptSummaries, SqliteSummaries
from bots.responder.records.file import RecordFile
from bots.responder.records.keeper import RecordKeeper
from bots.responder.records.record import TraceRecorder
from bots.responder.reflection.reflections import Reflections
from bots.responder.reflection.schedule import Pace
from bots.responder.reflection.storage import KeptThoughts, MemoryThoughts, SqliteThoughts
from bots.responder.reflection.thinker import Reflector
from bots.responder.responder import Responder
from bots.responder.rules.acting import ActingRules
from bots.responder.rules.plain import PlainRules
from bots.responder.tools.toolbox import CommandToolbox
from bots.settings.llm import LlmSettings
from bots.settings.settings import Settings
from bots.store.database import Store
from bots.store.ledger import SqliteLedger
from bots.talks.live.thinker import TalkThinker
from llm.engine.budget import Budget
from llm.engine.engine import Engine
from llm.engine.tiers import Tier
from llm.model import ChatModel

PERSONA_FOLDER = "bots"


class Responders:
    """Makes the answerer of each bot. `model`, if given, is every tier's."""

    def __init__(
        self,
        settings: Settings,
        shared: SharedServices,
        model: ChatModel | None,
        budget: Budget,
        summaries: KeptSummaries,
        thoughts: KeptThoughts | None = None,
    ) -> None:
        times, trace, llm = shared.times, shared.trace, settings.llm
        self._shared, self._llm = shared, llm
        self._hearing_range = settings.chat.hearing_range
        self.persons = PersonTalk(times.stopwatch)
        self._auto_replies = _auto_replies(settings, times.stopwatch)
        self._models = models_of(settings, model)
        self.engine = _engine(llm, self._models, budget, times.stopwatch)
        self._recorder = TraceRecorder(trace)
        level_of = shared.permissions.level_of
        standing_of = standing(shared.permissions, shared.fellows)
        personas = PersonaFiles(settings.data_dir / PERSONA_FOLDER)
        thinker = Reflector(self.engine, personas, self._recorder, level_of, standing_of, times)
        self._threads = Reflections(thinker, thoughts or MemoryThoughts(), _pace(llm), trace)
        self._prompts = ContextPrompts(
            self.engine, summaries, level_of, times.stopwatch, self._threads
        )
        rules, notice = PlainRules(times.rng), CapNotice(times.clock, budget.caps.period)
        self._parts = DecisionParts(
            self.engine, personas, self._prompts, rules, notice, times.rng, llm.model_cut_s
        )
        file = RecordFile(settings.data_dir, settings.secrets)
        self.records = RecordKeeper(trace, file, budget, times.clock)
        self._controller = Controller(trace, times.stopwatch)
        self._hands: list[CommandToolbox] = []

    @classmethod
    async def open(
        cls, settings: Settings, shared: SharedServices, model: ChatModel | None, store: Store
    ) -> Responders:
        """The minds with what earlier runs spent and summarised."""
        ledger, caps = SqliteLedger(store), caps_of(settings.llm)
        budget = await Budget.load(ledger, caps, shared.times.clock)
        return cls(settings, shared, model, budget, SqliteSummaries(store), SqliteThoughts(store))

    def responder(self, bot: Bot, begin: Begin) -> Responder:
        """A responder that hears this bot; the caller runs it. `begin` may begin talks."""
        times = self._shared.times
        events = EventBuffer()
        hands = CommandToolbox(bot, self._shared.commands, self._shared.limit, times.stopwatch)
        parts = replace(self._parts, rules=ActingRules(times.rng, bot.catalogue, bot.snapshot))
        responder = Responder(
            bot,
            DecisionMaker(bot, parts, hands),
            turns=self._shared.turns,
            persons=self.persons,
            auto_replies=self._auto_replies,
            hearing_range=self._hearing_range,
            trace=self._shared.trace,
            recorder=self._recorder,
            events=events,
            stopwatch=times.stopwatch,
            sleep=times.sleep,
            rng=times.rng,
            attendance=self._shared.attendance,
            begin_talk=begin,
        )
        hands.happened = responder.happened
        self._hands.append(hands)
        self._controller.attend(bot, responder, events, hands)
        self._threads.attend(bot, responder.happened)
        responder.listen()
        return responder

    def talk_thinker(self, bots: Container[str]) -> TalkThinker:
        """How these bots think in talks of several."""
        return TalkThinker(
            self.engine,
            self._parts.personas,
            bots,
            self._parts.rng,
            self._shared.permissions.level_of,
            self._parts.model_cut_s,
            self._prompts,
        )

    async def run(self) -> None:
        """Take what happens to the bots to their minds, until cancelled."""
        self.records.start()
        async with asyncio.TaskGroup() as group:
            group.create_task(self._controller.run(), name="controller")
            group.create_task(self._threads.run(), name="threads")

    async def warm(self) -> None:
        """Make the models ready, so that the first person who asks does not wait for that."""
        for model in self._every_model:
            await model.warm()
        found = await newest_models(self._llm, self._models)
        if found is not None:
            self._models, tiers = found
            self.engine.use(self._models, tiers)

    async def aclose(self) -> None:
        await asyncio.gather(*(hands.aclose() for hands in self._hands))
        await self._threads.aclose()
        await self._prompts.aclose()
        await self.engine.aclose()
        await asyncio.gather(*(model.aclose() for model in self._every_model))
        await self.records.aclose()

    @property
    def _every_model(self) -> Collection[ChatModel]:
        """Each once: tiers may share one."""
        return {id(model): model for model in self._models.values()}.values()


def _engine(
    llm: LlmSettings, models: Mapping[Tier, ChatModel], budget: Budget, stopwatch: Stopwatch
) -> Engine:
    return Engine(
        models,
        tiers_of(llm),
        budget,
        stopwatch=stopwatch,
        sonnet_from=llm.sonnet_threshold,
        opus_from=llm.complexity_threshold,
    )


def _pace(llm: LlmSettings) -> Pace:
    return Pace(llm.briefing, llm.periodic_rounds, llm.periodic_every_s)


def _auto_replies(settings: Settings, stopwatch: Stopwatch) -> AutoReplies:
    return AutoReplies(
        [AutoReply(fixed.match, fixed.reply) for fixed in settings.chat.auto_replies],
        per_minute=settings.limits.auto_replies_per_minute,
        stopwatch=stopwatch,
    )
