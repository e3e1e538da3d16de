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

from bots.catalogue.names import Things
from bots.chat.natural_message import NaturalMessage
from bots.responder.case.case import Case
from bots.responder.case.inbox import PendingTurn
from bots.responder.rules import answers as rules
from bots.responder.rules import dealings
from bots.responder.rules.answers import PlainRules, scene_of
from bots.responder.rules.carrying_out import Work, after_this
from bots.responder.rules.dealings import (
    ANSWER_WITHIN_S,
    Dealings,
    Queue,
    Speakers,
    UnderWay,
    let_be,
)
from bots.responder.rules.phrases import foreign
from bots.responder.rules.plain_words import OfBuilding, PlainWords, is_vague, thing_named
from bots.responder.rules.reading import Reader, seen
from bots.responder.rules.reciting import Reciting
from bots.responder.rules.requests import Reading, Request, Unclear
from bots.responder.rules.requests.amending import Amended, amended, chosen, is_never_mind
from bots.responder.rules.requests.ask import LOTS, ONLY_TELLS, Order, Wish
from bots.responder.rules.requests.jobs import SHOWN, asks_to_tell, give
from bots.responder.rules.requests.read import UNSURE, asks_to_stop
from bots.responder.rules.scene import Scene
from bots.text.language import is_japanese, language_of, normal
from bots.text.spelling import once, written
from bots.words import saying
from bots.words.heard import heard, with_names
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
            own = replace(scene, tongue=self._speakers.of(scene.speaker).tongue)
            told = [await self._work.after(case, own, one) for one in turn.events]
            if turn.lines:
                dealt = self._speakers.of(scene.speaker)
                last, asked, newest = dealt.last, dealt.asked, dealt.newest
                told.append(await self._answer(case, scene))
                ordered = dealt.last is not last or dealt.newest is not newest
                if dealt.asked is asked:
                    dealt.note_named(ordered, scene, thing_named(own, turn.lines[-1]))
                if ordered or dealt.asked is not asked:
                    dealt.leans_until_s = turn.since + ANSWER_WITHIN_S
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

    async def _answer(self, case: Case, scene: Scene) -> str:
        if said := await self._by_question(case, scene):
            return said
        if scene.tongue:
            return await self._in_their_tongue(case, scene)
        right = await self._put_right(case, scene)
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
        answers, left = list[str](), list[foreign.Meant]()
        for one in meant:
            tells, thing = one.row.get("tells", ""), one.english.get("thing", "")
            if told := await self._words.tell(case, scene, tells, thing):
                answers.append(told)
            else:
                left.append(one)
        answers += [await self._of_row(case, scene, one) for one in left if "says" not in one.row]
        said = foreign.said(scene, left, answers) or await self._words.by_kind(case, scene)
        return said or self._words.not_understood(scene)

    async def _of_row(self, case: Case, scene: Scene, meant: foreign.Meant) -> str:
        """The rules' answer to a row that has none of its own."""
        if meant.row.get("tells") == "nearest":
            return await self._words.recited(case, scene, [GET.format(**meant.english)])
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
        if said := await self._by_what_stands_beside(case, scene, reading):
            return said
        goes_somewhere = [one.command for one in reading.requests] == [GOING]
        if (goes_somewhere or not reading.requests) and (
            said := await self._words.by_phrase(case, scene)
        ):
            return said
        is_open = not reading.requests and all(map(is_vague, reading.unclear))
        if is_open and (said := await self._words.by_gist(case, scene)):
            return said
        said = ""
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

    async def _put_right(self, case: Case, scene: Scene) -> str | Unclear | None:
        """What comes of a line that puts an order right, or why that is unclear; None where it is
        none."""
        own, things = self._speakers.of(scene.speaker), await self._reader.things()
        wish = own.order.wish if own.order else own.last
        if wish is None:
            return None
        line = case.turn.lines[-1]
        found = amended(line, case.bot, things, wish.words)
        leans = case.turn.since <= own.leans_until_s and not line.rstrip().endswith(("?", "？"))
        if found is None or (found.is_brief and not leans):
            return None
        if found.is_brief and own.asked is not None:
            return await self._of_asked(case, scene, own.asked[1], found)
        if own.order is None:
            return None
        if found.count is None and not found.words:
            rest = [found.rest]
            reading = await self._reader.read_lines(case.bot, scene.speaker, rest, case.world)
            return (await self._work.begin(case, scene, reading.requests))[0] or None
        _turn_to(own, found.words, things)
        assert own.order is not None, "else there is nothing to put right"
        return await self._amend(case, scene, own, own.order, found)

    async def _of_asked(
        self, case: Case, scene: Scene, thing: str, found: Amended
    ) -> str | Unclear | None:
        """What comes of “just 2”, or of “the stone one”, after a question about a thing."""
        ask = await self._reader.asking(case.bot, scene.speaker, case.world)
        if found.words:
            again = amended(case.turn.lines[-1], case.bot, ask.things, thing)
            found = again or found
        if ask.things.meant(thing) is None or found.count == LOTS:
            return None
        if heard("amend.orders").match(normal(case.turn.lines[-1])):
            return None
        made = give(ask, Wish(found.count or 1, found.words or thing), scene.speaker)
        if isinstance(made, Unclear):
            return made
        return await self._work.take_on(case, scene, Reading(made))

    async def _amend(
        self, case: Case, scene: Scene, own: Dealings, order: Order, found: Amended
    ) -> str | Unclear:
        things, had, now = await self._reader.things(), own.had, own.under_way
        is_same = not found.words or _are_alike(order.wish.words, found.words, things)
        waits = now is not None and any(one.order is order for one in now.then)
        got = dealings.got(order, had, things, case.world) if is_same and not waits else 0
        if own.hands_over and is_same and not waits:
            got = dealings.handed(order, had, things, case.world)
        count = order.wish.count if found.count is None else found.count
        if got >= count > 0:
            return await self._enough(case, scene, own, got)
        ask = await self._reader.asking(case.bot, scene.speaker, case.world)
        made = order.with_(ask, count - got if count > 0 else count, found.words)
        if isinstance(made, Unclear):
            return made
        if now is not None and waits:
            return _amend_waiting(scene, own, now, order, made)
        if now is not None and not _is_for(now.request, order, things):
            return await self._work.take_on(case, scene, Reading(made))
        if now is not None:
            own.forget(now.request)
            own.under_way = None
            made = (*made, *now.anyway)
        said, _ = await self._work.begin(case, scene, made)
        if is_same and own.order is not None:
            own.order, own.had = replace(own.order, wish=Wish(count, own.order.wish.words)), had
        return said

    async def _enough(self, case: Case, scene: Scene, own: Dealings, got: int) -> str:
        """Stop getting more, and go on with what follows."""
        said, now, order = scene.tell("dealt.enough", n=got), own.under_way, own.order
        if now is None or order is None or case.toolbox is None:
            return said
        if not _is_for(now.request, order, await self._reader.things()):
            return said
        own.under_way = None
        await self._work.stop_own(case.toolbox)
        then = (await self._work.begin(case, scene, now.then))[0] if now.then else ""
        return scene.join([said, then])


def _as_read(line: str, bot: str, others: Sequence[str] = ()) -> str:
    """The line with names as they are spelt, `Alice` for アリス, and what is said twice once."""
    said = once(with_names(line, (bot, *others)), bot)
    return written(said) if is_japanese(said) else said


def _acts(reading: Reading) -> bool:
    return any(one.command not in ONLY_TELLS for one in reading.requests)


# --- Orders put right: “no wait, 5 oak logs”, “make that 3”, “birch instead” ---------------------


def _turn_to(own: Dealings, words: str, things: Things) -> None:
    """Let the order that is put right be the one for such a thing, if one is not done yet."""
    now = own.under_way
    if now is None or own.order is None or not words:
        return
    open_ones = [(own.order, own.had), (now.request.order, now.had)]
    open_ones += [(one.order, 0) for one in now.then]
    for order, had in open_ones:
        if order is not None and _are_alike(order.wish.words, words, things):
            own.order, own.had = order, had
            return


def _amend_waiting(
    scene: Scene, own: Dealings, now: UnderWay, order: Order, made: tuple[Request, ...]
) -> str:
    """Put right what waits behind something else."""
    at = next(at for at, one in enumerate(now.then) if one.order is order)
    rest = UnderWay(now.request, now.then[at + 1 :]).anyway
    first, *others = made
    first = replace(first, anyway=True)
    own.under_way = replace(now, then=(*now.then[:at], first, *others, *rest))
    own.forget(now.then[at])
    own.note(first, "waiting")
    own.remember(made)
    return scene.say(after_this(first))


def _is_for(request: Request, order: Order, things: Things) -> bool:
    """Whether a request is for the thing of an order."""
    return request.order is not None and _are_alike(
        request.order.wish.words, order.wish.words, things
    )


def _are_alike(words: str, others: str, things: Things) -> bool:
    """Whether these words name the same thing, `logs` and `oak log`."""
    one, other = things.meant(words), things.meant(others)
    return one is not None and other is not None and bool(set(one.names) & set(other.names))
