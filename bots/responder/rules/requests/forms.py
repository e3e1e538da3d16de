"""Forms of requests, from `en.toml` and `ja.toml`, and what each of them makes of a request.

words ─▶ the first form that fits ─▶ what stands at its places ─▶ requests"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from bots.bot.areas import HERE, Rule
from bots.responder.rules.requests import jobs
from bots.responder.rules.requests.ask import (
    ENGLISH_COUNT,
    JAPANESE_COUNT,
    Ask,
    Made,
    Request,
    Wish,
    Words,
    english_count,
    japanese_count,
)
from bots.responder.rules.requests.spoken import wish, wish_ja
from bots.skills.pointed import materials, means_any
from bots.text.language import Language, language_of
from bots.words.heard import written_out

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
    several = verb.removesuffix(" down") in _SEVERAL or verb.startswith(_SEVERAL_JA)
    if "wish" in said:
        return wish(said["wish"], several)
    return wish_ja(said.get("count", ""), said.get("thing", ""), several)


_SEVERAL = frozenset({"gather", "collect", "mine", "chop", "dig", "harvest"})
_SEVERAL_JA = ("集め", "あつめ", "切っ", "伐っ", "掘っ", "採")
"""Verbs of which one asks for some, not for one."""


def _wished(make: Callable[[Ask, Wish], Made]) -> Make:
    def of_wish(ask: Ask, said: Said) -> Made:
        wanted = _wish(said)
        return () if wanted is None else make(ask, wanted)

    return of_wish


def _handed(hand: Callable[[Ask, Wish, str], Made]) -> Make:
    """Handed to the speaker, or to another player of this server."""

    def to_whom(ask: Ask, said: Said) -> Made:
        wanted, to = _wish(said), said.get("to", "me")
        if wanted is None or to == "me":
            return () if wanted is None else hand(ask, wanted, ask.speaker)
        player = ask.player(to)
        return jobs.nobody(to, ask.listed) if player is None else hand(ask, wanted, player.name)

    return to_whom


def _get(ask: Ask, said: Said) -> Made:
    return (_handed(jobs.bring) if "to" in said else _wished(jobs.get))(ask, said)


def _point(ask: Ask, said: Said) -> Made:
    return jobs.go_to_point(ask, (float(said["x"]), float(said["y"]), float(said["z"])))


def _go(ask: Ask, said: Said) -> Made:
    return jobs.come(ask) if said["name"] == "me" else jobs.go(ask, said["name"])


def _greet(ask: Ask, said: Said) -> Made:
    hello = said.get("hello", "hello")
    words = Words(hello.capitalize(), "") if hello.isascii() else Words("", hello)
    return jobs.greet(ask, said["name"], words)


def _place_name(said: Said) -> str:
    word = said["name"]
    return "home" if word in ("家", "いえ", "うち", "おうち", "ホーム") else word


def _take_at(ask: Ask, said: Said) -> Made:
    """What stands at a place is to be taken, whoever built it."""
    thing, at = said.get("thing", "block"), [int(said[axis]) for axis in "xyz"]
    known = means_any(thing) or any(ask.things.meant(name) for name in materials(thing))
    if not known:
        return jobs.unknown(ask, Wish(1, thing))
    fields: dict[str, object] = {"itemName": thing, "at": at}
    many = ""
    if counted := said.get("count"):
        is_japanese = language_of([counted]) == "ja"
        fields["count"] = (japanese_count if is_japanese else english_count)(counted)
        many = f"{fields['count']} "
    where = " ".join(map(str, at))
    doing = Words(
        f"All right: {many or 'the '}{thing} at {where}.", f"わかりました：{where}の{thing}。"
    )
    return (Request("skill gather", fields, doing),)


_AREA_DONE: Mapping[Rule, Words] = {
    "forbid": Words(
        "I touch nothing {where} from now on. !area list shows how far that reaches.",
        "{where}のものには触りません。範囲は !area list で見られます。",
    ),
    "ask": Words(
        "I ask before I touch anything {where}. !area list shows how far that reaches.",
        "{where}では、触る前に聞きます。範囲は !area list で見られます。",
    ),
    "allow": Words(
        "I may touch things {where} from now on. !area list shows how far that reaches.",
        "{where}では、掘ったり置いたりします。範囲は !area list で見られます。",
    ),
}


def _area(rule: Rule) -> Make:
    def about_place(_ask: Ask, said: Said) -> Made:
        name, told = (said.get("name") or "here").strip(), _AREA_DONE[rule]
        is_here = name in HERE
        done = Words(
            told.en.format(where="here" if is_here else f"at {name}"),
            told.ja.format(where="ここ" if is_here else f"「{name}」"),
        )
        return (Request(f"area {rule}", {"name": name}, done, done, is_lasting=False),)

    return about_place


_MAKES: Mapping[str, Make] = {
    "come": lambda ask, said: jobs.come(ask),
    "follow": lambda ask, said: jobs.follow(ask, said.get("name", "")),
    "stop_following": lambda ask, said: jobs.stop_following(ask),
    "stop": lambda ask, said: jobs.stop(ask),
    "tell_doing": lambda ask, said: jobs.tell_doing(ask),
    "greet": _greet,
    "get": _get,
    "bring": _handed(jobs.bring),
    "give": _handed(jobs.give),
    "drop": _wished(jobs.drop),
    "place": _wished(jobs.place),
    "equip": lambda ask, said: jobs.equip(ask, said["name"]),
    "eat": lambda ask, said: jobs.eat(ask, said.get("name", "")),
    "pick_up": lambda ask, said: jobs.pick_up(ask),
    "go_home": lambda ask, said: jobs.go_home(ask),
    "point": _point,
    "step": lambda ask, said: jobs.step(ask, int(said["n"]), said.get("way", "")),
    "go": _go,
    "look": lambda ask, said: jobs.look(ask, said.get("name", "")),
    "remember_place": lambda ask, said: jobs.remember_place(ask, _place_name(said)),
    "remember_here": lambda ask, said: jobs.remember_where_speaker_is(ask, _place_name(said)),
    "take_at": _take_at,
    "area_forbid": _area("forbid"),
    "area_ask": _area("ask"),
    "area_allow": _area("allow"),
    "areas": lambda ask, said: (Request("area list", {}, Words("", ""), is_lasting=False),),
}
