"""What rules can answer. Where two patterns match a clause, the earlier topic answers."""

from __future__ import annotations

from bots.responder.rules.topics import (
    belongings,
    commanding,
    company,
    condition,
    creatures,
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
    *creatures.TOPICS,
    *identity.TOPICS,
    *commanding.TOPICS,
    *manners.TOPICS,
)
