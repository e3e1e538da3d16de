"""Requests about items: get, make, hand over, drop, place, hold, eat."""

from __future__ import annotations

from bots.access.origin import is_operator
from bots.catalogue.counted import item
from bots.catalogue.things import Thing
from bots.responder.rules.requests.ask import ALL, MOST, SOME, Ask, Request, Unclear, Wish, Words
from bots.responder.rules.requests.going import nobody
from bots.text import suggest
from bots.text.plurals import counted

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


def get(ask: Ask, wish: Wish) -> tuple[Request, ...] | Unclear:
    """Get so many more than are carried now."""
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


def bring(ask: Ask, wish: Wish, to: str) -> tuple[Request, ...] | Unclear:
    """Get it, then hand it over."""
    got = get(ask, wish)
    if isinstance(got, Unclear):
        return got
    if ask.world is not None and ask.player(to) is None:  # an operator is not in the world
        return got
    thing = _thing(ask, wish, least=1)
    assert not isinstance(thing, Unclear), "else it could not be got"
    count = SOME if wish.count == ALL else wish.count
    if thing.is_one:
        return (*got, _hand_over(ask, thing.names[0], count, to))
    fields = {"count": count, "targetPlayer": to}
    return (*got, Request("navigation dropItem", fields, Words("", ""), any_of=thing.names))


def of_carried(ask: Ask, request: Request) -> tuple[Request, ...] | Unclear:
    """Splits a hand-over of any of several items into one per carried kind, most first."""
    left, to = int(request.fields["count"]), str(request.fields["targetPlayer"])
    if ask.world is None:
        return Unclear(_NO_SENSES)
    handed: list[Request] = []
    for name, carried in ask.carried(request.any_of).items():
        if left > 0:
            handed.append(_hand_over(ask, name, min(carried, left), to))
            left -= carried
    return tuple(handed) or Unclear(_NONE_LEFT)


def give(ask: Ask, wish: Wish, to: str) -> tuple[Request, ...] | Unclear:
    """Hand over carried items of a kind, or all that is carried."""
    if wish.words in EVERYTHING or (wish.count == ALL and wish.words in BELONGINGS):
        return _give_everything(ask, to)
    return _give_kind(ask, wish, to)


def _give_everything(ask: Ask, to: str) -> tuple[Request, ...] | Unclear:
    if ask.world is None:
        return Unclear(_NO_SENSES)
    names = tuple({stack.name: None for stack in ask.world.items})
    if not names:
        return Unclear(_NOTHING)
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
        return Unclear(_NO_SENSES)
    carried = ask.carried(thing.names)
    if not carried:
        return _have_none(thing, wish)
    if is_operator(to):
        return nobody(to)
    name = next(iter(carried))
    count = carried[name] if wish.count == ALL else wish.count
    return (_hand_over(ask, name, count, to),)


def drop(ask: Ask, wish: Wish) -> tuple[Request, ...] | Unclear:
    handed = _give_kind(ask, wish, "")
    if isinstance(handed, Unclear):
        return handed
    name, count = handed[0].fields["itemName"], handed[0].fields["count"]
    named = _named(name, count)
    doing = Words(f"I drop {named.en}.", f"{named.ja}を捨てます。")
    return (Request("navigation dropItem", {"itemName": name, "count": count}, doing),)


def place(ask: Ask, wish: Wish) -> tuple[Request, ...] | Unclear:
    thing = _thing(ask, wish, least=1)
    if isinstance(thing, Unclear):
        return thing
    if not thing.is_one:
        return _which(wish, thing)
    name = thing.names[0]
    doing = _all_right(_named(name, wish.count))
    return (Request("goal", {"goal": f"placed.{name}:+{wish.count}"}, doing),)


def equip(ask: Ask, words: str) -> tuple[Request, ...] | Unclear:
    wish = Wish(1, words)
    thing = _thing(ask, wish, least=1)
    if isinstance(thing, Unclear):
        return thing
    carried = ask.carried(thing.names)
    if ask.world is None:
        return Unclear(_NO_SENSES)
    if not carried:
        return _have_none(thing, wish)
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


def _thing(ask: Ask, wish: Wish, least: int) -> Thing | Unclear:
    thing = ask.things.meant(wish.words)
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
        return Unclear(_NO_SENSES)
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
        )
    )


def _have_none(thing: Thing, wish: Wish) -> Unclear:
    name = thing.names[0].replace("_", " ")
    return Unclear(
        Words(
            f"I have no {wish.words[:40]}. Say “bring me {counted(max(wish.count, 1), name)}” "
            "and I try to get it.",
            f"{wish.words[:40]}は持っていません。"
            f"「{wish.words[:40]}を{max(wish.count, 1)}個持ってきて」と言えば取りに行きます。",
        )
    )


def _named(name: str, count: int) -> Words:
    return Words(item(name, count, "en"), item(name, count, "ja"))


def _all_right(what: Words) -> Words:
    return Words(f"All right: {what.en}.", f"わかりました：{what.ja}。")


_NO_SENSES = Words(
    "I cannot sense the world right now, so I did nothing.",
    "今はまわりの様子がわからないので、何もしていません。",
)
_NOTHING = Words("I carry nothing.", "何も持っていません。")
_NONE_LEFT = Words("I have none left to hand over.", "渡そうとしましたが、もう持っていません。")
