"""Forms of requests, from `en.toml` and `ja.toml`, and what each of them makes of a request.

words ─▶ the first form that fits ─▶ what stands at its places ─▶ requests"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from bots.bot.areas import HERE, Rule
from bots.responder.rules.requests import jobs, orders
from bots.responder.rules.requests.ask import (
    ENGLISH_COUNT,
    JAPANESE_COUNT,
    Ask,
    Made,
    Unclear,
    Wish,
    english_count,
    japanese_count,
    request,
    simply,
    unclear,
    wish,
    wish_ja,
)
from bots.skills.pointed import materials, means_any
from bots.text.language import Language, language_of
from bots.words import saying, table
from bots.words.heard import heard, written_out

Said: TypeAlias = Mapping[str, str]
"""What was said at each place of a form."""
Make: TypeAlias = Callable[[Ask, Said], Made]
_COUNTED: Mapping[Language, str] = {"en": ENGLISH_COUNT, "ja": JAPANESE_COUNT}


@cache
def forms(language: Language) -> Sequence[tuple[re.Pattern[str], Mapping[str, str]]]:
    """The forms of a language, in their order, and what each means."""
    file = tomllib.loads((files(__package__) / f"{language}.toml").read_text("utf-8"))
    parts = {**file["parts"], "counted": _COUNTED[language]}
    return [
        (re.compile("|".join(written_out(way, parts) for way in row.pop("ways"))), row)
        for row in file["form"]
    ]


def made(ask: Ask, asked: re.Match[str], row: Mapping[str, str]) -> Made:
    """The requests of words that fit a form; a place may have a number behind its name."""
    said = {re.sub(r"\d+$", "", name): said for name, said in asked.groupdict().items() if said}
    if asked.groups() and not asked.re.groupindex:
        said = {"name": next(filter(None, asked.groups()), "")}
    return _MAKES[row["means"]](ask, {**row, **said})


def _wish(said: Said) -> Wish | None:
    verb = said.get("verb", "")
    several = heard("wish.several").fullmatch(verb.removesuffix(" down")) is not None
    if "wish" in said:
        return wish(said["wish"], several)
    return wish_ja(said.get("count", ""), said.get("thing", ""), several)


def _wished(make: Callable[[Ask, Wish], Made]) -> Make:
    def of_wish(ask: Ask, said: Said) -> Made:
        wanted = _wish(said)
        return () if wanted is None else make(ask, wanted)

    return of_wish


def _get(ask: Ask, said: Said) -> Made:
    """An item; an animal that is only to be found, and what is no item but built, are none."""
    verb, wanted = said.get("verb", ""), _wish(said)
    if wanted is not None and verb == "find" and orders.is_animal(wanted.words):
        return ()
    if wanted is not None and heard("wish.cooks").fullmatch(verb):
        wanted = jobs.meant(ask, wanted) or wanted
        wanted = replace(wanted, words=_cooked(ask, wanted.words))
        return jobs.get(ask, wanted)
    made = (_handed(jobs.bring) if "to" in said else _wished(jobs.get))(ask, said)
    is_unknown = wanted is None or (
        isinstance(made, Unclear) and made.why.meaning == "unclear.item"
    )
    makes = heard("wish.makes").fullmatch(verb) is not None
    words = wanted.words if wanted else ""
    is_house = heard("wish.house").search(said.get("wish", words)) is not None
    is_building = is_house or heard("wish.building").search(words) is not None
    is_built = verb == "build" or (makes and is_building)
    if not (is_unknown and is_built):
        return made
    return orders.ORDERS["build_house"](ask, "") if is_house else unclear("builds")


def _cooked(ask: Ask, words: str) -> str:
    """What comes of it in a furnace: cooked beef of beef; itself where nothing does."""
    meant = ask.things.meant(words)
    for name in meant.names if meant else ():
        cooked = str(table("names.cooked", "en").get(name, f"cooked_{name}")).replace("_", " ")
        if ask.things.meant(cooked) is not None:
            return cooked
    return words


def _handed(hand: Callable[[Ask, Wish, str], Made]) -> Make:
    """Handed to the speaker, or to another player of this server."""

    def to_whom(ask: Ask, said: Said) -> Made:
        wanted, to = _wish(said), said.get("to", "me")
        if wanted is None or to == "me":
            return () if wanted is None else hand(ask, wanted, ask.speaker)
        player = ask.player(to)
        return jobs.nobody(to, ask.listed) if player is None else hand(ask, wanted, player.name)

    return to_whom


def _relay(ask: Ask, said: Said) -> Made:
    """As the line spells it."""
    at = ask.said.casefold().rfind(said["words"])
    words = ask.said[at:] if at >= 0 else said["words"]
    return jobs.relay(ask, said["name"], words.strip())


def _place_name(said: Said) -> str:
    word = said["name"]
    return "home" if heard("wish.home").fullmatch(word) else word


def _take_at(ask: Ask, said: Said) -> Made:
    """What stands at a place is to be taken, whoever built it."""
    thing, at = said.get("thing", "block"), [int(said[axis]) for axis in "xyz"]
    known = means_any(thing) or any(ask.things.meant(name) for name in materials(thing))
    if not known:
        return jobs.unknown(ask, Wish(1, thing))
    fields: dict[str, object] = {"itemName": thing, "at": at}
    if counted := said.get("count"):
        is_japanese = language_of([counted]) == "ja"
        fields["count"] = (japanese_count if is_japanese else english_count)(counted)
    many = f"{fields['count']} {thing}" if "count" in fields else saying("named.one", thing=thing)
    slots = {"what": many, "place": " ".join(map(str, at))}
    return (request("skill gather", "take_at", fields, slots),)


def _area(rule: Rule) -> Make:
    def about_place(_ask: Ask, said: Said) -> Made:
        name = (said.get("name") or "here").strip()
        where = saying("area.here") if name in HERE else saying("area.at", place=name)
        return (
            request(
                f"area {rule}", f"area_{rule}", {"name": name}, {"where": where}, is_lasting=False
            ),
        )

    return about_place


_MAKES: Mapping[str, Make] = {
    "come": lambda ask, said: jobs.come(ask),
    "follow": lambda ask, said: jobs.follow(ask, said.get("name", "")),
    "stop_following": simply("navigation stopFollow", "stay", is_lasting=False),
    "wait": simply("navigation stopFollow", "wait", is_lasting=False),
    "go_on": simply("go on", "", is_lasting=False),
    "stop": lambda ask, said: jobs.stop(ask),
    "tell_doing": simply("status", "", is_lasting=False),
    "greet": lambda ask, said: jobs.greet(ask, said["name"], said.get("hello", "hello")),
    "relay": _relay,
    "get": _get,
    "bring": _handed(jobs.bring),
    "give": _handed(jobs.give),
    "drop": _wished(jobs.drop),
    "place": _wished(jobs.place),
    "equip": lambda ask, said: jobs.equip(ask, said["name"]),
    "eat": lambda ask, said: jobs.eat(ask, said.get("name", "")),
    "pick_up": simply("skill collectDrops", "pick_up"),
    "go_home": simply("navigation goto", "go_home", {"name": "home"}),
    "point": lambda ask, said: jobs.go_to_point(ask, [float(said[axis]) for axis in "xyz"]),
    "step": lambda ask, said: jobs.step(ask, int(said.get("n", jobs.A_WAY)), said.get("way", "")),
    "go": lambda ask, said: jobs.come(ask) if said["name"] == "me" else jobs.go(ask, said["name"]),
    "look": lambda ask, said: jobs.look(ask, said.get("name", "")),
    "remember_place": lambda ask, said: jobs.remember_place(ask, _place_name(said)),
    "remember_here": lambda ask, said: jobs.remember_where_speaker_is(ask, _place_name(said)),
    "take_at": _take_at,
    "area_forbid": _area("forbid"),
    "area_ask": _area("ask"),
    "area_allow": _area("allow"),
    "areas": simply("area list", "", is_lasting=False),
}
