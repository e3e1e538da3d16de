"""The question that a bot asks before it runs a call. Code makes it from the call alone."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from bots.access.origin import Level
from bots.access.sources import Audience
from bots.catalogue.counted import item
from bots.registry.persons import names_in
from bots.text.excerpt import excerpt
from bots.text.language import Language
from bots.text.pronouns import is_asker, is_of_others
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
Phrase: TypeAlias = Callable[[Fields, Language], str]


def question(call: AskedFor, language: Language, asker: str = "") -> str | None:
    """Ask whether to run this call: “Shall I drop 5 diamonds for Mallory?”

    None if we cannot show all of it: nobody should agree to something they do not see."""
    asked = _phrased(call, language, asker) or _plain(call, language)
    return asked if asked == excerpt(asked, LONGEST) else None


def left(call: AskedFor, language: Language, asker: str, led_by: Sequence[str]) -> str:
    """Tells the asker whose words ask for this call, and that it is left: “Words of the player
    “Mallory” ask me to drop 5 diamonds for you; I leave that.”"""
    whose = _listed(led_by, asker, language)
    asked = question(call, "en", asker) or ""
    if language == "ja":
        told = _told(call, language)
        what = f"「{told}」" if told == excerpt(told, LONGEST_ACT) else "何か"
        return f"{whose}の言葉は私に{what}をさせようとしていますが、やめておきます。"
    what = asked.removeprefix(_SHALL_I).removesuffix("?")
    if not what or len(what) > LONGEST_ACT:
        what = "do what I cannot tell in a few words"
    return f"Words of {whose} ask me to {what}; I leave that."


def _listed(names: Sequence[str], asker: str, language: Language) -> str:
    others = _said(language, "others", "ほかの誰か")
    told = [named(excerpt(name, QUOTED), asker, language) for name in names[:MOST_NAMES] if name]
    told += [others] * (len(told) < len(names))
    return _said(language, " and ".join(told), "と".join(told))


def _phrased(call: AskedFor, language: Language, asker: str) -> str | None:
    names, phrase = _PHRASES.get(call.tool, (frozenset[str](), None))
    if phrase is None or not set(call.fields) <= names:
        return None
    try:
        return phrase(_worded(call.fields, language, asker), language)
    except (
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
    ):  # the arguments are not what they should be
        return None


def _worded(fields: Fields, language: Language, asker: str) -> Fields:
    """The arguments with names and quoted words as a sentence can hold them."""
    worded = dict(fields)
    for key in NAMING_PLAYERS & fields.keys():
        worded[key] = named(fields[key], asker, language)
    if "name" in fields:
        worded["name"] = _as_name(fields["name"], "place", "場所", language)
    if "goal" in fields:
        worded["goal"] = _goal_words(fields["goal"], asker, language)
    if "message" in fields:
        worded["message"] = fields["message"].translate(_QUOTES)
    return worded


def named(name: str, asker: str, language: Language) -> str:
    """A player's name in a sentence to the asker: only the asker is “you”, whatever others are
    called."""
    if name == asker or is_asker(name):
        return _you(language)
    return _as_name(name, "player", "プレイヤー", language)


def _as_name(name: str, en: str, ja: str, language: Language) -> str:
    return _said(language, f"the {en} ", ja) + _quoted(name, language)


def _quoted(name: str, language: Language) -> str:
    bare = name.translate(_QUOTES)
    return _said(language, f"“{bare}”", f"「{bare}」")


def _plain(call: AskedFor, language: Language) -> str:
    """Any call: its name and all its arguments."""
    told = _told(call, language)
    return (
        f"「{told}」を実行してもいいですか？" if language == "ja" else f"{_SHALL_I}do this: {told}?"
    )


def _told(call: AskedFor, language: Language) -> str:
    pairs = (f"{key}={_value(key, value, language)}" for key, value in call.fields.items())
    return " ".join([call.tool.replace("_", " "), *pairs])


def _value(key: str, value: Any, language: Language) -> str:
    """A value as JSON; a word for the asker is the only one without quotes."""
    if key in NAMING_PLAYERS and isinstance(value, str) and is_asker(value):
        return _you(language)
    listed = value if isinstance(value, list | tuple) else [value]
    is_of_names = key in NAMING_PLAYERS and all(isinstance(one, str) for one in listed)
    names = names_in(value) if is_of_names else []
    if names and (value is listed or len(names) > 1):
        return f"[{', '.join(_value(key, one, language) for one in names)}]"
    return json.dumps(value, ensure_ascii=False)


def _you(language: Language) -> str:
    return "あなた" if language == "ja" else "you"


def _said(language: Language, en: str, ja: str) -> str:
    return ja if language == "ja" else en


def _drop(fields: Fields, language: Language) -> str:
    name, count, to = fields["itemName"], int(fields.get("count", 1)), fields.get("targetPlayer")
    every = name.replace("_", " ")
    what = f"all my {every}" if count < 0 else item(name, count, "en")
    ja = f"{item(name, 1, 'ja').rpartition('×')[0]}を全部" if count < 0 else item(name, count, "ja")
    en_to, ja_to = (f" for {to}", f"{to}に") if to else ("", "")
    return _said(language, f"Shall I drop {what}{en_to}?", f"{ja_to}{ja}、渡してもいいですか？")


def _chat(fields: Fields, language: Language) -> str:
    words, to = fields["message"], fields["username"]
    return _said(
        language, f"Shall I tell {to}: “{words}”?", f"{to}に「{words}」と伝えていいですか？"
    )


def _goal(fields: Fields, language: Language) -> str:
    told = fields["goal"]
    return _said(language, f"Shall I set about {told}?", f"{told} を始めてもいいですか？")


def _goal_words(goal: Any, asker: str, language: Language) -> str:
    told = goal if isinstance(goal, str) else " ".join(map(str, goal))
    return _NEAR.sub(lambda near: f"{near[1]}{_near(near[2], asker, language)}", told)


def _near(name: str, asker: str, language: Language) -> str:
    """Beside whom or what: only for the asker it is “you”."""
    if name == asker or is_asker(name) or is_of_others(name):
        return named(name, asker, language)
    return name if _POINT.fullmatch(name) else _quoted(name, language)


def _counted(en: str, ja: str) -> Phrase:
    """A verb and so many of an item."""

    def phrase(fields: Fields, language: Language) -> str:
        what = item(fields["itemName"], int(fields.get("count", 1)), language)
        return _said(language, f"Shall I {en} {what}?", f"{what}を{ja}いいですか？")

    return phrase


def _goto(fields: Fields, language: Language) -> str:
    name = fields["name"]
    return _said(language, f"Shall I go to {name}?", f"{name}へ行ってもいいですか？")


def _goto_coords(fields: Fields, language: Language) -> str:
    at = fields.get("coords") or {axis: fields[axis] for axis in "xyz"}
    point = [at[axis] for axis in "xyz"] if isinstance(at, Mapping) else at
    there = " ".join(f"{float(one):g}" for one in point)
    return _said(language, f"Shall I go to {there}?", f"{there} へ行ってもいいですか？")


def _follow(fields: Fields, language: Language) -> str:
    name = fields["username"]
    return _said(language, f"Shall I follow {name}?", f"{name}についていってもいいですか？")


def _stop(fields: Fields, language: Language) -> str:
    return _said(language, "Shall I stop what I am doing?", "今していることをやめてもいいですか？")


_PHRASES: dict[str, tuple[frozenset[str], Phrase]] = {
    "navigation_dropItem": (frozenset({"itemName", "count", "targetPlayer"}), _drop),
    "chat": (frozenset({"username", "message"}), _chat),
    "goal": (frozenset({"goal"}), _goal),
    "skill_gather": (frozenset({"itemName", "count"}), _counted("gather", "集めても")),
    "skill_craft": (frozenset({"itemName", "count"}), _counted("craft", "作っても")),
    "skill_smelt": (frozenset({"itemName", "count"}), _counted("smelt", "精錬しても")),
    "navigation_goto": (frozenset({"name"}), _goto),
    "navigation_gotoCoords": (frozenset({"coords", "x", "y", "z"}), _goto_coords),
    "navigation_follow": (frozenset({"username"}), _follow),
    "stop": (frozenset(), _stop),
}
"""By tool: the arguments that the phrase names, and the phrase."""
