"""What the entries of a home's stream say: one line of JSON, then what they carry.

    owner       who writes from here on; whoever wrote before is refused
    changes     a group of changes, or a part of one
    base        a part of the whole file as it was at a place
    base_end    the base is complete; older entries may be dropped

A group or a base that is not complete counts as never written.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Literal, TypeAlias

from bots.cluster.bus import LARGEST, BusError, Entry
from bots.store.journal import Place
from bots.store.replica import Step
from bridge.foreign_json import read_object

Kind: TypeAlias = Literal["owner", "changes", "base", "base_end"]
PART = LARGEST - 4 * 1024  # bytes; the line before it has less


class NoEntry(BusError):
    """What stands in a home's stream is no entry of one."""


@dataclass(frozen=True, slots=True)
class Head:
    """The line of an entry."""

    kind: Kind
    history: str
    """Of the newest complete base; another one when the file came from elsewhere."""
    run: str
    number: int
    """Of the entries of this writer."""
    after: int
    """The position of the entry before."""
    version: int
    """The shape of the database, see bots/store/migrations.py."""
    base_at: int
    """Where the newest complete base begins; 0: there is none."""
    base_size: int
    entries_since: int
    bytes_since: int
    """Of what was written after that base."""
    part: int = 0
    parts: int = 1
    base: str = ""
    """Which base a part is of, or the end."""
    holds: tuple[int, str, int] | None = None
    """The place that a base was made at: position, run, number."""
    member: str = ""
    token: int = 0

    def place(self, position: int) -> Place:
        return Place(self.history, position, self.run, self.number)

    def with_body(self, body: bytes) -> bytes:
        facts = {name: value for name, value in asdict(self).items() if value is not None}
        return json.dumps(facts, separators=(",", ":")).encode() + b"\n" + body


_NAMES = {field.name for field in fields(Head)}


def read_entry(entry: Entry) -> tuple[Head, bytes]:
    """Raises NoEntry."""
    line, _, body = entry.body.partition(b"\n")
    try:
        told = read_object(line)
        facts = {name: told[name] for name in told.keys() & _NAMES}  # newer ones may tell more
        if facts.get("holds") is not None:
            facts["holds"] = tuple(facts["holds"])
        return Head(**facts), body
    except (ValueError, TypeError, AttributeError) as error:
        raise NoEntry(f"the entry at {entry.position} is none of a home: {error}") from error


def in_parts(body: bytes) -> Sequence[bytes]:
    return [body[start : start + PART] for start in range(0, len(body), PART)] or [b""]


class Steps:
    """Joins the parts of groups, and makes steps of entries for a copy of a history."""

    def __init__(self, history: str) -> None:
        self._history = history
        self._parts: list[bytes] = []
        self._run = ""

    def next(self, position: int, head: Head, body: bytes) -> Step | None:
        """The step to this entry; None where a group is not complete yet."""
        if head.kind != "changes":
            self._parts = []
            return self._step(position, head, None)
        if head.part == 0 or head.run != self._run or head.part != len(self._parts):
            self._parts, self._run = [], head.run
        if head.part == len(self._parts):
            self._parts.append(body)
        if len(self._parts) < head.parts:
            return None
        group, self._parts = b"".join(self._parts), []
        return self._step(position, head, group)

    def _step(self, position: int, head: Head, group: bytes | None) -> Step:
        # Not the history of the entry: a base that begins one still names the one before.
        return Step(replace(head.place(position), history=self._history), head.version, group)
