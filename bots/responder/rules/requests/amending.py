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
from bots.responder.confirming import said_in
from bots.responder.rules.requests.ask import (
    ENGLISH_COUNT,
    JAPANESE_COUNT,
    english_count,
    japanese_count,
)
from bots.responder.rules.requests.spoken import wish
from bots.text.language import language_of, normal
from bots.text.spelling import expanded, nearest
from bots.words import table

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


# --- Putting right ------------------------------------------------------------------

_MARK = (
    r"(?:no+|nah|never ?mind|nope|wait|actually|i mean|i meant|make (?:that|it)|rather"
    r"|scratch that|hold on)"
)
_FILL = r"(?:oh|oops|sorry|um|ok|okay|hey|please|just|only|better|but|then|well|well then)"
_CORRECTING = re.compile(rf"(?:{_FILL}[ ,.!…]+)*{_MARK}(?:[ ,.!…]+(?:{_FILL}|{_MARK}))*[ ,.!…]+")
_INSTEAD = re.compile(r"(?: (?:instead|please|is enough|are enough|will do|is fine|only|not .*))+$")
_BEHIND = re.compile(r" (?:instead|is enough|are enough|will do)(?: please)?$")
_ONLY = re.compile(r"^(?:just|only) ")
_CORRECTING_JA = re.compile(
    r"(?:(?:いや|やっぱり|やっぱ|違う|ちがう|違った|待って|まって|ちょっと待って|じゃなくて"
    r"|間違えた|ごめん)[、。 ]*)+"
)
_END_JA = re.compile(
    r"(?:に(?:して|変えて|する)|で(?:いい|お願い|おねがい|よろしく)?|だけ|だった|です|ください|お願い|おねがい|よ|ね|を|が|だ)+$"
)
_OF_JA = re.compile(
    rf"(?P<count2>{JAPANESE_COUNT})の(?P<thing2>[^\s、]{{1,14}})"
    rf"|(?:(?P<thing>[^\s、\d]{{1,14}}?)を? ?)?(?P<count>{JAPANESE_COUNT})"
    r"|(?P<thing3>[^\s、\d]{1,14})"
)


def amended(line: str, bot: str, things: Things) -> Amended | None:
    """How a line puts the latest wish right; None where it does not."""
    said = normal(line).strip(" .!?。！？…")
    said = re.sub(rf"^{re.escape(bot.casefold())}[ ,:、]*", "", said)
    if language_of([said]) == "ja":
        return _amended_ja(said, things)
    said = expanded(said)
    mark = _CORRECTING.match(said)
    if mark is None and not _BEHIND.search(said) and not _ONLY.match(said):
        return None
    rest = _ONLY.sub("", said[mark.end() :] if mark else said)
    wanted = _wanted(_INSTEAD.sub("", rest), things)
    count, words = wanted or (None, "")
    return Amended(count, words, rest) if wanted or mark else None


def _wanted(words: str, things: Things) -> tuple[int | None, str] | None:
    """The count and the thing of `5 oak logs`, `5`, `birch`; None where neither is said."""
    if re.fullmatch(ENGLISH_COUNT, words):
        return english_count(words), ""
    wanted = wish(words, several=False)
    if wanted is None or things.meant(wanted.words) is None:
        return None
    is_counted = re.match(rf"(?:{ENGLISH_COUNT})\b", words) is not None
    return (wanted.count if is_counted else None), wanted.words


def _amended_ja(said: str, things: Things) -> Amended | None:
    mark = _CORRECTING_JA.match(said)
    if mark is None:
        return None
    rest = said[mark.end() :]
    found = _OF_JA.fullmatch(_END_JA.sub("", rest))
    words = "" if found is None else found["thing"] or found["thing2"] or found["thing3"] or ""
    if found is None or (words and things.meant(words) is None):
        return Amended(None, "", rest)
    said_count = found["count"] or found["count2"]
    return Amended(japanese_count(said_count) if said_count else None, words, rest)


# --- Choosing -----------------------------------------------------------------------

_NEVER_MIND = re.compile(
    r"(?:never ?mind|nothing|none|neither|forget (?:it|that|about it)|leave it|no thanks?|not now"
    r"|i do not care any ?more|cancel(?: that)?|skip it"
    r"|(?:やっぱり?|もう)?いい(?:です|や)?|いらない|やめとく|なんでもない|どれもいらない|けっこうです|結構です)"
)
_ANY = re.compile(
    r"(?:any|any one|anything|any of them|any(?: one)? is fine|either|either one|whatever|whichever"
    r"|i (?:do not|dont|don't) care|you (?:choose|pick|decide)"
    r"|(?:it )?does(?: not|nt|n't) matter|all the same|surprise me"
    r"|(?:どれでも|なんでも|何でも|どっちでも)(?:いい)?|任せる|まかせる|お任せ|おまかせ)"
)
_ALL = re.compile(r"(?:all|all of them|every one|each|one of each|全部|ぜんぶ|すべて)")
_BOTH = re.compile(r"(?:both|both of them|両方|りょうほう|どっちも|どちらも)")
_NTH = (
    re.compile(r"(?:the )?(?:first|1st)(?: one)?|(?:一番目|最初|1つ目|1番目)(?:の)?(?:やつ)?"),
    re.compile(r"(?:the )?(?:second|2nd)(?: one)?|(?:二番目|2つ目|2番目)(?:の)?(?:やつ)?"),
    re.compile(r"(?:the )?(?:third|3rd|last)(?: one)?|(?:三番目|最後|3つ目|3番目)(?:の)?(?:やつ)?"),
)
_AROUND = re.compile(
    r"^(?:(?:no|um|uh|hm+|ok|okay|oh|well|please|i think|i want|i would like|i like|i mean"
    r"|give me|make|get|get me|the|an?|one|some|with|of|maybe|let'?s say|just|in)\b[ ,]*)+"
    r"|(?:[ ,]*\b(?:please|pls|plz|ones?|thanks|thank you|i think|then))+$"
    r"|(?:の)?(?:やつ|もの|方|ほう)?(?:で|を|が)?(?:いい|お願い|おねがい|お願いします|ください|にして|だ|です|ね|よ)*$"
)
_AND = re.compile(r",? and |, | or |と|、")


def is_never_mind(line: str) -> bool:
    return _NEVER_MIND.fullmatch(expanded(normal(line)).strip(" .!。！")) is not None


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
    if _NEVER_MIND.fullmatch(said) or said_in(bot, [line]) == "no":
        return "no"
    if may_agree and (said_in(bot, [line]) == "yes" or said in _YES):
        return "yes"
    return _of_names(said, names, shown) if names else None


_YES = frozenset(
    {"yes please", "ok do it", "sure thing", "why not", "k", "kk", "yea", "ye", "うん、お願い"}
)


def _of_names(said: str, names: Sequence[str], shown: int) -> Choice | None:
    bare = _AROUND.sub("", said).strip(" ,") or said
    if _ANY.fullmatch(bare) or _ANY.fullmatch(said):
        return tuple(names[:1])
    if _ALL.fullmatch(bare):
        return tuple(names[:shown])
    if _BOTH.fullmatch(bare):
        return tuple(names[:2]) if min(shown, len(names)) == 2 else ()
    for at, pattern in enumerate(_NTH):
        if pattern.fullmatch(said) and at < len(names):
            return (names[at],)
    found = [_one(_AROUND.sub("", part).strip(), names) for part in _AND.split(bare)]
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
    return _mended(plain, names)


def _mended(word: str, names: Sequence[str]) -> str | None:
    near = nearest(word, {part for name in names for part in name.split("_")} | set(names))
    return (
        None if near is None else next(name for name in names if near in (name, *name.split("_")))
    )


def _is_first_of(words: str, name: str) -> bool:
    return language_of([words]) == "ja" and name.startswith(words)


_WORDS = {"wood": "wooden", "gold": "golden", "cobble": "stone", "木": "wooden"}
