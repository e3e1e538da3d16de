"""What a speaker asked a bot for: the thing named last, the question that is open, and what came
of each order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile
from typing import Literal, Protocol, TypeAlias

from bots.catalogue.names import Things
from bots.responder.case.inbox import EventReport
from bots.responder.rules.outcomes import harm
from bots.responder.rules.requests import Request, Unclear
from bots.responder.rules.requests.ask import Order, Wish
from bots.responder.rules.requests.jobs import HANDING
from bots.responder.rules.scene import Scene
from bots.responder.rules.topics import WELL
from bots.words import Saying, saying
from bridge.world import WorldSnapshot

ANSWER_WITHIN_S = 60.0
MOST_SPEAKERS = 100
LONG = frozenset({"goal", "skill gather", "skill light"})
"""Commands that small things are done in between of, and that wait for one another."""
MOST_FATES = 12  # orders remembered of one speaker
Why: TypeAlias = Callable[[Scene], str]
"""Says why an order was left, or failed, in the language in which that is asked."""
NO_REASON: Why = lambda _scene: ""  # noqa: E731
Fated: TypeAlias = Literal["begun", "waiting", "done", "failed", "left"]


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of an order."""

    request: Request
    state: Fated
    why: Why = NO_REASON


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    asked: Unclear
    at_s: float

    def is_late(self, now_s: float) -> bool:
        return now_s - self.at_s > ANSWER_WITHIN_S


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A request under way, and those that follow it."""

    request: Request
    then: tuple[Request, ...]
    had: int = 0
    """How many of what it is for were carried when it began."""

    @property
    def waiting(self) -> tuple[Request, ...]:
        """Orders that wait behind it."""
        return tuple(one for one in self.then if one.anyway)

    @property
    def anyway(self) -> tuple[Request, ...]:
        """Those that follow although this one fails."""
        return tuple(dropwhile(lambda one: not one.anyway, self.then))


@dataclass(slots=True)
class Dealings:
    """Those of one speaker."""

    under_way: UnderWay | None = None
    paused: tuple[Request, ...] = ()
    """What it does once they say that it goes on."""
    last: Wish | None = None
    """The thing named last."""
    order: Order | None = None
    """The newest, which the next line may put right …"""
    had: int = 0
    """… and how many were carried when it was given."""
    hands_over: bool = False
    """Whether it is to be handed over from what is carried."""
    leans_until_s: float = 0.0
    """Until when a line may lean on what was named last."""
    asked: tuple[str, str] | None = None
    """The last line that named a thing and ordered none, and the thing."""
    newest: tuple[Request, ...] = ()
    """What they asked for last, for who wants it again."""
    question: OpenQuestion | None = None
    tongue: str = ""
    """The language they speak, where that is only a file."""
    fates: list[Fate] = field(default_factory=list)
    """The oldest first."""
    unsure: int = 0
    """How often they were not understood."""

    def remember(self, requests: Sequence[Request], had: int = 0) -> None:
        """The thing named last, and the order that the next line may put right."""
        for request in requests:
            if request.order is not None:
                self.last, self.had = request.order.wish, had
                hands_over = request.command == HANDING
                if hands_over or request.command in LONG:
                    self.order, self.hands_over = request.order, hands_over

    def note_named(self, ordered: bool, scene: Scene, asked: tuple[str, str]) -> None:
        """The thing that the last line named, and the line, unless that ordered one."""
        meant = scene.things.meant(asked[1]) if asked[1] else None
        if ordered or asked[1]:
            self.asked = None if ordered else asked
        if meant is not None and not ordered:
            carried = sum(map(scene.world.count, meant.names)) if scene.world else 0
            self.last = Wish(carried or 1, asked[1])

    def drop_question(self) -> Saying | None:
        """Leave an open question, for something new; what is said of that."""
        question, self.question = self.question, None
        if question is None:
            return None
        if question.asked.order is None:
            return saying("dealt.dropped")
        return saying("dealt.dropped_thing", thing=question.asked.order.wish.words)

    def note(self, request: Request, state: Fated, why: Why = NO_REASON) -> None:
        if request.order is None and request.what is None:
            return
        self.forget(request)
        self.fates = [*self.fates, Fate(request, state, why)][-MOST_FATES:]

    def forget(self, request: Request) -> None:
        """It became another order."""
        self.fates = [one for one in self.fates if one.request is not request]

    def stopped(self, why: Why) -> None:
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


class Queue(Protocol):
    """The goals that wait until the bot has nothing else to do."""

    def wait_for(self, speaker: str) -> None: ...
    def go_on(self, *speakers: str) -> None: ...


class Speakers:
    """The dealings of one bot; those of whom it has not heard for longest are forgotten."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self._each: dict[str, Dealings] = {}

    def of(self, speaker: str) -> Dealings:
        own = self._each.pop(speaker, None) or Dealings()
        self._each[speaker] = own
        if len(self._each) > MOST_SPEAKERS:
            longest_ago = next(iter(self._each))
            del self._each[longest_ago]
            self._queue.go_on(longest_ago)
        return own


def names_of(order: Order, things: Things) -> tuple[str, ...]:
    meant = things.meant(order.wish.words)
    return () if meant is None else meant.names


def got(order: Order | None, had: int, things: Things, world: WorldSnapshot | None) -> int:
    """How many of an order are carried beyond those that were before."""
    if order is None or world is None:
        return 0
    return max(0, sum(map(world.count, names_of(order, things))) - had)


def handed(order: Order, had: int, things: Things, world: WorldSnapshot | None) -> int:
    """How many of those that were carried are gone."""
    return 0 if world is None else max(0, had - sum(map(world.count, names_of(order, things))))


def named(request: Request, things: Things) -> Saying:
    """What it was for: `the oak logs`."""
    order = request.order
    if order is None:
        return request.what or saying("named.unknown")
    names = names_of(order, things)
    name = names[0] if len(names) == 1 else order.wish.words
    is_one = order.wish.count == 1 or name.endswith("s")
    return saying("named.one" if is_one else "named.many", thing=name)


def left(request: Request, then: Sequence[Request], got: int, things: Things) -> Saying:
    """That an order is left for a newer one, and those that wait behind it."""
    what, *more = (named(one, things) for one in (request, *then))
    count = 1 if request.order is None else request.order.wish.count
    if more or got <= 0 or count < 2:
        return saying("dealt.left", what=(what, *(one for one in more if one != what)))
    return saying("dealt.left_at", what=what, got=min(got, count), n=count)


def told(scene: Scene, fate: Fate, got: int, things: Things) -> str:
    """What became of an order; `got` is how many are carried that were not before."""
    request = fate.request
    match fate.state:
        case "begun":
            so_far = scene.tell("dealt.so_far", n=got) if got > 0 else ""
            return scene.join(
                [scene.say(saying("dealt.begun", what=named(request, things))), so_far]
            )
        case "waiting":
            return scene.say(saying("dealt.waiting", what=named(request, things)))
        case "done":
            return scene.say(request.done or saying("dealt.done"))
        case "failed":
            return scene.tell("dealt.failed", why=fate.why(scene))
        case "left":
            return fate.why(scene)


def happened(scene: Scene, fates: list[Fate], things: Things, dangers: list[EventReport]) -> str:
    """What happened to the bot; of dangers the newest death, else the newest wound."""
    wrong = next((one for one in reversed(fates) if one.state in ("failed", "left")), None)
    if wrong is not None:
        return told(scene, wrong, 0, things)
    if dangers:
        return harm(scene, max(dangers, key=lambda one: (bool(one.done), one.at_s)))
    if scene.world is not None and scene.world.health < WELL:
        return scene.tell("dealt.hurt", health=f"{scene.world.health:.0f}")
    return scene.tell("dealt.fine")


def let_be(asked: Unclear, things: Things) -> Saying:
    """That the thing of a question is not done."""
    if asked.order is None:
        return saying("dealt.let_be")
    names = names_of(asked.order, things)
    return saying("dealt.no", thing=names[0] if len(names) == 1 else asked.order.wish.words)
