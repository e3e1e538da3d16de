"""Talks on the disk: how one began and all that happened in it, so that it can be taken up again.

A talk is what happened in it: told the same happenings, the machine stands where it stood.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from bots.conversation.message import EPOCH
from bots.origin import Fellow, Operator, Origin, Person
from bots.store.conversations import MICROSECOND
from bots.store.database import Store
from bots.store.talks import StoredTalk, add_moment, add_talk, end_talk, open_talks
from bots.talk import codec
from bots.talk.happenings import EndReason, Happening, Participant
from bots.talk.policy import Caps, TalkPolicy
from bridge.world import BotName, PlayerName


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a talk began."""

    roster: tuple[Participant, ...]
    policy: TalkPolicy
    started_by: Origin
    began_at: datetime

    def as_text(self) -> str:
        values = {
            "roster": [asdict(one) for one in self.roster],
            "policy": asdict(self.policy),
            "started_by": _origin_as_json(self.started_by),
        }
        return json.dumps(values, ensure_ascii=True)


@dataclass(frozen=True, slots=True)
class Kept:
    """A talk that had not ended when the program did."""

    number: int
    beginning: Beginning
    record: tuple[tuple[Happening, int], ...]
    """What happened, with its milliseconds since the beginning."""

    @property
    def last_ms(self) -> int:
        return self.record[-1][1] if self.record else 0


@dataclass(frozen=True, slots=True)
class TalkStore:
    """What talks are written to."""

    store: Store

    async def begin(self, beginning: Beginning) -> int:
        """Write down a beginning; the talk's number."""
        at, settings = (beginning.began_at - EPOCH) // MICROSECOND, beginning.as_text()
        return await self.store.write(lambda connection: add_talk(connection, at, settings))

    async def happened(self, talk: int, at_ms: int, happening: Happening) -> None:
        text = json.dumps(codec.as_json(happening), ensure_ascii=True)
        await self.store.write(lambda connection: add_moment(connection, talk, at_ms, text))

    async def ended(self, talk: int, why: EndReason) -> None:
        await self.store.write(lambda connection: end_talk(connection, talk, why))

    async def unended(self) -> list[Kept]:
        """The talks to take up again, oldest first."""
        return [_kept(stored) for stored in await self.store.read(open_talks)]


def _kept(stored: StoredTalk) -> Kept:
    settings = json.loads(stored.settings)
    beginning = Beginning(
        tuple(Participant(**one) for one in settings["roster"]),
        _policy(settings["policy"]),
        _origin(settings["started_by"]),
        EPOCH + stored.began_at * MICROSECOND,
    )
    record = ((codec.happening_of(json.loads(text)), at_ms) for at_ms, text in stored.moments)
    return Kept(stored.id, beginning, tuple(record))


def _policy(values: Mapping[str, Any]) -> TalkPolicy:
    return TalkPolicy(**{**values, "caps": Caps(**values["caps"])})


def _origin_as_json(origin: Origin) -> dict[str, str]:
    match origin:
        case Operator(via):
            return {"operator": via}
        case Person(name):
            return {"person": name}
        case Fellow(bot):
            return {"fellow": bot}


def _origin(values: Mapping[str, str]) -> Origin:
    if "person" in values:
        return Person(PlayerName(values["person"]))
    if "fellow" in values:
        return Fellow(BotName(values["fellow"]))
    return Operator("python")
