"""Reads rows that may be damaged: one bad row must not cost us the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias, TypeVar

import structlog

log = structlog.get_logger()

T = TypeVar("T")
Row: TypeAlias = tuple[Any, ...]

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""Errors from reading a damaged row."""


def readable(rows: Iterable[Row], make: Callable[[Row], T], table: str) -> Iterator[T]:
    """The value of each row. One that cannot be read is set aside: it stays in the database, and
    is told, the first of a table with why, the others by their number."""
    bad: list[Row] = []
    why = ""
    for row in rows:
        try:
            value = make(row)
        except UNREADABLE as error:
            bad.append(row)
            why = why or f"{type(error).__name__}: {error}"[:200]
        else:
            yield value
    if bad:
        first = repr(bad[0][0])[:80]
        log.warning("rows.set_aside", table=table, rows=len(bad), first=first, why=why)
