"""Describes what hurt or killed a bot."""

from __future__ import annotations

from bridge.causes import Cause

UNKNOWN = "; I do not know of what"
_SAID = {
    "fall": "a fall",
    "explosion": "an explosion",
    "command": "somebody's command",
    "void": "the void",
    "world_border": "the border of the world",
    "freezing": "the cold",
    "crowding": "a crowd",
    "collision": "a collision",
    "withering": "withering",
    "dragon_breath": "a dragon's breath",
}
_MASS = frozenset({"lava", "fire", "lightning", "drowning", "hunger", "suffocation", "magic"})


def doer(cause: Cause) -> str:
    """Who or what did it: a zombie, Steve, a fall; with `perhaps` where that is a guess."""
    return f"perhaps {_name(cause)}" if cause.how == "guessed" else _name(cause)


def of_what(cause: Cause | None) -> str:
    """The end of `I died`."""
    return UNKNOWN if cause is None else f": {doer(cause)} killed me"


def _name(cause: Cause) -> str:
    if cause.kind == "player":
        return cause.name
    if cause.name in _SAID:
        return _SAID[cause.name]
    words = cause.name.replace("_", " ")
    if cause.name in _MASS:
        return words
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
