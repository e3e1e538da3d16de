"""What rules can answer, group by group. Order decides where two patterns fit one clause."""

from __future__ import annotations

from bots.responder.rules.topics import (
    belongings,
    commanding,
    company,
    condition,
    identity,
    manners,
    place,
    surroundings,
)
from bots.responder.rules.topics.scene import Topic

TOPICS: tuple[Topic, ...] = (
    *company.TOPICS,
    *place.TOPICS,
    *belongings.TOPICS,
    *condition.TOPICS,
    *surroundings.TOPICS,
    *identity.TOPICS,
    *commanding.TOPICS,
    *manners.TOPICS,
)
