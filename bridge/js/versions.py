"""Versions that servers named when they refused another one: tried before anything else."""

from __future__ import annotations

import re
from dataclasses import replace

from bridge.errors import SpawnFailed
from bridge.port import ServerAddress

_WANTED = re.compile(
    r"(?:(?:incompatible|outdated) client! please use|outdated server! i'm still on)"
    r"\s+v?(\d+(?:\.\d+)+)",
    re.IGNORECASE,
)
"""Vanilla's words since 1.7; proxies and ViaVersion use them too."""


class NamedVersions:
    def __init__(self) -> None:
        self._named: dict[tuple[str, int], str] = {}

    def known(self, server: ServerAddress) -> ServerAddress:
        """The server with the version it named itself, if it did."""
        named = self._named.get((server.host, server.port))
        return server if named is None else replace(server, version=named)

    def learn(self, asked: ServerAddress, failure: SpawnFailed) -> ServerAddress | None:
        """What to try instead after a failure; None when the server named nothing new."""
        address = (asked.host, asked.port)
        found = _WANTED.search(failure.text)
        if found is None or found[1] == asked.version:
            self._named.pop(address, None)
            return None
        self._named[address] = found[1]
        return replace(asked, version=found[1])
