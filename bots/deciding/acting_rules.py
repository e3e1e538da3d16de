"""Rules that act: clear requests become commands, with the speaker's own level and origin.

Never on another bot's line, never when unsure. What follows a first request is kept until the
first has ended well; a newer request, a stop or a failure forgets it.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bots.answering import rules
from bots.answering.requests import Ask, Reading, Request, Words, read
from bots.answering.requests.going import block_of
from bots.answering.requests.things import Things
from bots.answering.scene import Scene
from bots.deciding.case import Case
from bots.deciding.happening import Happening
from bots.deciding.outcome_words import (
    danger,
    ended,
    failure,
    nothing_stopped,
    refusal,
    what_it_does,
)
from bots.deciding.plain_rules import PlainRules, scene_of
from bots.errors import CommandError
from bridge.catalogue import Catalogue
from bridge.errors import BridgeError
from bridge.world import PlayerName
from llm.engine.decision import ToolOutcome, Used
from llm.model import ToolCall

KNOWN_WITHIN_S = 0.3
BEGUN_WITHIN_S = 0.3  # what fails at once is told at once
ENDED_WITHIN_S = 4.0  # for what is no errand: `!stop` waits until the work is torn down
MOST_SPEAKERS = 100  # whose requests are remembered; the oldest go


@dataclass(frozen=True, slots=True)
class _UnderWay:
    """A request that was begun, and what is to follow."""

    request: Request
    then: tuple[Request, ...]


class ActingRules:
    """The rules of one bot."""

    def __init__(self, rng: random.Random, catalogue: Callable[[], Awaitable[Catalogue]]) -> None:
        self._rng, self._catalogue = rng, catalogue
        self._plain = PlainRules(rng)
        self._under_way: dict[str, _UnderWay] = {}
        self._ended_by_request: dict[str, str] = {}
        """By speaker, the command that they had ended themselves: its end is no news."""

    async def decide(self, case: Case, why: str, used: Sequence[Used]) -> str:
        waiting = case.waiting
        if waiting.from_fellow or used or case.toolbox is None:
            return await self._plain.decide(case, why, used)
        scene = scene_of(case, why, self._rng)
        told = [await self._after(case, scene, one) for one in waiting.happenings]
        if waiting.lines:
            told.append(await self._answer(case, scene))
        return scene.join(filter(None, told))

    async def _answer(self, case: Case, scene: Scene) -> str:
        reading = await self._read(case)
        if reading.requests:
            said = await self._begin(case, scene, reading.requests)
        else:
            said = scene.join(dict.fromkeys(scene.say(*why) for why in reading.unclear))
        if not said:
            return rules.answer(scene, case.waiting.lines)
        facts = list(rules.understand(scene, reading.rest).facts.values())
        return scene.join([said, *facts[-1:]])

    async def _read(self, case: Case) -> Reading:
        things = Things(frozenset(await self._known()))
        ask = Ask(case.bot, case.waiting.speaker, things, case.world)
        return read(ask, [line.content for line in case.waiting.messages if not line.relayed])

    async def _known(self) -> Sequence[str]:
        """The items there are; none while the world cannot be asked."""
        try:
            async with asyncio.timeout(KNOWN_WITHIN_S):
                return list((await self._catalogue()).items)
        except (BridgeError, CommandError, TimeoutError):
            return ()

    async def _begin(self, case: Case, scene: Scene, requests: tuple[Request, ...]) -> str:
        """Do the first, keep the rest for later; what is at once over is followed at once."""
        told: list[str] = []
        for number, request in enumerate(requests):
            said, went_well, is_over = await self._use(case, scene, request)
            told.append(said)
            if not went_well:
                break
            if not is_over:
                self._note(scene.speaker, request, requests[number + 1 :])
                break
        return scene.join(filter(None, told))

    async def _use(self, case: Case, scene: Scene, request: Request) -> tuple[str, bool, bool]:
        """Do one: what to say of it, whether it goes well, and whether it is over."""
        assert case.toolbox is not None
        if request.tool not in {tool.name for tool in case.toolbox.tools}:
            return refusal(scene), False, True
        call = ToolCall("rule", request.tool, _fields_now(case, request))
        self._superseded(scene.speaker, request)
        within_s = BEGUN_WITHIN_S if request.is_lasting else ENDED_WITHIN_S
        try:
            async with asyncio.timeout(within_s):
                outcome = await case.toolbox.use(call)
        except TimeoutError:  # its end is told when it comes
            return scene.say(*request.doing), True, False
        if request.command == "stop" and not outcome.failed:
            return await self._stopped(case, scene, outcome), True, True
        return self._told_now(scene, request, outcome)

    async def _stopped(self, case: Case, scene: Scene, outcome: ToolOutcome) -> str:
        """What was stopped; this very answer, which counts as stopped too, is not told of."""
        assert case.toolbox is not None
        if _besides_this_answer(_read_json(outcome.text).get("stoppedActions")):
            return scene.say("I have stopped.", "やめました。")
        status = await case.toolbox.use(ToolCall("rule", "status", {}))
        others = bool(_besides_this_answer(_read_json(status.text).get("doing")))
        return nothing_stopped(scene, others)

    def _told_now(
        self, scene: Scene, request: Request, outcome: ToolOutcome
    ) -> tuple[str, bool, bool]:
        result = _read_json(outcome.text)
        if result.get("begun"):
            return scene.say(*request.doing), True, False
        if outcome.failed or outcome.illegal:
            return failure(scene, result, outcome.text), False, True
        if request.command == "status":
            return self._status(scene, result), True, True
        return _done(scene, request, str(result.get("message", ""))), True, True

    def _status(self, scene: Scene, result: Mapping[str, Any]) -> str:
        own = self._under_way.get(scene.speaker)
        doing = _besides_this_answer(result.get("doing"))
        return what_it_does(scene, doing, own.request if own else None)

    def _note(self, speaker: str, request: Request, then: tuple[Request, ...]) -> None:
        self._under_way.pop(speaker, None)
        self._under_way[speaker] = _UnderWay(request, then)
        if len(self._under_way) > MOST_SPEAKERS:
            del self._under_way[next(iter(self._under_way))]

    def _superseded(self, speaker: str, request: Request) -> None:
        """Forget what is ended by this request."""
        if not request.is_lasting and request.command not in ("stop", "navigation stopFollow"):
            return
        former = self._under_way.pop(speaker, None)
        self._ended_by_request.pop(speaker, None)
        if former is not None and not request.is_lasting:
            self._ended_by_request[speaker] = f"!{former.request.command}"

    async def _after(self, case: Case, scene: Scene, event: Happening) -> str:
        """Tell of an event; when a request has ended well, go on with what follows it."""
        if event.kind == "danger":
            return danger(scene, event.text)
        if event.kind == "proposal":
            return event.text
        if event.about and self._ended_by_request.pop(scene.speaker, None) == event.about:
            return ""
        own = self._under_way.get(scene.speaker)
        if own is None or event.about != f"!{own.request.command}":
            return ended(scene, event)
        del self._under_way[scene.speaker]
        if not event.success:
            return failure(scene, {}, event.text)
        if not own.then:
            return _done(scene, own.request, event.text)
        return await self._begin(case, scene, own.then)


def _fields_now(case: Case, request: Request) -> dict[str, Any]:
    """The fields, with the place of whom it goes to as it is now."""
    player = case.world.player(PlayerName(request.towards)) if case.world else None
    if not request.towards or player is None or player.position is None:
        return dict(request.fields)
    return {**request.fields, "coords": block_of(player.position)}


def _done(scene: Scene, request: Request, message: str) -> str:
    words = request.done if request.done.en else Words(message, "できました。")
    return scene.say(*words)


def _besides_this_answer(names: object) -> list[str]:
    shown = names if isinstance(names, list) else []
    return [str(one) for one in shown if not str(one).startswith("answer to ")]


def _read_json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:  # it was cut, or is a sentence
        return {}
    return found if isinstance(found, dict) else {}
