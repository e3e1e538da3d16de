"""Requests, and what is known when one is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

from bots.access.origin import is_operator
from bots.catalogue.names import Things
from bots.text.language import Language
from bots.text.pronouns import is_asker, is_of_others
from bots.text.spelling import meant
from bots.words import Saying, found, saying
from bots.words.heard import heard
from bridge.world import PlayerSighting, WorldSnapshot

SOME, LOTS = 8, 32  # what “some” means, and “lots”
MOST = 2_304  # of one item in one request: a full inventory
ALL, HALF = -1, -2
ONLY_TELLS = frozenset({"status", "area list"})
"""Commands that change nothing, and are asked for by questions."""


@dataclass(frozen=True, slots=True)
class Request:
    """A command that was clearly asked for."""

    command: str
    """Its name, as `navigation follow`."""
    fields: Mapping[str, Any]
    doing: Saying | None
    """The sentence said when it has begun."""
    done: Saying | None = None
    """The sentence said when it is done; None = the command's own message."""
    towards: str = ""
    """The player whose position is in the fields; it is updated when the request is begun."""
    any_of: tuple[str, ...] = ()
    """Items any of which will do; chosen from the inventory when the request is begun."""
    is_lasting: bool = True
    """Whether it begins a job."""
    order: Order | None = None
    """What was wished, where another count or thing may be said later."""
    is_step: bool = False
    """Whether its success is not told, because what follows tells of it."""
    what: Saying | None = None
    """What it is about, where that is no thing that was wished: `the torches`."""
    had: int | None = None
    """How many of what it is for were carried when it was first begun; None: not yet begun."""
    is_patient: bool = False
    """Whether it takes so long that others go first."""
    anyway: bool = False
    """Whether it is begun even if what comes before it fails."""
    otherwise: tuple[Request, ...] = ()
    """What to do first when it finds nothing, before it is tried again."""

    @property
    def tool(self) -> str:
        return self.command.replace(" ", "_")


def request(
    command: str,
    says: str,
    fields: Mapping[str, Any] = MappingProxyType({}),
    slots: Mapping[str, object] = MappingProxyType({}),
    **options: Any,
) -> Request:
    """A request with its sentences of `[order]`: `doing`, `done`, and `what` it is about. What
    ends at once is said to be done."""
    parts: dict[str, Any] = {
        part: saying(f"order.{says}.{part}", **slots)
        for part in ("doing", "done", "what")
        if found(f"order.{says}.{part}", "en")
    }
    doing = parts.pop("doing", parts.get("done"))
    return Request(command, dict(fields), doing, **parts, **options)


def simply(
    command: str, says: str, fields: Mapping[str, Any] = MappingProxyType({}), **options: Any
) -> Callable[..., tuple[Request, ...]]:
    """What makes the same request of any words."""
    return lambda *_said: (request(command, says, fields, **options),)


def unclear(says: str, **slots: object) -> Unclear:
    """That nothing is done, in a sentence of `[unclear]`."""
    return Unclear(saying(f"unclear.{says}", **slots))


@dataclass(frozen=True, slots=True)
class Unclear:
    """A request that is not carried out, with a sentence that says why."""

    why: Saying
    is_request: bool = False
    """Whether it cannot be small talk."""
    order: Order | None = None
    """What was wished …"""
    names: tuple[str, ...] = ()
    """… and of which of these items it may be."""
    guess: tuple[Request, ...] = ()
    """What a yes begins."""
    is_known: bool = True
    """Whether all its words are known, so that none is to be mended."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A count of something, as it was said."""

    count: int
    """`ALL` = as many as there are, `HALF` = half of them."""
    words: str


@dataclass(frozen=True, slots=True)
class Order:
    """A wish for a thing, and what makes requests of it: of another wish as well."""

    wish: Wish
    make: Callable[[Ask, Wish], Made]

    def with_(self, ask: Ask, count: int | None, words: str) -> Made:
        """The requests for another count, or another thing."""
        count = self.wish.count if count is None else count
        return self.make(ask, Wish(count, words or self.wish.words))


@dataclass(frozen=True, slots=True)
class Ask:
    """Who asks which bot, with the items and players that are known."""

    bot: str
    speaker: str
    things: Things
    world: WorldSnapshot | None = None
    names: frozenset[str] = field(default_factory=frozenset)
    """Other names the bot listens to, in lower case."""
    last: Wish | None = None
    """The thing that the speaker named last: what a pronoun means."""
    said: str = ""
    """The line as it was said."""

    @property
    def asker(self) -> PlayerSighting | None:
        """The speaker, by exact name; None where that one is not on the server."""
        return self.called(self.speaker)

    def called(self, name: str) -> PlayerSighting | None:
        """The player of exactly this name, which is none of an operator's."""
        return None if self.world is None or is_operator(name) else self.world.player(name)

    def player(self, name: str) -> PlayerSighting | None:
        """The only player of this name on the server, ignoring case, which words have lost; of
        twins the one whose name the line spells.

        An operator's name is no player's, and “me” is the speaker, even where a player has the
        same; so “you” and “him” are nobody but a speaker of that name."""
        if is_operator(name) or (is_of_others(name) and name != self.speaker):
            return None
        if is_asker(name):
            return self.asker
        return None if (found := self.meant(name)) is None else self.called(found)

    def meant(self, name: str) -> str | None:
        """The bot or the player of this name."""
        return meant(name, dict.fromkeys((self.bot, *self.listed)), self.said)

    @property
    def listed(self) -> list[str]:
        return [str(one.name) for one in self.world.players] if self.world else []

    def carried(self, names: tuple[str, ...]) -> dict[str, int]:
        """The inventory's count of each of these items, most first."""
        counts = {} if self.world is None else {name: self.world.count(name) for name in names}
        return dict(sorted(((n, c) for n, c in counts.items() if c), key=lambda row: -row[1]))


Made: TypeAlias = tuple[Request, ...] | Unclear

_ENGLISH = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "fifteen": 15,
    "sixteen": 16,
    "twenty": 20,
    "thirty": 30,
    "thirty-two": 32,
    "fifty": 50,
    "sixty-four": 64,
    "a couple": 2,
    "a couple of": 2,
    "a pair of": 2,
    "a few": 4,
    "half a dozen": 6,
    "a dozen": 12,
    "half a stack of": 32,
    "a stack of": 64,
    "one stack of": 64,
    "two stacks of": 128,
    "three stacks of": 192,
}
_KANJI = {c: n for n, c in enumerate("〇一二三四五六七八九")}
_TENS = {"十": 10, "百": 100}
_NATIVE = {
    **{"ひとつ": 1, "ふたつ": 2, "みっつ": 3, "よっつ": 4, "いつつ": 5},
    **{"むっつ": 6, "ななつ": 7, "やっつ": 8, "ここのつ": 9, "とお": 10},
    **{"いっこ": 1, "にこ": 2, "さんこ": 3, "よんこ": 4, "ごこ": 5, "ろっこ": 6, "じゅっこ": 10},
    **{"いっぽん": 1, "にほん": 2, "さんぼん": 3, "いちまい": 1, "にまい": 2, "さんまい": 3},
}
STACK = 64

ENGLISH_COUNT = "|".join(
    [r"\d{1,9} stacks? of", r"\d{1,9}x?", *sorted(_ENGLISH, key=len, reverse=True)]
)
JAPANESE_COUNT = (
    r"(?:\d{1,9}|[一二三四五六七八九十百]{1,6})(?:個|こ|コ|つ|本|[ほぼぽ]ん|枚|まい|匹|[ひびぴ]き|頭|とう|組|スタック)"
    r"|\d{1,9}|" + "|".join(_NATIVE)
)


def english_count(words: str) -> int:
    """The number in words that match `ENGLISH_COUNT`."""
    if words in _ENGLISH:
        return _ENGLISH[words]
    number = int(re.sub(r"\D", "", words))
    return number * STACK if "stack" in words else number


def japanese_count(words: str) -> int:
    """The number in words that match `JAPANESE_COUNT`."""
    if words in _NATIVE:
        return _NATIVE[words]
    number = re.match(r"\d+", words)
    count = int(number[0]) if number else _in_kanji(words)
    return count * STACK if words.endswith("スタック") else count


def _in_kanji(words: str) -> int:
    """`三十二個` is 32."""
    total, digit = 0, 0
    for character in words:
        if character in _KANJI:
            digit = _KANJI[character]
        elif character in _TENS:
            total, digit = total + (digit or 1) * _TENS[character], 0
    return total + digit


# --- What the words of a request come to ---------------------------------------------------------

_COUNTED = re.compile(
    rf"^(?P<count>{ENGLISH_COUNT})(?: more)?(?: (?:pieces?|blocks?|units?) of)?"
    r"(?: of (?:your|the|those|these|my))? (?P<thing>.+)$"
)
_THING = re.compile(r"^(?:minecraft:)?[a-z_]+(?: [a-z]+){0,3}$")


def bare(part: str, names: frozenset[str], language: Language) -> str:
    """A part of a sentence without the bot's name and polite words."""
    called = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    if language == "ja":
        before = ""
        while before != part:
            before = part
            part = re.sub(
                rf"^@?(?:{called})(?:さん|ちゃん|くん|君)?[がも]?[、 ]*", "", part
            ).strip()
            part = heard("request.before", "ja").sub("", part).strip()
        after = heard("request.after", "ja")
        while after.search(part) and not part.endswith(("て", "で")):
            part = after.sub("", part).strip()
        return part
    before = ""
    while before != part:
        before = part
        part = re.sub(rf"^@?(?:{called})(?:: ?| |$)|(?: |^)(?:{called})$", "", part).strip()
        part = heard("request.before", "en").sub("", f"{part} ").strip()
        part = heard("request.after", "en").sub("", part).strip()
    return part


def wish(words: str, several: bool) -> Wish | None:
    """Reads `ten oak logs`; without a number it is one, or `SOME` of a plural."""
    if counted := _COUNTED.match(words):
        return _of(english_count(counted["count"]), counted["thing"])
    if some := heard("request.some", "en").match(words):
        return _of(SOME, some["thing"])
    if every := heard("request.all", "en").match(words):
        return _of(ALL, every["thing"])
    if half := heard("request.half", "en").fullmatch(words):
        return _of(HALF, half["thing"] or "them")
    if that := heard("request.that").match(words):
        plural = that["thing"].endswith("s")
        return _of(int(that["count"] or (ALL if plural else 1)), that["thing"])
    is_one = not several and not (words.endswith("s") or words == "wood")
    return _of(1 if is_one else SOME, words)


_JAPANESE_COUNTED = re.compile(rf"(?P<count>(?!\d+$){JAPANESE_COUNT})の(?P<thing>.+)")


def counted(words: str) -> tuple[int | None, str]:
    """The count and the thing of `5 oak logs`; None where no count is said."""
    if in_japanese := _JAPANESE_COUNTED.fullmatch(words):
        return japanese_count(in_japanese["count"]), in_japanese["thing"]
    wanted = wish(words, several=False)
    is_counted = re.match(rf"(?:{ENGLISH_COUNT})\b", words) is not None
    return (wanted.count if wanted and is_counted else None), wanted.words if wanted else words


def _of(count: int, thing: str) -> Wish | None:
    return Wish(count, thing) if _THING.match(thing) else None


_POINTED = re.compile("^(?:この|その|あの)(?=.)")


def wish_ja(count: str, thing: str, several: bool) -> Wish:
    thing = _POINTED.sub("", thing)
    if heard("request.all", "ja").fullmatch(count):
        return Wish(ALL, thing)
    if heard("request.half", "ja").fullmatch(count):
        return Wish(HALF, thing)
    if heard("request.some", "ja").fullmatch(count):
        return Wish(SOME, thing)
    return Wish(japanese_count(count) if count else SOME if several else 1, thing)
