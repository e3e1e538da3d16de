"""`!area allow | ask | forbid | forget | list`: where the bots may touch things, and where not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field, model_validator

from bots.access.origin import OPERATOR_NAME, Level, Person, called
from bots.bot.areas import HERE, Area, Rule
from bots.bot.locations import key_of
from bots.bot.result import Facts, Result
from bots.commands.navigation.places import PlaceName
from bots.errors import CommandError
from bots.registry.args import Coordinates, LenientArgs, NoArgs, Point
from bots.registry.registry import CommandContext, commands
from bots.text import suggest
from bridge.world import Position, WorldSnapshot

AROUND: Mapping[Rule, float] = {"allow": 8.0, "ask": 16.0, "forbid": 16.0}
"""Blocks of a circle, unless said."""
FARTHEST = 256.0  # blocks of a circle
BESIDE = 8.0  # blocks from a place: who speaks of `here` means it
SHOWN = 6  # areas in a whisper
_NUMBER = r"-?\d+(?:\.\d+)?"
_WORDS = re.compile(
    rf"(?P<name>.*?)(?P<numbers>(?:(?:^|[\s,]+){_NUMBER})*)(?P<corner>\s+corner)?", re.DOTALL
)
_SHAPES = {0: (), 1: ("radius",), 3: ("coords",), 4: ("coords", "radius"), 6: ("coords", "to")}
"""What so many numbers after a name are."""


class AreaArgs(LenientArgs):
    json_only: ClassVar = frozenset({"coords", "to", "radius", "corner"})

    name: PlaceName
    """What to call the area; a place I know by this name is meant, and `here` is where you are."""
    coords: Coordinates | None = None
    """Its middle, or one corner; else the place of this name, or where you are."""
    to: Coordinates | None = None
    """The opposite corner of a box, which has just these heights."""
    radius: float | None = Field(None, gt=0, le=FARTHEST, allow_inf_nan=False)
    """Blocks around the middle, at any height; 16 unless given, 8 where you allow something."""
    corner: bool = False
    """Whether you stand in a corner of it; say so again in the opposite one."""

    @model_validator(mode="after")
    def _one_shape(self) -> AreaArgs:
        if self.to is not None and (self.coords is None or self.radius is not None):
            raise ValueError("a box has two corners, coords and to, and no radius")
        if self.corner and (self.coords or self.to or self.radius):
            raise ValueError("the corner is where you stand")
        return self

    @classmethod
    def from_words(cls, rest: str) -> dict[str, Any]:
        said = _WORDS.fullmatch(rest.strip())
        assert said is not None, "the name takes whatever is no number"
        numbers = re.findall(_NUMBER, said["numbers"])
        given: dict[str, Any] = {"name": name} if (name := said["name"].strip()) else {}
        if said["corner"]:
            given["corner"] = True
        fields = _SHAPES.get(len(numbers))
        if fields is None:
            return {**given, "coords": numbers}  # which says that these are no three
        for field in fields:
            size = 1 if field == "radius" else 3
            own, numbers = numbers[:size], numbers[size:]
            given[field] = own[0] if size == 1 else list(map(float, own))
        return given

    @classmethod
    def in_words(cls) -> list[str]:
        return ["<name>", "[radius | x y z | x y z radius | x y z x y z | corner]"]


class AreaName(LenientArgs):
    name: PlaceName
    """The area; `here` is the one you are in."""


class AreaInfo(Facts):
    name: str
    rule: Rule
    dimension: str
    low: Point
    high: Point
    radius: float
    """Blocks around these corners that belong to it."""
    said_by: str
    """Who said so; empty for the server itself, which protects the land there."""

    @classmethod
    def of(cls, area: Area) -> AreaInfo:
        return cls(
            name=area.name,
            rule=area.rule,
            dimension=area.dimension,
            low=Point.of(area.low),
            high=Point.of(area.high),
            radius=area.within,
            said_by=area.by,
        )


class AreasResult(Result):
    areas: tuple[AreaInfo, ...]
    message: str


@commands.command(
    "area allow", AreaArgs, level=Level.TRUSTED, example="!area allow hill 10 64 8 12"
)
async def allow(context: CommandContext, args: AreaArgs) -> AreasResult:
    """Let the bots touch things in a box or a circle, even inside an area that they leave alone."""
    return await _set(context, args, "allow", "I may touch things in {name}")


@commands.command("area ask", AreaArgs, level=Level.TRUSTED, example="!area ask garden 20")
async def ask(context: CommandContext, args: AreaArgs) -> AreasResult:
    """Have the bots ask before they touch anything in a box or a circle."""
    return await _set(context, args, "ask", "I ask before I touch anything in {name}")


@commands.command("area forbid", AreaArgs, level=Level.TRUSTED, example="!area forbid base 32")
async def forbid(context: CommandContext, args: AreaArgs) -> AreasResult:
    """Have the bots dig, place, take, open and kill nothing in a box or a circle."""
    return await _set(context, args, "forbid", "I touch nothing in {name}")


@commands.command("area forget", AreaName, level=Level.TRUSTED, example="!area forget base")
async def forget(context: CommandContext, args: AreaName) -> AreasResult:
    """Forget an area, and what holds in it."""
    area = context.bot.areas.find(args.name)
    if key_of(args.name) in HERE:  # the one the asker stands in
        world = await context.bot.snapshot()
        area = context.bot.areas.at(world.dimension, _where(context, args.name, world))
    if area is None:
        known = [area.name for area in context.bot.areas.all()]
        near = suggest.similar(args.name, known)
        sentence = f"I know no such area.{suggest.as_sentence(near)} See !area list."
        raise CommandError("not_found", sentence, **suggest.as_fact(near))
    await context.bot.areas.forget(area, context.level)
    return _told([area], f"I have forgotten {area.name}.")


@commands.command("area list", NoArgs, level=Level.TRUSTED, example="!area list")
async def list_(context: CommandContext, _args: NoArgs) -> AreasResult:
    """List the areas that the bots know, the weightiest first."""
    every = list(context.bot.areas.all())
    if not every:
        return _told([], "I know no areas.")
    shown = "; ".join(map(str, every[:SHOWN]))
    more = f"; and {len(every) - SHOWN} more" if len(every) > SHOWN else ""
    return _told(every, f"{shown}{more}.")


async def _set(context: CommandContext, args: AreaArgs, rule: Rule, told: str) -> AreasResult:
    area = await _meant(context, args, rule)
    if area is None:
        sentence = f"That is one corner of {args.name}. Go to the opposite one and say it again."
        return _told([], sentence)
    # Raises CommandError not_permitted where somebody of a higher level said otherwise.
    ends = zip(
        (area.low.x, area.low.y, area.low.z), (area.high.x, area.high.y, area.high.z), strict=True
    )
    middle = Position(*((low + high) // 2 for low, high in ends))
    holds = context.bot.areas.at(area.dimension, middle)
    if holds is not None and holds.level > area.level and holds.rule != area.rule:
        whose = f"what {holds.by} said of {holds.name}" if holds.by else holds.why.rstrip(".")
        sentence = f"There, something else holds: {whose}. Only an owner changes that."
        raise CommandError("not_permitted", sentence, area=holds.name)
    await context.bot.areas.put(area)
    shape = str(area).partition(": ")[2]
    return _told([area], f"{told.format(name=area.name)} from now on: {shape}.")


async def _meant(context: CommandContext, args: AreaArgs, rule: Rule) -> Area | None:
    """The area meant; None while only one of its corners is known."""
    bot, world = context.bot, await context.bot.snapshot()
    is_nameless = context.speaker == OPERATOR_NAME
    speaker = "the operator" if is_nameless else called(context.speaker)
    by, at, known = speaker, bot.times.clock(), bot.areas.find(args.name)
    if known is not None and not (args.coords or args.radius or args.corner):
        told = replace(known, rule=rule, level=context.level, by=by, at=at)
        return replace(told, until=None, refusal="")
    here = args.coords or _where(context, args.name, world)
    name = _name_of(context, world, here, rule) if key_of(args.name) in HERE else args.name
    within = 0.0 if args.corner or args.to else args.radius or AROUND[rule]
    other = args.to or here
    if args.corner:
        marked = bot.areas.corner(context.speaker, name, world.dimension, here)
        if marked is None:
            return None
        other = marked
    low, high = (Area.box if args.to else Area.column)(here, other)
    return Area(name, rule, world.dimension, low, high, within, context.level, by, at)


def _name_of(context: CommandContext, world: WorldSnapshot, here: Position, rule: Rule) -> str:
    """The name of the place nearest to a point, or else the point itself. An area of that name
    in which something else holds stays as it is."""
    places = context.bot.locations.all(context.may_know)
    near = [
        place
        for place in places
        if place.dimension == world.dimension and place.position.distance_to(here) <= BESIDE
    ]
    nearest = min(near, key=lambda place: place.position.distance_to(here), default=None)
    known = context.bot.areas.find(nearest.name) if nearest else None
    if nearest and (known is None or known.rule == rule):
        return nearest.name
    return f"the place at {Point.of(here)}"


def _where(context: CommandContext, name: str, world: WorldSnapshot) -> Position:
    """The place of this name; without a name, where the asker stands, or for an operator the
    bot. Raises CommandError unseen_player."""
    place = context.bot.locations.find(name, context.may_know)
    if place is not None and place.dimension == world.dimension:
        return place.position
    asker = context.origin
    if not isinstance(asker, Person):
        return world.position
    seen = world.player(asker.name)
    if seen is None or seen.position is None:
        sentence = "I do not see you, so I do not know which place you mean: say x y z."
        raise CommandError("unseen_player", sentence)
    return seen.position


def _told(areas: list[Area], message: str) -> AreasResult:
    return AreasResult(areas=tuple(map(AreaInfo.of, areas)), message=message)
