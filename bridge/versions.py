"""The versions of Minecraft that bots join: versions.json, one line each, the oldest first.

`known` says how: over the protocol bench, over packets of vanilla (`bytes`), on a `real` server;
`newer` is a release that bots do not join. Those of `ci` are tried with every test run. The host
reads the same file, and `python -m versions.pages` (tests/) writes it into the docs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

Known = Literal["bench", "bytes", "real", "newer"]


@dataclass(frozen=True, slots=True)
class Version:
    name: str
    protocol: int
    """The number that clients and servers tell each other."""
    known: Known
    ci: bool = False


class Versions:
    def __init__(self, versions: Iterable[Version]) -> None:
        every = tuple(versions)
        self.joined = tuple(one for one in every if one.known != "newer")
        self.newer = tuple(one for one in every if one.known == "newer")

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(Version(name, **row) for name, row in json.loads(text).items())

    @property
    def newest(self) -> Version:
        return self.joined[-1]

    def is_too_new(self, protocol: int, words: str) -> bool:
        """Of a server that tells this; a proxy may tell a range, as “1.8-26.1”."""
        told = re.findall(r"\d+(?:\.\d+)+", words)
        return protocol > self.newest.protocol and not any(one.name in told for one in self.joined)

    def __str__(self) -> str:
        return f"{self.joined[0].name} to {self.newest.name}"


VERSIONS = Versions.read(Path(__file__).with_suffix(".json").read_text())
