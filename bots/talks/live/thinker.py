"""Gets a bot's words for its turn in a talk: asks the model, falls back to rules in time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from typing import Protocol

from bots import next_speaker
from bots.access.origin import OPERATOR_NAME, Level, Person
from bots.access.sources import FACTS, LevelOf, Sources, joined, of_name
from bots.access.visibility import Visibility
from bots.bot.looking import in_time
from bots.chat.message import Circle, Message, newest_lines
from bots.responder.case.case import LOOK_WITHIN_S, NOTHING_KNOWN, Known, Moment, Senses
from bots.responder.case.persona import Persona, PersonaFiles
from bots.responder.case.quoting import Retelling, quoted
from bots.responder.limits import among_bots, answering_person
from bots.responder.prompt.summaries import NO_NOTES, Notes
from bots.responder.records.record import facts_of
from bots.responder.reply import spoken
from bots.responder.rules.reciting import Recited
from bots.responder.rules.scene import Scene
from bots.talks.live import rules as by_rules
from bots.talks.live.prompt import OURS, TalkPrompt, TurnContext, answered, question
from bots.talks.live.runner import Answer
from bots.talks.live.start_phrases import called
from bots.talks.live.with_people import Said, Table, to_people
from bots.text.language import Language, language_of
from bridge.world import PlayerName, WorldSnapshot
from llm.engine.budget import Payer
from llm.engine.context import LIMITS, Limits
from llm.engine.decision import Decision, Matter, Used
from llm.engine.engine import RULES_S, Engine
from llm.engine.prices import DOLLAR
from llm.engine.tiers import Work
from llm.model import Question

MOST_UNANSWERED = 3  # lines of people that are held before a speaker's eyes
READ_WITHIN_S = 2.0  # the facts of a version, for the first time
LAST_LINES = 3  # of a talk: what the bot knows is looked for by their words
JAPANESE = ("日本語", "Japanese")


class Memory(Protocol):
    """Summaries of lines that are too old for the prompt; `ContextPrompts` keeps them."""

    async def notes(self, bot: str, view: Visibility, circle: Circle) -> Notes: ...

    def advice(self, bot: str, view: Visibility) -> Sequence[tuple[str, Sources]]:
        """What the bot plans and expects, as far as a view may show it; whence its words come."""

    async def known(self, moment: Moment) -> Known:
        """What the bot knows that matters now and may be shown."""

    def counts(self, bot: str, known: Known, work: str) -> None:
        """Count what a model has decided with; returns at once."""

    def talked(self, bot: str, history: Sequence[Message]) -> None:
        """Summarise what is due of this history; returns at once."""


class NoMemory:
    """Old lines are forgotten, as in simulated talks."""

    async def notes(self, bot: str, view: Visibility, circle: Circle) -> Notes:
        return NO_NOTES

    def advice(self, bot: str, view: Visibility) -> Sequence[tuple[str, Sources]]:
        return ()

    async def known(self, moment: Moment) -> Known:
        return NOTHING_KNOWN

    def counts(self, bot: str, known: Known, work: str) -> None:
        pass

    def talked(self, bot: str, history: Sequence[Message]) -> None:
        pass


class Thinker(Protocol):
    """Thinker for bots in talks; `TalkThinker` does, and programs may bring their own."""

    async def think(self, bot: Senses, context: TurnContext) -> Answer:
        """The bot's next words. An error it raises fails that one turn."""


@dataclass(frozen=True, slots=True)
class TalkThinker:
    """Finds words for all bots in talks; it does not say them."""

    engine: Engine
    personas: PersonaFiles
    bots: Container[str]
    """The names of all known bots."""
    rng: random.Random
    level_of: LevelOf
    """The current level of an origin."""
    model_cut_s: float
    memory: Memory
    limits: Limits = LIMITS
    prompt: TalkPrompt = OURS
    temperature: float | None = None
    max_tokens: int | None = None
    """Ceiling of an answer; None: the usual one."""

    async def think(self, bot: Senses, context: TurnContext) -> Answer:
        """The bot's next words, from its current files and history.

        Raises BridgeError when the bot is in no world, where nobody would hear it."""
        own = await _look(bot)
        persona = await self.personas.current(bot.name)
        history = bot.get_conversation_history()
        seen = [
            one
            for one in history
            if one.was_said and context.view.shows(one.utterance.sources, self.level_of)
        ]
        notes = await self.memory.notes(bot.name, context.view, context.circle)
        most, own_ones = self.limits.most_turns, self.limits.summarise_after
        lines = newest_lines(seen, context.circle, most, own_ones, lambda m: not notes.tell_of(m))
        unanswered = self._unanswered(bot.name, seen, context)
        advice = self.memory.advice(bot.name, context.view)
        known = await self.memory.known(self._moment(bot.name, seen, unanswered, context, own))
        thoughts = [*(quoted({"advice": text}) for text, _ in advice), *known.lines]
        is_live = context.circle.kind == "talk"  # simulated talks have no other conversations
        told = Retelling(context.circle, self.bots, notes.now) if is_live else None
        asked = question(
            persona,
            lines,
            self.bots,
            context,
            own,
            notes.rows,
            unanswered,
            told,
            thoughts,
            self.prompt,
        )
        ceiling = self.max_tokens or asked.max_tokens
        asked = replace(asked, temperature=self.temperature, max_tokens=ceiling)

        ruled, taught = Said(""), FACTS

        async def by_rules(why: str, _used: tuple[Used, ...]) -> str:
            nonlocal ruled, taught
            ruled, taught = await self._by_rules(bot.name, persona, seen, context, own, why)
            return ruled.text

        payer = self._payer(bot.name, seen, context)
        work: Work = "person" if unanswered else "talk"
        matter = Matter(work, payer, asked, self.model_cut_s + RULES_S)
        decision = await self.engine.decide(matter, by_rules)
        self.memory.talked(bot.name, history)
        if decision.source != "rules":
            self.memory.counts(bot.name, known, "talk")
        read = seen if decision.source == "rules" else [*lines, *unanswered]
        said = (message.utterance.sources for message in read)
        noted = (notes.sources, known.sources, *(of for _, of in advice))
        if context.place is not None and decision.source == "rules":
            noted = (*noted, context.place.sources)
        noted = (*noted, taught)
        sources = joined((*noted, *said, context.topic_sources, *self._names(context)))
        answer = replace(_answer(bot.name, asked, decision, sources), offer=ruled.offer)
        acts = ruled.acts if decision.source == "rules" else answered(decision.text).acts
        leaves = acts and context.may_act and unanswered
        return _leaving_floor(answer, unanswered) if leaves else answer

    def _moment(
        self,
        name: str,
        seen: Sequence[Message],
        unanswered: Sequence[Message],
        context: TurnContext,
        own: WorldSnapshot | None,
    ) -> Moment:
        """What the turn is about: what people wait to have answered, and what was said last."""
        of_talk = [one for one in seen if one.circle == context.circle]
        said = dict.fromkeys(one.text or "" for one in (*unanswered, *of_talk[-LAST_LINES:]))
        speaker = unanswered[-1].utterance.speaker if unanswered else ""
        return Moment(name, context.view, " ".join([*said, context.topic]), speaker, own)

    def _payer(self, name: str, history: Sequence[Message], context: TurnContext) -> Payer:
        """The person who spoke last, or among bots alone their own share."""
        said = [message.utterance for message in history]
        people = [u for u in said if u.speaker in context.others and u.speaker not in self.bots]
        if people:
            return answering_person(name, people[-1].sources, self.level_of)
        return among_bots(name, said[-1].sources if said else FACTS, self.level_of)

    def _unanswered(
        self, name: str, seen: Sequence[Message], context: TurnContext
    ) -> list[Message]:
        """What people said to this bot, or to all, since it spoke last; the newest ones."""
        of_talk = (one for one in reversed(seen) if one.circle == context.circle)
        since = takewhile(lambda one: one.utterance.speaker != name, of_talk)
        bots = [name, *(other for other in context.others if other in self.bots)]

        def waits(line: Message) -> bool:
            said = line.utterance
            is_ours = said.speaker in self.bots or said.id in context.seen_to
            is_persons = said.speaker in context.others and not is_ours
            return is_persons and name in (called(line.text or "", bots, context.nicknames) or bots)

        return list(islice(filter(waits, since), MOST_UNANSWERED))[::-1]

    def _names(self, context: TurnContext) -> list[Sources]:
        """Where the names of people come from that the question shows."""
        near = (str(one["name"]) for one in context.scene.get("near", ()))
        people = [name for name in (*context.others, *near) if name not in self.bots]
        persons = (Person(PlayerName(name)) for name in people if name != OPERATOR_NAME)
        return [of_name(person, self.level_of) for person in persons]

    async def _by_rules(
        self,
        name: str,
        persona: Persona,
        history: Sequence[Message],
        context: TurnContext,
        own: WorldSnapshot | None,
        why: str,
    ) -> tuple[Said, Sources]:
        """Its words, and the sources of what it was told and may repeat in them."""
        for_the_talk = [one for one in history if one.utterance.id not in context.seen_to]
        lines = by_rules.Lines(tuple(_said(for_the_talk, {name, *context.others})))
        bots = [other for other in context.others if other in self.bots]
        people = [other for other in context.others if other not in self.bots]
        listening = people or [name, *bots]
        heard = [words for who, words in lines.all if who != name and who in (people or bots)]
        last = next((who for who, _ in reversed(lines.all) if who != name and who in listening), "")
        own_language: Language = "ja" if persona.languages[0] in JAPANESE else "en"
        scene = Scene(
            name,
            last or (context.others[0] if context.others else name),
            language_of(heard) if heard else own_language,
            own,
            self.rng,
            persona.about,
            why,
        )
        topic = context.topic if context.circle.kind == "talk" else None
        newest = next((text for who, text in reversed(lines.all) if who in listening), topic or "")
        told = await context.told(scene, newest) if context.told and newest else Recited()
        if not people:
            words = by_rules.say(
                scene, lines, bots, topic=topic, goodbye=context.say_goodbye, taught=told.text
            )
            return Said(words), told.sources
        table = await self._table(scene, lines, bots, people, persona, context, told.text)
        return to_people(scene, table, goodbye=context.say_goodbye), told.sources

    async def _table(
        self,
        scene: Scene,
        lines: by_rules.Lines,
        bots: Sequence[str],
        people: Sequence[str],
        persona: Persona,
        context: TurnContext,
        taught: str,
    ) -> Table:
        reading = None if context.handbook is None else context.handbook()
        return Table(
            lines.all,
            bots,
            people,
            persona.temperament,
            None if reading is None else await in_time(reading, READ_WITHIN_S),
            "" if context.place is None else context.place.name,
            taught=taught,
            topic=context.topic,
            may_offer=self.level_of(Person(PlayerName(scene.speaker))) >= Level.TRUSTED,
        )


def _leaving_floor(answer: Answer, unanswered: Sequence[Message]) -> Answer:
    """The answer without words: the bot does what the newest of these people asked for."""
    asker = unanswered[-1].utterance.speaker
    asked = tuple(one for one in unanswered if one.utterance.speaker == asker)
    return replace(answer, text="", nominates=None, sees_to=asked)


async def _look(bot: Senses) -> WorldSnapshot | None:
    """What the bot senses; None if the world does not answer in time."""
    try:
        async with asyncio.timeout(LOOK_WITHIN_S):
            return await bot.snapshot()
    except TimeoutError:
        return None


def _said(history: Sequence[Message], speakers: Container[str]) -> list[tuple[str, str]]:
    return [
        (message.utterance.speaker, message.text)
        for message in history[-LIMITS.most_turns :]
        if message.text is not None and message.utterance.speaker in speakers
    ]


def _answer(bot: str, asked: Question, decision: Decision, sources: Sources) -> Answer:
    """The answer in a decision. Its tag is read before the words are shortened."""
    said = answered(decision.text)
    words = spoken(next_speaker.spoken_words(said.words), bot)
    how = facts_of(decision)
    return Answer(
        words,
        said.following or next_speaker.last_tag(said.words),
        decision.usage.prompt + decision.usage.output,
        decision.cost / DOLLAR,
        sources,
        facts={
            "raw": how.pop("text"),  # of which the words said are a part
            **how,
            "model_named": decision.named,
            "prompt": {
                "system": asked.system,
                "turns": [{"role": turn.role, "text": turn.text} for turn in asked.turns],
            },
        },
    )
