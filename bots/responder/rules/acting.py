"""Rules that act: clear requests become commands, with the speaker's own level and origin.

    line ─▶ stop ─▶ the answer to an open question ─▶ an order put right ─▶ requests ─▶ commands
                                                                       └─▶ words (plain_words.py)

They never act on another bot's line, and never when unsure.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Protocol

from bots.chat.natural_message import NaturalMessage
from bots.responder.case.case import Case
from bots.responder.case.inbox import EventReport, PendingTurn
from bots.responder.rules import answers as rules
from bots.responder.rules.answers import PlainRules, scene_of
from bots.responder.rules.carrying_out import Work
from bots.responder.rules.dealings import Queue, Speakers, let_be
from bots.responder.rules.phrases import foreign
from bots.responder.rules.plain_words import OfBuilding, PlainWords, is_vague
from bots.responder.rules.putting_right import Corrections
from bots.responder.rules.reading import Reader, seen
from bots.responder.rules.reciting import Reciting
from bots.responder.rules.requests import Reading, Request, Unclear
from bots.responder.rules.requests.amending import amended, chosen, is_never_mind
from bots.responder.rules.requests.ask import ONLY_TELLS
from bots.responder.rules.requests.jobs import SHOWN, asks_to_tell
from bots.responder.rules.requests.read import UNSURE, asks_to_stop
from bots.responder.rules.scene import Scene
from bots.text.language import language_of, normal
from bots.text.spelling import once
from bots.words import saying
from bots.words.heard import with_names
from bots.words.times import told_days
from bridge.catalogue import Catalogue
from bridge.world import WorldSnapshot
from llm.engine.decision import Toolbox, Used

GOING = "navigation goto"
GET = "how do i get {thing}?"


class Absences(Protocol):
    """How long people were away who have come back."""

    def untold_days(self, person: str) -> int: ...
    def told(self, person: str) -> None: ...


class ActingRules:
    """The rules of one bot."""

    def __init__(
        self,
        rng: random.Random,
        catalogue: Callable[[], Awaitable[Catalogue]],
        snapshot: Callable[[], Awaitable[WorldSnapshot]],
        is_busy: Callable[[], bool],
        queue: Queue,
        absences: Absences,
        reciting: Reciting,
        of_building: OfBuilding,
    ) -> None:
        """`is_busy` says whether the bot is at something, or is going to be."""
        self._rng, self._absences, self._speakers = rng, absences, Speakers(queue)
        self._plain = PlainRules(rng)
        self._reader = Reader(catalogue, snapshot, self._speakers)
        self._work = Work(self._reader, self._speakers, queue, is_busy)
        self._corrections = Corrections(self._reader, self._speakers, self._work)
        self._words = PlainWords(self._reader, self._speakers, self._work, reciting, of_building)

    async def decide(self, case: Case, why: str, used: Sequence[Used]) -> str:
        turn = case.turn
        if turn.from_fellow or used or case.toolbox is None:
            return await self._plain.decide(case, why, used)
        others = seen(case.world)
        messages = (
            replace(one, content=_as_read(one.content, case.bot, others)) for one in turn.messages
        )
        turn = replace(turn, messages=deque(messages, turn.messages.maxlen))
        case = replace(case, turn=turn)
        scene = await self._scene(case, why)
        if turn.lines:
            spoken = foreign.is_spoken(scene.tongue)
            self._speakers.of(scene.speaker).tongue = scene.tongue if spoken else ""
        try:
            told = [await self._told_after(case, scene, one) for one in turn.events]
            if turn.lines:
                told.append(await self._answer(case, scene))
        finally:
            self._work.let_queue_go_on(scene.speaker)
        return scene.join(told)

    async def _scene(self, case: Case, why: str) -> Scene:
        scene = scene_of(case, why, self._rng)
        tongue = foreign.tongue_in(case.turn.lines[-1]) if case.turn.lines else None
        days = self._absences.untold_days(scene.speaker)
        return replace(
            scene,
            things=await self._reader.things(),
            tongue=tongue or "",
            away=told_days(days, scene.language) if days else "",
        )

    def forget(self, speaker: str) -> None:
        self._work.forget(speaker)

    async def asks_plainly(self, case: Case) -> bool:
        return asks_to_tell(case.turn.lines) or _acts(await self._reader.read(case))

    async def asks_to_act(self, bot: str, line: NaturalMessage) -> bool:
        if asks_to_tell([line.content]):
            return True
        world = await self._reader.look()
        said = _as_read(line.content, bot)
        reading = await self._reader.read_lines(bot, line.from_, [said], world)
        return _acts(reading) or any(why != UNSURE for why in reading.unclear)

    def asks_to_stop(self, bot: str, line: NaturalMessage) -> bool:
        is_asked = self._speakers.of(line.from_).question is not None
        if is_asked and is_never_mind(line.content):
            return False
        said = _as_read(line.content, bot)
        return asks_to_stop(bot, line.from_, foreign.in_english(said, bot))

    async def stop(self, bot: str, turn: PendingTurn, toolbox: Toolbox) -> str | None:
        language, tongue = language_of(turn.lines[-1:]), foreign.tongue_in(turn.lines[-1]) or ""
        speaker, why = turn.speaker, "stop_asked"
        scene = Scene(bot, speaker, language, None, self._rng, why=why, tongue=tongue)
        return await self._work.stop(scene, toolbox)

    async def _told_after(self, case: Case, scene: Scene, event: EventReport) -> str:
        """What to say of an event, in the language of who asked."""
        tongue = self._speakers.of(scene.speaker).tongue
        return await self._work.after(case, replace(scene, tongue=tongue), event)

    async def _answer(self, case: Case, scene: Scene) -> str:
        if said := await self._by_question(case, scene):
            return said
        if scene.tongue:
            return await self._in_their_tongue(case, scene)
        right = await self._corrections.of(case, scene)
        if isinstance(right, Unclear):
            return self._words.asked_back(case, scene, Reading(asked=right, unclear=(right.why,)))
        return right or await self._anew(case, scene)

    async def _in_their_tongue(self, case: Case, scene: Scene) -> str:
        """The answer in a language that is only a file, or that no file has."""
        if not foreign.is_spoken(scene.tongue):
            return foreign.unspoken(scene)
        line, reading = case.turn.lines[-1], await self._reader.read(case)
        if (result := self._words.reckoned(case, scene, line)) is not None:
            return result
        if reading.requests:
            return await self._work.take_on(case, scene, reading)
        if said := await self._words.by_gist(case, scene):
            return said
        meant = foreign.found(line, case.bot, scene.tongue)
        if all(one.heard for one in meant) and (said := await self._words.by_question(case, scene)):
            return said
        answers = [await self._of_row(case, scene, one) for one in meant if "says" not in one.row]
        said = foreign.said(scene, meant, answers) or await self._words.by_kind(case, scene)
        return said or self._words.not_understood(scene)

    async def _of_row(self, case: Case, scene: Scene, meant: foreign.Meant) -> str:
        """The rules' answer to a row that has none of its own."""
        if meant.row.get("tells") == "nearest":
            near = await self._words.nearest(case, scene, meant.english["thing"])
            return near or await self._words.recited(case, scene, [GET.format(**meant.english)])
        reading = await self._reader.read_lines(
            case.bot, scene.speaker, [meant.sentence], case.world
        )
        if reading.requests:
            why = saying("unclear.do_you_mean", words=meant.heard)
            reading = Reading(asked=Unclear(why, guess=reading.requests), unclear=(why,))
        if reading.unclear:
            return self._words.asked_back(case, scene, reading)
        said = await self._words.recited(case, scene, [meant.sentence])
        return said or rules.answer(scene, [meant.sentence])

    async def _anew(self, case: Case, scene: Scene) -> str:
        reading = await self._reader.read(case)
        if not reading.requests and (planned := await self._words.of_building(case, scene)):
            return planned
        goes_somewhere = [one.command for one in reading.requests] == [GOING]
        if (goes_somewhere or not reading.requests) and (
            said := await self._words.by_phrase(case, scene)
        ):
            return said
        said = await self._by_what_stands_beside(case, scene, reading) or ""
        if not said and not reading.requests and all(map(is_vague, reading.unclear)):
            said = await self._words.by_gist(case, scene) or ""
        if said:
            return said
        if reading.requests:
            said = await self._work.take_on(case, scene, reading)
        elif reading.unclear:
            said = await self._words.unread(case, scene, reading)
        if not said:
            answer = await self._words.answer(case, scene)
            if scene.away and scene.away in answer:
                self._absences.told(scene.speaker)
            return answer
        facts = list(rules.understand(scene, reading.rest).facts.values())
        return scene.join([said, *facts[-1:]])

    async def _by_what_stands_beside(
        self, case: Case, scene: Scene, reading: Reading
    ) -> str | None:
        """What comes of “a sword, a stone one”: other words of a line say which is meant."""
        asked, words = reading.asked, set(normal(case.turn.lines[-1]).split())
        if asked is None or asked.order is None or len(asked.names) < 2:
            return None
        named = [name for name in asked.names if name.partition("_")[0] in words]
        return await self._chosen(case, scene, asked, named) if len(named) == 1 else None

    async def _by_question(self, case: Case, scene: Scene) -> str | None:
        """What comes of a line that answers the open question."""
        own = self._speakers.of(scene.speaker)
        question, line = own.question, case.turn.lines[-1]
        if question is None:
            return None
        asked = question.asked
        choice = chosen(line, case.bot, asked.names, SHOWN, may_agree=bool(asked.guess))
        if choice is None:
            return await self._with_count(case, scene, asked)
        if choice == ():
            return scene.tell("dealt.which_two")
        own.question = None
        if question.is_late(case.turn.since):
            return scene.tell("dealt.too_late")
        if choice == "no":
            return scene.say(let_be(asked, scene.things))
        return await self._chosen(case, scene, asked, choice)

    async def _with_count(self, case: Case, scene: Scene, asked: Unclear) -> str | None:
        """What comes of “no wait, 4” to “Shall I get 3 sticks?”."""
        ask = await self._reader.asking(case.bot, scene.speaker, case.world)
        right = amended(case.turn.lines[-1], case.bot, ask.things)
        if asked.order is None or right is None or not right.count or right.words:
            return None
        made = asked.order.with_(ask, right.count, "")
        self._speakers.of(scene.speaker).question = None
        if isinstance(made, Unclear):
            return self._words.asked_back(case, scene, Reading(asked=made, unclear=(made.why,)))
        return await self._work.take_on(case, scene, Reading(made))

    async def _chosen(
        self, case: Case, scene: Scene, asked: Unclear, choice: Sequence[str]
    ) -> str | None:
        if choice == "yes" or asked.order is None:
            requests: tuple[Request, ...] = asked.guess
        else:
            ask = await self._reader.asking(case.bot, scene.speaker, case.world)
            made = [asked.order.with_(ask, None, name) for name in choice]
            requests = tuple(chain.from_iterable(m for m in made if not isinstance(m, Unclear)))
        return await self._work.take_on(case, scene, Reading(requests)) if requests else None


def _as_read(line: str, bot: str, others: Sequence[str] = ()) -> str:
    """The line with names as they are spelt, `Alice` for アリス, and what is said twice once."""
    return once(with_names(line, (bot, *others)), bot)


def _acts(reading: Reading) -> bool:
    return any(one.command not in ONLY_TELLS for one in reading.requests)
