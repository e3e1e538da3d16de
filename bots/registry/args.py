"""Arguments of a command: one model gives the order of words, the JSON keys and the usage line.

    username: PlayerWord

`me` means the asker, even if a player has that name. A field of another type that may name a
player, and sees to it itself, is marked `NAMES_PLAYER`. Any text parses or raises a CommandError.
"""

from __future__ import annotations

import ast
import inspect
import json
import math
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Self, TypeAlias, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.alias_generators import to_camel

from bots.errors import InvalidArguments
from bots.text.faults import faults_of
from bots.text.numbers import blocks
from bots.text.printable import excerpt
from bots.text.pronouns import is_asker
from bridge.foreign_json import NotJson, read_object
from bridge.world import Position

PREFIX = "!"

_ITEM_KEYS = ("item", "name", "recipe", "block", "blockName", "input")
ITEM_SPELLINGS = dict.fromkeys(_ITEM_KEYS, "itemName")
"""Other JSON keys that stand for `itemName`; see `LenientArgs.also`."""


class Args(BaseModel):
    """Base of all arguments. Words fill the fields in order; the last field takes the rest."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, alias_generator=to_camel, populate_by_name=True
    )

    json_only: ClassVar[frozenset[str]] = frozenset()
    """Fields that can be given as JSON only."""

    @classmethod
    def failure_facts(cls, _fields: Mapping[str, Any]) -> dict[str, Any]:
        """What every failure of the command carries, even when fields are wrong."""
        return {}

    @classmethod
    def word_fields(cls) -> list[str]:
        """The fields that words fill, in order."""
        return [name for name in cls.model_fields if name not in cls.json_only]

    @classmethod
    def is_json(cls, rest: str) -> bool:
        """Whether the rest of a command is JSON, as against words."""
        return rest.startswith("{")

    @classmethod
    def from_words(cls, rest: str) -> dict[str, Any]:
        """Fields by position, under their JSON keys."""
        names = cls.word_fields()
        if not names:
            return {"": rest} if rest else {}
        words = rest.split(maxsplit=len(names) - 1)
        keys = [cls.json_key(name) for name in names]
        return dict(zip(keys, (word.strip() for word in words), strict=False))

    @classmethod
    def json_key(cls, name: str) -> str:
        return cls.model_fields[name].alias or name

    @classmethod
    def usage(cls, command: str) -> str:
        """How to write it: `!chat <username> <message>`, and as JSON if that can say more."""
        words = " ".join([PREFIX + command, *cls.in_words()])
        if not cls.json_only:
            return words
        keys = ", ".join(f'"{cls.json_key(name)}": …' for name in cls.model_fields)
        return f"{words} or {PREFIX}{command} {{{keys}}}"

    @classmethod
    def in_words(cls) -> list[str]:
        """The arguments that words give, in order: `<username>`, `[count]`."""
        return [cls._word(name) for name in cls.word_fields()]

    @classmethod
    def options(cls) -> Iterator[tuple[str, str, str]]:
        """JSON key, meaning and default (empty where there is none) of each argument."""
        meanings = _meanings(cls)
        for name, field in cls.model_fields.items():
            default = "" if field.is_required() else _written(field.default)
            yield cls.json_key(name), meanings.get(name, ""), default

    @classmethod
    def _word(cls, name: str) -> str:
        key = cls.json_key(name)
        return f"<{key}>" if cls.model_fields[name].is_required() else f"[{key}]"


class NoArgs(Args):
    """For commands without arguments."""


class LenientArgs(Args):
    """Takes JSON keys in camelCase, in snake_case, or by another spelling."""

    also: ClassVar[Mapping[str, str]] = {}
    """Another spelling -> the JSON key it stands for."""

    @model_validator(mode="before")
    @classmethod
    def _one_spelling(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        known = {cls.json_key(name) for name in cls.model_fields}
        fields: dict[str, Any] = {}
        for key, value in given.items():
            spelt = str(key)
            camel = spelt if spelt in cls.model_fields else to_camel(spelt)
            fields[camel if camel in known else cls.also.get(camel, spelt)] = value
        return fields


@cache
def _meanings(args: type[Args]) -> Mapping[str, str]:
    """What stands below each field in the source, its ancestors' fields included; nothing where
    the source is not at hand."""
    found: dict[str, str] = {}
    for cls in [one for one in reversed(args.__mro__) if issubclass(one, Args)]:
        try:
            body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
        except OSError:
            continue
        assert isinstance(body, ast.ClassDef)
        for field, below in zip(body.body, body.body[1:], strict=False):
            match field, below:
                case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(meaning))):
                    found[name] = " ".join(meaning.split())
    return found


def _written(default: object) -> str:
    """A default as one writes it; empty where it says nothing."""
    if isinstance(default, bool):
        return str(default).lower()
    return (
        ""
        if default is None or default == ()
        else f"{default:g}"
        if isinstance(default, float)
        else str(default)
    )


NAMES_PLAYER = object()
"""Marks types of arguments."""


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
        if NAMES_PLAYER in field.metadata or NAMES_PLAYER in _marks(field.annotation)
    )


def _marks(annotation: Any) -> Iterator[Any]:
    yield from getattr(annotation, "__metadata__", ())
    for one in get_args(annotation):
        yield from _marks(one)


WORLD_BORDER = 30_000_000  # blocks; source: minecraft.wiki/w/World_border
HIGHEST = 4_096  # blocks above or below 0; source: minecraft.wiki/w/Altitude (custom worlds)
_AXES = ("x", "y", "z")


def _by_axis(given: Any) -> Any:
    if isinstance(given, list | tuple):
        if len(given) != len(_AXES):
            raise ValueError("give three numbers, [x, y, z]")
        return dict(zip(_AXES, given, strict=True))
    return given


def inside_world(position: Position) -> Position:
    """The same position. Raises ValueError where no world is."""
    if not all(map(math.isfinite, (position.x, position.y, position.z))):
        raise ValueError("coordinates are finite numbers")
    if max(abs(position.x), abs(position.z)) > WORLD_BORDER or abs(position.y) > HIGHEST:
        raise ValueError("that lies outside the world")
    return position


Coordinates: TypeAlias = Annotated[
    Position, BeforeValidator(_by_axis), AfterValidator(inside_world)
]


class PointArgs(LenientArgs):
    """A point as three words, as keys x, y and z, or as `position`."""

    also: ClassVar = {"coords": "position"}
    json_only: ClassVar = frozenset({"position"})
    is_needed: ClassVar = True
    """Whether a point must be given; else `point` may be None."""

    x: float | None = Field(None, allow_inf_nan=False)
    """The point, east."""
    y: float | None = Field(None, allow_inf_nan=False)
    """The point, up."""
    z: float | None = Field(None, allow_inf_nan=False)
    """The point, south."""
    position: Coordinates | None = None
    """The point as [x, y, z]."""

    @model_validator(mode="after")
    def _one_point(self) -> Self:
        given = [axis is not None for axis in (self.x, self.y, self.z)]
        if any(given) and not all(given):
            raise ValueError("give x, y and z")
        if self.is_needed and self.point is None:
            raise ValueError("give a position: x y z")
        return self

    @property
    def point(self) -> Position | None:
        if self.x is None or self.y is None or self.z is None:
            return self.position
        return Position(self.x, self.y, self.z)

    @property
    def block(self) -> Position | None:
        """The block that the point lies in."""
        return self.point.block if self.point else None

    @property
    def standing(self) -> Position | None:
        """Where feet go: a whole number means the middle of the block."""
        if self.point is None:
            return None
        x, y, z = self.point.x, self.point.y, self.point.z
        return Position(_middle(x), y, _middle(z))


@dataclass(frozen=True, slots=True)
class Point:
    """A block's place. A plain dataclass, as one result may hold hundreds."""

    x: int
    y: int
    z: int

    @classmethod
    def of(cls, position: Position) -> Point:
        return cls(blocks(position.x), blocks(position.y), blocks(position.z))

    @property
    def position(self) -> Position:
        return Position(self.x, self.y, self.z)

    def as_json(self) -> dict[str, int]:
        return {"x": self.x, "y": self.y, "z": self.z}

    def __str__(self) -> str:
        return f"{self.x} {self.y} {self.z}"


def _middle(along: float) -> float:
    return along + 0.5 if along == math.floor(along) else along


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
    if not args.is_json(rest):
        return args.from_words(rest)
    try:
        loaded = read_object(rest)
    except NotJson as error:
        sentence = f"That is not JSON: {quoted(str(error))}."
        raise InvalidArguments("invalid_format", sentence) from error
    if _ESCAPED_SURROGATE.search(rest):
        _require_unicode(json.dumps(loaded, ensure_ascii=False))
    return loaded


def checked_fields(fields: Mapping[str, Any]) -> Fields:
    """Fields that came as an object, within the same bounds as a text."""
    _require_bounds(json.dumps(fields, ensure_ascii=False))
    return dict(fields)


def check(args: type[A], fields: Fields, asker: str | None = None) -> A:
    """The arguments as the asker means them, or an `InvalidArguments` that names the first wrong
    field."""
    try:
        return args.model_validate(fields, context={"asker": asker})
    except ValidationError as error:
        fault = faults_of(error)[0]
        name = quoted(fault.name)
        if fault.is_unknown:
            sentence = f"There is no {name} in this command." if name else "It takes no arguments."
        elif fault.is_missing:
            sentence = f"{name} {fault.complaint}."
        else:
            sentence = f"{name}: {fault.complaint}." if name else f"{fault.complaint}."
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
