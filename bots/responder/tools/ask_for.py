"""`ask_for`: how a model uses a tool that it is not offered by itself.

Most commands are asked for seldom, so they are named here alone; such a call runs at once. Others
are not offered because of what was shown: it may hold words of somebody who may do less than the
asker. Asked for, nothing is done by that: the call is decided anew from a view that permits it, or
the asker is asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bots.access.origin import Level
from bots.access.sources import Audience
from llm.model import Tool, ToolCall

ASK_FOR = "ask_for"
NOTED = "Noted. It is not done yet."
_HEAD = "Use one of these, when the one you answer asks for that now (a_b/c: a_b or a_c). "


@dataclass(frozen=True, slots=True)
class AskedFor:
    """A call that the view did not permit."""

    tool: str
    fields: Mapping[str, Any]
    """The arguments, short names read back."""
    level: Level
    """What everybody must be allowed whose words lead to it."""
    hearers: Audience
    """Players below trusted who would hear of it beside the asker; None: anybody may."""


class ConfirmedCall(ToolCall):
    """The call of which the asker was shown every argument, and said yes."""


class Usage(NamedTuple):
    """How a tool is used: `hand_over <item> [count]`."""

    name: str
    words: tuple[str, ...]
    """Its arguments."""


def ask_for(usages: Sequence[Usage]) -> Tool:
    """The tool that asks for one of these."""
    schema = {
        "type": "object",
        "properties": {
            "tool": {"type": "string"},
            "arguments": {"type": "object", "description": "By name; [those] are optional."},
        },
        "required": ["tool", "arguments"],
    }
    return Tool(ASK_FOR, _HEAD + "; ".join(_listed(usages)), schema)


def call_in(call: ToolCall) -> ToolCall:
    """The call that `ask_for` was given."""
    given = call.arguments or {}
    arguments = given.get("arguments", {})
    known = arguments if isinstance(arguments, Mapping) else None
    return ToolCall(call.id, str(given.get("tool")), known)


def _listed(usages: Sequence[Usage]) -> Iterator[str]:
    """Each usage; those of one family that take the same together: `goal_pause/resume`."""
    alike = defaultdict[tuple[str, str, tuple[str, ...]], list[str]](list)
    for name, words in usages:
        family, mark, own = name.partition("_")
        alike[family, mark, words].append(own)
    for (family, mark, words), owns in alike.items():
        yield " ".join([f"{family}{mark}{'/'.join(owns)}", *words])
