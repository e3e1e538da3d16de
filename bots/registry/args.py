"""Arguments of a command: one model gives the order of words, the JSON keys and the usage line."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.alias_generators import to_camel

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
        return {cls._key(str(key)): value for key, value in given.items()}

    @classmethod
    def _key(cls, spelt: str) -> str:
        camel = spelt if spelt in cls.model_fields else to_camel(spelt)
        known = {cls.json_key(name) for name in cls.model_fields}
        return camel if camel in known else cls.also.get(camel, spelt)


@cache
def _meanings(args: type[Args]) -> Mapping[str, str]:
    """What stands below each field in the source, its ancestors' fields included; nothing where
    the source is not at hand."""
    found: dict[str, str] = {}
    for cls in reversed(args.__mro__):
        if issubclass(cls, Args):
            found.update(_below_fields(cls))
    return found


def _below_fields(args: type[Args]) -> Iterator[tuple[str, str]]:
    try:
        source = textwrap.dedent(inspect.getsource(args))
    except OSError:
        return
    body = ast.parse(source).body[0]
    assert isinstance(body, ast.ClassDef)
    for field, below in zip(body.body, body.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(meaning))):
                yield name, " ".join(meaning.split())


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
