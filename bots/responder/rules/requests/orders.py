"""Orders that phrases give by name: to fish, to dig down, to light a place, to store things.

A row of `phrases/*.toml` with `does = "light"` makes these requests; `{thing}` says of what."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from bots.access.origin import is_operator
from bots.catalogue.counted import item
from bots.catalogue.japanese import mob_in_japanese
from bots.responder.rules import phrases
from bots.responder.rules.requests import jobs
from bots.responder.rules.requests.ask import (
    ENGLISH_COUNT,
    JAPANESE_COUNT,
    Ask,
    Made,
    Request,
    Unclear,
    Wish,
    Words,
    english_count,
    japanese_count,
)
from bots.responder.rules.requests.spoken import wish
from bots.text.language import language_of
from bots.text.plurals import counted
from bots.text.spelling import plain

DEEPEST = 30  # blocks of a hole
A_FEW = 3
MOST_JUMPS = 20
_NUMBER = re.compile(rf"\b(?:{ENGLISH_COUNT})\b|{JAPANESE_COUNT}")
_QUIET = Words("", "")


def ordered(ask: Ask, line: str) -> Made | None:
    """The requests of a line that is a phrase which gives an order; None for another line."""
    phrase = phrases.found(line, ask.bot)
    order = ORDERS.get(phrase.does) if phrase else None
    return None if phrase is None or order is None else order(ask, phrase.thing) or None


def _fish(_ask: Ask, _thing: str) -> Made:
    doing = Words("I go fishing.", "釣りに行きます。")
    done = Words("I have caught a fish.", "魚が釣れました。")
    what = Words("the fishing", "釣り")
    return (Request("goal", {"goal": "inventory.cod:+1"}, doing, done, what=what),)


def _dig_down(ask: Ask, thing: str) -> Made:
    if ask.world is None:
        return Unclear(jobs.NO_SENSES)
    depth = min(_number(thing) or A_FEW, DEEPEST)
    at = ask.world.position.block
    blocks = counted(depth, "block")
    doing = Words(f"I dig {blocks} down.", f"{depth}ブロック下まで掘ります。")
    done = Words(f"I am {blocks} down.", f"{depth}ブロック下まで掘りました。")
    goal = f"position:{at.x:.0f},{at.y - depth:.0f},{at.z:.0f}"
    return (Request("goal", {"goal": goal}, doing, done, what=Words("the hole", "穴")),)


def _light(ask: Ask, _thing: str) -> Made:
    """Around the speaker, where the bot sees them."""
    doing = Words("I put torches here.", "ここに松明を置きます。")
    fields, what = _at_speaker(ask), Words("the torches", "松明")
    return (Request("skill light", fields, doing, what=what),)


def _at_speaker(ask: Ask) -> Mapping[str, Any]:
    """Where the speaker stands, as a command's argument; nothing where the bot sees them not."""
    at = None if ask.asker is None else ask.asker.position
    return {} if at is None else {"coords": jobs.block_of(at)}


def _near(ask: Ask) -> str:
    """Beside the speaker, where the bot sees them."""
    player = None if is_operator(ask.speaker) else ask.player(ask.speaker)
    return "" if player is None or player.position is None else f" near:{player.name}"


def _plant(ask: Ask, thing: str) -> Made:
    """Trees and flowers are put down; crops are sown and reaped."""
    words = _wish(thing).words if thing else "wheat"
    crop = next((crop for word, crop in _CROPS.items() if word in words), None)
    if crop is not None:
        name = Words(crop.replace("_", " "), item(crop, 1, "ja").removesuffix("×1"))
        doing = Words(
            f"I sow {name.en}, and stay until it is ripe.", f"{name.ja}を植えて、実るまで待ちます。"
        )
        done = Words(
            f"The {name.en} is ripe, and I have it.", f"{name.ja}が実ったので、取りました。"
        )
        what, goal = Words(f"the {name.en}", name.ja), f"inventory.{crop}:+{A_FEW}"
        return (Request("goal", {"goal": goal}, doing, done, what=what, is_patient=True),)
    is_tree = re.search(r"\btrees?\b|木|苗", words)
    return jobs.place(ask, Wish(_wish(thing).count, "oak sapling" if is_tree else words))


_CROPS = {
    **{"wheat": "wheat", "seed": "wheat", "carrot": "carrot", "potato": "potato"},
    **{"beetroot": "beetroot", "crop": "wheat", "food": "wheat"},
    **{"小麦": "wheat", "種": "wheat", "麦": "wheat", "人参": "carrot", "にんじん": "carrot"},
    **{"ニンジン": "carrot", "じゃがいも": "potato", "ジャガイモ": "potato", "畑": "wheat"},
    **{"field": "wheat", "farm": "wheat"},
}


def _put_away(ask: Ask, thing: str, *, nearest: bool = False) -> Made:
    """Into chests, and first make one where there is none."""
    if ask.world is None:
        return Unclear(jobs.NO_SENSES)
    names = _carried(ask, thing)
    if isinstance(names, Unclear):
        return names
    what = Words("my things", "荷物")
    making = Words("I make a chest first.", "まずチェストを作ります。")
    goal = {"goal": f"placed.chest:+1{_near(ask)}"}
    chest = Request("goal", goal, making, is_step=True, what=what)
    doing = Words("I put it into the chest.", "チェストに入れます。")
    if not nearest:
        doing = Words("I put it away.", "片付けます。")
    fields = {"items": ",".join(names)} if names else {}
    at_it = {"nearest": True} if nearest else {}
    store = Request("skill store", fields | at_it, doing, what=what, otherwise=(chest,))
    return (store,)


def _tend(_ask: Ask, _thing: str) -> Made:
    """The field that the speaker stands by."""
    doing = Words(
        "I look after the field. Say “stop” when it is enough.",
        "畑の世話をします。「止まって」と言うまで。",
    )
    return (Request("skill tend", {}, doing),)


def _carried(ask: Ask, thing: str) -> tuple[str, ...] | Unclear:
    """The carried items that are meant; none of them for all that can be spared."""
    assert ask.world is not None
    carried = tuple(dict.fromkeys(stack.name for stack in ask.world.items))
    wish = _wish(thing)
    if not thing or wish.words in jobs.EVERYTHING | jobs.BELONGINGS | jobs.PRONOUNS:
        return () if carried else Unclear(jobs.NOTHING)
    meant = ask.things.meant(wish.words)
    if meant is None:
        return jobs.unknown(ask, wish)
    named = f"{wish.words[:40]}"
    return tuple(name for name in carried if name in meant.names) or Unclear(
        Words(f"I have no {named}.", f"{named}は持っていません。")
    )


def _fight(ask: Ask, thing: str) -> Made:
    """A monster; animals are hunted for what they leave, players are for `!attack` to judge."""
    wish = _wish(thing).words
    if (player := ask.player(wish) or ask.player(wish.removesuffix("s"))) is not None:
        name = player.name
        doing = Words(f"I attack {name}.", f"{name}を攻撃します。")
        return (Request("attack", {"username": name}, doing, what=Words("the attack", "攻撃")),)
    words = wish.removesuffix("s")
    kind = mob_in_japanese(words) or plain(words)
    if kind in _MEAT:
        return jobs.get(ask, Wish(1, _MEAT[kind]))
    is_any = not thing or words in jobs.PRONOUNS or words in _ANY_MONSTER
    doing = Words("I am on it!", "任せてください！")
    fields = {} if is_any else {"mob": kind}
    return (Request("skill fight", fields, doing, what=Words("the fight", "戦い")),)


_MEAT = {
    **{"cow": "beef", "pig": "porkchop", "sheep": "mutton", "chicken": "chicken"},
    **{"rabbit": "rabbit", "squid": "ink_sac"},
}
_ANY_MONSTER = frozenset(
    {"monster", "mob", "enemy", "enemie", "him", "thing", "モンスター", "敵", "あいつ"}
)


def _guard(ask: Ask, _thing: str) -> Made:
    if is_operator(ask.speaker):
        return jobs.nobody(ask.speaker)
    doing = Words(
        "I guard you. Say “stop” when it is enough.", "守ります。「止まって」と言うまで。"
    )
    return (Request("skill guard", {"where": ask.speaker}, doing),)


def _guard_place(ask: Ask, thing: str) -> Made:
    """A place, or another player; the command knows the places by name."""
    words = _wish(thing).words if thing else ""
    if (player := ask.player(words)) is not None:
        doing = Words(f"I guard {player.name}.", f"{player.name}さんを守ります。")
        return (Request("skill guard", {"where": player.name}, doing),)
    doing = Words(
        f"I guard {f'the {words}' if words else 'this place'}. Say “stop” when it is enough.",
        f"{words or 'ここ'}を見張ります。「止まって」と言うまで。",
    )
    return (Request("skill guard", {"where": words}, doing),)


def _stop_fight(_ask: Ask, _thing: str) -> Made:
    doing = Words(
        "I fight no more, unless I am attacked.", "もう戦いません。襲われたら身は守ります。"
    )
    return (Request("skill stopFight", {}, doing, doing, is_lasting=False),)


def _drop_all(ask: Ask, _thing: str) -> Made:
    return jobs.drop(ask, Wish(1, "everything"))


def _dance(_ask: Ask, _thing: str) -> Made:
    """Round and round, with a nod."""
    *turns, last = (
        Request(
            "look direction", {"yaw": yaw, "pitch": pitch}, _QUIET, is_lasting=False, is_step=True
        )
        for yaw, pitch in ((0, 40), (90, -40), (180, 40), (270, -40), (0, 0))
    )
    done = Words(
        "Round and round I go! That was my dance.", "くるくる回りました！これが私の踊りです。"
    )
    return (*turns, replace(last, done=done, is_step=False))


def _jump(_ask: Ask, thing: str) -> Made:
    times = min(_number(thing) or 1, MOST_JUMPS)
    doing = Words("Hop!", "ぴょん！")
    done = Words("That was fun.", "楽しかったです。")
    return (
        Request("skill jump", {"times": times}, doing, done, what=Words("the jump", "ジャンプ")),
    )


def _sleep(_ask: Ask, _thing: str) -> Made:
    doing = Words("I go to bed. Good night!", "ベッドに入ります。おやすみなさい！")
    done = Words("Good morning! I have slept well.", "おはようございます！よく寝ました。")
    return (Request("skill sleep", {}, doing, done, what=Words("the sleep", "眠り")),)


def _build_house(_ask: Ask, _thing: str) -> Made:
    """Of what it carries, and of wood that it gets first."""
    doing = Words(
        "A small house: I get the wood, and build it near here.",
        "小さい家ですね。木を集めて、近くに建てます。",
    )
    done = Words("The small house is done: come in!", "小さい家ができました。どうぞ！")
    what = Words("the house", "家")
    return (Request("skill build", {"design": "small_house"}, doing, done, what=what),)


def _look_up(_ask: Ask, _thing: str) -> Made:
    return _looking(80, Words("I look up.", "上を見ています。"))


def _look_down(_ask: Ask, _thing: str) -> Made:
    return _looking(-80, Words("I look down.", "下を見ています。"))


def _looking(pitch: int, done: Words) -> Made:
    fields: Mapping[str, Any] = {"yaw": 0, "pitch": pitch}
    return (Request("look direction", fields, done, done, is_lasting=False),)


def _wish(thing: str) -> Wish:
    """The thing that the words name, with its count."""
    if language_of([thing]) == "ja":
        return Wish(1, thing)
    return wish(thing, several=False) or Wish(1, thing)


def _number(thing: str) -> int:
    found = _NUMBER.search(thing)
    if found is None:
        return 0
    is_japanese = language_of([found[0]]) == "ja"
    return (japanese_count if is_japanese else english_count)(found[0])


ORDERS: Mapping[str, Callable[[Ask, str], Made]] = {
    "fish": _fish,
    "dig_down": _dig_down,
    "light": _light,
    "plant": _plant,
    "put_away": _put_away,
    "tend": _tend,
    "store": partial(_put_away, nearest=True),
    "drop_all": _drop_all,
    "fight": _fight,
    "guard": _guard,
    "guard_place": _guard_place,
    "stop_fight": _stop_fight,
    "dance": _dance,
    "jump": _jump,
    "sleep": _sleep,
    "build_house": _build_house,
    "look_up": _look_up,
    "look_down": _look_down,
}
