"""How sure a model says it is of a tool call, and what else it considered.

Tools that begin a job ask for this in two extra fields, which no command has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from llm.engine.decision import Used

SURE, INSTEAD = "sure", "instead"
FIELDS: Mapping[str, Any] = {
    SURE: {"type": "number"},
    INSTEAD: {"type": "string"},
}
"""As JSON schemas. The instructions say once what they mean, for all tools."""
MOST_OTHERS = 3
LONGEST = 500  # characters of one


def command_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments without those two fields."""
    return {name: value for name, value in arguments.items() if name not in FIELDS}


def stated_confidence(used: Sequence[Used]) -> dict[str, Any]:
    """Confidence, from 0 to 1, and alternatives of the first call that states any."""
    arguments = [one.arguments or {} for one in used]
    first = next((one for one in arguments if SURE in one or INSTEAD in one), {})
    return {"confidence": _share(first.get(SURE)), "alternatives": _others(first.get(INSTEAD))}


def _share(sure: Any) -> float | None:
    is_number = isinstance(sure, int | float) and not isinstance(sure, bool)
    return float(sure) if is_number and 0 <= sure <= 1 else None


def _others(instead: Any) -> list[str] | None:
    given = instead if isinstance(instead, list) else [instead] if instead else []
    return [str(other)[:LONGEST] for other in given[:MOST_OTHERS]] or None
