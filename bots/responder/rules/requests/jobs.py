"""The requests: move, look, get, make, hand over, place, hold, eat, pass on a greeting."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from bots.access.origin import called, is_operator
from bots.catalogue.counted import item
from bots.catalogue.names import Thing
from bots.responder.rules.requests.ask import (
    ALL,
    MOST,
    SOME,
    Ask,
    Made,
    Order,
    Request,
    Unclear,
    Wish,
    Words,
)
from bots.text import suggest
from bots.text.language import normal
from bots.text.plurals import counted
from bots.text.spelling import twins
from bridge.world import Position

BESIDE = 2  # blocks from the player it comes to
FARTHEST_STEP = 1_000  # blocks in one direction

YAWS: Mapping[str, int] = {
    **{"north": 0, "west": 90, "south": 180, "east": 270},
    **{"北": 0, "西": 90, "南": 180, "東": 270},
}
"""Degrees; any other direction is relative to where the bot looks."""

NO_BODY = Unclear(
    Words(
        "You are not in this world yourself: name a player or a place, as in “go to Bob”.",
        "あなたはこのワールドの中にいないので、プレイヤーか場所の名前を教えてください。",
    )
)

Asked = Made


def come(ask: Ask) -> Asked:
    """Come to the speaker."""
    doing = Words("I am coming.", "今行きます。")
    return _to_player(ask, ask.speaker, doing, Words("Here I am.", "着きました。"))


def follow(ask: Ask, name: str = "") -> Asked:
    """Follow the speaker, unless another player is named."""
    if not name and is_operator(ask.speaker):
        return nobody(ask.speaker)
    player = ask.player(name) if name else ask.asker
    if not name or (player and player.name == ask.speaker):
        doing = Words("I follow you. Say “stop” when it is enough.", "ついていきます。")
        return (Request("navigation follow", {"username": ask.speaker}, doing),)
    if player is None:
        return nobody(name, ask.listed)
    doing = Words(f"I follow {player.name}.", f"{player.name}さんについていきます。")
    return (Request("navigation follow", {"username": player.name}, doing),)


def stop_following(ask: Ask) -> Asked:
    doing = Words("I stay here.", "ここにいます。")
    return (Request("navigation stopFollow", {}, doing, doing, is_lasting=False),)


def stop(ask: Ask) -> tuple[Request, ...]:
    doing = Words("I have stopped.", "やめました。")
    return (Request("stop", {}, doing, doing, is_lasting=False),)


def tell_doing(ask: Ask) -> Asked:
    return (Request("status", {}, Words("", ""), is_lasting=False),)


def go(ask: Ask, name: str) -> Asked:
    """Go to a player or to a registered place."""
    if ask.meant(name) == ask.bot:
        return ()
    player = ask.player(name)
    if player is not None:
        doing = Words(f"I go to {player.name}.", f"{player.name}さんのところへ行きます。")
        there = Words(f"I am with {player.name}.", f"{player.name}さんのところに着きました。")
        return _to_player(ask, player.name, doing, there)
    doing = Words(f"I go to {name}.", f"{name}へ行きます。")
    there = Words(f"I am at {name}.", f"{name}に着きました。")
    return (Request("navigation goto", {"name": name}, doing, there),)


def go_home(ask: Ask) -> Asked:
    doing, there = Words("I go home.", "家に帰ります。"), Words("I am home.", "家に着きました。")
    return (Request("navigation goto", {"name": "home"}, doing, there),)


def go_to_point(ask: Ask, axes: tuple[float, float, float]) -> Asked:
    shown = " ".join(f"{axis:g}" for axis in axes)
    doing = Words(f"I go to {shown}.", f"{shown} へ行きます。")
    there = Words(f"I am at {shown}.", f"{shown} に着きました。")
    return (Request("navigation gotoCoords", {"coords": list(axes)}, doing, there),)


def step(ask: Ask, distance: int, direction: str) -> Asked:
    if not 1 <= distance <= FARTHEST_STEP:
        return Unclear(
            Words(
                f"I walk 1 to {FARTHEST_STEP} blocks.",
                f"歩けるのは1から{FARTHEST_STEP}ブロックです。",
            )
        )
    yaw = {"yaw": YAWS[direction]} if direction in YAWS else {}
    doing = Words("On my way.", "わかりました、行きます。")
    there = Words("There I am.", "着きました。")
    return (Request("navigation moveInDirection", {"distance": distance, **yaw}, doing, there),)


def look(ask: Ask, name: str = "") -> Asked:
    """Look at the speaker, unless another player is named."""
    player = ask.player(name) if name else ask.asker
    if player is None:
        return nobody(name or ask.speaker, ask.listed)
    whom = "you" if player.name == ask.speaker else player.name
    doing = Words(f"I look at {whom}.", f"{player.name}さんを見ています。")
    return (Request("look player", {"username": player.name}, doing, doing, is_lasting=False),)


def remember_place(ask: Ask, name: str) -> Asked:
    doing = Words(f"I remember this place as {name}.", f"ここを「{name}」として覚えました。")
    fields = {"name": name}
    return (Request("navigation register", fields, doing, doing, is_lasting=False),)


def remember_where_speaker_is(ask: Ask, name: str) -> Asked:
    """Remember the speaker's place: who says `here` means their own."""
    player = ask.asker
    if player is None or player.position is None:
        return Unclear(
            Words(
                f"I do not see you from here, so I do not know where your {name} is.",
                f"あなたが見えないので、{name}の場所がわかりません。",
            )
        )
    doing = Words(f"I will remember your {name} here.", f"ここを「{name}」として覚えました。")
    fields = {"name": name, "coords": block_of(player.position)}
    return (Request("navigation register", fields, doing, doing, is_lasting=False),)


def pick_up(ask: Ask) -> Asked:
    doing = Words("I pick it up.", "拾います。")
    return (Request("skill collectDrops", {}, doing),)


def _to_player(ask: Ask, name: str, doing: Words, there: Words) -> Asked:
    player = ask.called(name)
    if player is None and ask.world is not None:
        return nobody(name)
    if player is None or player.position is None:
        return Unclear(
            Words(
                f"I do not see {name} from here, so I stay where I am.",
                f"{name}さんがここからは見えないので、行けません。",
            )
        )
    fields = {"coords": block_of(player.position), "range": BESIDE}
    return (Request("navigation gotoCoords", fields, doing, there, towards=player.name),)


def block_of(position: Position) -> list[float]:
    """The block of a position, as the command's coordinates."""
    at = position.block
    return [at.x, at.y, at.z]


def nobody(name: str, listed: Sequence[str] = ()) -> Unclear:
    """That no player has this name, or several do; an operator has none, being in no world."""
    if is_operator(name):
        return NO_BODY
    if len(alike := twins(name, listed)) > 1:
        both, both_ja = " and ".join(alike), "と".join(alike)
        return Unclear(
            Words(
                f"{both} are here: write the name as it is spelt. I did nothing.",
                f"{both_ja}がいます。名前をそのまま書いてください。何もしていません。",
            )
        )
    return Unclear(
        Words(
            f"Nobody called {name[:16]} is on this server, so I did nothing.",
            f"{name[:16]}さんはこのサーバーにいないので、何もしていません。",
        )
    )


SHOWN = 3  # kinds named when it is unclear which is meant
EVERYTHING = frozenset({"everything", "all", "all of it", "全部", "ぜんぶ", "すべて"})
BELONGINGS = frozenset(
    {
        *("you have", "you've got", "you have got", "you got", "you carry", "you are carrying"),
        *("you own", "that you have", "that you carry", "things", "items", "stuff", "belongings"),
        *(
            "持ち物",
            "もちもの",
            "持っているもの",
            "持ってるもの",
            "持っている物",
            "アイテム",
            "荷物",
        ),
    }
)
"""All of these are everything."""


PRONOUNS = frozenset(
    {
        *("it", "them", "that", "those", "these", "this", "one", "that one", "this one", "of them"),
        *("of those", "of it", "of these", "more", "of that", "the same", "それ", "これ", "あれ"),
    }
)


_SAME = frozenset({"it", "them", "that", "those", "this", "these", "それ", "これ", "あれ"})
"""Pronouns for as many of it."""


def _ordered(make: Callable[[Ask, Wish], Made], ask: Ask, wish: Wish, made: Made) -> Made:
    """What came of a wish, with the wish."""
    thing = _meant(ask, wish)
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
    thing = _thing(ask, wish, least=1)
    if isinstance(thing, Unclear):
        return thing
    count = SOME if wish.count == ALL else wish.count
    if thing.category == "log" and not thing.is_one:
        return (_gather(thing.category, count),)
    if not thing.is_one:
        return _which(wish, thing)
    name = thing.names[0]
    return (
        Request(
            "goal",
            {"goal": f"inventory.{name}:+{count}"},
            _all_right(_named(name, count)),
            Words(
                f"I have got {_named(name, count).en}.", f"{_named(name, count).ja}、できました。"
            ),
        ),
    )


def bring(ask: Ask, wish: Wish, to: str) -> Made:
    """Get it, then hand it over."""
    return _ordered(partial(bring, to=to), ask, wish, _bring(ask, wish, to))


def _bring(ask: Ask, wish: Wish, to: str) -> Made:
    got = get(ask, wish)
    if isinstance(got, Unclear):
        return got
    if ask.world is not None and ask.called(to) is None:  # an operator is not in the world
        return got
    thing = _thing(ask, wish, least=1)
    assert not isinstance(thing, Unclear), "else it could not be got"
    count = SOME if wish.count == ALL else wish.count
    if thing.is_one:
        return (*got, _hand_over(ask, thing.names[0], count, to))
    fields = {"count": count, "targetPlayer": to}
    return (*got, Request("navigation dropItem", fields, Words("", ""), any_of=thing.names))


def of_carried(ask: Ask, request: Request) -> tuple[Request, ...] | Unclear:
    """Splits a request for any of several items into one per carried kind, most first."""
    left = int(request.fields["count"])
    if ask.world is None:
        return Unclear(NO_SENSES)
    split: list[Request] = []
    for name, carried in ask.carried(request.any_of).items():
        if left > 0:
            split.append(_of_kind(ask, request, name, min(carried, left)))
            left -= carried
    return tuple(split) or Unclear(_NONE_LEFT)


def _of_kind(ask: Ask, request: Request, name: str, count: int) -> Request:
    if "targetPlayer" not in request.fields:
        return _dropped(name, count)
    return _hand_over(ask, name, count, str(request.fields["targetPlayer"]))


def give(ask: Ask, wish: Wish, to: str) -> tuple[Request, ...] | Unclear:
    """Hand over carried items of a kind, or all that is carried."""
    if wish.words in EVERYTHING or (wish.count == ALL and wish.words in BELONGINGS):
        return _give_everything(ask, to)
    return _ordered(partial(give, to=to), ask, wish, _give_kind(ask, wish, to))


def _give_everything(ask: Ask, to: str) -> tuple[Request, ...] | Unclear:
    if ask.world is None:
        return Unclear(NO_SENSES)
    names = tuple({stack.name: None for stack in ask.world.items})
    if not names:
        return Unclear(NOTHING)
    if is_operator(to):
        return nobody(to)
    fields = {"count": sum(map(ask.world.count, names)), "targetPlayer": to}
    whom = "you" if to == ask.speaker else to
    doing = Words(
        f"I bring {whom} all that I carry.", f"{to}さんに持っているものを全部渡しに行きます。"
    )
    return (Request("navigation dropItem", fields, doing, any_of=names),)


def _give_kind(ask: Ask, wish: Wish, to: str) -> tuple[Request, ...] | Unclear:
    thing = _thing(ask, wish, least=ALL)
    if isinstance(thing, Unclear):
        return thing
    if ask.world is None:
        return Unclear(NO_SENSES)
    carried = ask.carried(thing.names)
    if not carried:
        return _have_none(ask, thing, wish, to)
    if is_operator(to):
        return nobody(to)
    name, wish = next(iter(carried)), _meant(ask, wish) or wish
    count = carried[name] if wish.count == ALL else wish.count
    return (_hand_over(ask, name, count, to),)


def drop(ask: Ask, wish: Wish) -> Made:
    if wish.words in EVERYTHING or (wish.count == ALL and wish.words in BELONGINGS):
        return _drop_everything(ask)
    return _ordered(drop, ask, wish, _drop_kind(ask, wish))


def _drop_everything(ask: Ask) -> Made:
    handed = _give_everything(ask, ask.speaker)
    if isinstance(handed, Unclear):
        return handed
    doing = Words("I drop all that I carry.", "持っているものを全部捨てます。")
    return (replace(handed[0], fields={"count": handed[0].fields["count"]}, doing=doing),)


def _drop_kind(ask: Ask, wish: Wish) -> Made:
    handed = _give_kind(ask, wish, "")
    if isinstance(handed, Unclear):
        return handed
    return (_dropped(handed[0].fields["itemName"], handed[0].fields["count"]),)


def _dropped(name: str, count: int) -> Request:
    named = _named(name, count)
    doing = Words(f"I drop {named.en}.", f"{named.ja}を捨てます。")
    done = Words(f"I have dropped {named.en}.", f"{named.ja}を捨てました。")
    return Request("navigation dropItem", {"itemName": name, "count": count}, doing, done)


def place(ask: Ask, wish: Wish) -> Made:
    return _ordered(place, ask, wish, _place(ask, wish))


def _place(ask: Ask, wish: Wish) -> Made:
    thing = _thing(ask, wish, least=1)
    if isinstance(thing, Unclear):
        return thing
    if not thing.is_one:
        return _which(wish, thing)
    name = thing.names[0]
    doing = _all_right(_named(name, wish.count))
    named = _named(name, wish.count)
    done = Words(f"I have put down {named.en}.", f"{named.ja}、置きました。")
    return (Request("goal", {"goal": f"placed.{name}:+{wish.count}"}, doing, done),)


def equip(ask: Ask, words: str) -> tuple[Request, ...] | Unclear:
    wish = Wish(1, words)
    thing = _thing(ask, wish, least=1)
    if isinstance(thing, Unclear):
        return thing
    carried = ask.carried(thing.names)
    if ask.world is None:
        return Unclear(NO_SENSES)
    if not carried:
        return _have_none(ask, thing, wish, "")
    name = next(iter(carried))
    named = _named(name, 1)
    doing = Words(f"I take {named.en}.", f"{named.ja}を装備します。")
    return (Request("skill equip", {"itemName": name}, doing),)


def eat(ask: Ask, words: str = "") -> tuple[Request, ...] | Unclear:
    doing = Words("I eat.", "食べます。")
    done = Words("I have eaten.", "食べました。")
    if not words:
        return (Request("skill eat", {}, doing, done),)
    thing = _thing(ask, Wish(1, words), least=1)
    if isinstance(thing, Unclear):
        return thing
    names = tuple(ask.carried(thing.names)) or thing.names
    return (Request("skill eat", {"itemName": names[0]}, doing, done),)


def _gather(category: str, count: int) -> Request:
    named = Words(f"{count} {category}s", f"原木×{count}")
    done = Words(f"I have got {named.en}.", f"{named.ja}、集めました。")
    fields = {"itemName": category, "count": count}
    return Request("skill gather", fields, _all_right(named), done)


def _hand_over(ask: Ask, name: str, count: int, to: str) -> Request:
    named = _named(name, count)
    fields = {"itemName": name, "count": count, "targetPlayer": to}
    whom = "you" if to == ask.speaker else to
    return Request(
        "navigation dropItem",
        fields,
        Words(f"I bring {whom} {named.en}.", f"{to}さんに{named.ja}を渡しに行きます。"),
        Words(f"Here: {named.en} for {whom}.", f"{to}さんに{named.ja}を渡しました。"),
    )


def _meant(ask: Ask, wish: Wish) -> Wish | None:
    """The wish, with the thing named last in place of a pronoun; None: nothing was named."""
    if wish.words not in PRONOUNS:
        return wish
    if ask.last is None:
        return None
    count = (
        ask.last.count
        if wish.words in ("it", "them", "that", "those", "this", "these")
        else wish.count
    )
    return Wish(count, ask.last.words)


def _thing(ask: Ask, wish: Wish, least: int) -> Thing | Unclear:
    named = _meant(ask, wish)
    if named is None:
        return Unclear(
            Words(
                f"I do not know what you mean by “{wish.words}”.",
                f"「{wish.words}」が何のことかわかりません。",
            )
        )
    thing = ask.things.meant(named.words)
    if thing is None:
        return unknown(ask, wish)
    if wish.count > MOST or (wish.count < 1 and wish.count != least):
        return Unclear(
            Words(
                f"I can count from 1 to {MOST} of one thing.",
                f"一度に数えられるのは1から{MOST}個までです。",
            )
        )
    return thing


def unknown(ask: Ask, wish: Wish) -> Unclear:
    """The answer to a word for no item."""
    if not ask.things:
        return Unclear(NO_SENSES)
    shown, like = wish.words[:40], [name.replace("_", " ") for name in ask.things.like(wish.words)]
    hint = suggest.as_sentence(like)
    return Unclear(
        Words(
            f"I know no item called {shown}, so I did nothing.{hint}",
            f"「{shown}」というアイテムがわからないので、何もしていません。",
        )
    )


def _which(wish: Wish, thing: Thing) -> Unclear:
    few = [name.replace("_", " ") for name in thing.names[:SHOWN]]
    ja = "、".join(item(name, 1, "ja").removesuffix("×1") for name in thing.names[:SHOWN])
    return Unclear(
        Words(
            f"Which {wish.words[:40]} do you mean: {', '.join(few)} …?",
            f"どの{wish.words[:40]}ですか？ 例えば{ja}などがあります。",
        ),
        names=thing.names,
    )


def _have_none(ask: Ask, thing: Thing, wish: Wish, to: str) -> Unclear:
    """That nothing of it is carried, and the question whether to get it."""
    name, count = thing.names[0].replace("_", " "), max(wish.count, 1)
    wanted, ja = Wish(count, thing.names[0]), item(thing.names[0], count, "ja")
    guess = bring(ask, wanted, to) if to else get(ask, wanted)
    return Unclear(
        Words(
            f"I have no {wish.words[:40]}. Shall I get {counted(count, name)}?",
            f"{wish.words[:40]}は持っていません。{ja}、取りに行きますか？",
        ),
        guess=() if isinstance(guess, Unclear) else guess,
    )


def _named(name: str, count: int) -> Words:
    return Words(item(name, count, "en"), item(name, count, "ja"))


def _all_right(what: Words) -> Words:
    return Words(f"All right: {what.en}.", f"わかりました：{what.ja}。")


NO_SENSES = Words(
    "I cannot sense the world right now, so I did nothing.",
    "今はまわりの様子がわからないので、何もしていません。",
)
NOTHING = Words("I carry nothing.", "何も持っていません。")
_NONE_LEFT = Words("I have none left to hand over.", "渡そうとしましたが、もう持っていません。")


_TO_TELL = re.compile(
    r"^(?:\W*(?:please|hey|ok|okay|can you|could you|would you)\b)*\W*(?:\w+,\s*)?(?:please\s+)?"
    r"(?:tell|ask|say|whisper|greet|warn|remind)\b"
    r"|(?:に|へ).{0,60}(?:伝えて|言って|教えて|聞いて|話して)"
)


def asks_to_tell(lines: list[str]) -> bool:
    """Whether the newest line asks to tell somebody something."""
    return bool(lines) and _TO_TELL.search(normal(lines[-1])) is not None


def greet(ask: Ask, name: str, greeting: Words) -> tuple[Request, ...] | Unclear:
    """Pass on a greeting of the speaker, in the language in which it was asked for."""
    player = ask.player(name)
    if player is None or player.name == ask.speaker:
        return replace(nobody(name, ask.listed), is_request=True)
    sender = called(ask.speaker)
    words = f"{greeting.en} from {sender}!" if greeting.en else f"{sender}さんから、{greeting.ja}。"
    done = Words(f"I told {player.name}: {words}", f"{player.name}さんに伝えました：{words}")
    fields = {"username": player.name, "message": words}
    return (Request("chat", fields, done, done, is_lasting=False),)
