"""Rules that act: clear requests become commands, with the speaker's own level and origin.

They never act on another bot's line, and never when unsure. Further requests of a line wait until
the one before has succeeded; a newer request, a stop or a failure drops them.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, dropwhile
from typing import Any, Protocol

from bots.bot.areas import TellsAreas
from bots.bot.episode import Episode
from bots.bot.jobs import Job
from bots.bot.leisure import TellsLeisure
from bots.bot.looking import in_time
from bots.bot.result import Failure, Result, TellsDoing, TellsStopped, message_of
from bots.bot.stage import TellsStage
from bots.catalogue.counted import item
from bots.catalogue.names import Things
from bots.chat.natural_message import NaturalMessage
from bots.responder.case.case import Case
from bots.responder.case.inbox import ANSWERING, EventReport, PendingTurn
from bots.responder.command_tools import ENDING
from bots.responder.rules import answers as rules
from bots.responder.rules import dealings, phrases
from bots.responder.rules.answers import PlainRules, scene_of
from bots.responder.rules.dealings import Dealings, OpenQuestion
from bots.responder.rules.knowing import corrects, tells_of_speaker
from bots.responder.rules.outcomes import (
    danger,
    ended,
    failure,
    left_alone,
    nothing_stopped,
    refusal,
    stopped,
    what_came_of_it,
    what_it_does,
)
from bots.responder.rules.phrases import Phrase, foreign
from bots.responder.rules.phrases.foreign import Meant
from bots.responder.rules.reciting import Reciting
from bots.responder.rules.requests import Ask, Reading, Request, Unclear, Words, read
from bots.responder.rules.requests.amending import Amended, amended, chosen, is_never_mind
from bots.responder.rules.requests.ask import ALL, ONLY_TELLS, Order, Wish
from bots.responder.rules.requests.forms import forms
from bots.responder.rules.requests.jobs import (
    SHOWN,
    asks_to_tell,
    block_of,
    of_carried,
)
from bots.responder.rules.requests.read import STOP, UNSURE, asks_to_stop, takes_back
from bots.responder.rules.scene import Scene
from bots.text.language import Language, language_of
from bots.text.latin import is_foreign
from bots.text.plurals import with_article
from bots.text.spelling import expanded
from bots.words import Saying
from bots.words.times import told_days
from bridge.catalogue import Catalogue
from bridge.world import PlayerName, WorldSnapshot
from llm.engine.decision import Toolbox, ToolOutcome, Used
from llm.model import ToolCall

KNOWN_WITHIN_S = 0.3
BEGUN_WITHIN_S = 0.3  # to learn of a failure at once
ENDED_WITHIN_S = 4.0  # for commands that begin no job; `!stop` waits for the tear-down
HANDING = "navigation dropItem"
NOT_FOLLOWING, NOT_FOUND = "not_following", "not_found"
FOLLOW = "navigation follow"
FOLLOWING = "navigation_follow"
GOING = "navigation goto"
GOAL, GOAL_THEN, GATHER = "goal", "goal then", "skill gather"
LONG = frozenset({GOAL, GATHER, "skill light"})
"""Commands that small things are done in between of, and that wait for one another."""
SHORT = frozenset(
    {
        *("navigation gotoCoords", "navigation moveInDirection", "skill eat", "skill equip"),
        *(HANDING, "skill collectDrops", "skill store"),
    }
)
AREAS = "area list"
_HARMLESS = frozenset(
    {
        *("goal", "status", "stop", "look player", "look direction", "skill eat"),
        *("navigation follow", "navigation stopFollow", "navigation goto"),
        *("navigation gotoCoords", "navigation moveInDirection", HANDING, GATHER),
    }
)
"""Commands that are begun although a word of the request had to be mended."""
MOST_PUT_OFF = 10  # requests that wait behind the one under way
ASK_THEN = Words("Ask me for it then.", "できたら、また声をかけてください。")
CANNOT_KEEP = Words(
    "I cannot keep that in mind until I am done with this; ask me again then.",
    "それは後まで覚えておけません。今のことが終わってから、もう一度言ってください。",
)
GUARD = "skill guard"
ENDS_ALONE: Mapping[str, Container[str]] = {
    "navigation stopFollow": (FOLLOW,),
    "skill stopFight": (GUARD, "skill fight"),
}
"""What a command ends where it does not end everything."""
NO_GUARD = Words("I am on guard no longer.", "見張りをやめます。")
NO_LONGER = Words("I follow no longer.", "ついていくのをやめます。")
_UNKNOWN = re.compile(r"I know no (?:item|place)\b")
LANGUAGES: tuple[Language, ...] = ("en", "ja")
MOST_SPEAKERS = 100  # whose requests are remembered; the oldest are forgotten
NONE = frozenset[str]()  # of the commands
MOST_PARTS = 3  # answers to the parts of a line
TOLD_EVERY = 6  # times nothing was understood, the whole of what can be asked is told


_OPENINGS = frozenset({"what", "why", "how", "who", "where", "when", "you", "i"})
"""Words that are a phrase where nothing follows."""
BESIDE = SHORT - {"navigation gotoCoords", "navigation moveInDirection"}
"""Small things that anything goes on after, a walk behind somebody as well."""


class Queue(Protocol):
    """The goals that wait until the bot has nothing else to do."""

    def wait_for(self, speaker: str) -> None: ...
    def go_on(self, *speakers: str) -> None: ...


class Absences(Protocol):
    """How long people were away who have come back."""

    def untold_days(self, person: str) -> int: ...
    def told(self, person: str) -> None: ...


@dataclass(frozen=True, slots=True)
class _UnderWay:
    """A request under way, and those that follow it."""

    request: Request
    then: tuple[Request, ...]
    had: int = 0
    """How many of what it is for were carried when it began."""

    @property
    def waiting(self) -> tuple[Request, ...]:
        """Orders that wait behind it."""
        return tuple(one for one in self.then if one.anyway)

    @property
    def anyway(self) -> tuple[Request, ...]:
        """Those that follow although this one fails."""
        return tuple(dropwhile(lambda one: not one.anyway, self.then))


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
    ) -> None:
        """`is_busy` says whether the bot is at something, or is going to be."""
        self._rng, self._catalogue, self._snapshot = rng, catalogue, snapshot
        self._is_busy, self._queue, self._absences = is_busy, queue, absences
        self._reciting = reciting
        self._plain = PlainRules(rng)
        self._under_way: dict[str, _UnderWay] = {}
        self._dealings: dict[str, Dealings] = {}
        self._unsure: dict[str, int] = {}

    async def decide(self, case: Case, why: str, used: Sequence[Used]) -> str:
        turn = case.turn
        if turn.from_fellow or used or case.toolbox is None:
            return await self._plain.decide(case, why, used)
        scene = replace(self._scene(case, why), things=await self._things())
        try:
            told = [await self._told_after(case, scene, one) for one in turn.events]
            if turn.lines:
                told.append(await self._answer(case, scene))
        finally:  # the next request of the speaker is under way, if there is one
            self._let_queue_go_on(scene.speaker)
        return scene.join(filter(None, told))

    def _scene(self, case: Case, why: str) -> Scene:
        scene = scene_of(case, why, self._rng)
        days = self._absences.untold_days(scene.speaker)
        return replace(scene, away=told_days(days, scene.language)) if days else scene

    def forget(self, speaker: str) -> None:
        self._under_way.pop(speaker, None)
        self._of(speaker).question = None
        self._queue.go_on(speaker)

    def _of(self, speaker: str) -> Dealings:
        own = self._dealings.pop(speaker, None) or Dealings()
        self._dealings[speaker] = own
        if len(self._dealings) > MOST_SPEAKERS:
            del self._dealings[next(iter(self._dealings))]
        return own

    async def asks_plainly(self, case: Case) -> bool:
        if asks_to_tell(case.turn.lines):
            return True
        return _acts(await self._read(case))

    async def asks_to_act(self, bot: str, line: NaturalMessage) -> bool:
        if asks_to_tell([line.content]):
            return True
        reading = await self._read_lines(bot, line.from_, [line.content], await self._look())
        return _acts(reading) or any(why != UNSURE for why in reading.unclear)

    def asks_to_stop(self, bot: str, line: NaturalMessage) -> bool:
        is_asked = line.from_ in self._dealings and self._of(line.from_).question is not None
        if is_asked and is_never_mind(line.content):
            return False
        return asks_to_stop(bot, line.from_, foreign.in_english(line.content, bot))

    async def stop(self, bot: str, turn: PendingTurn, toolbox: Toolbox) -> str | None:
        language = language_of(turn.lines[-1:])
        scene = Scene(bot, turn.speaker, language, None, self._rng, why="stop_asked")
        self.forget(turn.speaker)
        self._of(turn.speaker).stopped(
            scene.say("I left it when you said stop.", "止められたので、やめました。")
        )
        try:
            async with asyncio.timeout(ENDED_WITHIN_S):
                outcome = await toolbox.use(ToolCall("rule", STOP, {}))
        except TimeoutError:  # the job is still being torn down
            return stopped(scene)
        if _others_go_on(outcome):
            return nothing_stopped(scene, others=True)
        if not _stopped_by(outcome):
            return None
        line = turn.lines[-1]
        tongue = foreign.tongue_in(line) or ""
        meant = foreign.found(line, bot, tongue) if tongue else ()
        return foreign.said(replace(scene, tongue=tongue), meant) if meant else stopped(scene)

    async def _in_their_tongue(self, case: Case, scene: Scene, tongue: str) -> str:
        """The answer in a language that is only a file, or that no file has."""
        line, scene = case.turn.lines[-1], replace(scene, tongue=tongue)
        if foreign.is_spoken(tongue) and (result := phrases.reckoned(line, case.bot)) is not None:
            return scene.tell("chat.sum", sum=result)
        meant, reading = foreign.found(line, case.bot, tongue), await self._read(case)
        if reading.requests:
            own = self._of(scene.speaker)
            own.tongue, own.meant = tongue, meant
            told, went_well = await self._begin(case, scene, reading.requests)
            answers = [told] if all("says" not in one.row for one in meant) else []
            return foreign.said(scene, meant, answers, "" if went_well else told)
        answers = [await self._of_row(case, scene, one) for one in meant if "says" not in one.row]
        asked = any(one.sentence and "says" in one.row for one in meant)
        why = _unclear(case, scene, reading) if asked else ""
        return foreign.said(scene, meant, answers, why)

    async def _of_row(self, case: Case, scene: Scene, meant: Meant) -> str:
        """The rules' answer to a row that has none of its own."""
        if meant.row.get("tells") == "nearest":
            return await self._nearest(case, scene, meant.english["thing"]) or ""
        return rules.answer(scene, [meant.sentence])

    async def _answer(self, case: Case, scene: Scene) -> str:
        if (tongue := foreign.tongue_in(case.turn.lines[-1])) is not None:
            return await self._in_their_tongue(case, scene, tongue)
        self._of(scene.speaker).tongue = ""
        said = await self._by_question(case, scene) or await self._put_right(case, scene)
        return said or await self._answer_anew(case, scene)

    async def _answer_anew(self, case: Case, scene: Scene) -> str:
        reading = await self._read(case)
        goes_somewhere = [one.command for one in reading.requests] == [GOING]
        if (goes_somewhere or not reading.requests) and (
            said := await self._by_phrase(case, scene)
        ):
            return said
        if reading.requests:
            said = await self._take_on(case, scene, reading)
        elif reading.unclear:
            said = await self._unread(case, scene, reading)
        if not said:
            said = await self._recited(case, scene, case.turn.lines)
            return said or await self._answered(case, scene)
        facts = list(rules.understand(scene, reading.rest).facts.values())
        return scene.join([said, *facts[-1:]])

    async def _unread(self, case: Case, scene: Scene, reading: Reading) -> str:
        """What to say to what was not understood, or not in full."""
        asked = reading.asked
        is_question = asked is not None and asked.is_known and bool(asked.names or asked.guess)
        said = None
        if not is_question:
            said = await self._by_parts(case, scene) or await self._by_mending(case, scene)
        return said or self._asked_back(case, scene, reading)

    # --- The question that is open ---------------------------------------------------

    def _asked_back(self, case: Case, scene: Scene, reading: Reading) -> str:
        """Why nothing is done; what is asked may be answered by the next line."""
        said, asked = _unclear(case, scene, reading), reading.asked
        may = case.toolbox is not None and case.toolbox.permits(GOAL)
        if asked is None or not may or not (asked.names or asked.guess):
            return said
        return scene.join([*self._question_dropped(scene), self._ask(case, asked, said)])

    def _ask(self, case: Case, asked: Unclear, said: str) -> str:
        self._of(case.turn.speaker).question = OpenQuestion(asked, case.turn.since)
        return said

    def _question_dropped(self, scene: Scene) -> list[str]:
        """That an open question is dropped, for something new."""
        own = self._of(scene.speaker)
        question, own.question = own.question, None
        return [] if question is None else [scene.say(*dealings.dropped(question.asked))]

    async def _by_question(self, case: Case, scene: Scene) -> str | None:
        """What comes of a line that answers the open question."""
        own = self._of(scene.speaker)
        question, line = own.question, case.turn.lines[-1]
        if question is None:
            return None
        asked = question.asked
        choice = chosen(line, case.bot, asked.names, SHOWN, may_agree=bool(asked.guess))
        if choice is None:
            return None
        if choice == ():
            return scene.say("Which two do you mean?", "どれとどれですか？")
        own.question = None
        if question.is_late(case.turn.since):
            return scene.say(
                "That was more than a minute ago, so I let it be. Ask me again.",
                "1分以上たったので、やめておきました。もう一度頼んでください。",
            )
        if choice == "no":
            return scene.say(*dealings.let_be(asked, await self._things()))
        return await self._chosen(case, scene, asked, choice)

    async def _chosen(
        self, case: Case, scene: Scene, asked: Unclear, choice: Sequence[str]
    ) -> str | None:
        if choice == "yes" or asked.order is None:
            requests: tuple[Request, ...] = asked.guess
        else:
            ask = await self._asking(case.bot, scene.speaker, case.world)
            made = [asked.order.with_(ask, None, name) for name in choice]
            requests = tuple(chain.from_iterable(m for m in made if not isinstance(m, Unclear)))
        return await self._take_on(case, scene, Reading(requests)) if requests else None

    # --- Wishes put right ------------------------------------------------------------

    async def _put_right(self, case: Case, scene: Scene) -> str | None:
        """What comes of “no wait, 5 oak logs”."""
        own, things = self._of(scene.speaker), await self._things()
        if own.order is None:
            return None
        found = amended(case.turn.lines[-1], case.bot, things)
        if found is None:
            return None
        if found.count is None and not found.words:
            reading = await self._read_lines(case.bot, scene.speaker, [found.rest], case.world)
            return (await self._begin(case, scene, reading.requests))[0] or None
        self._turn_to(scene.speaker, found.words, things)
        return await self._amend(case, scene, found)

    def _turn_to(self, speaker: str, words: str, things: Things) -> None:
        """Let the order that is put right be the one for such a thing, if one is not done yet."""
        own, under_way = self._of(speaker), self._under_way.get(speaker)
        if under_way is None or own.order is None or not words:
            return
        open_ones = [(own.order, own.had), (under_way.request.order, under_way.had)]
        open_ones += [(one.order, 0) for one in under_way.then]
        for order, had in open_ones:
            if order is not None and _are_alike(order.wish.words, words, things):
                own.order, own.had = order, had
                return

    async def _amend(self, case: Case, scene: Scene, found: Amended) -> str | None:
        own, things = self._of(scene.speaker), await self._things()
        order, had = own.order, own.had
        assert order is not None, "else there is nothing to put right"
        is_same = not found.words or _are_alike(order.wish.words, found.words, things)
        under_way = self._under_way.get(scene.speaker)
        waits = under_way is not None and any(one.order is order for one in under_way.then)
        got = self._got(case, own, things) if is_same and not waits else 0
        count = order.wish.count if found.count is None else found.count
        if got >= count > 0:
            return await self._enough(case, scene, under_way, got)
        ask = await self._asking(case.bot, scene.speaker, case.world)
        made = order.with_(ask, count - got, found.words)
        if isinstance(made, Unclear):
            return self._asked_back(case, scene, Reading(asked=made, unclear=(made.why,)))
        if under_way is not None and waits:
            return self._amend_waiting(scene, under_way, order, made)
        if under_way is not None and not _is_for(under_way.request, order, things):
            return await self._take_on(case, scene, Reading(made))
        if under_way is not None:
            own.forget(under_way.request)
            self._under_way.pop(scene.speaker)
            made = (*made, *under_way.anyway)
        said, _ = await self._begin(case, scene, made)
        if is_same and own.order is not None:
            own.order, own.had = replace(own.order, wish=Wish(count, own.order.wish.words)), had
        return said

    def _amend_waiting(
        self, scene: Scene, under_way: _UnderWay, order: Order, made: tuple[Request, ...]
    ) -> str:
        """Put right what waits behind something else."""
        then = under_way.then
        at = next(at for at, one in enumerate(then) if one.order is order)
        rest = _UnderWay(under_way.request, then[at + 1 :]).anyway
        first, *others = made
        first = replace(first, anyway=True)
        amended = replace(under_way, then=(*then[:at], first, *others, *rest))
        self._under_way[scene.speaker] = amended
        self._of(scene.speaker).forget(then[at])
        self._of(scene.speaker).note(first, "waiting")
        self._remember(scene.speaker, made)
        return scene.say(*_after_this(first.doing))

    async def _enough(self, case: Case, scene: Scene, under_way: _UnderWay | None, got: int) -> str:
        """Stop getting more, and go on with what follows."""
        said = scene.say(
            f"I have {got} already, so that is enough.", f"もう{got}個あるので十分です。"
        )
        order, things = self._of(scene.speaker).order, await self._things()
        is_at_it = under_way and order and _is_for(under_way.request, order, things)
        if under_way is None or case.toolbox is None or not is_at_it:
            return said
        self._under_way.pop(scene.speaker)
        await self._stop_own(case)
        if under_way.then:
            said = scene.join([said, (await self._begin(case, scene, under_way.then))[0]])
        return said

    async def _stop_own(self, case: Case) -> None:
        assert case.toolbox is not None
        try:
            async with asyncio.timeout(ENDED_WITHIN_S):
                await case.toolbox.use(ToolCall("rule", STOP, {}))
        except TimeoutError:
            pass  # it is still being torn down

    def _got(self, case: Case, own: Dealings, things: Things) -> int:
        """How many of the newest order were got so far."""
        if own.order is None or case.world is None:
            return 0
        return max(0, dealings.carried(dealings.names_of(own.order, things), case.world) - own.had)

    # --- Beside what is under way -----------------------------------------------------

    async def _take_on(self, case: Case, scene: Scene, reading: Reading) -> str:
        """Begin requests at once, in between of what is under way, or behind it; what is left for
        them is told."""
        own, first = self._under_way.get(scene.speaker), reading.requests[0]
        dropped = self._question_dropped(scene) if first.is_lasting else []
        if self._is_for_later(reading):
            said = await self._put_off(case, scene, reading.requests)
        elif own is None or not _is_beside(own.request, first):
            said, _ = await self._begin(case, scene, reading.requests)
        elif _goes_between(own.request, first):
            said = await self._in_between(case, scene, reading.requests, own)
        elif _waits_for(own.request, first):
            said = await self._put_off(case, scene, reading.requests)
        else:
            left = await self._left_for(case, own, first)
            said, went_well = await self._begin(case, scene, reading.requests)
            dropped += [scene.say(*left)] if went_well else []
        return scene.join(filter(None, [*dropped, said]))

    async def _in_between(
        self, case: Case, scene: Scene, requests: tuple[Request, ...], own: _UnderWay
    ) -> str:
        """Do something small, and then go on with what is under way."""
        rest = await self._rest_of(case, own)
        self._under_way.pop(scene.speaker)
        self._of(scene.speaker).forget(own.request)
        return (await self._begin(case, scene, (*requests, *rest)))[0]

    async def _rest_of(self, case: Case, own: _UnderWay) -> tuple[Request, ...]:
        """What is left to do of it, and what follows it."""
        order, things = own.request.order, await self._things()
        what = dealings.named(own.request, things)
        doing = Words(f"I go on with {what.en}.", f"{what.ja}の続きをします。")
        if order is None and not own.request.what.en:
            return (replace(own.request, anyway=True), *own.then)
        if order is None or order.wish.count == ALL:
            return (replace(own.request, doing=doing, anyway=True), *own.then)
        count = order.wish.count - self._gained(case, own, things)
        ask = await self._asking(case.bot, case.turn.speaker, case.world)
        made = order.with_(ask, count, "") if count > 0 else ()
        if isinstance(made, Unclear) or not made:
            return own.then
        first = replace(made[0], doing=doing, order=order, had=own.had, anyway=True)
        return (first, *own.then)

    async def _left_for(self, case: Case, own: _UnderWay, newer: Request) -> Words:
        """That what is under way is left for something newer."""
        things, speaker = await self._things(), case.turn.speaker
        if own.request.command == GUARD:
            return NO_GUARD
        if own.request.command == FOLLOW:
            is_near = newer.towards == own.request.fields["username"]
            return Words("", "") if is_near else NO_LONGER
        words = dealings.left(own.request, own.waiting, self._gained(case, own, things), things)
        why = words.en if language_of(case.turn.lines[-1:]) == "en" else words.ja
        for one in (own.request, *own.waiting):
            self._of(speaker).note(one, "left", why)
        return words

    def _gained(self, case: Case, own: _UnderWay, things: Things) -> int:
        """How many were got since it began."""
        if own.request.order is None:
            return 0
        names = dealings.names_of(own.request.order, things)
        return max(0, dealings.carried(names, case.world) - own.had)

    async def _by_phrase(self, case: Case, scene: Scene) -> str | None:
        """The answer to a line that is a phrase, or a sum."""
        line = case.turn.lines[-1]
        if (result := phrases.reckoned(line, case.bot)) is not None:
            return scene.tell("chat.sum", sum=result)
        if (phrase := phrases.found(line, case.bot)) is not None:
            return await self._of_phrase(case, scene, phrase)
        if phrases.is_call(line, case.bot) and not scene.things.meant(line):
            return scene.say(f"Yes, {scene.called}?", "はい、何でしょう？")
        return None

    async def _of_phrase(
        self, case: Case, scene: Scene, phrase: Phrase, allowed: frozenset[str] | None = None
    ) -> str | None:
        if phrase.says:
            return scene.say_one_of(phrase.says, said=phrase.said, thing=phrase.thing)
        if phrase.tells:
            return await self._told_by_name(case, scene, phrase)
        if phrase.does:
            return None  # the request was read, or is none here
        return await self._plainly(case, scene, phrase.sentence, allowed)

    async def _told_by_name(self, case: Case, scene: Scene, phrase: Phrase) -> str | None:
        own, things = self._of(scene.speaker), await self._things()
        if phrase.tells == "happened":
            return dealings.happened(scene, own.fates, things)
        if phrase.tells == "nearest":
            return await self._nearest(case, scene, phrase.thing)
        fate = own.fate_of(phrase.thing, things)
        if fate is not None:
            return dealings.told(scene, fate, self._got(case, own, things), things)
        return None

    async def _nearest(self, case: Case, scene: Scene, words: str) -> str | None:
        if case.toolbox is None:
            return None
        return await self._reciting.nearest(case.toolbox, scene, words)

    async def _by_mending(self, case: Case, scene: Scene) -> str | None:
        """The answer to a line once its slips of the keyboard are mended."""
        said = await self._with_better_spelling(case, scene)
        if said is not None:
            return said
        line = case.turn.lines[-1]
        better = phrases.mended(line, await self._known_words())
        if (phrase := phrases.found(better or line, case.bot, nearly=True)) is None:
            return await self._offered(case, scene, better or line)
        if phrase.does:
            return await self._plainly(case, scene, phrase.heard)
        return await self._of_phrase(case, scene, phrase, _HARMLESS)

    async def _by_parts(self, case: Case, scene: Scene) -> str | None:
        """The answers to the parts of a line without stops, each understood for itself. What one
        asks for is done only where all of the line is understood and the rest raises no doubt."""
        newest = case.turn.messages[-1]
        line = expanded(newest.content, {name.casefold() for name in _seen(case.world)})
        if line.lstrip().startswith(("!", "/")):
            return None
        ask = await self._asking(case.bot, case.turn.speaker, case.world)
        better = phrases.mended(line, await self._known_words())
        for said, allowed in ((line, None), (better or line, _HARMLESS)):
            understood = phrases.parts(said, lambda part: _is_understood(ask, scene, part))
            if not understood or understood == [said]:
                continue
            is_whole = not newest.relayed and phrases.is_all(said, understood)
            told = dict[object, str | None]()  # what is answered alike once
            for part in understood:
                may_act = is_whole and not takes_back(said.replace(part, " "))
                if (row := _row_of(part, case.bot)) not in told:
                    told[row] = await self._of_part(case, scene, part, allowed if may_act else NONE)
            return scene.join(list(filter(None, told.values()))[-MOST_PARTS:]) or None
        return None

    async def _of_part(
        self, case: Case, scene: Scene, part: str, allowed: frozenset[str] | None
    ) -> str | None:
        if (result := phrases.reckoned(part, case.bot)) is not None:
            return scene.tell("chat.sum", sum=result)
        phrase = phrases.found(part, case.bot)
        if phrase is not None and not phrase.does:
            return await self._of_phrase(case, scene, phrase, allowed)
        if (said := await self._plainly(case, scene, part, allowed)) is not None:
            return said
        if tells_of_speaker([part]):
            return scene.tell("manners.kept")
        return rules.answer(scene, [part]) if rules.is_plain(scene, part) else None

    async def _with_better_spelling(self, case: Case, scene: Scene) -> str | None:
        """What comes of the line in the spelling of a request, if it is nearly one."""
        better = phrases.mended(case.turn.lines[-1], await self._known_words())
        return await self._plainly(case, scene, better, _HARMLESS) if better else None

    async def _offered(self, case: Case, scene: Scene, line: str) -> str | None:
        """What to say to whoever names a thing and nothing else."""
        named = line.strip(" .!?")
        reading = await self._read_lines(case.bot, scene.speaker, [f"make {named}"], case.world)
        if scene.language == "ja" or [one.command for one in reading.requests] != [GOAL]:
            return None
        order = reading.requests[0].order
        said = f"Shall I make {with_article(named)}?"
        asked = Unclear(Words(said, ""), order=order, guess=reading.requests)
        return self._ask(case, asked, said)

    async def _plainly(
        self, case: Case, scene: Scene, line: str, allowed: frozenset[str] | None = None
    ) -> str | None:
        """What comes of a line, if it is understood: a request is begun if it is allowed."""
        reading = await self._read_lines(case.bot, case.turn.speaker, [line], case.world)
        if any(allowed is not None and one.command not in allowed for one in reading.requests):
            return None
        if reading.requests:
            return await self._take_on(case, scene, reading)
        if reading.unclear:
            is_known = all(why != UNSURE and not _UNKNOWN.match(why.en) for why in reading.unclear)
            return self._asked_back(case, scene, reading) if is_known else None
        if (said := await self._recited(case, scene, [line])) is not None:
            return said
        return rules.answer(scene, [line]) if rules.knows(rules.understand(scene, [line])) else None

    async def _answered(self, case: Case, scene: Scene) -> str:
        heard, lines = rules.understand(scene, case.turn.lines), case.turn.lines
        if not rules.knows(heard) and (said := await self._by_parts(case, scene)) is not None:
            return said
        tells = corrects(lines) or (not heard.manners and tells_of_speaker(lines))
        if not heard.facts and tells:
            return scene.tell("manners.kept")
        is_vague = not rules.knows(heard) and (heard.facts or rules.is_unsure(heard))
        if is_vague and (said := await self._by_mending(case, scene)) is not None:
            return said
        is_greeting = not heard.facts and heard.manners.keys() == {"greeting"}
        if is_greeting and (said := await self._with_better_spelling(case, scene)) is not None:
            return said
        if rules.is_unsure(heard) and await self._is_foreign(lines[-1]):
            return foreign.unspoken(scene)
        if rules.is_unsure(heard):
            scene = replace(scene, is_again=self._was_unsure(scene.speaker))
        said = rules.answer(scene, case.turn.lines)
        if scene.away and scene.away in said:
            self._absences.told(scene.speaker)
        return said

    async def _is_foreign(self, line: str) -> bool:
        """Whether it is in a language of Latin letters that is not English, slips mended."""
        if language_of([line]) != "en":
            return False
        known = await self._known_words()
        return is_foreign(phrases.mended(line, known) or line, known)

    def _was_unsure(self, speaker: str) -> bool:
        """Whether this speaker was told lately what can be asked; counts one more time."""
        times = self._unsure.pop(speaker, 0)
        self._unsure[speaker] = times + 1
        if len(self._unsure) > MOST_SPEAKERS:
            del self._unsure[next(iter(self._unsure))]
        return times % TOLD_EVERY > 0

    async def _recited(self, case: Case, scene: Scene, lines: Sequence[str]) -> str | None:
        """The answer from what the bot knows, where a line asks for it."""
        if case.toolbox is None:
            return None
        pending = (line.sequence for line in case.turn.messages)
        return await self._reciting.answer(case.toolbox, scene, lines, pending)

    async def _read(self, case: Case) -> Reading:
        lines = [line.content for line in case.turn.messages if not line.relayed]
        return await self._read_lines(case.bot, case.turn.speaker, lines, case.world)

    async def _read_lines(
        self, bot: str, speaker: str, lines: Sequence[str], world: WorldSnapshot | None
    ) -> Reading:
        said = [foreign.in_english(line, bot) for line in lines]
        return read(await self._asking(bot, speaker, world), said)

    async def _asking(self, bot: str, speaker: str, world: WorldSnapshot | None) -> Ask:
        own = self._dealings.get(speaker)
        return Ask(bot, speaker, await self._things(), world, last=own.last if own else None)

    async def _things(self) -> Things:
        return Things(frozenset(await self._known()))

    async def _known(self) -> Sequence[str]:
        """All items of this version; none while the world does not answer."""
        catalogue = await in_time(self._catalogue(), KNOWN_WITHIN_S)
        return () if catalogue is None else list(catalogue.items)

    async def _known_words(self) -> frozenset[str]:
        """Words that need no mending: of requests, questions, items and players."""
        named = (*await self._known(), *_seen(await self._look()))
        words = {word for name in named for word in name.casefold().split("_")}
        return words_of_rules() | words | {f"{word}s" for word in words}

    async def _look(self) -> WorldSnapshot | None:
        return await in_time(self._snapshot(), KNOWN_WITHIN_S)

    def _is_for_later(self, reading: Reading) -> bool:
        takes_time = all(one.is_lasting for one in reading.requests)
        return reading.later and takes_time and self._is_busy()

    async def _put_off(self, case: Case, scene: Scene, requests: tuple[Request, ...]) -> str:
        """Have it done after what is under way: what the speaker asked for in words goes on with
        it, and behind anything else a goal waits in the queue."""
        own = self._under_way.get(scene.speaker)
        if own is not None and len(own.then) + len(requests) <= MOST_PUT_OFF:
            first, *others = requests
            first = replace(first, anyway=True)
            at = next((at for at, one in enumerate(own.then) if _is_endless(one)), len(own.then))
            then = (*own.then[:at], first, *others, *own.then[at:])
            self._under_way[scene.speaker] = replace(own, then=then)
            self._of(scene.speaker).note(first, "waiting")
            self._remember(scene.speaker, requests)
            self._queue.wait_for(scene.speaker)
            return scene.say(*_after_this(requests[0].doing))
        goals = [one for one in requests if one.command == GOAL]
        if own is not None or any(one.command not in (GOAL, HANDING) for one in requests):
            return scene.say(*CANNOT_KEEP)
        told = [(await self._use(case, scene, _queued(one)))[0] for one in goals]
        hands_over = len(goals) < len(requests)
        return scene.join([*told, scene.say(*ASK_THEN)] if hands_over else told)

    async def _begin(
        self, case: Case, scene: Scene, requests: tuple[Request, ...]
    ) -> tuple[str, bool]:
        """Begin the first request; after one that ends at once, go on with the next.

        Returns what to say, and whether all went well so far."""
        told: list[str] = []
        went_well, is_over, left = True, True, requests
        if len(requests) > 1:
            self._queue.wait_for(scene.speaker)
        while left and went_well and is_over:
            if told and left[0].any_of:  # the request before has changed the inventory
                case = replace(case, world=await self._look())
            chosen = _as_carried(case, left)
            if isinstance(chosen, Unclear):
                told.append(scene.say(*chosen.why))
                return scene.join(filter(None, told)), False
            request, *others = chosen
            left = tuple(others)
            had = await self._carried(case, request)
            said, went_well, is_over = await self._use(case, scene, request)
            told.append(said)
            if went_well:
                self._remember(scene.speaker, (request,), had)
            if went_well and is_over:
                self._of(scene.speaker).note(request, "done")
            if went_well and not is_over:
                self._note(scene.speaker, request, left, had)
            rest = _rest_after_failure(request, left, said)
            if not went_well and rest:
                left, went_well = rest, True
        return scene.join(filter(None, told)), went_well

    async def _use(self, case: Case, scene: Scene, request: Request) -> tuple[str, bool, bool]:
        """Run one request: what to say, whether it goes well, and whether it is over."""
        assert case.toolbox is not None
        if not case.toolbox.permits(request.tool):
            return refusal(scene, case.toolbox.advice()), False, True
        call = ToolCall("rule", request.tool, _fields_now(case, request))
        self._superseded(scene.speaker, request)
        within_s = BEGUN_WITHIN_S if request.is_lasting else ENDED_WITHIN_S
        try:
            async with asyncio.timeout(within_s):
                outcome = await case.toolbox.use(call)
        except TimeoutError:  # its end is reported later
            return scene.say(*request.doing), True, False
        if request.command == STOP:
            return _stopped(scene, outcome), True, True
        if self._stands_already(outcome.result):
            return scene.say(*request.done), True, True
        said, went_well, is_over = self._told_now(scene, request, outcome)
        return (
            scene.join([said, *_still_carried(case, scene, request, went_well)]),
            went_well,
            is_over,
        )

    def _told_now(
        self, scene: Scene, request: Request, outcome: ToolOutcome
    ) -> tuple[str, bool, bool]:
        result = outcome.result
        if isinstance(result, Job):
            return scene.say(*request.doing), True, False
        if isinstance(result, Failure) and result.reason == NOT_FOUND and request.otherwise:
            return "", False, True
        if isinstance(result, Failure):
            said = failure(scene, result.reason, result.message, result.episodes())
            return self._failed(scene, request, said)
        if outcome.failed or outcome.illegal:
            return failure(scene, "", outcome.text), False, True
        if isinstance(result, TellsDoing):
            return self._status(scene, result), True, True
        if request.command == AREAS and isinstance(result, TellsAreas):
            return left_alone(scene, result.areas), True, True
        if not isinstance(result, Result):
            return _done(scene, request, "", None, ()), True, True
        said = _done(scene, request, message_of(result), result.outcome, result.episodes())
        return said, True, True

    def _failed(self, scene: Scene, request: Request, said: str) -> tuple[str, bool, bool]:
        self._of(scene.speaker).note(request, "failed", said)
        return said, False, True

    def _stands_already(self, result: object) -> bool:
        """Whether a bot that is told to stay where it is follows nobody and is at nothing else."""
        follows_nobody = isinstance(result, Failure) and result.reason == NOT_FOLLOWING
        return follows_nobody and not self._is_busy()

    def _status(self, scene: Scene, result: TellsDoing) -> str:
        own = self._under_way.get(scene.speaker)
        stage = result.stage if isinstance(result, TellsStage) else None
        doing = _besides_answers(result.doing)
        lately = result.lately if isinstance(result, TellsLeisure) else None
        return what_it_does(scene, doing, own.request if own else None, stage, lately)

    def _note(
        self, speaker: str, request: Request, then: tuple[Request, ...], had: int = 0
    ) -> None:
        self._under_way.pop(speaker, None)
        self._under_way[speaker] = _UnderWay(request, then, had)
        self._of(speaker).note(request, "begun")
        if len(self._under_way) > MOST_SPEAKERS:
            self.forget(next(iter(self._under_way)))

    def _remember(self, speaker: str, requests: Sequence[Request], had: int = 0) -> None:
        """The thing named last, and the order that the next line may put right."""
        own = self._of(speaker)
        for request in requests:
            if request.order is not None:
                own.last, own.had = request.order.wish, had
                own.order = request.order if request.command in LONG else own.order

    async def _carried(self, case: Case, request: Request) -> int:
        if request.order is None:
            return 0
        if request.had is not None:
            return request.had
        return dealings.carried(dealings.names_of(request.order, await self._things()), case.world)

    def _superseded(self, speaker: str, request: Request) -> None:
        """Forget the request that this one ends."""
        own, ends = self._under_way.get(speaker), ENDS_ALONE.get(request.command)
        is_ended = own is not None and (ends is None or own.request.command in ends)
        if request.is_lasting or (request.command in ENDING and is_ended):
            self._under_way.pop(speaker, None)

    def _let_queue_go_on(self, speaker: str) -> None:
        own = self._under_way.get(speaker)
        if own is None or not own.then:
            self._queue.go_on(speaker)

    async def _told_after(self, case: Case, scene: Scene, event: EventReport) -> str:
        """What to say of an event, in the language of who asked."""
        said = await self._after(case, scene, event)
        own = self._of(scene.speaker)
        if not own.tongue or not said:
            return said
        goes_on = scene.speaker in self._under_way
        if goes_on:
            return ""
        scene = replace(scene, tongue=own.tongue)
        told = what_came_of_it(scene, event.outcome, event.done)
        return foreign.told_of_event(scene, own.meant, event, told)

    async def _after(self, case: Case, scene: Scene, event: EventReport) -> str:
        """What to say of an event; after a success, go on with the requests that follow."""
        if event.kind == "danger":
            return danger(scene, event.text)
        if event.kind == "proposal":
            return event.text
        own = self._under_way.get(scene.speaker)
        if own is None or event.about != f"!{own.request.command}":
            return ended(scene, event)
        del self._under_way[scene.speaker]
        if not event.success:
            return await self._after_failure(case, scene, own, event)
        done = _done(scene, own.request, event.text, event.outcome, event.done)
        self._of(scene.speaker).note(own.request, "done")
        if not own.then:
            return done
        said, goes_on_well = await self._begin(case, scene, own.then)
        if goes_on_well and not own.then[0].anyway:
            return said
        return scene.join(filter(None, [done, said]))

    async def _after_failure(
        self, case: Case, scene: Scene, own: _UnderWay, event: EventReport
    ) -> str:
        """Say why, and go on with what does not rest on it."""
        first = own.request.otherwise if event.reason == NOT_FOUND else ()
        if first:
            again = replace(own.request, otherwise=())
            return (await self._begin(case, scene, (*first, again, *own.then)))[0]
        said = ended(scene, event)
        self._of(scene.speaker).note(own.request, "failed", said)
        told = [said, *_still_carried(case, scene, own.request, went_well=False)]
        if own.anyway:
            told.append((await self._begin(case, scene, own.anyway))[0])
        return scene.join(filter(None, told))


def _rest_after_failure(
    request: Request, left: tuple[Request, ...], said: str
) -> tuple[Request, ...]:
    """What is done nevertheless: what is to be made first where nothing was found, or what does
    not rest on it."""
    if request.otherwise and not said:
        return (*request.otherwise, replace(request, otherwise=()), *left)
    return _UnderWay(request, left).anyway


def _is_beside(own: Request, newer: Request) -> bool:
    """Whether something else is begun, which would end what is under way."""
    is_same = (own.command, own.fields) == (newer.command, newer.fields)
    return own.is_lasting and newer.is_lasting and not is_same


def _is_endless(request: Request) -> bool:
    return request.is_lasting and request.command not in LONG | SHORT


def _is_for(request: Request, order: Order, things: Things) -> bool:
    """Whether a request is for the thing of an order."""
    return request.order is not None and _are_alike(
        request.order.wish.words, order.wish.words, things
    )


def _goes_between(own: Request, newer: Request) -> bool:
    if newer.command in LONG:
        return own.is_patient
    return own.command not in SHORT and newer.command in (BESIDE if _is_endless(own) else SHORT)


def _waits_for(own: Request, newer: Request) -> bool:
    """Whether something newer is done after what is under way, which has an end."""
    return not _is_endless(own) and (newer.command in LONG or own.command in SHORT)


def _are_alike(words: str, others: str, things: Things) -> bool:
    """Whether these words name the same thing, `logs` and `oak log`."""
    one, other = things.meant(words), things.meant(others)
    return one is not None and other is not None and bool(set(one.names) & set(other.names))


def _row_of(part: str, bot: str) -> object:
    """What two parts have in common that get the same answer."""
    phrase = phrases.found(part, bot)
    return part if phrase is None else phrase.says or phrase.sentence


def _is_understood(ask: Ask, scene: Scene, part: str) -> bool:
    """Whether a part of a line is a request, a phrase or a sum, or asks or tells something."""
    if part in _OPENINGS:
        return False
    phrase = phrases.found(part, ask.bot)
    if phrase is not None and phrase.thing and phrase.means:
        return bool(read(ask, [phrase.sentence]).requests)
    if phrase or phrases.reckoned(part, ask.bot) or tells_of_speaker([part]):
        return True
    reading = read(ask, [part])
    is_known = reading.asked is not None and reading.asked.is_known
    return bool(reading.requests) or is_known or rules.is_plain(scene, part)


def _seen(world: WorldSnapshot | None) -> tuple[str, ...]:
    return () if world is None else (world.bot, *(str(one.name) for one in world.players))


@cache
def words_of_rules() -> frozenset[str]:
    patterns = (form for form, _ in forms("en")), (topic.pattern for topic in rules.TOPICS)
    return frozenset(phrases.words_of(chain(*patterns))) | phrases.words("en")


def _queued(request: Request) -> Request:
    """The same goal, to be reached after all others."""
    said = _after_this(request.doing)
    return replace(request, command=GOAL_THEN, doing=said, done=said, is_lasting=False)


def _after_this(doing: Words) -> Words:
    return Words(
        f"{doing.en.rstrip('.')}, after this.", f"{doing.ja}今のことが終わってからにします。"
    )


def _acts(reading: Reading) -> bool:
    return any(one.command not in ONLY_TELLS for one in reading.requests)


def _unclear(case: Case, scene: Scene, reading: Reading) -> str:
    """Why nothing is done. Nobody is told how to ask for what they are refused."""
    tools = case.toolbox
    if reading.unclear and tools and not any(map(tools.permits, (GOAL, FOLLOWING))):
        return refusal(scene, tools.advice())
    return scene.join(dict.fromkeys(scene.say(*why) for why in reading.unclear))


def _as_carried(case: Case, requests: tuple[Request, ...]) -> tuple[Request, ...] | Unclear:
    """The requests, the first one narrowed to items that are carried now."""
    first, *others = requests
    if not first.any_of:
        return requests
    found = of_carried(Ask(case.bot, case.turn.speaker, Things(frozenset()), case.world), first)
    return found if isinstance(found, Unclear) else (*found, *others)


def _still_carried(case: Case, scene: Scene, request: Request, went_well: bool) -> list[str]:
    """A sentence that items which could not be handed over are still carried, if they are."""
    if went_well or request.command != HANDING or case.world is None:
        return []
    name = request.fields["itemName"]
    count = case.world.count(name)
    en, ja = (item(name, count, language) for language in LANGUAGES)
    return [scene.say(f"I still have {en}.", f"{ja}はまだ持っています。")] if count else []


def _fields_now(case: Case, request: Request) -> dict[str, Any]:
    """The fields, with the current position of the player the request goes to."""
    player = case.world.player(PlayerName(request.towards)) if case.world else None
    if not request.towards or player is None or player.position is None:
        return dict(request.fields)
    return {**request.fields, "coords": block_of(player.position)}


def _done(
    scene: Scene,
    request: Request,
    message: str,
    outcome: Saying | None,
    done: Sequence[Episode],
) -> str:
    """That it is done: as the request says, or else what was done."""
    if request.is_step:
        return ""
    if request.done.en or scene.language == "en":
        return scene.say(*request.done) or message
    return what_came_of_it(scene, outcome, done) or scene.tell("outcome.ended")


def _stopped(scene: Scene, outcome: ToolOutcome) -> str:
    """What to say after a stop; answers being decided do not count as stopped."""
    if _besides_answers(_stopped_by(outcome)):
        return stopped(scene)
    return nothing_stopped(scene, others=_others_go_on(outcome))


def _stopped_by(outcome: ToolOutcome) -> Sequence[str]:
    result = outcome.result
    return result.stopped_actions if isinstance(result, TellsStopped) else ()


def _others_go_on(outcome: ToolOutcome) -> bool:
    """Whether something goes on that the speaker may not stop."""
    result = outcome.result
    goes_on = result.data.get("goesOn", ()) if isinstance(result, Failure) else ()
    return bool(_besides_answers(goes_on))


def _besides_answers(names: Sequence[str]) -> list[str]:
    return [name for name in names if not name.startswith(ANSWERING)]
