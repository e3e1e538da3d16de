"""Puts an order right: “no wait, 5 oak logs”, “make that 3”, “birch instead”."""

from __future__ import annotations

from dataclasses import replace

from bots.catalogue.names import Things
from bots.responder.case.case import Case
from bots.responder.rules import dealings
from bots.responder.rules.carrying_out import Work, after_this
from bots.responder.rules.dealings import Dealings, Speakers, UnderWay
from bots.responder.rules.reading import Reader
from bots.responder.rules.requests import Reading, Request, Unclear
from bots.responder.rules.requests.amending import Amended, amended
from bots.responder.rules.requests.ask import Order, Wish
from bots.responder.rules.scene import Scene


class Corrections:
    """Of the orders that one bot carries out."""

    def __init__(self, reader: Reader, speakers: Speakers, work: Work) -> None:
        self._reader, self._speakers, self._work = reader, speakers, work

    async def of(self, case: Case, scene: Scene) -> str | Unclear | None:
        """What comes of a line that puts an order right, or why that is unclear; None where it is
        none."""
        own, things = self._speakers.of(scene.speaker), await self._reader.things()
        if own.order is None:
            return None
        found = amended(case.turn.lines[-1], case.bot, things)
        if found is None:
            return None
        if found.count is None and not found.words:
            rest = [found.rest]
            reading = await self._reader.read_lines(case.bot, scene.speaker, rest, case.world)
            return (await self._work.begin(case, scene, reading.requests))[0] or None
        _turn_to(own, found.words, things)
        assert own.order is not None, "else there is nothing to put right"
        return await self._amend(case, scene, own, own.order, found)

    async def _amend(
        self, case: Case, scene: Scene, own: Dealings, order: Order, found: Amended
    ) -> str | Unclear:
        things, had, now = await self._reader.things(), own.had, own.under_way
        is_same = not found.words or _are_alike(order.wish.words, found.words, things)
        waits = now is not None and any(one.order is order for one in now.then)
        got = dealings.got(order, had, things, case.world) if is_same and not waits else 0
        count = order.wish.count if found.count is None else found.count
        if got >= count > 0:
            return await self._enough(case, scene, own, got)
        ask = await self._reader.asking(case.bot, scene.speaker, case.world)
        made = order.with_(ask, count - got, found.words)
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
