"""The orders in a line that says much besides: “we are out of wood, could you get like 20 logs”.

clauses ─▶ a verb that orders, and nothing before it but what may ─▶ thing and count ─▶ plain orders

What is ordered, and how, stands under `[gist]` in the file of each language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import TypeAlias

from bots.responder.rules.requests.ask import (
    ENGLISH_COUNT,
    JAPANESE_COUNT,
    SOME,
    STACK,
    japanese_count,
)
from bots.text.language import normal
from bots.words.heard import written_out

LONGEST = {"en": 4, "ja": 14, "zh": 10}
"""Words of a thing; signs, where no spaces stand between words."""
SHORT = 2  # signs of a thing that may be a piece of another word
_COUNTERS = {"ja": "個", "zh": "个"}
_KANA = re.compile("[ぁ-ヺー]")
_SLOT = re.compile(r"\{(\w+)\} ?")


@dataclass(frozen=True, slots=True)
class Gist:
    orders: tuple[str, ...]
    """In plain words of the line's language."""
    is_sure: bool
    """Whether each stands as orders do, and no word of the line takes one back."""


@dataclass(frozen=True, slots=True)
class _Made:
    """An order of a clause."""

    means: str
    thing: str
    count: str
    is_sure: bool
    """Whether nothing in the clause may change what it means."""

    @property
    def order(self) -> str:
        slots = {"thing": self.thing, "count": self.count}

        def put(slot: re.Match[str]) -> str:
            said = slots[slot[1]]
            return f"{said} " if said and slot[0].endswith(" ") else said

        return _SLOT.sub(put, self.means).strip()


_Order: TypeAlias = tuple[re.Pattern[str], str]
"""A verb, and what it means."""


@dataclass(frozen=True, slots=True)
class _Ways:
    """How orders are given in a language."""

    joint: re.Pattern[str]
    """Between two clauses."""
    asking: re.Pattern[str]
    """In a clause that orders nothing."""
    doubt: re.Pattern[str]
    """In a line whose orders may not be meant, or not now."""
    name: re.Pattern[str]
    """A clause that may be somebody's name."""
    leads: re.Pattern[str]
    """A clause before an order that changes nothing about it."""
    before: re.Pattern[str]
    """All that may stand before the verb of an order, and after it."""
    after: re.Pattern[str]
    loose: re.Pattern[str]
    """What may stand before an order that is only asked about."""
    then: re.Pattern[str]
    """Another order, which may stand right behind the first."""
    edge: re.Pattern[str]
    """What ends before a short thing in kana, which may else be a piece of another word."""
    aside: re.Pattern[str]
    """What is not what the order is about, though it may name a thing: where to, what of."""
    between: re.Pattern[str]
    """What may stand about the thing and changes nothing."""
    count: re.Pattern[str]
    listed: re.Pattern[str]
    """Between two things of one order."""
    another: re.Pattern[str]
    """Right before a thing, where it makes it another one."""
    last: str
    """What stands for the thing named last."""
    orders: Sequence[_Order]
    questions: Sequence[_Order]


_PATTERNS = tuple(
    one.name for one in fields(_Ways) if one.name not in ("last", "orders", "questions")
)


@dataclass(frozen=True, slots=True)
class _Found:
    text: str
    start: int
    end: int


def gist(line: str, tongue: str, is_thing: Callable[[str], bool]) -> Gist | None:
    """The orders of a line; None where it has none. `is_thing` knows what one can be about."""
    ways = _ways(tongue)
    if ways is None:
        return None
    said, found, named = normal(line), list[_Made](), ""
    is_led = True  # by an order, or by words that change nothing
    clauses = list(filter(None, map(str.strip, ways.joint.split(said))))
    for clause in clauses:
        if ways.name.fullmatch(clause):
            return None  # it may be for somebody of that name
        made = _ordered(ways, tongue, clause, is_thing)
        if made and made[0].thing == ways.last and named:
            made = (replace(made[0], thing=named, is_sure=False),)
        if not made and found and (more := _more_of(ways, tongue, clause, found[-1], is_thing)):
            made = (more,)
        if made:
            found += made if is_led else [replace(one, is_sure=False) for one in made]
        elif (thing := _thing(ways, tongue, clause, is_thing)) is not None:
            named = thing.text
        if not made and found and (count := _count_alone(ways, tongue, clause)):
            found[-1] = replace(found[-1], count=count)
        is_led = bool(made) or ways.leads.fullmatch(clause) is not None
    if tongue != "ja" or len(clauses) > 1:  # つくって alone is about what was named last
        found = [one for one in found if one.count or one.thing != ways.last]
    if not found:
        return None
    is_sure = all(one.is_sure for one in found) and not ways.doubt.search(said)
    return Gist(tuple(dict.fromkeys(one.order for one in found)), is_sure)


def named(line: str, tongue: str, is_thing: Callable[[str], bool]) -> str | None:
    """The thing that a line names."""
    ways = _ways(tongue)
    found = None if ways is None else _thing(ways, tongue, normal(line), is_thing)
    return None if found is None else found.text


def question(line: str, tongue: str, is_thing: Callable[[str], bool]) -> str | None:
    """The question after a thing that a line asks among other words, in plain words; None where it
    asks none."""
    ways = _ways(tongue)
    if ways is None:
        return None
    clauses = ways.joint.split(normal(line))
    for at, clause in enumerate(clauses):
        for verb, means in ways.questions:
            found = verb.search(clause)
            if found is None:
                continue
            beside = f"{clause[: found.start()]} {clause[found.end() :]}"
            before = clauses[at - 1] if at else ""  # what the question is about may stand there
            thing = _thing(ways, tongue, beside, is_thing) or _thing(ways, tongue, before, is_thing)
            if thing is not None:
                return _Made(means, thing.text, "", is_sure=True).order
    return None


def _ordered(
    ways: _Ways, tongue: str, clause: str, is_thing: Callable[[str], bool]
) -> tuple[_Made, ...]:
    """The order that a clause gives, once for each thing that it names."""
    ways_round = (
        (ways.before, ways.after, True),
        (ways.before, ways.then, False),
        (ways.loose, ways.after, False),
    )
    for leading, ending, ends in ways_round:
        for pattern, means in ways.orders:
            for verb in pattern.finditer(clause):
                before, after = clause[: verb.start()], clause[verb.end() :]
                led = leading.fullmatch(before)
                if led is None or ending.fullmatch(after) is None:
                    continue
                if ways.asking.search(clause if "{thing}" in means else before):
                    continue
                if "{thing}" not in means:
                    rest = "" if tongue == "ja" else _rest(ways, ways.aside.sub(" ", after))
                    said = ways.count.search(clause) if "{count}" in means else None
                    count = _counted(said[0], tongue) if said else ""
                    return (_Made(means, "", count, is_sure=ends and not rest),)
                told = before if tongue == "ja" else led.groupdict().get("moved") or after
                made = _about(ways, tongue, means, told, is_thing)
                if made is not None:
                    made = replace(made, is_sure=made.is_sure and ends)
                    return (*_beside(ways, tongue, made, told, is_thing), made)
    return ()


def _beside(
    ways: _Ways, tongue: str, made: _Made, told: str, is_thing: Callable[[str], bool]
) -> Iterator[_Made]:
    """The same order about what is named before its thing: 盾 of 盾と剣を貸して."""
    before, _, _ = told.rpartition(made.thing)
    for text in filter(None, map(str.strip, ways.listed.split(before)[:-1])):
        if (more := _more_of(ways, tongue, text, made, is_thing)) is not None:
            yield more


def _more_of(
    ways: _Ways, tongue: str, text: str, made: _Made, is_thing: Callable[[str], bool]
) -> _Made | None:
    """The order about another thing, where the text names one and says no more: “like 20 arrows”
    behind “make a bow”."""
    if not made.thing or "{thing}" not in made.means:
        return None
    more = _about(ways, tongue, made.means, text, is_thing)
    is_named = more is not None and more.thing != ways.last
    return more if is_named and more is not None and more.is_sure else None


def _about(
    ways: _Ways, tongue: str, means: str, told: str, is_thing: Callable[[str], bool]
) -> _Made | None:
    """The order about what is named there."""
    told = ways.aside.sub(" ", told)
    counted = ways.count.search(told)
    bare = told if counted is None else f"{told[: counted.start()]} {told[counted.end() :]}"
    thing = _thing(ways, tongue, bare, is_thing)
    if thing is None:
        # The order about what was named last: “get me 4 more”; its count may come behind it.
        if _rest(ways, bare):
            return None
        count = "" if counted is None else _counted(counted[0], tongue)
        return _Made(means, ways.last, count, is_sure=True)
    if ways.another.search(bare[: thing.start]):
        return None  # “cherry logs” are no logs
    beside = (bare[thing.end :], "" if tongue == "ja" else bare[: thing.start])
    count = _counted(counted[0], tongue) if counted else ""
    is_sure = not any(_rest(ways, one) for one in beside)
    return _Made(means, thing.text, count, is_sure)


def _count_alone(ways: _Ways, tongue: str, clause: str) -> str:
    """The count of a clause that says nothing else: “like 10”."""
    counted = ways.count.search(clause)
    rest = _rest(ways, ways.count.sub("", clause))
    return _counted(counted[0], tongue) if counted and not rest else ""


def _rest(ways: _Ways, text: str) -> str:
    """What may change an order."""
    return ways.between.sub("", text).strip()


def _counted(words: str, tongue: str) -> str:
    if tongue == "en":
        return f"{words} of" if words.endswith(("stack", "stacks")) else words
    words = re.sub("(?:くらい|ぐらい|ほど|だけ)$", "", words)
    number = japanese_count(words.replace("两", "二").replace("俩", "二"))
    if tongue == "zh":
        number = SOME if re.search("[些点堆多]", words) else number
        number *= STACK if words.endswith("组") else 1
    return f"{number}{_COUNTERS[tongue]}" if number else words


def _thing(ways: _Ways, tongue: str, text: str, is_thing: Callable[[str], bool]) -> _Found | None:
    """The longest thing that is named: in Japanese the last one, else the first."""
    found = [
        one
        for one in _spans(text, tongue)
        if is_thing(one.text) and (len(one.text) > SHORT or ways.edge.fullmatch(text[: one.start]))
    ]
    if tongue == "en":
        return min(found, key=lambda one: (one.start, -one.end), default=None)
    return max(
        found,
        key=lambda one: (len(one.text), one.end if tongue == "ja" else -one.start),
        default=None,
    )


def _spans(text: str, tongue: str) -> Iterator[_Found]:
    if tongue == "en":
        edges = [(word.start(), word.end()) for word in re.finditer(r"[a-z_']+", text)]
    else:
        edges = [(at, at + 1) for at in range(len(text))]
    for one, other in combinations(range(len(edges) + 1), 2):
        if other - one > LONGEST[tongue]:
            continue
        start, end = edges[one][0], edges[other - 1][1]
        said = text[start:end]
        if said.strip() == said and (other - one > 1 or not _KANA.fullmatch(said)):
            yield _Found(said, start, end)


@cache
def _ways(tongue: str) -> _Ways | None:
    path = files(__package__) / f"{tongue}.toml"
    if not path.is_file():
        return None
    file = tomllib.loads(path.read_text("utf-8"))
    own = file["gist"]
    parts = {**file["parts"], "english": ENGLISH_COUNT, "japanese": JAPANESE_COUNT, **own}
    orders, questions = (
        [(re.compile(written_out(row["verb"], parts)), row["means"]) for row in own[kind]]
        for kind in ("order", "question")
    )
    return _Ways(
        **{name: re.compile(written_out(own[name], parts)) for name in _PATTERNS},
        last=own["last"],
        orders=orders,
        questions=questions,
    )
