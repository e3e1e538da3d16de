"""Requests that point: what stands at a place is to be taken, whoever built it."""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match, Pattern
from typing import TypeAlias

from bots.responder.rules.requests import jobs
from bots.responder.rules.requests.ask import (
    ENGLISH_COUNT,
    JAPANESE_COUNT,
    Ask,
    Request,
    Unclear,
    Wish,
    Words,
    english_count,
    japanese_count,
)
from bots.skills.pointed import materials, means_any

_Form: TypeAlias = tuple[Pattern[str], Callable[[Ask, Match[str]], tuple[Request, ...] | Unclear]]

_NUMBER = r"-?\d{1,8}"
_AT = (
    rf"[(\[]?(?:x ?[=:]? ?)?(?P<x>{_NUMBER})[, ]+(?:y ?[=:]? ?)?(?P<y>{_NUMBER})[, ]+"
    rf"(?:z ?[=:]? ?)?(?P<z>{_NUMBER})[)\]]?"
)


def _take(ask: Ask, asked: Match[str], count: int | None) -> tuple[Request, ...] | Unclear:
    thing = asked["thing"] or "block"
    known = means_any(thing) or any(ask.things.meant(name) for name in materials(thing))
    if not known:
        return jobs.unknown(ask, Wish(1, thing))
    at = [int(asked[axis]) for axis in "xyz"]
    fields = {"itemName": thing, "at": at} | ({} if count is None else {"count": count})
    where, many = " ".join(map(str, at)), "" if count is None else f"{count} "
    doing = Words(
        f"All right: {many or 'the '}{thing} at {where}.", f"わかりました：{where}の{thing}。"
    )
    return (Request("skill gather", fields, doing),)


def _english(ask: Ask, asked: Match[str]) -> tuple[Request, ...] | Unclear:
    return _take(ask, asked, english_count(asked["count"]) if asked["count"] else None)


def _japanese(ask: Ask, asked: Match[str]) -> tuple[Request, ...] | Unclear:
    return _take(ask, asked, japanese_count(asked["count"]) if asked["count"] else None)


_DOWN = r"(?: (?:up|down|out|away|apart))?"
_VERB = (
    r"take|get|grab|dig|break|mine|remove|collect|gather|harvest|chop|cut|tear|knock|demolish"
    r"|clear|fetch|destroy|pick"
)
_THOSE = r"(?:all (?:of )?)?(?:the|that|this|those|these|my|our|your)"
_LIKE = r"(?:whole|entire|old|new|big|little|small|ugly|front|back|outer|inner|other)"
_WHAT = r"(?!(?:me|us|to|in|on|into|at)\b)(?P<thing>[a-z_ ]{2,32}?)"
_FROM = r"(?: (?:from|of|out of) (?:the|that|this|my|our|your) [a-z ]{2,24}?)?"
_STANDS = r"(?: (?:that|which)(?:'s| is| are)| standing)*"

ENGLISH: tuple[_Form, ...] = (
    (
        re.compile(
            rf"^(?:{_VERB}){_DOWN}(?: {_THOSE}| all| some)?(?: (?P<count>{ENGLISH_COUNT})"
            rf"(?: of)?(?: the| those| these)?)?(?: {_LIKE})*(?: {_WHAT})?{_FROM}{_DOWN}"
            rf"{_STANDS} (?:at|@)(?: the)?(?: (?:coordinates|coords|position|point))? ?{_AT}$"
        ),
        _english,
    ),
)

_POLITE = r"(?:ください|下さい|ちょうだい|くれ|くれる|くれますか|くれませんか|ほしい|欲しい|ね|よ)?"
_TAKE = (
    r"(?:取って|とって|採って|掘って|ほって|壊して|こわして|崩して|くずして|片付けて|かたづけて"
    r"|撤去して|どかして|どけて|集めて|回収して|切って|伐って)(?:きて|来て)?"
)
_THERE = r"(?:に(?:ある|立って(?:い)?る|建って(?:い)?る)|の(?:ところ|所|場所)(?:にある|の)|の)?"
_THING = r"(?:(?P<thing>(?!を)[^\s、「」\d()]{1,14}?))?"
_ALL = rf"(?: ?(?:全部|ぜんぶ|すべて|(?P<count>{JAPANESE_COUNT})))?"

JAPANESE: tuple[_Form, ...] = (
    (
        re.compile(
            rf"^(?:座標)?{_AT} ?{_THERE}{_THING}(?:を|は)?{_ALL}(?:を|は)? ?{_TAKE}{_POLITE}$"
        ),
        _japanese,
    ),
    (
        re.compile(
            rf"^(?:この|その|あの)?{_THING} ?{_AT}(?:を|は)?{_ALL}(?:を|は)? ?{_TAKE}{_POLITE}$"
        ),
        _japanese,
    ),
)
