"""Arguments that name players: `me` means the asker, even if a player has that name.

    username: PlayerWord

A field of another type that may name a player, and sees to it itself, is marked `NAMES_PLAYER`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias, get_args

from pydantic import AfterValidator, ValidationInfo

from bots.registry.args import Args
from bots.text.pronouns import is_asker

NAMES_PLAYER = object()
"""Marks types of arguments."""


def given_by(asker: str | None) -> dict[str, str | None]:
    """The context to check arguments in."""
    return {"asker": asker}


def _meant(word: str, info: ValidationInfo) -> str:
    asker = (info.context or {}).get("asker")
    return asker if asker is not None and is_asker(word) else word


PlayerWord: TypeAlias = Annotated[str, AfterValidator(_meant), NAMES_PLAYER]
"""A player's name, or `me` in English or Japanese."""


def names_in(given: Any) -> list[str]:
    """The names that an argument holds: one, or several in a list or between commas."""
    listed = given if isinstance(given, list | tuple) else [given]
    words = (re.split("[,、]", one) for one in listed if isinstance(one, str))
    return [name.strip() for several in words for name in several]


def player_keys(args: type[Args]) -> frozenset[str]:
    """The JSON keys of the arguments that may name players."""
    fields = args.model_fields.items()
    return frozenset(
        args.json_key(name)
        for name, field in fields
        if (NAMES_PLAYER in field.metadata or NAMES_PLAYER in _marks(field.annotation))
    )


def _marks(annotation: Any) -> Iterator[Any]:
    yield from getattr(annotation, "__metadata__", ())
    for one in get_args(annotation):
        yield from _marks(one)
