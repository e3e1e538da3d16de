"""The question that a bot asks before it runs a call. Code makes it from the call alone."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from bots.access.origin import Level
from bots.access.sources import Audience
from bots.catalogue.counted import item, thing
from bots.registry.args import names_in
from bots.text.language import Language
from bots.text.printable import excerpt
from bots.text.pronouns import is_asker, is_of_others
from bots.words import filled, sentence, table
from llm.model import Tool, ToolCall

ASK_FOR = "ask_for"
NOTED = "Noted. It is not done yet."
_HEAD = "Use one of these, when the one you answer asks for that now (a_b/c: a_b or a_c). "
LONGEST_ACT = 120  # characters of a request that the bot declines
MOST_NAMES = 3
QUOTED = 40  # characters of a name
LONGEST = 400  # characters of a question; the bot asks nothing longer
_SHALL_I = "Shall I "  # begins every question in English


@dataclass(frozen=True, slots=True)
class AskedFor:
    """A call that the view did not permit."""

    tool: str
    fields: Mapping[str, Any]
    """The arguments, short names read back."""
    level: Level
    """The level that every speaker needs whose words led to the call."""
    hearers: Audience
    """Players below trusted who would hear of it beside the asker; None: anybody may."""


class ConfirmedCall(ToolCall):
    """A call with arguments that the asker saw in full and agreed to."""


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
    return Tool(ASK_FOR, _HEAD + "; ".join(_usages_listed(usages)), schema)


def call_in(call: ToolCall) -> ToolCall:
    """The call that `ask_for` was given."""
    given = call.arguments or {}
    arguments = given.get("arguments", {})
    known = arguments if isinstance(arguments, Mapping) else None
    return ToolCall(call.id, str(given.get("tool")), known)


def _usages_listed(usages: Sequence[Usage]) -> Iterator[str]:
    """Each usage; those of one family that take the same together: `goal_pause/resume`."""
    alike = defaultdict[tuple[str, str, tuple[str, ...]], list[str]](list)
    for name, words in usages:
        family, mark, own = name.partition("_")
        alike[family, mark, words].append(own)
    for (family, mark, words), owns in alike.items():
        yield " ".join([f"{family}{mark}{'/'.join(owns)}", *words])


NAMING_PLAYERS = frozenset({"targetPlayer", "username", "usernames", "where", "participants"})
NAMING_PLAYERS |= {"person", "speaker"}
"""Arguments that hold names of players, and words for the asker."""
_NEAR = re.compile(r"\b(near:\s*)(\S+)", re.IGNORECASE)
_POINT = re.compile(r"[-\d.,]+")
_QUOTES = str.maketrans("“”„«»「」『』", "'''''''''")
Fields: TypeAlias = Mapping[str, Any]
_ITEM = frozenset({"itemName", "count"})
_NAMED: Mapping[str, frozenset[str]] = {
    "navigation_dropItem": _ITEM | {"targetPlayer"},
    "chat": frozenset({"username", "message"}),
    "goal": frozenset({"goal"}),
    "skill_gather": _ITEM,
    "skill_craft": _ITEM,
    "skill_smelt": _ITEM,
    "navigation_goto": frozenset({"name"}),
    "navigation_gotoCoords": frozenset({"coords", "x", "y", "z"}),
    "navigation_follow": frozenset({"username"}),
    "stop": frozenset(),
}
"""By tool: the arguments that its question names."""


def question(call: AskedFor, language: Language, asker: str = "") -> str | None:
    """Ask whether to run this call: “Shall I drop 5 diamonds for Mallory?”

    None if we cannot show all of it: nobody should agree to something they do not see."""
    asked = _phrased(call, language, asker) or _plain(call, language)
    return asked if asked == excerpt(asked, LONGEST) else None


def left(call: AskedFor, language: Language, asker: str, led_by: Sequence[str]) -> str:
    """Tells the asker whose words ask for this call, and that it is left: “Words of the player
    “Mallory” ask me to drop 5 diamonds for you; I leave that.”"""
    if language == "ja":
        told = _told(call, language)
        what = _quoted(told, language) if told == excerpt(told, LONGEST_ACT) else ""
    else:
        asked = question(call, "en", asker) or ""
        what = asked.removeprefix(_SHALL_I).removesuffix("?")
        what = what if len(what) <= LONGEST_ACT else ""
    what = what or sentence("asking.something", language)
    whose = _listed(led_by, asker, language)
    return sentence("asking.left", language, whose=whose, what=what)


def _listed(names: Sequence[str], asker: str, language: Language) -> str:
    told = [named(excerpt(name, QUOTED), asker, language) for name in names[:MOST_NAMES] if name]
    if len(told) < len(names):
        told.append(sentence("asking.others", language))
    return sentence("asking.joint", language).join(told)


def _phrased(call: AskedFor, language: Language, asker: str) -> str | None:
    if call.tool not in _NAMED or not set(call.fields) <= _NAMED[call.tool]:
        return None
    try:
        slots = _worded(call, language, asker)
        return filled(table("shall_i", language)[call.tool], slots)
    except (
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
    ):  # the arguments are not what they should be
        return None


def _worded(call: AskedFor, language: Language, asker: str) -> Fields:
    """The arguments with names and quoted words as a sentence can hold them."""
    worded = dict(call.fields)
    for key in NAMING_PLAYERS & worded.keys():
        worded[key] = named(worded[key], asker, language)
    if "name" in worded:
        worded["name"] = sentence("asking.place", language, name=_quoted(worded["name"], language))
    if "goal" in worded:
        worded["goal"] = _goal_words(worded["goal"], asker, language)
    if "message" in worded:
        worded["message"] = worded["message"].translate(_QUOTES)
    if "itemName" in worded:
        worded["what"] = _what(call, language)
    if call.tool == "navigation_dropItem":
        to = worded.get("targetPlayer")
        worded["to"] = sentence("asking.to", language, who=to) if to else ""
    if call.tool == "navigation_gotoCoords":
        worded["there"] = _there(worded)
    return worded


def _what(call: AskedFor, language: Language) -> str:
    name, count = call.fields["itemName"], int(call.fields.get("count", 1))
    if count < 0 and call.tool == "navigation_dropItem":
        return sentence("asking.all_my", language, thing=thing(name, language))
    return item(name, count, language)


def _there(fields: Fields) -> str:
    at = fields.get("coords") or {axis: fields[axis] for axis in "xyz"}
    point = [at[axis] for axis in "xyz"] if isinstance(at, Mapping) else at
    return " ".join(f"{float(one):g}" for one in point)


def named(name: str, asker: str, language: Language) -> str:
    """A player's name in a sentence to the asker: only the asker is “you”, whatever others are
    called."""
    if name == asker or is_asker(name):
        return sentence("who.you", language)
    return sentence("asking.player", language, name=_quoted(name, language))


def _quoted(name: str, language: Language) -> str:
    return sentence("asking.quoted", language, name=name.translate(_QUOTES))


def _plain(call: AskedFor, language: Language) -> str:
    """Any call: its name and all its arguments."""
    return sentence("asking.plainly", language, call=_told(call, language))


def _told(call: AskedFor, language: Language) -> str:
    pairs = (f"{key}={_value(key, value, language)}" for key, value in call.fields.items())
    return " ".join([call.tool.replace("_", " "), *pairs])


def _value(key: str, value: Any, language: Language) -> str:
    """A value as JSON; a word for the asker is the only one without quotes."""
    if key in NAMING_PLAYERS and isinstance(value, str) and is_asker(value):
        return sentence("who.you", language)
    listed = value if isinstance(value, list | tuple) else [value]
    is_of_names = key in NAMING_PLAYERS and all(isinstance(one, str) for one in listed)
    names = names_in(value) if is_of_names else []
    if names and (value is listed or len(names) > 1):
        return f"[{', '.join(_value(key, one, language) for one in names)}]"
    return json.dumps(value, ensure_ascii=False)


def _goal_words(goal: Any, asker: str, language: Language) -> str:
    told = goal if isinstance(goal, str) else " ".join(map(str, goal))
    return _NEAR.sub(lambda near: f"{near[1]}{_near(near[2], asker, language)}", told)


def _near(name: str, asker: str, language: Language) -> str:
    """Beside whom or what: only for the asker it is “you”."""
    if name == asker or is_asker(name) or is_of_others(name):
        return named(name, asker, language)
    return name if _POINT.fullmatch(name) else _quoted(name, language)
