"""Request forms in English. A form must match a whole part of a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match, Pattern
from typing import TypeAlias

from bots.responder.rules.requests import jobs, leaving, pointing
from bots.responder.rules.requests.ask import (
    ALL,
    ENGLISH_COUNT,
    SOME,
    Ask,
    Request,
    Unclear,
    Wish,
    Words,
    english_count,
)

Made: TypeAlias = tuple[Request, ...] | Unclear
Make: TypeAlias = Callable[[Ask, Match[str]], Made]

ASKING = re.compile(r"^(?:can|could|would|will) (?:you|u|ya)\b")
"""A question that begins like this is a request."""

_BEFORE = re.compile(
    r"^(?:(?:please|pls|plz|kindly|hey|hi|hello|ok|okay|alright|all right|now|so|well|yo|then|next"
    r"|just|quick|quickly|also|finally|first|(?:can|could|would|will) (?:you|u|ya)"
    r"|i(?:'d| would) like you to|i (?:want|need) you to"
    r"|(?:go|come)(?: and| &)?"
    r"(?= (?:get|fetch|gather|collect|mine|chop|make|craft|bring|find|dig)\b)"
    r"|go ahead and|try to|start(?= \w+ing\b)) )+"
)
_AFTER = re.compile(
    r"(?: (?:please|pls|plz|for me|for us|now|right now|right away|immediately|quickly|quick|fast"
    r"|(?:for )?a (?:sec|second|moment|minute)|real quick"
    r"|asap|thanks|thank you|thx|if you can|when you can|if you please|ok|okay|would you|will you"
    r"|can you|again|instead|buddy|mate|friend|my friend|dude|bro))+$"
)
_COUNTED = re.compile(
    rf"^(?P<count>{ENGLISH_COUNT})(?: more)?(?: (?:pieces?|blocks?|units?) of)? (?P<thing>.+)$"
)
_SOME = re.compile(r"^(?:some|any)(?: more)? (?:of )?(?P<thing>.+)$")
_ALL = re.compile(r"^(?:all|everything)(?: of)?(?: (?:the|your|my))? (?P<thing>.+)$")
_THAT = re.compile(r"^(?:the|your|my|that|those|these)(?: (?P<count>\d{1,9}))? (?P<thing>.+)$")
_THING = re.compile(r"^(?:minecraft:)?[a-z_]+(?: [a-z]+){0,3}$")


def bare(part: str, names: frozenset[str]) -> str:
    """A part of a sentence without the bot's name and polite words."""
    called = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    before = ""
    while before != part:
        before = part
        part = re.sub(rf"^@?(?:{called})(?:: ?| |$)|(?: |^)(?:{called})$", "", part).strip()
        part = _AFTER.sub("", _BEFORE.sub("", f"{part} ").strip()).strip()
    return part


def wish(words: str, several: bool) -> Wish | None:
    """Reads `ten oak logs`; without a number it is one, or `SOME` of a plural."""
    if counted := _COUNTED.match(words):
        return _of(english_count(counted["count"]), counted["thing"])
    if some := _SOME.match(words):
        return _of(SOME, some["thing"])
    if every := _ALL.match(words):
        return _of(ALL, every["thing"])
    if that := _THAT.match(words):
        plural = that["thing"].endswith("s")
        return _of(int(that["count"] or (ALL if plural else 1)), that["thing"])
    is_one = not several and not (words.endswith("s") or words == "wood")
    return _of(1 if is_one else SOME, words)


def _of(count: int, thing: str) -> Wish | None:
    return Wish(count, thing) if _THING.match(thing) else None


def _get(ask: Ask, asked: Match[str]) -> Made:
    several = asked["verb"] in ("gather", "collect", "mine", "chop", "chop down", "dig", "harvest")
    wanted = wish(asked["wish"], several)
    if wanted is None:
        return ()
    to = asked.groupdict().get("to")
    return jobs.get(ask, wanted) if not to else _to(ask, to, wanted, jobs.bring)


def _give(ask: Ask, asked: Match[str]) -> Made:
    wanted = wish(asked["wish"], several=False)
    return () if wanted is None else _to(ask, asked["to"], wanted, jobs.give)


def _to(ask: Ask, to: str, wanted: Wish, hand: Callable[[Ask, Wish, str], Made]) -> Made:
    """Hand to the speaker, or to another player of this server."""
    if to == "me":
        return hand(ask, wanted, ask.speaker)
    player = ask.player(to)
    return jobs.nobody(to, ask.listed) if player is None else hand(ask, wanted, player.name)


def _wished(make: Callable[[Ask, Wish], Made]) -> Make:
    def made(ask: Ask, asked: Match[str]) -> Made:
        wanted = wish(asked["wish"], several=False)
        return () if wanted is None else make(ask, wanted)

    return made


def _point(ask: Ask, asked: Match[str]) -> Made:
    return jobs.go_to_point(ask, (float(asked["x"]), float(asked["y"]), float(asked["z"])))


def _step(ask: Ask, asked: Match[str]) -> Made:
    way = asked["way"] or asked["way2"] or ""
    return jobs.step(ask, int(asked["n"] or asked["n2"]), way)


def _go(ask: Ask, asked: Match[str]) -> Made:
    return jobs.come(ask) if asked["name"] == "me" else jobs.go(ask, asked["name"])


def _form(pattern: str, make: Make) -> tuple[Pattern[str], Make]:
    return re.compile(rf"^(?:{pattern})$"), make


_NUMBER = r"[-+]?\d{1,8}(?:\.\d{1,3})?"
_BLOCKS = "(?:blocks?|steps?|meters?)"
_WAY = r"north|south|east|west|forwards?|ahead|straight ahead|straight on"
_GET = "get|fetch|gather|collect|mine|chop down|chop|dig up|dig|harvest|obtain|find"
_MAKE = "make|craft|build|smelt|cook|create|produce|bake"
_NAME = r"[a-z0-9_]{2,16}"
_BUILDING = "house|home|base|farm|garden|castle|tower|camp|village|treehouse|hideout"
_NO_NAME = r"(?!(?:him|her|them|it|that|this|me|us|you|everyone|somebody|someone|anyone)$)"

_HELLO = r"hello|hi|good (?:morning|evening|night|day)|goodbye|welcome|thank you|thanks"

FORMS: tuple[tuple[Pattern[str], Make], ...] = (
    *leaving.ENGLISH,
    *pointing.ENGLISH,
    _form(
        r"(?:come|get|walk|run|move)(?: (?:back|over|right|on))* "
        r"(?:here|to me|to my (?:place|side))"
        r"|come|come over|come back|come closer|come on over|to me",
        lambda ask, asked: jobs.come(ask),
    ),
    _form(
        r"(?:keep |start )?follow(?:ing)?(?: me)(?: around)?"
        r"|(?:come|walk|go|run)(?: along)? with me|come along"
        r"|stay (?:with|near|close to|by) me|stick with me",
        lambda ask, asked: jobs.follow(ask),
    ),
    _form(
        rf"tell {_NO_NAME}(?P<name>{_NAME}) (?:(?:that )?i (?:said|say) )?(?P<hello>{_HELLO})"
        r"(?: from me)?"
        rf"|say (?P<hello2>{_HELLO}) to {_NO_NAME}(?P<name2>{_NAME})(?: from me)?"
        rf"|greet {_NO_NAME}(?P<name3>{_NAME})(?: from me)?",
        lambda ask, asked: jobs.greet(
            ask,
            asked["name"] or asked["name2"] or asked["name3"],
            Words((asked["hello"] or asked["hello2"] or "hello").capitalize(), ""),
        ),
    ),
    _form(
        r"(?:stop|quit|cease) following(?: me| us| (?:him|her|them)| [a-z0-9_]{2,16})?"
        r"|(?:don't|dont|do not) follow (?:me|us)(?: any ?more| any longer)?|unfollow(?: me)?"
        r"|(?:stay|wait|remain|stand)(?: right)? (?:here|there|still)|stay where you are|stay put",
        lambda ask, asked: jobs.stop_following(ask),
    ),
    _form(
        rf"follow {_NO_NAME}(?P<name>{_NAME})(?: around)?",
        lambda ask, asked: jobs.follow(ask, asked["name"]),
    ),
    _form(
        r"(?:stop(?: stop| already)*|halt|freeze|cancel|abort|enough|that's enough"
        r"|that is enough|stahp|you can stop)"
        r"|(?:stop|cancel|abort|end|quit) (?:doing )?(?:it|that|this|everything|all"
        r"|what(?:ever)? you(?:'re| are)(?: doing)?|the task|your task"
        r"|working|moving|walking|mining|digging|crafting|gathering"
        r"|running|now)|never ?mind|forget (?:it|about it|that)",
        lambda ask, asked: jobs.stop(ask),
    ),
    _form(
        r"(?:so )?what(?:'s|s| is| are|'re|re)? (?:are |re )?(?:you|u|ya) (?:currently )?"
        r"(?:doing|up to|working on)(?: (?:here|there|at the moment|today))?"
        r"|whatcha doing|what r u doing"
        r"|how long(?: (?:will|does|do) (?:it|that|this|you)(?: take| need))?"
        r"|(?:are you|when (?:are|will) you(?: be)?) (?:done|ready|finished)(?: yet)?"
        r"|what are you busy with|are you busy|(?:your )?status|what's your (?:status|task|goal)",
        lambda ask, asked: jobs.tell_doing(ask),
    ),
    _form(
        rf"(?:hand|pass|throw|toss)(?: over)? (?P<wish>.+) (?:over )?to (?P<to>{_NAME})"
        rf"|give (?P<wish2>.+) to (?P<to2>{_NAME})",
        lambda ask, asked: _give_to(ask, asked),
    ),
    _form(
        rf"(?:give|hand|pass|throw|toss|lend)(?: over)? (?P<to>me|{_NO_NAME}{_NAME}) (?P<wish>.+)",
        _give,
    ),
    _form(
        r"(?P<verb>bring|get|fetch|gather|collect|mine|find|make|craft|build|cook|bake|smelt"
        r"|create) (?P<to>me) (?P<wish>.+)",
        _get,
    ),
    _form(r"(?P<verb>bring) (?P<wish>.+) to (?P<to>me)", _get),
    _form(rf"(?P<verb>{_GET}|{_MAKE}) (?P<wish>.+)", _get),
    _form(
        r"(?:drop|throw away|throw out) (?P<wish>.+?)(?: here| on the ground)?",
        _wished(jobs.drop),
    ),
    _form(
        r"(?:place|put down|set down) (?P<wish>.+?)(?: here| there| down| on the ground)?",
        _wished(jobs.place),
    ),
    _form(
        r"(?:put|set) (?P<wish>.+?) (?:down|here|there|on the ground)(?: here| there)?",
        _wished(jobs.place),
    ),
    _form(
        r"(?:equip|wield|wear|put on|take out|hold) (?:the |your |an? )?(?P<name>[a-z_ ]{2,40})",
        lambda ask, asked: jobs.equip(ask, asked["name"]),
    ),
    _form(r"eat(?: something| anything| food| some food| up)?", lambda ask, asked: jobs.eat(ask)),
    _form(
        r"eat (?:an? |the |some |your |one )?(?P<name>[a-z_ ]{2,40})",
        lambda ask, asked: jobs.eat(ask, asked["name"]),
    ),
    _form(
        r"(?:pick|take|grab)(?: up)? (?:that|this|these|those|it|them|everything"
        r"|the (?:items?|drops?|stuff|things?|loot))"
        r"(?: up)?(?: (?:here|there|from the ground|lying around))?"
        r"|collect (?:the )?(?:drops|items|loot)",
        lambda ask, asked: jobs.pick_up(ask),
    ),
    _form(
        r"(?:go|walk|come|head|return|run|get)(?: back)? home",
        lambda ask, asked: jobs.go_home(ask),
    ),
    _form(
        r"(?:go|walk|come|run|move|head|travel) (?:back )?(?:to )?"
        rf"(?:x ?[=:]? ?)?(?P<x>{_NUMBER}),? "
        rf"(?:y ?[=:]? ?)?(?P<y>{_NUMBER}),? (?:z ?[=:]? ?)?(?P<z>{_NUMBER})",
        _point,
    ),
    _form(
        rf"(?:go|walk|run|move|step|take) (?P<n>\d{{1,6}}) {_BLOCKS}(?: to the)? (?P<way>{_WAY})"
        rf"|(?:go|walk|run|move)(?: to the)? (?P<way2>{_WAY})(?: for)? "
        rf"(?P<n2>\d{{1,6}})(?: {_BLOCKS})?",
        _step,
    ),
    _form(
        r"(?:go|walk|run|move|head|travel|return)(?: back| over)? to (?:the |my |our |your )?"
        rf"(?P<name>{_NO_NAME}{_NAME}|me)",
        _go,
    ),
    _form(
        r"look (?:at me|here)|face me|turn (?:around )?to me|look over here",
        lambda ask, asked: jobs.look(ask),
    ),
    _form(
        rf"look at {_NO_NAME}(?P<name>{_NAME})", lambda ask, asked: jobs.look(ask, asked["name"])
    ),
    _form(
        r"(?:remember|save|mark|register) (?:this|here|this (?:place|spot|location|position)) as "
        r"(?:the |your |my )?(?P<name>[a-z0-9_ ]{1,32})"
        r"|(?:call|name) this (?:place|spot|location) (?:the )?(?P<name2>[a-z0-9_ ]{1,32})"
        r"|set (?:your |my )?(?P<name3>home)(?: here)?",
        lambda ask, asked: jobs.remember_place(
            ask, asked["name"] or asked["name2"] or asked["name3"]
        ),
    ),
    _form(
        rf"(?:remember (?:that )?)?(?:this|here) is (?:my|our) (?:new )?(?P<name>{_BUILDING})"
        rf"|(?:remember (?:that )?)?(?:my|our) (?:new )?(?P<name2>{_BUILDING}) is (?:right )?here",
        lambda ask, asked: jobs.remember_where_speaker_is(ask, asked["name"] or asked["name2"]),
    ),
)


def _give_to(ask: Ask, asked: Match[str]) -> Made:
    wanted = wish(asked["wish"] or asked["wish2"], several=False)
    return () if wanted is None else _to(ask, asked["to"] or asked["to2"], wanted, jobs.give)
