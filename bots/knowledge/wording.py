"""Entries in words, for people and for models: a claim is told as one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bots.access.origin import called, is_operator
from bots.bot.knowing import Entry, Found
from bots.text.excerpt import excerpt
from bots.text.numbers import ago


def listed(found: Found, now: datetime) -> str:
    """`12: Steve told me 3 days ago: the bridge is broken`."""
    entry, when = found.entry, _when(found.entry, now)
    words = _words(entry)
    if not entry.speaker:
        return f"{entry.id}: {words} ({when})"
    verb = "claims" if found.is_claim else "told me"
    return f"{entry.id}: {called(entry.speaker)} {verb}, {when}: “{words}”"


def row_of(found: Found, now: datetime) -> dict[str, Any]:
    """As a model is shown it. Others' words stand in quotes, beside who they are of."""
    entry = found.entry
    topic = {"about": entry.topic} if entry.topic else {}
    key = "claimed" if found.is_claim else "known"
    told = {"from": entry.speaker, "who": who(entry)} if entry.speaker else {}
    row = {key: entry.insight, **topic, **told, "when": _when(entry, now)}
    return {**row, "while": entry.context} if entry.context else row


def who(entry: Entry) -> str:
    """What whoever told it might do then."""
    return "operator" if is_operator(entry.speaker) else entry.level.name.lower()


def _words(entry: Entry) -> str:
    topic = f"{entry.topic}: " if entry.topic else ""
    return excerpt(f"{topic}{entry.insight}", 160)


def _when(entry: Entry, now: datetime) -> str:
    at = entry.updated_at
    return ago(at, now) if at is not None else ""
