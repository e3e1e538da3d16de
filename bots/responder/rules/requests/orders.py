"""Orders that phrases give by name: to fish, to dig down, to light a place, to store things.

A row of `phrases/*.toml` with `does = "light"` makes these requests; `{thing}` says of what."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

from bots.access.origin import is_operator
from bots.catalogue.japanese import mob_in_japanese
from bots.responder.rules import phrases
from bots.responder.rules.requests import jobs
from bots.responder.rules.requests.ask import (
    ENGLISH_COUNT,
    JAPANESE_COUNT,
    Ask,
    Made,
    Unclear,
    Wish,
    counted,
    english_count,
    japanese_count,
    request,
    simply,
    unclear,
    wish,
)
from bots.text.language import language_of
from bots.text.spelling import nearest, plain
from bots.words import table
from bots.words.heard import heard

DEEPEST = 30  # blocks of a hole
A_FEW = 3
MOST_JUMPS = 20
_NUMBER = re.compile(rf"\b(?:{ENGLISH_COUNT})\b|{JAPANESE_COUNT}")


def ordered(ask: Ask, line: str) -> Made | None:
    """The requests of a line that is a phrase which gives an order; None for another line."""
    phrase = phrases.found(line, ask.bot)
    order = ORDERS.get(phrase.does) if phrase else None
    return None if phrase is None or order is None else order(ask, phrase.thing) or None


def _dig_down(ask: Ask, thing: str) -> Made:
    if ask.world is None:
        return unclear("no_senses")
    depth = min(_number(thing) or A_FEW, DEEPEST)
    at = ask.world.position.block
    goal = f"position:{at.x:.0f},{at.y - depth:.0f},{at.z:.0f}"
    return (request("goal", "dig_down", {"goal": goal}, {"n": depth}),)


def _fish(_ask: Ask, thing: str) -> Made:
    return (request("goal", "fish", {"goal": f"inventory.cod:+{_number(thing) or 1}"}),)


def _light(ask: Ask, _thing: str) -> Made:
    """Around the speaker, where the bot sees them."""
    at = None if ask.asker is None else ask.asker.position
    return (request("skill light", "light", {} if at is None else {"coords": jobs.block_of(at)}),)


def _plant(ask: Ask, thing: str) -> Made:
    """Trees and flowers are put down; crops are sown and reaped."""
    words = _wish(thing).words if thing else "wheat"
    crops, meant = table("names.crop", "ja"), ask.things.meant(words)
    names = () if meant is None else meant.names
    named = (crop for word, crop in crops.items() if word in words or names == (crop,))
    crop = next(named, None)
    if crop is not None:
        goal = {"goal": f"inventory.{crop}:+{A_FEW}"}
        return (request("goal", "sow", goal, {"thing": crop}, is_patient=True),)
    is_tree = heard("wish.tree").search(words)
    return jobs.place(ask, Wish(_wish(thing).count, "oak sapling" if is_tree else words))


def _put_away(ask: Ask, thing: str, *, nearest: bool = False) -> Made:
    """Into chests, and first make one where there is none."""
    if ask.world is None:
        return unclear("no_senses")
    names = _carried(ask, thing)
    if isinstance(names, Unclear):
        return names
    player = None if is_operator(ask.speaker) else ask.player(ask.speaker)
    near = "" if player is None or player.position is None else f" near:{player.name}"
    goal = {"goal": f"placed.chest:+1{near}"}  # beside the speaker, where the bot sees them
    chest = request("goal", "make_chest", goal, is_step=True)
    fields = {"items": ",".join(names)} if names else {}
    if not nearest:
        return (request("skill store", "put_away", fields, otherwise=(chest,)),)
    return (request("skill store", "store", {**fields, "nearest": True}, otherwise=(chest,)),)


def _carried(ask: Ask, thing: str) -> tuple[str, ...] | Unclear:
    """The carried items that are meant; none of them for all that can be spared."""
    assert ask.world is not None
    carried = tuple(dict.fromkeys(stack.name for stack in ask.world.items))
    wish = _wish(thing)
    every = ("everything", "belongings", "pronoun")
    if not thing or any(heard(f"wish.{one}").fullmatch(wish.words) for one in every):
        return () if carried else unclear("nothing")
    meant = ask.things.meant(wish.words)
    if meant is None:
        return jobs.unknown(ask, wish)
    found = tuple(name for name in carried if name in meant.names)
    return found or unclear("none_carried", thing=wish.words[:40])


def _fight(ask: Ask, thing: str) -> Made:
    """A monster; animals are hunted for what they leave, players are for `!attack` to judge."""
    wish = _wish(thing).words
    if (player := ask.player(wish) or ask.player(wish.removesuffix("s"))) is not None:
        return (request("attack", "attack", {"username": player.name}, {"who": player.name}),)
    if heard("wish.people").search(wish):
        return unclear("no_people")
    words = wish.removesuffix("s")
    kind = mob_in_japanese(words) or plain(words)
    if kind not in (mobs := table("names.mob", "ja")):
        within = [plain(word.removesuffix("s")) for word in words.split()]
        ways = [*(one for one in within if one in mobs), nearest(kind, mobs)]
        ways += [nearest(one, mobs) for one in within if len(one) >= LONG]
        kind = next(filter(None, ways), kind)
        if kind not in mobs and (len(within) > 1 or ask.things.meant(words) is not None):
            return ()  # no creature: “go get the king his pickaxe”, “get rid of the dirt”
    if kind in _MEAT:
        count, _ = counted(thing)
        return jobs.get(ask, Wish(count or 1, _MEAT[kind]))
    which = ("pronoun", "monster")
    is_any = not thing or any(heard(f"wish.{one}").fullmatch(words) for one in which)
    return (request("skill fight", "fight", {} if is_any else {"mob": kind}),)


LONG = 6  # letters of a word that is mended within a sentence
_MEAT = {
    **{"cow": "beef", "pig": "porkchop", "sheep": "mutton", "chicken": "chicken"},
    **{"rabbit": "rabbit", "squid": "ink_sac"},
}


def is_animal(words: str) -> bool:
    """Whether it is one that is hunted for its meat."""
    return plain(words.removesuffix("s")) in _MEAT or plain(words) in _MEAT


def _destroy(ask: Ask, thing: str) -> Made:
    """A creature is struck; what may be somebody's is left standing."""
    is_item = language_of([ask.said]) == "ja" and ask.things.meant(thing) is not None
    if is_item or re.search(r"\d", thing):
        return ()  # 石を壊して gets stone; what stands at a place is pointed at
    words = _wish(thing).words.removesuffix("s") if thing else ""
    is_known = ask.player(words) is not None or plain(words) in table("names.mob", "ja")
    if words and (is_known or heard("wish.monster").fullmatch(words)):
        return _fight(ask, thing)
    return unclear("leaves_standing")


def _guard(ask: Ask, _thing: str) -> Made:
    if is_operator(ask.speaker):
        return jobs.nobody(ask.speaker)
    return (request("skill guard", "guard_you", {"where": ask.speaker}),)


def _guard_place(ask: Ask, thing: str) -> Made:
    """A place, or another player; the command knows the places by name."""
    words = _wish(thing).words if thing else ""
    if (player := ask.player(words)) is not None:
        fields = {"where": player.name}
        return (request("skill guard", "guard", fields, {"who": player.name}),)
    says = "guard_place" if words else "guard_here"
    return (request("skill guard", says, {"where": words}, {"place": words}),)


def _dance(_ask: Ask, _thing: str) -> Made:
    """Round and round, with a nod."""
    *turns, (yaw, pitch) = ((0, 40), (90, -40), (180, 40), (270, -40), (0, 0))
    look = partial(request, "look direction", is_lasting=False)
    steps = (look("", {"yaw": yaw, "pitch": pitch}, is_step=True) for yaw, pitch in turns)
    return (*steps, look("dance", {"yaw": yaw, "pitch": pitch}))


def _jump(_ask: Ask, thing: str) -> Made:
    times = min(_number(thing) or 1, MOST_JUMPS)
    return (request("skill jump", "jump", {"times": times}),)


def _wish(thing: str) -> Wish:
    """The thing that the words name, with its count."""
    if language_of([thing]) == "ja":
        count, words = counted(thing)
        return Wish(count or 1, words)
    return wish(thing, several=False) or Wish(1, thing)


def _number(thing: str) -> int:
    found = _NUMBER.search(thing)
    if found is None:
        return 0
    is_japanese = language_of([found[0]]) == "ja"
    return (japanese_count if is_japanese else english_count)(found[0])


Order: TypeAlias = Callable[[Ask, str], Made]
ORDERS: Mapping[str, Order] = {
    "fish": _fish,
    "builds": lambda ask, thing: unclear("builds"),
    "destroy": _destroy,
    "dig_down": _dig_down,
    "light": _light,
    "plant": _plant,
    "put_away": _put_away,
    "tend": simply("skill tend", "tend"),
    "store": partial(_put_away, nearest=True),
    "drop_all": lambda ask, _thing: jobs.drop(ask, Wish(1, "everything")),
    "fight": _fight,
    "guard": _guard,
    "guard_place": _guard_place,
    "wait": simply("navigation stopFollow", "wait", is_lasting=False),
    "stop_fight": simply("skill stopFight", "stop_fight", is_lasting=False),
    "dance": _dance,
    "jump": _jump,
    "sleep": simply("skill sleep", "sleep"),
    "build_house": simply("skill build", "build_house", {"design": "small_house"}),
    "look_up": simply("look direction", "look_up", {"yaw": 0, "pitch": 80}, is_lasting=False),
    "look_down": simply("look direction", "look_down", {"yaw": 0, "pitch": -80}, is_lasting=False),
}
