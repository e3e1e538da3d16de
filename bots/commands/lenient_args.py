"""Arguments that programs have spelt in several ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import model_validator
from pydantic.alias_generators import to_camel

from bots.commands.args import Args

_ITEM_KEYS = ("item", "name", "recipe", "block", "blockName", "input")
ITEM_SPELLINGS = dict.fromkeys(_ITEM_KEYS, "itemName")


class LenientArgs(Args):
    """JSON keys may be camelCase or snake_case, or one of the other spellings."""

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
