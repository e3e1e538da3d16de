"""The question that a bot asks before it runs a call, and the speaker's yes or no to it.

The words of somebody without the right may have led a model to an action. Code then asks the
speaker, in words made from the call alone. A yes within `ANSWER_WITHIN_S` after the question runs
exactly that call, once. A no, or any other line of that speaker there, drops it. Lines from before
the question neither answer nor drop it.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from bots.access.origin import Level, Origin
from bots.access.sources import Audience
from bots.catalogue.counted import item, thing
from bots.registry.args import names_in
from bots.responder.case.inbox import PendingTurn
from bots.text.language import Language, normal
from bots.text.printable import excerpt
from bots.text.pronouns import is_asker, is_of_others
from bots.words import filled, sentence, table
from bots.words.heard import heard
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
    # Those of one family that take the same are listed together: `goal_pause/resume`.
    alike = defaultdict[tuple[str, str, tuple[str, ...]], list[str]](list)
    for name, words in usages:
        family, mark, own = name.partition("_")
        alike[family, mark, words].append(own)
    listed = (
        " ".join([f"{family}{mark}{'/'.join(owns)}", *words])
        for (family, mark, words), owns in alike.items()
    )
    return Tool(ASK_FOR, _HEAD + "; ".join(listed), schema)


def call_in(call: ToolCall) -> ToolCall:
    """The call that `ask_for` was given."""
    given = call.arguments or {}
    arguments = given.get("arguments", {})
    known = arguments if isinstance(arguments, Mapping) else None
    return ToolCall(call.id, str(given.get("tool")), known)


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
    asked = ""
    if call.tool in _NAMED and set(call.fields) <= _NAMED[call.tool]:
        # Where the arguments are not what they should be, all of them are told as they are.
        with suppress(AttributeError, KeyError, TypeError, ValueError):
            slots = _worded(call, language, asker)
            asked = filled(table("shall_i", language)[call.tool], slots)
    asked = asked or sentence("asking.plainly", language, call=_told(call, language))
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
    named_ones = [
        named(excerpt(name, QUOTED), asker, language) for name in led_by[:MOST_NAMES] if name
    ]
    if len(named_ones) < len(led_by):
        named_ones.append(sentence("asking.others", language))
    whose = sentence("asking.joint", language).join(named_ones)
    return sentence("asking.left", language, whose=whose, what=what)


def _worded(call: AskedFor, language: Language, asker: str) -> Fields:
    """The arguments with names and quoted words as a sentence can hold them."""
    worded = dict(call.fields)
    for key in NAMING_PLAYERS & worded.keys():
        worded[key] = named(worded[key], asker, language)
    if "name" in worded:
        worded["name"] = sentence("asking.place", language, name=_quoted(worded["name"], language))
    if "goal" in worded:
        goal = worded["goal"]
        told = goal if isinstance(goal, str) else " ".join(map(str, goal))
        worded["goal"] = _NEAR.sub(lambda near: f"{near[1]}{_near(near[2], asker, language)}", told)
    if "message" in worded:
        worded["message"] = worded["message"].translate(_QUOTES)
    if "itemName" in worded:
        name, count = call.fields["itemName"], int(call.fields.get("count", 1))
        if count < 0 and call.tool == "navigation_dropItem":
            worded["what"] = sentence("asking.all_my", language, thing=thing(name, language))
        else:
            worded["what"] = item(name, count, language)
    if call.tool == "navigation_dropItem":
        to = worded.get("targetPlayer")
        worded["to"] = sentence("asking.to", language, who=to) if to else ""
    if call.tool == "navigation_gotoCoords":
        at = worded.get("coords") or {axis: worded[axis] for axis in "xyz"}
        point = [at[axis] for axis in "xyz"] if isinstance(at, Mapping) else at
        worded["there"] = " ".join(f"{float(one):g}" for one in point)
    return worded


def named(name: str, asker: str, language: Language) -> str:
    """A player's name in a sentence to the asker: only the asker is “you”, whatever others are
    called."""
    if name == asker or is_asker(name):
        return sentence("who.you", language)
    return sentence("asking.player", language, name=_quoted(name, language))


def _quoted(name: str, language: Language) -> str:
    return sentence("asking.quoted", language, name=name.translate(_QUOTES))


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


def _near(name: str, asker: str, language: Language) -> str:
    """Beside whom or what: only for the asker it is “you”."""
    if name == asker or is_asker(name) or is_of_others(name):
        return named(name, asker, language)
    return name if _POINT.fullmatch(name) else _quoted(name, language)


# --- The speaker's yes or no ---------------------------------------------------------------------

ANSWER_WITHIN_S = 60.0
MOST_ASKED = 200  # questions open at once; the oldest is dropped
_WORDS = ("yes", "no", "turns")

Said: TypeAlias = Literal["yes", "no", "else"]


@dataclass(slots=True)
class _Open:
    call: AskedFor
    public: bool
    said_at_s: float | None = None
    """When the speaker was told the question; None: not yet."""


class Confirmations:
    """One bot's open questions, at most one to each speaker."""

    def __init__(self) -> None:
        self._open: dict[Origin, _Open] = {}

    def ask(self, turn: PendingTurn, call: AskedFor) -> None:
        """Remember a question to the speaker in place of an earlier one."""
        self._open.pop(turn.origin, None)
        self._open[turn.origin] = _Open(call, turn.public)
        if len(self._open) > MOST_ASKED:
            del self._open[next(iter(self._open))]

    def is_open(self, origin: Origin) -> bool:
        """Whether a question to this speaker waits for its answer, however long already."""
        return origin in self._open

    def said(self, origin: Origin, at_s: float) -> None:
        """The newest question left for the speaker at this time: then on it can be answered."""
        asked = self._open.get(origin)
        if asked is not None and asked.said_at_s is None:
            asked.said_at_s = at_s

    def answered(self, bot: str, turn: PendingTurn) -> tuple[AskedFor | None, Said]:
        """The call these lines are the answer to, and what they say to it; the question is closed.

        None when nothing was asked, or not here, or later than the oldest of these lines, or too
        long ago."""
        asked = self._open.get(turn.origin)
        if asked is None or not turn.messages or (turn.public and not asked.public):
            return None, "else"
        if asked.said_at_s is None or turn.since < asked.said_at_s:
            return None, "else"
        del self._open[turn.origin]
        said = said_in(bot, turn.lines)
        if turn.since - asked.said_at_s > ANSWER_WITHIN_S:
            return None, said
        return asked.call, said

    def drop(self, origin: Origin) -> None:
        """Forget what this speaker was asked."""
        self._open.pop(origin, None)


def said_in(bot: str, lines: list[str]) -> Said:
    """Whether these lines are a plain yes, a plain no, or something else."""
    # A line without courtesy and the bot's name.
    words = [
        " ".join(heard("confirm.courtesy").sub(" ", _called(bot).sub(" ", normal(line))).split())
        for line in lines
    ]
    if words and all(_only("confirm.yes", one) for one in words):
        return "yes"
    return "no" if words and all(_only("confirm.no", one) for one in words) else "else"


def names(name: str, line: str) -> bool:
    """Whether a line names somebody, whose name is no word of an answer itself."""
    return _called(name).search(normal(line)) is not None


def _called(name: str) -> re.Pattern[str]:
    word = normal(name)
    is_word = not word or any(heard(f"confirm.{one}").fullmatch(word) for one in _WORDS)
    return re.compile("(?!)" if is_word else rf"(?<!\w){re.escape(word)}(?!\w)")


def _only(meaning: str, line: str) -> bool:
    """Whether a line consists of these words only: “yes, do it”."""
    said = heard(meaning).pattern
    return re.fullmatch(rf"(?:{said})(?: (?:{said}))*", line) is not None
