"""Settings of a daemon that is one of several: see docs/cluster.md."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from bots.settings.fields import NatsAddresses, Section, setting


def _check_replicas(servers: int) -> int:
    if servers not in (1, 3, 5):
        raise ValueError("write 1, 3 or 5: one more than an odd number outlives no more failures")
    return servers


class ClusterSettings(Section):
    bus: NatsAddresses = setting(
        (),
        "NATS broker, as `nats://HOST:4222`, that all daemons of a cluster reach; empty: a daemon "
        "of its own",
    )
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{0,50}$")] = setting(
        "", "what the others call this daemon; empty: the name of its machine and of its home"
    )
    copies: Annotated[int, Field(ge=1, le=100)] = setting(
        2, "daemons that keep a copy of each home, to take it over at once"
    )
    replicas: Annotated[int, AfterValidator(_check_replicas)] | None = setting(
        None,
        "servers of the broker that hold all that the cluster stores, 1, 3 or 5; unset: as many as "
        "do already, one at first",
    )
    keep_file: bool = setting(
        False,
        "where data folder and cluster each remember what the other does not: go on with the "
        "folder, and lose the rest",
    )
