"""Reads JSON that others wrote: daemons over the broker, Node, servers, models, files, people.

Whatever they send becomes a plain value of bounded size and depth, or one error. Bodies of a known
shape go to pydantic instead, which has the same bounds and an error of its own kind.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

LARGEST = 64 * 1024 * 1024  # characters or bytes; readers of a small thing say less
DEEPEST = 100  # lists and objects within each other; ours have less than twenty


class NotJson(ValueError):
    """What was sent is no JSON, or too large or too deep to be ours. Raised for nothing else."""


def read_json(raw: str | bytes, largest: int = LARGEST) -> Any:
    """The value. Raises NotJson."""
    if len(raw) > largest:
        raise NotJson(f"it has {len(raw):,} bytes; at most {largest:,} are read")
    try:
        text = raw if isinstance(raw, str) else raw.decode()
        value = _DECODER.decode(text)
    except RecursionError:
        raise NotJson(_TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise NotJson(f"{error.msg} ({_place(error)})") from None
    except ValueError as error:  # no UTF-8, no number, a number of thousands of digits
        raise NotJson(str(error)) from None
    if text.count("[") + text.count("{") > DEEPEST and _is_deep(value):
        raise NotJson(_TOO_DEEP)
    return value


def read_object(raw: str | bytes, largest: int = LARGEST) -> dict[str, Any]:
    """The value, which must be an object. Raises NotJson."""
    value = read_json(raw, largest)
    if not isinstance(value, dict):
        raise NotJson("it is no object")
    return value


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [
            child
            for one in level
            for child in (one.values() if type(one) is dict else one)
            if type(child) in _NESTED
        ]
        if not level:
            return False
    return True


def _place(error: json.JSONDecodeError) -> str:
    if error.lineno > 1:
        return f"line {error.lineno}, column {error.colno}"
    return f"character {error.pos + 1}"


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")


def _finite(written: str) -> float:
    number = float(written)
    return number if math.isfinite(number) else _no_number(written)


_TOO_DEEP = f"it is nested more than {DEEPEST} deep"
_NESTED = frozenset({dict, list})
_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)
