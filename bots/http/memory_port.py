"""What HTTP asks of what bots know, and the bodies that add to it."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Json: TypeAlias = dict[str, Any]
MOST_DAYS = 3_650
LONGEST, LONGEST_TOPIC = 300, 60  # characters


class _Body(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class NewFact(_Body):
    """Something for the card of a person."""

    kind: str
    """likes, dislikes, lives, called, wishes, promised, noted …"""
    words: str = Field(min_length=1, max_length=LONGEST)
    for_all: bool = Field(default=False, alias="forAll")
    """Whether everybody may be told it; else the person alone, and trusted players."""


class NewEntry(_Body):
    """Something that a bot is to know."""

    words: str = Field(min_length=1, max_length=LONGEST)
    type: str = "insight"
    topic: str = Field(default="", max_length=LONGEST_TOPIC)
    confidence: float = Field(default=0.8, ge=0, le=1)
    days: int | None = Field(default=None, ge=1, le=MOST_DAYS)
    """How long it holds; None: for good."""
    for_all: bool = Field(default=False, alias="forAll")
    """Whether everybody may be told it; else trusted players alone."""


class MemoryPort(Protocol):
    """What an operator may read and change of what bots know; callers check the bots' names.

    Whatever is not there raises CommandError unknown; a kind or type that there is none of,
    invalid_format."""

    async def people(self, bot: str) -> Json: ...
    async def person(self, bot: str, name: str) -> Json: ...
    async def forget_person(self, bot: str, name: str) -> Json: ...
    async def add_fact(self, bot: str, name: str, fact: NewFact) -> Json: ...
    async def drop_fact(self, bot: str, name: str, kind: str, words: str) -> Json: ...
    async def places(self, bot: str) -> Json: ...
    async def place(self, bot: str, name: str) -> Json: ...
    async def knowledge(
        self, bot: str, words: str, type: str | None, speaker: str | None, limit: int
    ) -> Json: ...
    async def add_entry(self, bot: str, entry: NewEntry) -> Json: ...
    async def correct_entry(self, bot: str, number: int, entry: NewEntry) -> Json: ...
    async def forget_entry(self, bot: str, number: int) -> Json: ...
