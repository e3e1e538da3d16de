"""Moments as the database keeps them: whole microseconds since 1970, UTC."""

from __future__ import annotations

from datetime import datetime, timedelta

from bots.conversation.message import EPOCH

MICROSECOND = timedelta(microseconds=1)


def microseconds(at: datetime) -> int:
    return (at - EPOCH) // MICROSECOND


def moment(at_us: int) -> datetime:
    return EPOCH + at_us * MICROSECOND
