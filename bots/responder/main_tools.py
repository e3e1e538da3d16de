"""The tools that a model is offered by name: about a dozen, one for each thing people ask for.

Each stands for one command and takes fewer arguments, described in a few words, since every one of
them is paid for in every prompt. All other commands can be asked for with `ask_for`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from bots.responder.asking_back import ASK_FOR, Usage, call_in
from llm.engine.decision import Used
from llm.model import Tool, ToolCall

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
    sure: Any = first.get(SURE)
    is_number = isinstance(sure, int | float) and not isinstance(sure, bool)
    instead = first.get(INSTEAD)
    given = instead if isinstance(instead, list) else [instead] if instead else []
    return {
        "confidence": float(sure) if is_number and 0 <= sure <= 1 else None,
        "alternatives": [str(other)[:LONGEST] for other in given[:MOST_OTHERS]] or None,
    }


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument as a model gives it."""

    key: str
    """Of the command's own argument."""
    meaning: str
    type: Literal["string", "integer"] = "string"
    optional: bool = False


@dataclass(frozen=True, slots=True)
class MainTool:
    name: str
    command: str
    """The tool name of the command that it runs."""
    meaning: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    takes_long: bool = False
    """It begins a job, so the model says how sure it is."""
    unless_given: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By parameter: what the command is given when it is left out."""

    def fields(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The command's arguments. Ones that are no parameters stay, for the command to refuse."""
        fields = dict[str, Any]()
        for name, value in arguments.items():
            known = self.parameters.get(name)
            if value is not None or known is None or not known.optional:
                fields[known.key if known else name] = value
        for name, instead in self.unless_given.items():
            if self.parameters[name].key not in fields:
                fields.update(instead)
        return fields

    @property
    def usage(self) -> Usage:
        words = (f"[{n}]" if p.optional else f"<{n}>" for n, p in self.parameters.items())
        return Usage(self.name, tuple(words))

    def offered(self) -> Tool:
        """As a request lists it."""
        own = {n: {"type": p.type, "description": p.meaning} for n, p in self.parameters.items()}
        required = [name for name, one in self.parameters.items() if not one.optional]
        schema = {
            "type": "object",
            "properties": {**own, **(FIELDS if self.takes_long else {})},
            **({"required": required} if required else {}),
        }
        return Tool(self.name, self.meaning, schema)


def _item(meaning: str = "Such as oak_log.", *, optional: bool = False) -> Parameter:
    return Parameter("itemName", meaning, optional=optional)


MAIN_TOOLS = (
    MainTool(
        "go",
        "go",
        "Walk.",
        {
            "to": Parameter(
                "where", "A known place, a player, the nearest block of a kind, or x y z."
            )
        },
        takes_long=True,
    ),
    MainTool(
        "follow",
        "navigation_follow",
        "Follow a player.",
        {"player": Parameter("username", "Else who asks.", optional=True)},
        takes_long=True,
    ),
    MainTool(
        "goal",
        "goal",
        "Get, make, smelt, place or wear things, with all that it takes.",
        {
            "goal": Parameter(
                "goal",
                "inventory.oak_planks:+5 (5 more) or :5 (5 in all), placed.torch:2 near:home, "
                "equipment.iron_helmet:true; several by spaces.",
            )
        },
        takes_long=True,
    ),
    MainTool(
        "hand_over",
        "navigation_dropItem",
        "Bring items to a player.",
        {
            "item": _item(),
            "count": Parameter("count", "-1 = all.", "integer", optional=True),
            "player": Parameter("targetPlayer", "Else drop them here.", optional=True),
        },
        takes_long=True,
    ),
    MainTool(
        "pick_up",
        "navigation_pickupItems",
        "Pick up what lies near.",
        {"item": _item("Else everything.", optional=True)},
        takes_long=True,
    ),
    MainTool(
        "eat",
        "skill_eat",
        "Eat.",
        {"item": _item("Else what fits best.", optional=True)},
        takes_long=True,
    ),
    MainTool(
        "say",
        "chat",
        "Tell others than the one you answer.",
        {
            "words": Parameter("message", "As they hear it."),
            "to": Parameter("username", "Else everybody near.", optional=True),
        },
        unless_given={"to": {"target": "all"}},
    ),
    MainTool(
        "look",
        "info_scanBlocks",
        "Find blocks of a kind.",
        {
            "block": Parameter("type", "iron_ore, or several with commas."),
            "within": Parameter("range", "Blocks; else 32.", "integer", optional=True),
        },
    ),
    MainTool(
        "name_place",
        "navigation_register",
        "Name where you stand.",
        {"place": Parameter("name", "home, mine …")},
    ),
    MainTool(
        "recall",
        "recall",
        "Find what was said or done.",
        {"about": Parameter("words", "Words, names, a day.")},
    ),
    MainTool("places", "navigation_list", "Places you know."),
    MainTool("stop", "stop", "Stop all you do."),
)
COVERED = frozenset(
    {
        *("info", "navigation_goto", "navigation_gotoCoords", "skill_moveTo", "skill_collectDrops"),
        *("skill_gather", "skill_craft", "skill_smelt", "skill_equip", "skill_place", "status"),
        *("info_recipesFor", "info_recipesUsing", "info_related", "knowledge", "knows"),
        *("navigation_moveInDirection", "navigation_stopFollow", "navigation_chestDeposit"),
        *("info_search", "skill_stopFight"),
    }
)
"""Commands that a model needs no other tool for: the main tools, or what it senses, do the same."""

_BY_NAME = {tool.name: tool for tool in MAIN_TOOLS}


def meant(call: ToolCall) -> ToolCall:
    """The call of a command that a model's call stands for, by a main tool or by `ask_for`."""
    if call.name == ASK_FOR:
        call = call_in(call)
    tool = _BY_NAME.get(call.name)
    if tool is None or call.arguments is None:
        return call
    return ToolCall(call.id, tool.command, tool.fields(call.arguments))


def main_tools(commands: Container[str]) -> tuple[MainTool, ...]:
    """Those that stand for one of these commands."""
    return tuple(tool for tool in MAIN_TOOLS if tool.command in commands)
