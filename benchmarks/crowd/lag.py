"""The lag of the event loop between two moments, from what the daemon tells Prometheus."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from prometheus_client.parser import text_string_to_metric_families

from bots.clock import MS_PER_S

BUCKET = "townsfolk_event_loop_lag_seconds_bucket"


@dataclass(frozen=True, slots=True)
class Lag:
    """How many looks, since the daemon's start, were at most so late."""

    at_most_s: Mapping[float, int]

    @classmethod
    def of(cls, metrics: str) -> Self:
        """From the text for Prometheus."""
        return cls(
            {
                float(sample.labels["le"]): int(sample.value)
                for family in text_string_to_metric_families(metrics)
                for sample in family.samples
                if sample.name == BUCKET
            }
        )


def p99_at_most_ms(before: Lag, after: Lag) -> float:
    """The smallest bound that 99 of 100 looks kept; infinity when more were later than all."""
    looks = {
        bound: count - before.at_most_s.get(bound, 0) for bound, count in after.at_most_s.items()
    }
    enough = 0.99 * looks.get(math.inf, 0)
    kept = [bound for bound, count in looks.items() if count >= enough]
    return min(kept, default=math.inf) * MS_PER_S
