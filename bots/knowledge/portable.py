"""Entries as lines of JSON, to be carried from one bot or machine to another."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bots.access.sources import as_text, from_text
from bots.bot.knowing import (
    LONGEST,
    LONGEST_TOPIC,
    TAG_KINDS,
    TYPES,
    Entry,
    Found,
    Tag,
    tag,
)
from bridge.foreign_json import read_object

_LEARNT_FROM = ("told", "seen", "concluded")


def line_of(entry: Entry) -> str:
    return json.dumps(as_json(entry), ensure_ascii=False)


def found_as_json(found: Found) -> dict[str, Any]:
    """An entry that was found, for machines."""
    how = {"weight": round(found.weight, 3), "references": found.references}
    return {**as_json(found.entry), **how, "depth": found.depth, "claim": found.is_claim}


def as_json(entry: Entry) -> dict[str, Any]:
    """An entry for machines."""
    return {
        "id": entry.id,
        "type": entry.type,
        "topic": entry.topic,
        "insight": entry.insight,
        "context": entry.context,
        "tags": [{"kind": one.kind, "name": one.name} for one in sorted(entry.tags)],
        "situations": sorted(entry.situations),
        "always": entry.always,
        "learntFrom": entry.learnt_from,
        "speaker": entry.speaker,
        "level": entry.level.name.lower(),
        "utterance": entry.utterance,
        "confidence": entry.confidence,
        "links": sorted(entry.links),
        "used": entry.used,
        "usedAt": _iso(entry.used_at),
        "madeAt": _iso(entry.made_at),
        "updatedAt": _iso(entry.updated_at),
        "expiresAt": _iso(entry.expires_at),
        "sources": json.loads(as_text(entry.sources)),
    }


def entries_of(lines: Iterable[str]) -> Sequence[Entry]:
    """The entries of such lines, with the numbers they had. Raises ValueError, naming the line."""
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(_entry(read_object(line)))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ValueError(f"line {number} is no entry: {error}") from error
    return found


def renumbered(entry: Entry, numbers: Mapping[int, int]) -> Entry:
    """An entry with its links under other numbers; links to others are left out."""
    return replace(entry, links=frozenset(numbers[n] for n in entry.links if n in numbers))


def _entry(row: Mapping[str, Any]) -> Entry:
    insight, type_, learnt_from = row["insight"], row["type"], row["learntFrom"]
    if type_ not in TYPES or learnt_from not in _LEARNT_FROM:
        raise ValueError(f"{type_!r}, {learnt_from!r}: no such kind of entry")
    if not isinstance(insight, str) or not 0 < len(insight) <= LONGEST:
        raise ValueError(f"an insight has 1 to {LONGEST} characters")
    return Entry(
        insight,
        from_text(json.dumps(row["sources"])),
        type_,
        str(row["topic"])[:LONGEST_TOPIC],
        str(row["context"])[:LONGEST],
        frozenset(_tag(one["kind"], one["name"]) for one in row["tags"]),
        frozenset(map(str, row["situations"])),
        bool(row["always"]),
        learnt_from,
        str(row["speaker"]),
        None,  # a line of another history
        min(1.0, max(0.0, float(row["confidence"]))),
        frozenset(map(int, row["links"])),
        _moment(row["expiresAt"]),
        int(row["id"]),
        _moment(row["madeAt"]),
        _moment(row["updatedAt"]),
        max(0, int(row["used"])),
        _moment(row["usedAt"]),
    )


def _tag(kind: Any, name: Any) -> Tag:
    if kind not in TAG_KINDS:
        raise ValueError(f"{kind!r} is no kind of tag")
    return tag(kind, str(name))


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _moment(written: str | None) -> datetime | None:
    if written is None:
        return None
    at = datetime.fromisoformat(written)
    if at.tzinfo is None:
        raise ValueError(f"{written} has no time zone")
    return at
