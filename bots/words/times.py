"""Tells when something was, and how long it took, as people say it."""

from __future__ import annotations

from datetime import datetime

from bots.words import sentence

_UNITS = ((7, "day", 1), (30, "week", 7), (365, "month", 30), (10**9, "year", 365))
"""Until how many days each unit is used, and its length."""


def told_ago(then: datetime, now: datetime, language: str) -> str:
    """When it was, by the calendar of `now`: today, yesterday, 3 days ago, a week ago."""
    days = (now.date() - then.astimezone(now.tzinfo).date()).days
    if days < 1:
        return sentence("ago.today", language)
    if days == 1:
        return sentence("ago.yesterday", language)
    return sentence("ago.span", language, span=told_days(days, language))


def told_days(days: int, language: str) -> str:
    """How long it is: 3 days, a week, 2 months."""
    unit, length = next((unit, length) for until, unit, length in _UNITS if days < until)
    return sentence(f"span.{unit}", language, n=max(1, days // length))


def told_minutes(minutes: int, language: str) -> str:
    """How long it is: 5 minutes, 2 hours."""
    if hours := minutes // 60:
        return sentence("span.hours", language, n=hours)
    return sentence("span.minutes", language, n=minutes)
