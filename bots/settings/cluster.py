"""Settings of a daemon that is one of several: see docs/cluster.md."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bots.settings.fields import NatsAddresses, Section, setting


class ClusterSettings(Section):
    bus: NatsAddresses = setting(
        (),
        "NATS broker, as `nats://HOST:4222`, that all daemons of a cluster reach; empty: a daemon "
        "of its own",
    )
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{0,50}$")] = setting(
        "", "what the others call this daemon; empty: the name of its machine"
    )
    copies: Annotated[int, Field(ge=1, le=100)] = setting(
        2, "daemons that keep a copy of each home, to take it over at once"
    )
    keep_file: bool = setting(
        False,
        "where data folder and cluster each remember what the other does not: go on with the "
        "folder, and lose the rest",
    )
