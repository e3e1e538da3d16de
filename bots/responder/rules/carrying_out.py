"""Carries out what speakers ask for: at once, in between of what is under way, or behind it.

Further requests of a line wait until the one before has succeeded. A newer request that ends what
is under way says so; a stop or a failure drops what rests on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bots.bot.areas import TellsAreas
from bots.bot.episode import Episode
from bots.bot.jobs import Job
from bots.bot.leisure import TellsLeisure
from bots.bot.result import Failure, Result, TellsDoing, TellsStopped, message_of
from bots.bot.stage import TellsStage
from bots.catalogue.names import Things
from bots.responder.case.case import Case
from bots.responder.case.inbox import ANSWERING, EventReport
from bots.responder.command_tools import ENDING
from bots.responder.rules import dealings
from bots.responder.rules.dealings import LONG, Dealings, Queue, Speakers, UnderWay
from bots.responder.rules.outcomes import (
    ended,
    failure,
    left_alone,
    nothing_stopped,
    refusal,
    stopped,
    what_came_of_it,
    what_it_does,
)
from bots.responder.rules.reading import Reader
from bots.responder.rules.requests import Ask, Reading, Request, Unclear
from bots.responder.rules.requests.jobs import HANDING, block_of, of_carried
from bots.responder.rules.requests.read import STOP
from bots.responder.rules.scene import Scene
from bots.words import Saying, saying
from bridge.world import PlayerName
from llm.engine.decision import Toolbox, ToolOutcome
from llm.model import ToolCall

BEGUN_WITHIN_S = 0.3  # to learn of a failure at once
ENDED_WITHIN_S = 4.0  # for commands that begin no job; `!stop` waits for the tear-down
NOT_FOLLOWING, NOT_FOUND = "not_following", "not_found"
FOLLOW, GUARD, AREAS = "navigation follow", "skill guard", "area list"
FIGHT = "skill fight"
GOAL, GOAL_THEN = "goal", "goal then"
BESIDE = frozenset({"skill eat", "skill equip", HANDING, "skill collectDrops", "skill store"})
"""Small things that anything goes on after, a walk behind somebody as well."""
SHORT = BESIDE | {"navigation gotoCoords", "navigation moveInDirection"}
ENDS_ALONE: Mapping[str, Sequence[str]] = {
    "navigation stopFollow": (FOLLOW,),
    "skill stopFight": (GUARD, FIGHT),
}
"""What a command ends where it does not end everything."""
NO_LONGER: Mapping[str, Saying] = {
    GUARD: saying("dealt.no_guard"),
    FOLLOW: saying("dealt.no_longer"),
}
WAIT = saying("order.wait.done")
GO_ON = "go on"  # no command: what was left goes on
MOST_PUT_OFF = 10  # requests that wait behind the one under way


class Work:
    """What is under way for each speaker, by the rules of one bot."""

    def __init__(
        self, reader: Reader, speakers: Speakers, queue: Queue, is_busy: Callable[[], bool]
    ) -> None:
        """`is_busy` says whether the bot is at something, or is going to be."""
        self._reader, self._speakers = reader, speakers
        self._queue, self._is_busy = queue, is_busy

    def _of(self, scene: Scene) -> Dealings:
        return self._speakers.of(scene.speaker)

    def let_queue_go_on(self, speaker: str) -> None:
        """The next request of the speaker is under way, if there is one."""
        own = self._speakers.of(speaker).under_way
        if own is None or not own.then:
            self._queue.go_on(speaker)

    def forget(self, speaker: str) -> None:
        own = self._speakers.of(speaker)
        own.under_way, own.question, own.paused = None, None, ()
        self._queue.go_on(speaker)

    async def stop(self, scene: Scene, toolbox: Toolbox) -> str | None:
        """End all of it; None where that ended nothing."""
        self.forget(scene.speaker)
        self._of(scene).stopped(lambda scene: scene.tell("dealt.stopped"))
        outcome = await self.stop_own(toolbox)
        if outcome is None:
            return stopped(scene)
        if _others_go_on(outcome):
            return nothing_stopped(scene, others=True)
        return stopped(scene) if _stopped_by(outcome) else None

    async def stop_own(self, toolbox: Toolbox) -> ToolOutcome | None:
        """What came of a stop; None while the job is still being torn down."""
        try:
            async with asyncio.timeout(ENDED_WITHIN_S):
                return await toolbox.use(ToolCall("rule", STOP, {}))
        except TimeoutError:
            return None

    # --- Beside what is under way -----------------------------------------------------

    async def take_on(self, case: Case, scene: Scene, reading: Reading) -> str:
        """Begin requests at once, in between of what is under way, or behind it; what is left for
        them is told."""
        own, first = self._of(scene), reading.requests[0]
        now = own.under_way
        dropped = [scene.say(own.drop_question())] if first.is_lasting else []
        if first.doing == WAIT and now is not None and now.request.command not in NO_LONGER:
            return await self._wait(case, scene, now)
        if first.command == GO_ON:
            return await self._go_on(case, scene)
        if first.is_lasting:
            own.newest = reading.requests
        if own.paused and first.is_lasting:  # it goes on behind what is newer
            reading = replace(reading, requests=(*reading.requests, *own.paused))
            own.paused = ()
        if reading.later and self._is_busy() and all(one.is_lasting for one in reading.requests):
            said = await self._put_off(case, scene, reading.requests)
        elif now is not None and (rest := _goes_on_after(now, first)):
            said, _ = await self.begin(case, scene, (*reading.requests, *rest))
        elif now is None or not _is_beside(now.request, first):
            said, _ = await self.begin(case, scene, reading.requests)
        elif _goes_between(now.request, first):
            said = await self._in_between(case, scene, reading.requests, now)
        elif _waits_for(now.request, first):
            said = await self._put_off(case, scene, reading.requests)
        else:
            said, went_well = await self.begin(case, scene, reading.requests)
            if went_well:
                dropped.append(scene.say(await self._left_for(case, scene, now, first)))
            elif own.under_way is None and self._is_busy():  # what failed at once ended nothing
                own.under_way = now
        return scene.join([*dropped, said])

    async def again(
        self, case: Case, scene: Scene, things: str = "", count: int | None = None
    ) -> str | Unclear | None:
        """Do what the speaker asked for last once more, or with other `things`, or with so many of
        them; why that is unclear; None where it was nothing, or is for no thing."""
        ask = await self._reader.asking(case.bot, scene.speaker, case.world)
        made = list[Request]()
        orders = {id(one.order): one.order for one in self._of(scene).newest if one.order}
        for order in orders.values():
            anew = order.with_(ask, count, things)
            if isinstance(anew, Unclear):
                return anew
            made += anew
        if not orders and not things:
            made += self._of(scene).newest
        if not made:
            return None
        if self._of(scene).under_way is not None and all(one.command in LONG for one in made):
            return await self._put_off(case, scene, tuple(made))
        return await self.take_on(case, scene, Reading(tuple(made)))

    async def _wait(self, case: Case, scene: Scene, now: UnderWay) -> str:
        """Stay here, and leave what is under way until it is to go on."""
        assert case.toolbox is not None
        own, rest = self._of(scene), await self._rest_of(case, now)
        things = await self._reader.things()
        own.under_way, own.paused = None, rest
        own.forget(now.request)
        await self.stop_own(case.toolbox)
        return scene.say(saying("dealt.wait", what=dealings.named(now.request, things)))

    async def _go_on(self, case: Case, scene: Scene) -> str:
        own = self._of(scene)
        rest, own.paused = own.paused, ()
        if rest:
            return (await self.begin(case, scene, rest))[0]
        return scene.tell("dealt.goes_on" if own.under_way else "closing.was_idle")

    async def _in_between(
        self, case: Case, scene: Scene, requests: tuple[Request, ...], now: UnderWay
    ) -> str:
        """Do something small, and then go on with what is under way."""
        rest, own = await self._rest_of(case, now), self._of(scene)
        own.under_way = None
        own.forget(now.request)
        return (await self.begin(case, scene, (*requests, *rest)))[0]

    async def _rest_of(self, case: Case, now: UnderWay) -> tuple[Request, ...]:
        """What is left to do of it, and what follows it."""
        order, things = now.request.order, await self._reader.things()
        doing = now.request.doing
        if order is not None or now.request.what is not None:
            doing = saying("dealt.go_on", what=dealings.named(now.request, things))
        if order is None or order.wish.count < 0:
            return (replace(now.request, doing=doing, anyway=True), *now.then)
        count = order.wish.count - self._gained(case, now, things)
        ask = await self._reader.asking(case.bot, case.turn.speaker, case.world)
        made = order.with_(ask, count, "") if count > 0 else ()
        if isinstance(made, Unclear) or not made:
            return now.then
        first = replace(made[0], doing=doing, order=order, had=now.had, anyway=True)
        return (first, *now.then)

    async def _left_for(
        self, case: Case, scene: Scene, now: UnderWay, newer: Request
    ) -> Saying | None:
        """That what is under way is left for something newer."""
        things, command = await self._reader.things(), now.request.command
        if command in NO_LONGER:
            is_near = command == FOLLOW and newer.towards == now.request.fields["username"]
            return None if is_near else NO_LONGER[command]
        gained = self._gained(case, now, things)
        left = dealings.left(now.request, now.waiting, gained, things)
        for one in (now.request, *now.waiting):
            self._of(scene).note(one, "left", lambda scene: scene.say(left))
        return left

    def _gained(self, case: Case, now: UnderWay, things: Things) -> int:
        """How many were got since it began."""
        return dealings.got(now.request.order, now.had, things, case.world)

    async def _put_off(self, case: Case, scene: Scene, requests: tuple[Request, ...]) -> str:
        """Have it done after what is under way: what the speaker asked for in words goes on with
        it, and behind anything else a goal waits in the queue."""
        own = self._of(scene)
        now = own.under_way
        if now is not None and len(now.then) + len(requests) <= MOST_PUT_OFF:
            first, *others = requests
            first = replace(first, anyway=True)
            at = next((at for at, one in enumerate(now.then) if is_endless(one)), len(now.then))
            own.under_way = replace(now, then=(*now.then[:at], first, *others, *now.then[at:]))
            own.note(first, "waiting")
            own.remember(requests)
            self._queue.wait_for(scene.speaker)
            return scene.say(after_this(requests[0]))
        goals = [one for one in requests if one.command == GOAL]
        if now is not None or any(one.command not in (GOAL, HANDING) for one in requests):
            return scene.tell("dealt.cannot_keep")
        told = list[str]()
        for goal in goals:  # to be reached after all others
            said = after_this(goal)
            later = replace(goal, command=GOAL_THEN, doing=said, done=said, is_lasting=False)
            told.append((await self._use(case, scene, later))[0])
        hands_over = len(goals) < len(requests)
        return scene.join([*told, scene.tell("dealt.ask_then")] if hands_over else told)

    # --- Beginning --------------------------------------------------------------------

    async def begin(
        self, case: Case, scene: Scene, requests: tuple[Request, ...]
    ) -> tuple[str, bool]:
        """Begin the first request; after one that ends at once, go on with the next.

        Returns what to say, and whether all went well so far."""
        told, own = list[str](), self._of(scene)
        went_well, is_over, left = True, True, requests
        if len(requests) > 1:
            self._queue.wait_for(scene.speaker)
        while left and went_well and is_over:
            if told and left[0].any_of:  # the request before has changed the inventory
                case = replace(case, world=await self._reader.look())
            chosen = _as_carried(case, left)
            if isinstance(chosen, Unclear):
                told.append(scene.say(chosen.why))
                return scene.join(told), False
            request, *others = chosen
            left = tuple(others)
            had = await self._carried(case, request)
            said, went_well, is_over = await self._use(case, scene, request)
            told.append(said)
            if went_well:
                own.remember((request,), had)
                own.note(request, "done" if is_over else "begun")
            if went_well and not is_over:
                own.under_way = UnderWay(request, left, had)
            rest = _rest_after_failure(request, left, said)
            if not went_well and rest:
                left, went_well = rest, True
        return scene.join(told), went_well

    async def _use(self, case: Case, scene: Scene, request: Request) -> tuple[str, bool, bool]:
        """Run one request: what to say, whether it goes well, and whether it is over."""
        assert case.toolbox is not None
        if not case.toolbox.permits(request.tool):
            return refusal(scene, case.toolbox.advice()), False, True
        call = ToolCall("rule", request.tool, _fields_now(case, request))
        self._superseded(scene, request)
        within_s = BEGUN_WITHIN_S if request.is_lasting else ENDED_WITHIN_S
        try:
            async with asyncio.timeout(within_s):
                outcome = await case.toolbox.use(call)
        except TimeoutError:  # its end is reported later
            return scene.say(request.doing), True, False
        if request.command == STOP:
            return _stopped(scene, outcome), True, True
        # Whether a bot that is told to stay where it is follows nobody and is at nothing else.
        follows_nobody = (
            isinstance(outcome.result, Failure) and outcome.result.reason == NOT_FOLLOWING
        )
        if follows_nobody and not self._is_busy():
            return scene.say(request.done), True, True
        said, went_well, is_over = self._told_now(scene, request, outcome)
        kept = _still_carried(case, scene, request, went_well)
        return scene.join([said, kept]), went_well, is_over

    def _told_now(
        self, scene: Scene, request: Request, outcome: ToolOutcome
    ) -> tuple[str, bool, bool]:
        match outcome.result:
            case Job():
                return scene.say(request.doing), True, False
            case Failure(reason=reason) if reason == NOT_FOUND and request.otherwise:
                return "", False, True
            case Failure() as result:
                why = result.reason, result.message, result.episodes(), result.lacking
                self._of(scene).note(request, "failed", lambda scene: failure(scene, *why))
                return failure(scene, *why), False, True
            case _ if outcome.failed or outcome.illegal:
                return failure(scene, "", outcome.text), False, True
            case TellsDoing() as result:
                return self._status(scene, result), True, True
            case TellsAreas() as result if request.command == AREAS:
                return left_alone(scene, result.areas), True, True
            case Result() as result:
                episodes = result.episodes()
                said = _done(scene, request, message_of(result), result.outcome, episodes)
                return said, True, True
            case _:
                return _done(scene, request, "", None, ()), True, True

    def _status(self, scene: Scene, result: TellsDoing) -> str:
        own = self._of(scene).under_way
        stage = result.stage if isinstance(result, TellsStage) else None
        doing = _besides_answers(result.doing)
        lately = result.lately if isinstance(result, TellsLeisure) else None
        return what_it_does(scene, doing, own.request if own else None, stage, lately)

    async def _carried(self, case: Case, request: Request) -> int:
        if request.order is None:
            return 0
        if request.had is not None:
            return request.had
        return dealings.got(request.order, 0, await self._reader.things(), case.world)

    def _superseded(self, scene: Scene, request: Request) -> None:
        """Forget the request that this one ends."""
        own, ends = self._of(scene), ENDS_ALONE.get(request.command)
        is_ended = own.under_way and (ends is None or own.under_way.request.command in ends)
        if request.is_lasting or (request.command in ENDING and is_ended):
            own.under_way = None
        if request.command == STOP:
            own.paused = ()

    # --- Afterwards -------------------------------------------------------------------

    async def after(self, case: Case, scene: Scene, event: EventReport) -> str:
        """What to say of an event; after a success, go on with the requests that follow."""
        own = self._of(scene)
        now = own.under_way
        if now is None or event.about != f"!{now.request.command}":
            return ended(scene, event)
        own.under_way = None
        if not event.success:
            # Say why, and go on with what does not rest on it.
            first = now.request.otherwise if event.reason == NOT_FOUND else ()
            if first:
                again = replace(now.request, otherwise=())
                return (await self.begin(case, scene, (*first, again, *now.then)))[0]
            self._of(scene).note(now.request, "failed", lambda scene: ended(scene, event))
            told = [ended(scene, event), _still_carried(case, scene, now.request, went_well=False)]
            if now.anyway:
                told.append((await self.begin(case, scene, now.anyway))[0])
            return scene.join(told)
        done = _done(scene, now.request, event.text, event.outcome, event.done)
        own.note(now.request, "done")
        if not now.then:
            return done
        said, goes_on_well = await self.begin(case, scene, now.then)
        if goes_on_well and not now.then[0].anyway:
            return said
        return scene.join([done, said])


def _rest_after_failure(
    request: Request, left: tuple[Request, ...], said: str
) -> tuple[Request, ...]:
    """What is done nevertheless: what is to be made first where nothing was found, or what does
    not rest on it."""
    if request.otherwise and not said:
        return (*request.otherwise, replace(request, otherwise=()), *left)
    return UnderWay(request, left).anyway


def _is_beside(own: Request, newer: Request) -> bool:
    """Whether something else is begun, which would end what is under way."""
    is_same = (own.command, own.fields) == (newer.command, newer.fields)
    return own.is_lasting and newer.is_lasting and not is_same


def _goes_on_after(now: UnderWay, newer: Request) -> tuple[Request, ...]:
    """What waits behind a fight that a newer request ends, or makes another."""
    is_another = newer.command == FIGHT == now.request.command
    ends = now.request.command in ENDS_ALONE.get(newer.command, ())
    return now.anyway if is_another or ends else ()


def is_endless(request: Request) -> bool:
    return request.is_lasting and request.command not in LONG | SHORT


def _goes_between(own: Request, newer: Request) -> bool:
    if newer.command == FIGHT:  # it cannot wait; the rest goes on when the monster is dead
        return own.command not in (FIGHT, GUARD)
    if newer.command in LONG:
        return own.is_patient
    return own.command not in SHORT and newer.command in (BESIDE if is_endless(own) else SHORT)


def _waits_for(own: Request, newer: Request) -> bool:
    """Whether something newer is done after what is under way, which has an end."""
    is_urgent = newer.command == GUARD
    return not (is_endless(own) or is_urgent) and (newer.command in LONG or own.command in SHORT)


def after_this(request: Request) -> Saying:
    """That it is begun once what is under way is done."""
    return saying("dealt.after_this", doing=request.doing or "")


def _as_carried(case: Case, requests: tuple[Request, ...]) -> tuple[Request, ...] | Unclear:
    """The requests, the first one narrowed to items that are carried now."""
    first, *others = requests
    if not first.any_of:
        return requests
    found = of_carried(Ask(case.bot, case.turn.speaker, Things(frozenset()), case.world), first)
    return found if isinstance(found, Unclear) else (*found, *others)


def _still_carried(case: Case, scene: Scene, request: Request, went_well: bool) -> str:
    """That items which could not be handed over are still carried, if they are."""
    if went_well or request.command != HANDING or case.world is None:
        return ""
    name = request.fields["itemName"]
    count = case.world.count(name)
    return scene.say(saying("dealt.still_have", items={name: count})) if count else ""


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
    if request.done or scene.speaks == "en":
        return scene.say(request.done) or message
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
