"""Lines that put an earlier one right, or answer what the bot asked back.

“no wait, 5 oak logs”, “make that 3” ─▶ another count, another thing
“oak”, “the wooden one”, “both”, “never mind” ─▶ which of those it asked about"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bots.catalogue.counted import thing
from bots.catalogue.names import Things
from bots.responder.asking_back import said_in
from bots.responder.rules.requests.ask import (
    ENGLISH_COUNT,
    JAPANESE_COUNT,
    LOTS,
    counted,
    english_count,
    japanese_count,
)
from bots.text.language import language_of, normal
from bots.text.spelling import expanded, nearest
from bots.words import table
from bots.words.heard import heard

Choice: TypeAlias = tuple[str, ...] | Literal["yes", "no"]
"""The items chosen, or what is said to a question."""


@dataclass(frozen=True, slots=True)
class Amended:
    """What is to be otherwise."""

    count: int | None
    words: str
    """For another thing; '' for the same."""
    rest: str
    """All that was said behind “no wait”, which may be a request of its own."""
    is_brief: bool = False
    """Whether nothing says that it puts an order right: “about 20 should do”."""


# --- Putting right ------------------------------------------------------------------

_OF_JA = re.compile(
    rf"(?P<count2>{JAPANESE_COUNT})の(?P<thing2>[^\s、]{{1,14}})"
    rf"|(?:(?P<thing>[^\s、\d]{{1,14}}?)を? ?)?(?P<count>{JAPANESE_COUNT})"
    r"|(?P<thing3>[^\s、\d]{1,14})"
)


_ONE = re.compile(r"^(?:the|a|an) | (?:one|ones|kind)$")


def amended(line: str, bot: str, things: Things, last: str = "") -> Amended | None:
    """How a line puts the latest wish right, which was for the thing `last`; None where it does
    not."""
    said = normal(line).strip(" .!?。！？…")
    said = re.sub(rf"^{re.escape(bot.casefold())}[ ,:、]*", "", said)
    if language_of([said]) == "ja":
        mark = heard("amend.correcting", "ja").match(said)
        if mark is None:
            return _briefly(said, things, last)
        rest = said[mark.end() :]
        found = _OF_JA.fullmatch(heard("amend.instead", "ja").sub("", rest))
        words = "" if found is None else found["thing"] or found["thing2"] or found["thing3"] or ""
        if found is None or (words and things.meant(words) is None):
            return Amended(None, "", rest)
        said_count = found["count"] or found["count2"]
        return Amended(japanese_count(said_count) if said_count else None, words, rest)
    said = expanded(said)
    alone = heard("amend.around_count", "en").sub("", said)
    if alone != said and re.fullmatch(ENGLISH_COUNT, alone):
        return Amended(english_count(alone), "", alone, is_brief=True)
    if heard("amend.lots").fullmatch(said):
        return Amended(LOTS, "", said, is_brief=True)
    mark, only = heard("amend.correcting", "en").match(said), heard("amend.only")
    if mark is None and not heard("amend.behind").search(said) and not only.match(said):
        return None
    rest = only.sub("", said[mark.end() :] if mark else said)
    kind = heard("amend.instead", "en").sub("", rest)
    wanted = _wanted(_of_kind(kind, last), things) or _wanted(kind, things)
    count, words = wanted or (None, "")
    return Amended(count, words, rest) if wanted or mark else None


def _briefly(said: str, things: Things, last: str) -> Amended | None:
    """How many, or of which kind, where a Japanese line says no more: 5個でいい, 石のがいい."""
    if heard("amend.lots").fullmatch(said):
        return Amended(LOTS, "", said, is_brief=True)
    wanted = heard("amend.briefly", "ja").sub("", said)
    if wanted == said or not wanted:
        return None
    if re.fullmatch(JAPANESE_COUNT, wanted):
        return Amended(japanese_count(wanted), "", wanted, is_brief=True)
    if said.endswith(("だよ", "だね")):  # it tells what something is
        return None
    for words in (f"{wanted}の{last.rpartition('の')[2]}", wanted):
        if things.meant(words) is not None:
            return Amended(None, words, wanted, is_brief=True)
    return None


def _of_kind(kind: str, last: str) -> str:
    """The last thing, of another kind: “birch” after “oak logs”."""
    what = re.split("[ _]", last)[-1]
    is_count = re.fullmatch(ENGLISH_COUNT, kind) is not None
    return kind if is_count else f"{_ONE.sub('', kind)} {what}"


def _wanted(words: str, things: Things) -> tuple[int | None, str] | None:
    """The count and the thing of `5 oak logs`, `5`, `birch`; None where neither is said."""
    if re.fullmatch(ENGLISH_COUNT, words):
        return english_count(words), ""
    count, thing = counted(words)
    return None if things.meant(thing) is None else (count, thing)


# --- Choosing -----------------------------------------------------------------------


def is_never_mind(line: str) -> bool:
    said = expanded(normal(line)).strip(" .!。！")
    return heard("amend.never_mind").fullmatch(said) is not None


def chosen(
    line: str, bot: str, names: Sequence[str], shown: int, *, may_agree: bool
) -> Choice | None:
    """What a line says to “Which …?” or “Shall I …?”; None where it is no answer.

    `names` are the items it may be, of which the first `shown` were told; `may_agree`: a yes is
    an answer."""
    said = re.sub(r" 1$", " one", expanded(normal(line).strip(" .!?。！？…~〜")))
    said = re.sub(
        rf"^{re.escape(bot.casefold())}[ ,:、]*|,? {re.escape(bot.casefold())}$", "", said
    )
    if heard("amend.never_mind").fullmatch(said) or said_in(bot, [line]) == "no":
        return "no"
    if may_agree and (said_in(bot, [line]) == "yes" or heard("amend.yes").fullmatch(said)):
        return "yes"
    if not names:
        return None
    right = heard("amend.correcting").sub("", said, count=1)
    return _of_names(said, names, shown) or (_of_names(right, names, shown) if right else None)


def _of_names(said: str, names: Sequence[str], shown: int) -> Choice | None:
    around = heard("amend.around")
    bare = around.sub("", said).strip(" ,") or said
    if heard("amend.any").fullmatch(bare) or heard("amend.any").fullmatch(said):
        return tuple(names[:1])
    if heard("amend.all").fullmatch(bare):
        return tuple(names[:shown])
    if heard("amend.both").fullmatch(bare):
        return tuple(names[:2]) if min(shown, len(names)) == 2 else ()
    for name, which in zip(names, ("first", "second", "third"), strict=False):
        if heard(f"amend.{which}").fullmatch(said):
            return (name,)
    found = [_one(around.sub("", part).strip(), names) for part in heard("amend.and").split(bare)]
    one = [name for name in found if name is not None]
    return tuple(dict.fromkeys(one)) if len(one) == len(found) else None


def _one(words: str, names: Sequence[str]) -> str | None:
    """The item of a word that is its own: `oak` of `oak_boat`; the commonest of several."""
    if not words:
        return None
    plain = words.replace(" ", "_")
    parts = {_WORDS.get(part, part).removesuffix("s") for part in plain.split("_")}
    if parts == {"wooden"} and not any("wooden" in name for name in names):
        return names[0]
    for name in names:
        own = {part.removesuffix("s") for part in name.split("_")}
        made_of = table("names.said_material", "ja").get(words)
        if made_of is not None and name.startswith(f"{made_of}_"):
            return name
        if parts <= own or words == thing(name, "ja") or _is_first_of(words, thing(name, "ja")):
            return name
    near = nearest(plain, {part for name in names for part in name.split("_")} | set(names))
    return (
        None if near is None else next(name for name in names if near in (name, *name.split("_")))
    )


def _is_first_of(words: str, name: str) -> bool:
    return language_of([words]) == "ja" and name.startswith(words)


_WORDS = {"wood": "wooden", "gold": "golden", "cobble": "stone", "木": "wooden"}
