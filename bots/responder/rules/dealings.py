"""What a speaker asked a bot for: the thing named last, the question that is open, and what came
of each order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from bots.catalogue.counted import listed, thing
from bots.catalogue.names import Things
from bots.responder.rules.about_me import WELL
from bots.responder.rules.phrases.foreign import Meant
from bots.responder.rules.requests import Request, Unclear, Words
from bots.responder.rules.requests.ask import ALL, Order, Wish
from bots.responder.rules.scene import Scene
from bots.text.plurals import plural
from bridge.world import WorldSnapshot

ANSWER_WITHIN_S = 60.0
MOST_FATES = 12  # orders remembered of one speaker
Fated: TypeAlias = Literal["begun", "waiting", "done", "failed", "left"]


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of an order."""

    request: Request
    state: Fated
    why: str = ""
    """The sentence that said why it was left, or failed."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    asked: Unclear
    at_s: float

    def is_late(self, now_s: float) -> bool:
        return now_s - self.at_s > ANSWER_WITHIN_S


@dataclass(slots=True)
class Dealings:
    """Those of one speaker."""

    last: Wish | None = None
    """The thing named last."""
    order: Order | None = None
    """The newest, which the next line may put right …"""
    had: int = 0
    """… and how many were carried when it was given."""
    question: OpenQuestion | None = None
    tongue: str = ""
    """The language they speak, where that is only a file …"""
    meant: tuple[Meant, ...] = ()
    """… and which rows of it their newest request was."""
    fates: list[Fate] = field(default_factory=list)
    """The oldest first."""

    def note(self, request: Request, state: Fated, why: str = "") -> None:
        if request.order is None and not request.what.en:
            return
        self.forget(request)
        self.fates = [*self.fates, Fate(request, state, why)][-MOST_FATES:]

    def forget(self, request: Request) -> None:
        """It became another order."""
        self.fates = [one for one in self.fates if one.request is not request]

    def stopped(self, why: str) -> None:
        """All that was under way or waiting is left."""
        self.fates = [
            replace(one, state="left", why=why) if one.state in ("begun", "waiting") else one
            for one in self.fates
        ]

    def fate_of(self, words: str, things: Things) -> Fate | None:
        """The newest order for such a thing."""
        meant = things.meant(words)
        if meant is None:
            return None
        for fate in reversed(self.fates):
            order = fate.request.order
            ordered = None if order is None else things.meant(order.wish.words)
            if ordered is not None and set(ordered.names) & set(meant.names):
                return fate
        return None


def names_of(order: Order, things: Things) -> tuple[str, ...]:
    meant = things.meant(order.wish.words)
    return () if meant is None else meant.names


def carried(names: tuple[str, ...], world: WorldSnapshot | None) -> int:
    return 0 if world is None else sum(map(world.count, names))


def named(request: Request, things: Things) -> Words:
    """What it was for: `the oak logs`."""
    order = request.order
    if order is None:
        return request.what if request.what.en else Words("what I was at", "今していたこと")
    names = names_of(order, things)
    if len(names) == 1:
        en, ja = thing(names[0], "en"), thing(names[0], "ja")
    else:
        en = ja = order.wish.words
    is_one = order.wish.count == 1 or en.endswith("s")
    return Words(f"the {en if is_one else plural(en)}", ja)


def left(request: Request, then: Sequence[Request], got: int, things: Things) -> Words:
    """That an order is left for a newer one, and those that wait behind it."""
    what, *more = dict.fromkeys(named(one, things) for one in (request, *then))
    if more:
        all_en = listed([what.en, *(one.en for one in more)], "en")
        all_ja = listed([what.ja, *(one.ja for one in more)], "ja")
        return Words(f"I leave {all_en} for that.", f"{all_ja}はあきらめます。")
    count = 1 if request.order is None else request.order.wish.count
    if got <= 0 or count in (1, ALL):
        return Words(f"I leave {what.en} for that.", f"{what.ja}はあきらめます。")
    return Words(
        f"I leave {what.en} at {min(got, count)} of {count} for that.",
        f"{what.ja}は{count}個のうち{min(got, count)}個でやめます。",
    )


def told(scene: Scene, fate: Fate, got: int, things: Things) -> str:
    """What became of an order; `got` is how many are carried that were not before."""
    request = fate.request
    match fate.state:
        case "begun":
            en, ja = named(request, things)
            doing = scene.say(f"I am still at {en}.", f"{ja}はまだ途中です。")
            so_far = scene.say(f"I have {got} so far.", f"今のところ{got}個です。")
            return scene.join([doing, so_far]) if got > 0 else doing
        case "waiting":
            en, ja = named(request, things)
            return scene.say(f"I come to {en} next.", f"{ja}はこのあとです。")
        case "done":
            return scene.say(
                *(request.done if request.done.en else Words("It is done.", "できました。"))
            )
        case "failed":
            return scene.say(f"I could not do it: {fate.why}", f"できませんでした。{fate.why}")
        case "left":
            return fate.why


def happened(scene: Scene, fates: list[Fate], things: Things) -> str:
    """What happened to the bot."""
    wrong = next((one for one in reversed(fates) if one.state in ("failed", "left")), None)
    if wrong is not None:
        return told(scene, wrong, 0, things)
    if scene.world is not None and scene.world.health < WELL:
        health = f"{scene.world.health:.0f}/20"
        return scene.say(
            f"I got hurt: my health is {health}.", f"けがをしました。体力は{health}です。"
        )
    return scene.say("Nothing bad happened: I am fine.", "何もありません。元気です。")


def let_be(asked: Unclear, things: Things) -> Words:
    """That the thing of a question is not done."""
    if asked.order is None:
        return Words("All right, I leave it.", "わかりました、やめておきます。")
    words = asked.order.wish.words
    names = names_of(asked.order, things)
    ja = thing(names[0], "ja") if len(names) == 1 else words
    return Words(f"All right, no {words} then.", f"わかりました、{ja}はやめておきます。")


def dropped(asked: Unclear) -> Words:
    """That a question is open no more, because something else was asked."""
    words = asked.order.wish.words if asked.order else ""
    return Words(
        f"I leave the {words} then." if words else "I leave the other thing then.",
        f"{words or 'さっきのこと'}はやめておきます。",
    )
