"""Broadcast: one utterance to everyone in hearing range, or to public chat.

The utterance keeps for each hearer whether it arrived. Public chat reaches everybody on the
server, however far away; only our own bots can prove that they heard it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from bots.access.origin import KnownBots
from bots.access.sources import Sources
from bots.chat.between_daemons import marked
from bots.chat.direct import FARTHEST, SAY_WITHIN_S, Delivering, Reason, reason_of
from bots.chat.message import GroupDelivery, Hearer, Kind, Message, PublicDelivery, Volume
from bots.chat.receipts import RECEIPT_WITHIN_S
from bots.errors import SpeechRefused
from bots.observability.trace import TraceLog
from bridge.errors import BridgeError
from bridge.port import Bridge
from bridge.world import PlayerName, WorldSnapshot

NOBODY = "Nobody is within {:g} blocks of me."
UNHEARD = "None of those in range heard it."


@dataclass(frozen=True, slots=True)
class Missed:
    """A player who did not get the words."""

    name: str
    distance: float | None
    """Blocks, unrounded; None when unseen."""
    reason: Reason


@dataclass(frozen=True, slots=True)
class BroadcastResult:
    """Who heard an utterance to everyone in range, and who did not."""

    text: str
    volume: Volume
    max_distance: float
    delivered: tuple[Hearer, ...] = ()
    """Nearest first."""
    missed: tuple[Missed, ...] = ()
    reason: Reason | None = None
    """Why nobody heard it; None when somebody did."""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class SaidPublicly:
    """The outcome of a line of public chat."""

    text: str
    heard_by: tuple[str, ...] = ()
    """Our bots that heard it."""
    reason: Reason | None = None
    """Why the bot did not say it; None if it did."""
    sentence: str = ""


class Broadcast:
    """One bot's utterances to several players at once."""

    def __init__(
        self, bridge: Bridge, delivering: Delivering, known_bots: KnownBots, trace: TraceLog
    ) -> None:
        self._bot, self._bridge, self._governor = delivering.bot, bridge, delivering.governor
        self._conversation, self._receipts = delivering.conversation, delivering.receipts
        self._delivering, self._known_bots, self._trace = delivering, known_bots, trace

    async def tell_all(
        self,
        text: str,
        volume: Volume,
        max_distance: float,
        sources: Sources,
        *,
        among: Collection[str] | None = None,
        within_s: float = SAY_WITHIN_S,
        asked_by: str | None = None,
        may_order: bool = False,
        talk: int | None = None,
        kind: Kind = "conversation",
        topic: str = "",
        asks: str | None = None,
    ) -> BroadcastResult:
        """Whisper to everyone within `max_distance` blocks, at most `FARTHEST`, nearest first.

        `topic` is what small talk is about, for the bots of other daemons; `asks` is that one of
        them which is to reply. `among` limits it to these players. A whisper that could not leave
        within `within_s` is not sent; its player counts as missed. Raises BridgeError when none
        could be sent."""
        world = await self._bridge.snapshot(self._bot)
        result = BroadcastResult(text, volume, min(max_distance, FARTHEST))
        near, far = _by_range(world, result.max_distance, among)
        heard = sources.released_to(frozenset(hearer.name for hearer in near))
        aim = GroupDelivery(volume, result.max_distance, near)
        message = await self._conversation.say(
            self._bot, text, aim, asked_by=asked_by, sources=heard, talk=talk, kind=kind
        )
        if not near:
            sentence = NOBODY.format(result.max_distance)
            return replace(result, missed=far, reason="nobody_in_range", sentence=sentence)
        try:
            longest = max((hearer.name for hearer in near), key=len)  # leaves the least room
            lines = self._governor.lines(PlayerName(longest), text, may_order=may_order)
            for_bots = self._marked(near, text, topic, asks) if kind == "small_talk" else {}
        except SpeechRefused as refusal:
            return replace(result, missed=far, reason=reason_of(refusal), sentence=str(refusal))
        # People first: where lines are paced, bots can wait.
        order = sorted(near, key=lambda hearer: hearer.name in self._known_bots)
        outcomes = await asyncio.gather(
            *(
                self._tell_one(message, one, for_bots.get(one.name, lines), within_s, asked_by)
                for one in order
            ),
            return_exceptions=True,
        )
        return _summed(result, tuple(order), far, _without_errors(order, outcomes))

    async def say_publicly(
        self,
        text: str,
        sources: Sources,
        *,
        among: Collection[str] | None = None,
        within_s: float | None = SAY_WITHIN_S,
        asked_by: str | None = None,
        may_order: bool = False,
        talk: int | None = None,
        kind: Kind = "conversation",
    ) -> SaidPublicly:
        """Say it in public chat; returns when our bots heard it, or after 2 s.

        `among` limits which of our bots record it as heard."""
        world = await self._bridge.snapshot(self._bot)
        ours = [one for one in world.players if one.name in self._known_bots.ours]
        fellows = tuple(
            Hearer(one.name, world.distance_to(one), delivered=False)
            for one in ours
            if among is None or one.name in among
        )
        message = await self._conversation.say(
            self._bot,
            text,
            PublicDelivery(delivered=False, hearers=fellows),
            asked_by=asked_by,
            sources=replace(sources, audience=None),
            talk=talk,
            kind=kind,
        )
        try:
            lines = self._governor.lines(None, text, may_order=may_order)
            heard_by = await self._say_publicly(message, lines, within_s, asked_by)
        except SpeechRefused as refusal:
            return SaidPublicly(text, reason=reason_of(refusal), sentence=str(refusal))
        return SaidPublicly(text, heard_by)

    def _marked(
        self, hearers: Iterable[Hearer], text: str, topic: str, asks: str | None
    ) -> dict[str, tuple[str, ...]]:
        """The lines of small talk for bots of other daemons. Raises SpeechRefused.

        Each line has a mark, which takes room as a longer name would; the last one the topic."""
        lines = dict[str, tuple[str, ...]]()
        for name in (one.name for one in hearers if self._known_bots.is_elsewhere(one.name)):
            room_taken = PlayerName(name + marked("", topic, asks=name == asks))
            *first, last = self._governor.lines(room_taken, text)
            lines[name] = (*map(marked, first), marked(last, topic, asks=name == asks))
        return lines

    async def _tell_one(
        self,
        message: Message,
        hearer: Hearer,
        lines: tuple[str, ...],
        within_s: float,
        asked_by: str | None,
    ) -> Reason | None:
        """Whisper to one hearer; why it did not arrive, or None."""
        said, is_order = message.utterance, lines[0].startswith("!")
        try:
            if hearer.name in self._known_bots.ours and not is_order:
                arrived = await self._delivering.whisper(
                    hearer.name, said, lines, within_s, asked_by
                )
                return None if arrived else "undelivered"
            await self._governor.tell(
                PlayerName(hearer.name), lines, max_wait_s=within_s, on_behalf_of=asked_by
            )
            await self._conversation.reached(said.id, hearer.name)
            await self._delivering.unless_refused(said, PlayerName(hearer.name), lines)
        except SpeechRefused as refusal:
            return reason_of(refusal)
        return None

    async def _say_publicly(
        self,
        message: Message,
        lines: tuple[str, ...],
        within_s: float | None,
        asked_by: str | None,
    ) -> tuple[str, ...]:
        """Send the lines; the names of our bots that heard all of them."""
        said, aim = message.utterance, message.utterance.delivery
        assert isinstance(aim, PublicDelivery)
        with ExitStack() as stack:
            receipts = [
                stack.enter_context(
                    self._receipts.expect(self._bot, fellow.name, said.id, lines, public=True)
                )
                for fellow in aim.hearers
            ]
            await self._governor.tell(None, lines, max_wait_s=within_s, on_behalf_of=asked_by)
            await self._conversation.sent(said.id)
            await self._delivering.unless_refused(said, None, lines)
            self._trace.note("chat.said", self._bot, text=message.text)
            await asyncio.gather(*(receipt.wait(RECEIPT_WITHIN_S) for receipt in receipts))
            heard = [receipt for receipt in receipts if receipt.delivered]
            await asyncio.gather(*(receipt.wait_recorded() for receipt in heard))
        return tuple(receipt.listener for receipt in heard)


def _by_range(
    world: WorldSnapshot, reach: float, among: Collection[str] | None
) -> tuple[tuple[Hearer, ...], tuple[Missed, ...]]:
    """Those in range, nearest first, and those out of range, of all players or of `among`."""
    near: list[Hearer] = []
    listed = {player.name for player in world.players}
    far = [Missed(name, None, "player_not_found") for name in among or () if name not in listed]
    for player in world.players:
        if among is not None and player.name not in among:
            continue
        distance = world.distance_to(player)
        if distance is None:
            far.append(Missed(player.name, None, "entity_not_available"))
        elif distance > reach:
            far.append(Missed(player.name, distance, "out_of_range"))
        else:
            near.append(Hearer(player.name, distance, delivered=False))
    return tuple(sorted(near, key=lambda hearer: hearer.distance or 0.0)), tuple(far)


def _without_errors(
    near: Sequence[Hearer], outcomes: Iterable[Reason | BaseException | None]
) -> list[Reason | None]:
    """Count a failure of the bridge as undelivered; raise it when it met every hearer."""
    reasons: list[Reason | None] = []
    failures: list[BridgeError] = []
    for outcome in outcomes:
        if isinstance(outcome, BridgeError):
            failures.append(outcome)
            reasons.append("undelivered")
        elif isinstance(outcome, BaseException):
            raise outcome
        else:
            reasons.append(outcome)
    if len(failures) == len(near):
        raise failures[0]
    return reasons


def _summed(
    result: BroadcastResult,
    near: tuple[Hearer, ...],
    far: tuple[Missed, ...],
    reasons: list[Reason | None],
) -> BroadcastResult:
    pairs = list(zip(near, reasons, strict=True))
    heard = [replace(hearer, delivered=True) for hearer, why in pairs if why is None]
    delivered = tuple(sorted(heard, key=lambda hearer: hearer.distance or 0.0))
    lost = tuple(Missed(hearer.name, hearer.distance, why) for hearer, why in pairs if why)
    summed = replace(result, delivered=delivered, missed=(*lost, *far))
    return summed if delivered else replace(summed, reason=lost[0].reason, sentence=UNHEARD)
