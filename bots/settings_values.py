"""The kinds of values a setting takes, each refusing with what would be right."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})


def in_javascript(pattern: re.Pattern[str]) -> str:
    """A pattern as JavaScript, which runs it, writes named groups."""
    return pattern.pattern.replace("(?P<", "(?<")


def _split_words(value: object) -> object:
    """`Alice,Bob` from the environment; a TOML list passes as it is."""
    if not isinstance(value, str):
        return value
    return tuple(word.strip() for word in value.split(",") if word.strip())


def _check_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_]{1,16}", name):
        raise ValueError(f"{name!r} is no name; write 1 to 16 letters, digits or underscores")
    return name


def _check_cast(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        raise ValueError("name at least one bot")
    if len({name.casefold() for name in names}) < len(names):
        raise ValueError("every bot needs a name of its own")
    return names


def _compile(pattern: object) -> object:
    if not isinstance(pattern, str):
        return pattern
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error


def _check_groups(pattern: re.Pattern[str]) -> re.Pattern[str]:
    if missing := {"sender", "text"} - pattern.groupindex.keys():
        raise ValueError(f"needs the named group (?P<{min(missing)}>…)")
    if (pattern.groupindex["sender"], pattern.groupindex["text"]) != (1, 2):
        raise ValueError("sender and text must be the first two groups; write others as (?:…)")
    return pattern


def _one_or_more(value: object) -> object:
    """A single text, as the environment gives it, is one of its kind."""
    return (value,) if isinstance(value, str) else value


def _check_http(address: str) -> str:
    """Empty, or an http address."""
    parts = urlsplit(address)
    fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    if address and not fits:
        raise ValueError(f"{address!r} is no address; write http://HOST:PORT")
    return address


Words = Annotated[tuple[str, ...], BeforeValidator(_split_words)]
PlayerNames = Annotated[
    tuple[Annotated[str, AfterValidator(_check_name)], ...], BeforeValidator(_split_words)
]
BotNames = Annotated[PlayerNames, AfterValidator(_check_cast)]
Port = Annotated[int, Field(ge=1, le=65535)]
PortOrAny = Annotated[int, Field(ge=0, le=65535)]
WhisperPattern = Annotated[
    re.Pattern[str], BeforeValidator(_compile), AfterValidator(_check_groups)
]
WhisperPatterns = Annotated[tuple[WhisperPattern, ...], BeforeValidator(_one_or_more)]
HttpAddress = Annotated[str, AfterValidator(_check_http)]
"""Or empty."""
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Blocks = Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)]
