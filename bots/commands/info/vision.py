"""`!info vision`: what is in the bot's view, in words and as a picture."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from bots.access.origin import Operator
from bots.bot.bot import Bot
from bots.bot.result import Facts, Number, Result
from bots.registry.args import Args
from bots.registry.points import Point
from bots.registry.registry import CommandContext, commands
from bots.text.numbers import blocks
from bots.vision.picture import Picture, direction_of, quarter
from bots.vision.studio import Wanted, map_of, picture_of
from bridge.viewing import RAYS_ACROSS, RAYS_DOWN, Behold, View
from bridge.world import BotName
from llm.model import Image

RENDER_WAIT_MS, LONGEST_RENDER_WAIT_MS = 10_000, 60_000
KINDS_SHOWN = 8
ALL_AROUND, ALL_RAYS_ACROSS = 360.0, 160


class VisionArgs(Args):
    json_only: ClassVar = frozenset({"panorama", "map", "picture"})

    yaw: float | None = Field(None, ge=-360, le=360, allow_inf_nan=False)
    """Degrees, 0 = north, counter-clockwise; where the bot looks unless given."""
    pitch: float | None = Field(None, ge=-90, le=90, allow_inf_nan=False)
    """Degrees, positive = up; where the bot looks unless given."""
    render_wait: int = Field(RENDER_WAIT_MS, ge=0, le=LONGEST_RENDER_WAIT_MS)
    """Milliseconds that rendering a picture may take; it takes less than a second."""
    panorama: bool = False
    """Look all around."""
    map: bool = False
    """Draw the country around from above instead."""
    picture: bool | None = None
    """Whether to draw one; unless told, for those who can look at it: operators and models."""


class SeenBlock(Facts):
    name: str
    position: Point
    """The nearest of its kind."""
    distance: Number
    direction: str
    share: Number
    """Percent of the view. Blocks behind glass, water or plants count too: shares may overlap."""


class SeenPlayer(Facts):
    username: str
    position: Point
    distance: int
    direction: str


class SeenMob(Facts):
    name: str
    position: Point
    distance: int
    direction: str
    hostile: bool


class VisionMetadata(Facts):
    bot_id: str
    position: Point
    yaw: Number
    pitch: Number
    timestamp: int
    """Milliseconds since 1970."""
    rays: int
    duration_ms: Number
    width: int | None
    """Of the picture, in pixels."""
    height: int | None


class VisionData(Facts):
    text: str
    blocks: tuple[SeenBlock, ...]
    """Largest share first."""
    players: tuple[SeenPlayer, ...]
    """In view and not hidden, nearest first."""
    mobs: tuple[SeenMob, ...]
    """Animals and monsters likewise."""
    sky: Number
    """Percent of the view without anything solid."""
    image: str | None
    """A PNG as base64; null where none was drawn."""
    metadata: VisionMetadata


class VisionResult(Result):
    type: Literal["vision"] = "vision"
    data: VisionData

    @property
    def seen(self) -> Image | None:
        """The picture, for a model to look at."""
        size = self.data.metadata
        if self.data.image is None or size.width is None or size.height is None:
            return None
        return Image(self.data.image, size.width, size.height)

    def as_shown(self) -> dict[str, Any]:
        return {"seen": self.data.text}

    def as_traced(self) -> dict[str, Any]:
        shown = self.as_json()
        return {**shown, "data": {**shown["data"], "image": None}}

    def lines(self) -> list[str]:
        return self.data.text.splitlines()


@commands.command(
    "info vision",
    VisionArgs,
    aliases=("creative vis capture", "creative vision capture"),
    allow_bots=True,
    example='!info vision {"yaw": 90, "pitch": 0}',
)
async def vision(context: CommandContext, args: VisionArgs) -> VisionResult:
    """Tell what is in view, and draw it, without turning the head."""
    view = await context.bot.query(_look(args))
    picture = None
    if _is_wanted(context, args):
        picture = await _drawn(context.bot, args)
    taken_ms = int(context.bot.times.clock().timestamp() * 1000)
    return VisionResult(data=_data(context.bot.name, view, taken_ms, picture))


async def _drawn(bot: Bot, args: VisionArgs) -> Picture:
    if args.map:
        return await map_of(bot)
    return await picture_of(bot, Wanted(args.yaw, args.pitch, args.panorama))


def _look(args: VisionArgs) -> Behold:
    if not args.panorama:
        return Behold(args.yaw, args.pitch)
    return Behold(args.yaw, 0.0, across=ALL_RAYS_ACROSS, field_across=ALL_AROUND)


def _is_wanted(context: CommandContext, args: VisionArgs) -> bool:
    """A picture is no use in a whisper."""
    is_for_a_model = context.view is not None
    return args.picture if args.picture is not None else is_for_a_model or _is_operator(context)


def _is_operator(context: CommandContext) -> bool:
    return isinstance(context.origin, Operator)


def _data(bot: BotName, view: View, taken_ms: int, picture: Picture | None) -> VisionData:
    blocks_seen = tuple(
        SeenBlock(
            name=block.name,
            position=Point.of(block.nearest),
            distance=round(block.distance, 1),
            direction=direction_of(view.eyes, block.nearest),
            share=_percent(block.share),
        )
        for block in view.blocks
    )
    players, mobs = _players(view), _mobs(view)
    return VisionData(
        text=_text(view, blocks_seen, players, mobs),
        blocks=blocks_seen,
        players=players,
        mobs=mobs,
        sky=_percent(view.sky),
        image=picture.base64 if picture else None,
        metadata=_metadata(bot, view, taken_ms, picture),
    )


def _metadata(bot: BotName, view: View, taken_ms: int, picture: Picture | None) -> VisionMetadata:
    return VisionMetadata(
        bot_id=bot,
        position=Point.of(view.eyes),
        yaw=round(view.yaw, 1),
        pitch=round(view.pitch, 1),
        timestamp=taken_ms,
        rays=view.rays,
        duration_ms=round(view.took_ms, 1),
        width=picture.width if picture else None,
        height=picture.height if picture else None,
    )


def _players(view: View) -> tuple[SeenPlayer, ...]:
    return tuple(
        SeenPlayer(
            username=player.name,
            position=Point.of(player.position),
            distance=blocks(view.eyes.distance_to(player.position)),
            direction=direction_of(view.eyes, player.position),
        )
        for player in view.players
        if player.position is not None
    )


def _mobs(view: View) -> tuple[SeenMob, ...]:
    return tuple(
        SeenMob(
            name=mob.name,
            position=Point.of(mob.position),
            distance=blocks(view.eyes.distance_to(mob.position)),
            direction=direction_of(view.eyes, mob.position),
            hostile=mob.hostile,
        )
        for mob in view.mobs
    )


def _text(
    view: View,
    seen: tuple[SeenBlock, ...],
    players: tuple[SeenPlayer, ...],
    mobs: tuple[SeenMob, ...],
) -> str:
    kinds = [
        f"{b.name} {b.share:g} % ({b.distance:.0f} away, {b.direction})" for b in seen[:KINDS_SHOWN]
    ]
    more = [f"{len(seen) - len(kinds)} more kinds"] if len(seen) > len(kinds) else []
    sky = [f"sky {_percent(view.sky):g} %"] if view.sky > 0 else []
    people = [f"{p.username} ({p.distance} away, {p.direction})" for p in players]
    animals = [f"{m.name} ({m.distance} away, {m.direction})" for m in mobs[:KINDS_SHOWN]]
    return "\n".join(
        [
            f"{_looking(view)}: {', '.join([*kinds, *more, *sky])}.",
            f"Players in view: {', '.join(people) or 'nobody'}.",
            *([f"Animals and monsters in view: {', '.join(animals)}."] if animals else []),
        ]
    )


def _looking(view: View) -> str:
    if view.rays > RAYS_ACROSS * RAYS_DOWN:
        return "Looking all around"
    return f"Looking {quarter(view.yaw)}{_tilt(view.pitch)}"


def _tilt(pitch: float) -> str:
    return " and up" if pitch > 30 else " and down" if pitch < -30 else ""


def _percent(share: float) -> float:
    return round(100 * share, 1)
