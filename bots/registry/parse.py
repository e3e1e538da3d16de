"""Parses the text of a command into its fields. Any text parses or raises a CommandError."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypeAlias, TypeVar

from pydantic import ValidationError

from bots.errors import InvalidArguments
from bots.registry.args import PREFIX, Args
from bots.registry.persons import given_by
from bots.text.faults import Fault, faults_of
from bots.text.printable import excerpt
from bridge.foreign_json import NotJson, read_object

LONGEST_ARGUMENTS = 8_000  # characters; a whisper holds 256, HTTP and Python may send more
QUOTED = 40  # characters of a user's input that a message repeats

Fields: TypeAlias = dict[str, Any]
A = TypeVar("A", bound=Args)

_ESCAPED_SURROGATE = re.compile(r"\\u[dD]")


def body_of(text: str) -> str:
    """The text without its prefix. Raises InvalidArguments where there is none."""
    if not text.startswith(PREFIX):
        raise InvalidArguments("invalid_format", f"A command begins with {PREFIX}.")
    return text[len(PREFIX) :]


def fields_of(args: type[Args], rest: str) -> Fields:
    """The unchecked fields: JSON if the text begins with `{`, else words."""
    _require_bounds(rest)
    return _loads(rest) if args.is_json(rest) else args.from_words(rest)


def checked_fields(fields: Mapping[str, Any]) -> Fields:
    """Fields that came as an object, within the same bounds as a text."""
    _require_bounds(json.dumps(fields, ensure_ascii=False))
    return dict(fields)


def check(args: type[A], fields: Fields, asker: str | None = None) -> A:
    """The arguments as the asker means them, or an `InvalidArguments` that names the first wrong
    field."""
    try:
        return args.model_validate(fields, context=given_by(asker))
    except ValidationError as error:
        sentence = _sentence(faults_of(error)[0])
        raise InvalidArguments("invalid_format", sentence) from error


def quoted(text: str) -> str:
    """A player's input, quoted for a refusal."""
    return excerpt(text, QUOTED)


def _require_bounds(text: str) -> None:
    if len(text) > LONGEST_ARGUMENTS:
        sentence = f"Arguments have at most {LONGEST_ARGUMENTS} characters, not {len(text)}."
        raise InvalidArguments("invalid_format", sentence)
    _require_unicode(text)


def _require_unicode(text: str) -> None:
    """Refuse lone surrogates: they can be neither sent nor stored."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        sentence = "The text holds half of a character."
        raise InvalidArguments("invalid_format", sentence) from error


def _loads(text: str) -> Fields:
    try:
        loaded = read_object(text)
    except NotJson as error:
        sentence = f"That is not JSON: {quoted(str(error))}."
        raise InvalidArguments("invalid_format", sentence) from error
    if _ESCAPED_SURROGATE.search(text):
        _require_unicode(json.dumps(loaded, ensure_ascii=False))
    return loaded


def _sentence(fault: Fault) -> str:
    name = quoted(fault.name)
    if fault.is_unknown:
        return f"There is no {name} in this command." if name else "It takes no arguments."
    if fault.is_missing:
        return f"{name} {fault.complaint}."
    return f"{name}: {fault.complaint}." if name else f"{fault.complaint}."
