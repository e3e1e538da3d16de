"""The requests: move, look, get, make, hand over, place, hold, eat, pass on a greeting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from bots.access.origin import called, is_operator
from bots.catalogue.names import Thing
from bots.responder.rules.requests.ask import (
    ALL,
    HALF,
    MOST,
    SOME,
    Ask,
    Made,
    Order,
    Request,
    Unclear,
    Wish,
    request,
    unclear,
)
from bots.text.language import language_of, normal
from bots.text.spelling import twins
from bots.words import saying, sentence
from bots.words.heard import heard
from bridge.world import Position

BESIDE = 2  # blocks from the player it comes to
FARTHEST_STEP = 1_000  # blocks in one direction
HANDING = "navigation dropItem"

YAWS: Mapping[str, int] = {
    **{"north": 0, "west": 90, "south": 180, "east": 270},
    **{"北": 0, "西": 90, "南": 180, "東": 270},
}
"""Degrees."""
TURNS: Mapping[str, int] = {
    **{"left": 90, "back": 180, "backward": 180, "backwards": 180, "right": 270},
    **{"左": 90, "後ろ": 180, "うしろ": 180, "下が": 180, "さが": 180, "右": 270},
}
"""Degrees from where the bot looks; all other directions are straight on."""
A_WAY = 8
"""Blocks, where nobody says how many."""


def come(ask: Ask) -> Made:
    """Come to the speaker."""
    return _to_player(ask, ask.speaker, "come")


def follow(ask: Ask, name: str = "") -> Made:
    """Follow the speaker, unless another player is named."""
    if not name and is_operator(ask.speaker):
        return nobody(ask.speaker)
    player = ask.player(name) if name else ask.asker
    if not name or (player and player.name == ask.speaker):
        return (request("navigation follow", "follow_you", {"username": ask.speaker}),)
    if player is None:
        return nobody(name, ask.listed)
    fields = {"username": player.name}
    return (request("navigation follow", "follow", fields, {"who": player.name}),)


def stop(ask: Ask) -> tuple[Request, ...]:
    return (request("stop", "stop", is_lasting=False),)


def go(ask: Ask, name: str) -> Made:
    """Go to a player or to a registered place."""
    if ask.meant(name) == ask.bot:
        return ()
    player = ask.player(name)
    if player is not None:
        return _to_player(ask, player.name, "go_to")
    return (request("navigation goto", "go", {"name": name}, {"place": name}),)


def go_to_point(ask: Ask, axes: Sequence[float]) -> Made:
    shown = " ".join(f"{axis:g}" for axis in axes)
    return (request("navigation gotoCoords", "go", {"coords": list(axes)}, {"place": shown}),)


def step(ask: Ask, distance: int, direction: str) -> Made:
    if not 1 <= distance <= FARTHEST_STEP:
        return unclear("steps", most=FARTHEST_STEP)
    yaw = {"yaw": YAWS[direction]} if direction in YAWS else {}
    if direction in TURNS:
        if ask.world is None:
            return unclear("no_senses")
        yaw = {"yaw": round(ask.world.yaw + TURNS[direction]) % 360}
    return (request("navigation moveInDirection", "step", {"distance": distance, **yaw}),)


def look(ask: Ask, name: str = "") -> Made:
    """Look at the speaker, unless another player is named."""
    player = ask.player(name) if name else ask.asker
    if player is None:
        return nobody(name or ask.speaker, ask.listed)
    says = "look_you" if player.name == ask.speaker else "look"
    fields, slots = {"username": player.name}, {"who": player.name}
    return (request("look player", says, fields, slots, is_lasting=False),)


def remember_place(ask: Ask, name: str) -> Made:
    fields, slots = {"name": name}, {"place": name}
    return (request("navigation register", "remember", fields, slots, is_lasting=False),)


def remember_where_speaker_is(ask: Ask, name: str) -> Made:
    """Remember the speaker's place: who says `here` means their own."""
    player = ask.asker
    if player is None or player.position is None:
        return unclear("place_unseen", place=name)
    fields, slots = {"name": name, "coords": block_of(player.position)}, {"place": name}
    return (request("navigation register", "remember_yours", fields, slots, is_lasting=False),)


def _to_player(ask: Ask, name: str, says: str) -> Made:
    player = ask.called(name)
    if player is None and ask.world is not None:
        return nobody(name)
    if player is None or player.position is None:
        return unclear("unseen", who=name)
    fields, slots = {"coords": block_of(player.position), "range": BESIDE}, {"who": name}
    return (request("navigation gotoCoords", says, fields, slots, towards=player.name),)


def block_of(position: Position) -> list[float]:
    """The block of a position, as the command's coordinates."""
    at = position.block
    return [at.x, at.y, at.z]


def nobody(name: str, listed: Sequence[str] = ()) -> Unclear:
    """That no player has this name, or several do; an operator has none, being in no world."""
    if is_operator(name):
        return unclear("no_body")
    if len(alike := twins(name, listed)) > 1:
        return unclear("twins", both=tuple(alike))
    return unclear("nobody", who=name[:16])


SHOWN = 3  # kinds named when it is unclear which is meant


def _ordered(make: Callable[[Ask, Wish], Made], ask: Ask, wish: Wish, made: Made) -> Made:
    """What came of a wish, with the wish."""
    thing = meant(ask, wish)
    order = Order(wish if thing is None else thing, make)
    if isinstance(made, Unclear):
        return replace(_guessed(ask, order, made), order=order)
    return (replace(made[0], order=order), *made[1:]) if made else made


def _guessed(ask: Ask, order: Order, made: Unclear) -> Unclear:
    """With the items that an unknown word is most like."""
    if ask.things.meant(order.wish.words) is not None:
        return made
    like = tuple(ask.things.like(order.wish.words))
    guess = order.with_(ask, None, like[0]) if like else ()
    requests = () if isinstance(guess, Unclear) else guess
    return replace(made, names=like, guess=requests, is_known=False)


def get(ask: Ask, wish: Wish) -> Made:
    """Get so many more than are carried now."""
    return _ordered(get, ask, wish, _get(ask, wish))


def _get(ask: Ask, wish: Wish) -> Made:
    thing = _thing(ask, wish, least=min(wish.count, ALL))
    if isinstance(thing, Unclear):
        return thing
    count = SOME if wish.count < 0 else wish.count
    if thing.category == "log" and not thing.is_one:
        fields = {"itemName": thing.category, "count": count}
        return (_of_items("skill gather", "gather", fields, thing.category, count),)
    if not thing.is_one:
        return _which(meant(ask, wish) or wish, thing)
    name = thing.names[0]
    return (_of_items("goal", "get", {"goal": f"inventory.{name}:+{count}"}, name, count),)


def bring(ask: Ask, wish: Wish, to: str) -> Made:
    """Get it, then hand it over."""
    return _ordered(partial(bring, to=to), ask, wish, _bring(ask, wish, to))


def _bring(ask: Ask, wish: Wish, to: str) -> Made:
    got = get(ask, wish)
    if isinstance(got, Unclear):
        return got
    if ask.world is not None and ask.called(to) is None:  # an operator is not in the world
        return got
    thing = _thing(ask, wish, least=min(wish.count, ALL))
    assert not isinstance(thing, Unclear), "else it could not be got"
    count = SOME if wish.count < 0 else wish.count
    if thing.is_one:
        return (*got, _hand_over(ask, thing.names[0], count, to))
    fields = {"count": count, "targetPlayer": to}
    return (*got, Request(HANDING, fields, None, any_of=thing.names))


def of_carried(ask: Ask, request: Request) -> Made:
    """Splits a request for any of several items into one per carried kind, most first."""
    left = int(request.fields["count"])
    if ask.world is None:
        return unclear("no_senses")
    split: list[Request] = []
    for name, carried in ask.carried(request.any_of).items():
        if left > 0:
            split.append(_of_kind(ask, request, name, min(carried, left)))
            left -= carried
    return tuple(split) or unclear("none_left")


def _of_kind(ask: Ask, request: Request, name: str, count: int) -> Request:
    if "targetPlayer" not in request.fields:
        return _dropped(name, count)
    return _hand_over(ask, name, count, str(request.fields["targetPlayer"]))


def give(ask: Ask, wish: Wish, to: str) -> Made:
    """Hand over carried items of a kind, or all that is carried."""
    if _is_everything(wish):
        return _give_everything(ask, to)
    return _ordered(partial(give, to=to), ask, wish, _give_kind(ask, wish, to))


def _is_everything(wish: Wish) -> bool:
    is_all = wish.count == ALL and heard("wish.belongings").fullmatch(wish.words)
    return bool(is_all or heard("wish.everything").fullmatch(wish.words))


def _give_everything(ask: Ask, to: str) -> Made:
    if ask.world is None:
        return unclear("no_senses")
    names = tuple({stack.name: None for stack in ask.world.items})
    if not names:
        return unclear("nothing")
    if is_operator(to):
        return nobody(to)
    fields = {"count": sum(map(ask.world.count, names)), "targetPlayer": to}
    says = "give_all_you" if to == ask.speaker else "give_all"
    return (request(HANDING, says, fields, {"who": to}, any_of=names),)


def _give_kind(ask: Ask, wish: Wish, to: str) -> Made:
    thing = _thing(ask, wish, least=min(wish.count, ALL))
    if isinstance(thing, Unclear):
        return thing
    if ask.world is None:
        return unclear("no_senses")
    carried = ask.carried(thing.names)
    if not carried:
        return _have_none(ask, thing, wish, to)
    if is_operator(to):
        return nobody(to)
    name, wish = next(iter(carried)), meant(ask, wish) or wish
    count = {ALL: carried[name], HALF: (carried[name] + 1) // 2}.get(wish.count, wish.count)
    return (_hand_over(ask, name, count, to),)


def drop(ask: Ask, wish: Wish) -> Made:
    if _is_everything(wish):
        handed = _give_everything(ask, ask.speaker)
        if isinstance(handed, Unclear):
            return handed
        fields = {"count": handed[0].fields["count"]}
        return (request(HANDING, "drop_all", fields, any_of=handed[0].any_of),)
    return _ordered(drop, ask, wish, _drop_kind(ask, wish))


def _drop_kind(ask: Ask, wish: Wish) -> Made:
    handed = _give_kind(ask, wish, "")
    if isinstance(handed, Unclear):
        none = unclear("none_carried", thing=(meant(ask, wish) or wish).words[:40])
        return none if handed.guess else handed  # nothing is got to be dropped
    return (_dropped(handed[0].fields["itemName"], handed[0].fields["count"]),)


def _dropped(name: str, count: int) -> Request:
    return _of_items(HANDING, "drop", {"itemName": name, "count": count}, name, count)


def place(ask: Ask, wish: Wish) -> Made:
    return _ordered(place, ask, wish, _place(ask, wish))


def _place(ask: Ask, wish: Wish) -> Made:
    thing = _thing(ask, wish, least=1)
    if isinstance(thing, Unclear):
        return thing
    if not thing.is_one:
        return _which(meant(ask, wish) or wish, thing)
    goal = {"goal": f"placed.{thing.names[0]}:+{wish.count}"}
    return (_of_items("goal", "place", goal, thing.names[0], wish.count),)


def equip(ask: Ask, words: str) -> Made:
    wish = Wish(1, words)
    thing = _thing(ask, wish, least=1)
    if isinstance(thing, Unclear):
        return thing
    if ask.world is None:
        return unclear("no_senses")
    if not (carried := ask.carried(thing.names)):
        return _have_none(ask, thing, wish, "")
    name = next(iter(carried))
    return (_of_items("skill equip", "equip", {"itemName": name}, name, 1),)


def eat(ask: Ask, words: str = "") -> Made:
    if not words:
        return (request("skill eat", "eat"),)
    thing = _thing(ask, Wish(1, words), least=1)
    if isinstance(thing, Unclear):
        return thing
    names = tuple(ask.carried(thing.names)) or thing.names
    return (request("skill eat", "eat", {"itemName": names[0]}),)


def _of_items(
    command: str, says: str, fields: Mapping[str, Any], name: str, count: int, to: str = ""
) -> Request:
    """A request for so many of an item."""
    return request(command, says, fields, {"items": {name: count}, "who": to})


def _hand_over(ask: Ask, name: str, count: int, to: str) -> Request:
    fields = {"itemName": name, "count": count, "targetPlayer": to}
    says = "hand_you" if to == ask.speaker else "hand"
    return _of_items(HANDING, says, fields, name, count, to)


def meant(ask: Ask, wish: Wish) -> Wish | None:
    """The wish, with the thing named last in place of a pronoun; None: nothing was named."""
    if not heard("wish.pronoun").fullmatch(wish.words):
        return wish
    if ask.last is None:
        return None
    is_counted = wish.count not in (1, SOME) or not heard("wish.same").fullmatch(wish.words)
    return Wish(wish.count if is_counted else ask.last.count, ask.last.words)


def _thing(ask: Ask, wish: Wish, least: int) -> Thing | Unclear:
    named = meant(ask, wish)
    if named is None:
        return unclear("pronoun", words=wish.words)
    thing = ask.things.meant(named.words)
    if thing is None:
        return unknown(ask, wish)
    if wish.count > MOST or (wish.count < 1 and wish.count != least):
        return unclear("count", most=MOST)
    return thing


def unknown(ask: Ask, wish: Wish) -> Unclear:
    """The answer to a word for no item."""
    if not ask.things:
        return unclear("no_senses")
    if heard("request.except").search(wish.words):
        return unclear("excepting")
    like = tuple(ask.things.like(wish.words))
    return unclear(
        "item", thing=wish.words[:40], hint=saying("hint.meant", any=like) if like else ""
    )


def _which(wish: Wish, thing: Thing) -> Unclear:
    asked = unclear("which", thing=wish.words[:40], any=thing.names[:SHOWN])
    return replace(asked, names=thing.names)


def _have_none(ask: Ask, thing: Thing, wish: Wish, to: str) -> Unclear:
    """That nothing of it is carried, and the question whether to get it."""
    wanted = Wish(max(wish.count, 1), thing.names[0])
    guess = bring(ask, wanted, to) if to else get(ask, wanted)
    named = meant(ask, wish) or wish
    asked = unclear("have_none", thing=named.words[:40], items={thing.names[0]: wanted.count})
    return replace(asked, guess=() if isinstance(guess, Unclear) else guess)


def asks_to_tell(lines: list[str]) -> bool:
    """Whether the newest line asks to tell somebody something."""
    return bool(lines) and heard("request.to_tell").search(normal(lines[-1])) is not None


def greet(ask: Ask, name: str, hello: str) -> Made:
    """Pass on a greeting of the speaker, in the language in which it was asked for."""
    sender, language = called(ask.speaker), language_of([hello])
    return _told(ask, name, sentence("order.greeting", language, hello=hello, who=sender))


def relay(ask: Ask, name: str, words: str) -> Made:
    """Pass on what the speaker says."""
    sender, language = called(ask.speaker), language_of([words])
    return _told(ask, name, sentence("order.relayed", language, who=sender, words=words))


def _told(ask: Ask, name: str, words: str) -> Made:
    player = ask.player(name)
    if player is None or player.name == ask.speaker:
        return replace(nobody(name, ask.listed), is_request=True)
    fields, slots = {"username": player.name, "message": words}, {"who": player.name}
    return (request("chat", "greet", fields, {**slots, "words": words}, is_lasting=False),)
