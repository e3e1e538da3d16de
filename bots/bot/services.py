"""Parts that are built on top of a bot, found by their type.

A bot cannot import its talks or its reflection. The wiring provides them here, and commands
ask for them.

    bot.services.provide(Talks, talks)
    bot.services.get(Talks)
"""

from __future__ import annotations

from typing import Any, TypeVar, cast

S = TypeVar("S")


class Services:
    """One part of each type."""

    def __init__(self) -> None:
        self._parts: dict[type[Any], Any] = {}

    def provide(self, kind: type[S], part: S) -> None:
        """Provide a part. Raises ValueError if there is one of its type already."""
        if kind in self._parts:
            raise ValueError(f"there is a {kind.__name__} already")
        self._parts[kind] = part

    def get(self, kind: type[S]) -> S | None:
        """The part of this type, or None if nothing provides one."""
        return cast("S | None", self._parts.get(kind))
