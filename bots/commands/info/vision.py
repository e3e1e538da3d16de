"""`!info vision`: what is in the bot's view, in words."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bots.bot.result import Facts, Number, Result
from bots.registry.args import Args
from bots.registry.points import Point
from bots.registry.registry import CommandContext, commands
from bots.text.numbers import blocks
from bridge.viewing import Behold, View
from bridge.world import BotName

RENDER_WAIT_MS, LONGEST_RENDER_WAIT_MS = 10_000, 60_000
KINDS_SHOWN = 8
QUARTERS = (
    "north",
    "north-west",
    "west",
    "south-west",
    "south",
    "south-east",
    "east",
    "north-east",
)


class VisionArgs(Args):
    yaw: float | None = Field(None, ge=-360, le=360, allow_inf_nan=False)
    """Degrees, 0 = north, counter-clockwise; where the bot looks unless given."""
    pitch: float | None = Field(None, ge=-90, le=90, allow_inf_nan=False)
    """Degrees, positive = up; where the bot looks unless given."""
    render_wait: int = Field(RENDER_WAIT_MS, ge=0, le=LONGEST_RENDER_WAIT_MS)
    """Milliseconds that rendering a picture may take; an answer in words does not use them."""


class SeenBlock(Facts):
    name: str
    position: Point
    """The nearest of its kind."""
    distance: Number
    share: Number
    """Percent of the view. Blocks behind glass, water or plants count too: shares may overlap."""


class SeenPlayer(Facts):
    username: str
    position: Point
    distance: int


class VisionMetadata(Facts):
    bot_id: str
    position: Point
    yaw: Number
    pitch: Number
    timestamp: int
    """Milliseconds since 1970."""
    rays: int
    duration_ms: Number


class VisionData(Facts):
    text: str
    blocks: tuple[SeenBlock, ...]
    """Largest share first."""
    players: tuple[SeenPlayer, ...]
    """In view and not hidden, nearest first."""
    sky: Number
    """Percent of the view without anything solid."""
    metadata: VisionMetadata


class VisionResult(Result):
    type: Literal["vision"] = "vision"
    data: VisionData

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
    """Tell what is in view, without turning the head."""
    view = await context.bot.query(Behold(args.yaw, args.pitch))
    taken_ms = int(context.bot.times.clock().timestamp() * 1000)
    return VisionResult(data=_data(context.bot.name, view, taken_ms))


def _data(bot: BotName, view: View, taken_ms: int) -> VisionData:
    seen = tuple(
        SeenBlock(
            name=block.name,
            position=Point.of(block.nearest),
            distance=round(block.distance, 1),
            share=_percent(block.share),
        )
        for block in view.blocks
    )
    players = _players(view)
    return VisionData(
        text=_text(view, seen, players),
        blocks=seen,
        players=players,
        sky=_percent(view.sky),
        metadata=_metadata(bot, view, taken_ms),
    )


def _metadata(bot: BotName, view: View, taken_ms: int) -> VisionMetadata:
    return VisionMetadata(
        bot_id=bot,
        position=Point.of(view.eyes),
        yaw=round(view.yaw, 1),
        pitch=round(view.pitch, 1),
        timestamp=taken_ms,
        rays=view.rays,
        duration_ms=round(view.took_ms, 1),
    )


def _players(view: View) -> tuple[SeenPlayer, ...]:
    return tuple(
        SeenPlayer(
            username=player.name,
            position=Point.of(player.position),
            distance=blocks(view.eyes.distance_to(player.position)),
        )
        for player in view.players
        if player.position is not None
    )


def _text(view: View, seen: tuple[SeenBlock, ...], players: tuple[SeenPlayer, ...]) -> str:
    kinds = [f"{b.name} {b.share:g} % ({b.distance:.0f} away)" for b in seen[:KINDS_SHOWN]]
    more = [f"{len(seen) - len(kinds)} more kinds"] if len(seen) > len(kinds) else []
    sky = [f"sky {_percent(view.sky):g} %"] if view.sky > 0 else []
    people = ", ".join(f"{p.username} ({p.distance} away)" for p in players) or "nobody"
    looking = f"Looking {_quarter(view.yaw)}{_tilt(view.pitch)}"
    return f"{looking}: {', '.join([*kinds, *more, *sky])}.\nPlayers in view: {people}."


def _quarter(yaw: float) -> str:
    return QUARTERS[round(yaw % 360 / 45) % 8]


def _tilt(pitch: float) -> str:
    return " and up" if pitch > 30 else " and down" if pitch < -30 else ""


def _percent(share: float) -> float:
    return round(100 * share, 1)
