"""Keeps secrets out of everything written or sent: known ones by value, others by their shape."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

HIDDEN = "***"
TOKEN_PREFIX = "tf_"
_SHAPES = re.compile(
    rf"{TOKEN_PREFIX}[\w-]{{20,}}"  # our own tokens
    r"|sk-ant-[\w-]+"  # Anthropic's keys
    r"|(?<=Bearer )(?!TOKEN\b)[^\s\"',]+"  # our help says `Bearer TOKEN`
    r"|(?<=Authorization: Basic )[^\s\"',]+"
    r"|(?<=x-api-key: )[^\s\"',]+"
    r"|(?<=[?&]token=)[^\s\"'&]+"
    r"|(?<=[?&]key=)[^\s\"'&]+"
    r"|(?<=[?&]api_key=)[^\s\"'&]+"
    r"|(?<=[?&]password=)[^\s\"'&]+"
    r"|(?<=://)[^\s/?#\"'\\]+(?=@)",  # name and password in an address
    re.IGNORECASE,
)
_MARKS = (
    *(TOKEN_PREFIX, "sk-ant-", "bearer ", "authorization: basic ", "x-api-key: "),
    *("token=", "key=", "password=", "://"),
)
"""Each shape holds one of these. Looking for them is much quicker than for shapes, and most text
has none."""
SHORTEST = 6  # characters; hiding shorter values would garble unrelated text


def new_token() -> str:
    """A token for one run of the daemon, of a shape that is recognised in any text."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


class Redactor:
    """Replaces secrets in every value before we write it."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        forms: set[str] = set()
        for secret in known:
            if len(secret) >= SHORTEST:  # as it is in text, in JSON and in addresses
                forms |= {secret, quote(secret, safe="", errors="replace")}
                forms |= {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
        self._longest_first = sorted(forms, key=len, reverse=True)

    def text(self, text: str) -> str:
        for form in self._longest_first:
            text = text.replace(form, HIDDEN)
        folded = text.casefold()
        return _SHAPES.sub(HIDDEN, text) if any(mark in folded for mark in _MARKS) else text

    def value(self, value: object) -> Any:
        """The value with every text in it redacted; other objects become text."""
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self.value(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self.value(inner) for inner in value]
        return self.text(repr(value))
