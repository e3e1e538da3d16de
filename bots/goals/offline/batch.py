"""Answers many planning questions: one JSON object per line in, one per line out.

    {"id": 7, "goal": "inventory.stick:4", "world": {"nearby": {"oak_log": 3}}}

Every line gets an answer, with its id if that is readable; blank lines are skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from bots.goals.offline.offline_planner import OfflinePlanner
from bots.goals.parsing.refusals import quoted
from bots.goals.plan import Plan
from bots.text import suggest
from bridge.foreign_json import NotJson, read_json

KEYS = ("id", "goal", "world")

_READABLE_ID = re.compile(r'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d{1,18}(?![\d.eE]))')


class _Malformed(ValueError):
    """Not a question."""


def answer_line(
    line: bytes, planner: OfflinePlanner, world: object = None, *, explain: bool = False
) -> str | None:
    """The answer as one line of JSON; None for a blank line.

    `world` is the default for lines without one; `explain` adds the key `explanation`.
    """
    text = line.decode("utf-8", "replace").strip().removeprefix("\ufeff")
    if not text:
        return None
    try:
        asked = _question(text)
    except _Malformed as error:
        plan = Plan(goal="", found=False, message=str(error))
        return _written(_id_within(text), plan)
    at = asked.get("world", world)
    plan = planner.answer(asked["goal"], at)
    more = {"explanation": planner.reasons(plan, at)} if explain else {}
    return _written(asked.get("id"), plan, **more)


def _question(text: str) -> Mapping[str, Any]:
    try:
        asked = read_json(text)
    except NotJson as error:
        raise _Malformed(f"This line is not JSON: {error}.") from error
    if not isinstance(asked, dict):
        raise _Malformed(f"A line is an object with {', '.join(KEYS)}, not {quoted(text)}.")
    if "goal" not in asked:
        raise _Malformed(f"This line has no goal.{_misspelt(asked)}")
    if "world" not in asked and _misspelt(asked):
        raise _Malformed(f"This line has no world.{_misspelt(asked)}")
    return asked


def _misspelt(asked: Mapping[str, Any]) -> str:
    """A hint if a key looks like a missing one; other unknown keys are ignored."""
    absent = [key for key in KEYS if key not in asked]
    for key in asked:
        near = [] if key in KEYS else suggest.similar(key, absent)
        if near:
            return f" Is {quoted(key)} meant for {near[0]}?"
    return ""


def _id_within(text: str) -> Any:
    found = _READABLE_ID.search(text)
    try:
        return read_json(found[1]) if found else None
    except NotJson:
        return None


def _written(name: Any, plan: Plan, **more: Any) -> str:
    return json.dumps({"id": name, **plan.as_json(), **more})
