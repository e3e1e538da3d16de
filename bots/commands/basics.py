"""`!status`, `!stop`, `!idle`, `!quiet`, `!refresh` and `!pin`.

`!stop` works without a model and without the bridge. A PIN that was tried is neither recorded nor
logged nor traced nor repeated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field

from bots.access.origin import Level, Origin, Person
from bots.access.proofs import BLOCKED_S
from bots.bot.locations import Location
from bots.bot.result import Facts, Number, Result
from bots.bot.stage import StageInfo
from bots.bot.stoppables import may_be_stopped_by
from bots.commands.info.sections import REACH, Inventory
from bots.errors import CommandError, InvalidArguments, NotPermitted
from bots.registry.args import Args, NoArgs, Point
from bots.registry.named import places_known
from bots.registry.registry import CommandContext, commands
from bots.responder.limits import LineLimit
from bots.skills.idle import IDLE, Manner, idle
from bridge.errors import BridgeError
from bridge.world import WorldSnapshot

SHORTEST_MS, LONGEST_MS = 500, 3_600_000
_USUAL = Manner()


class Wellbeing(Facts):
    """What the bot knows while it is in a world."""

    position: Point
    dimension: str
    is_day: bool
    time_of_day: int
    health: Number
    food: Number
    held: str | None
    worn: tuple[str, ...]
    """Armour and what is in the off hand."""
    items: int
    """Occupied inventory slots."""
    tools: dict[str, int]
    materials: dict[str, int]
    """Everything else that is carried."""
    free_slots: int
    players_in_view: int
    version: str
    locations: tuple[str, ...]
    """Names of the places it knows; `!navigation list` tells where they are."""

    @classmethod
    def of(cls, world: WorldSnapshot, locations: Iterable[Location]) -> Wellbeing:
        inventory = Inventory.of(world)
        carried = inventory.items
        return cls(
            position=Point.of(world.position),
            dimension=world.dimension,
            is_day=world.is_day,
            time_of_day=world.time_of_day,
            health=world.health,
            food=world.food,
            held=inventory.held,
            worn=inventory.worn,
            items=len(world.items),
            tools={item.name: item.count for item in carried if item.category == "tool"},
            materials={item.name: item.count for item in carried if item.category != "tool"},
            locations=tuple(location.name for location in locations),
            free_slots=world.free_slots,
            players_in_view=sum(player.position is not None for player in world.players),
            version=world.version,
        )

    def sentence(self) -> str:
        time = "day" if self.is_day else "night"
        body = f"health {self.health:g}/20, food {self.food:g}/20"
        return f"At {self.position} in the {self.dimension}, {time}; {body}"

    def belongings(self) -> str:
        tools = ", ".join(self.tools) or "no tools"
        worn = f"; I wear {', '.join(self.worn)}" if self.worn else ""
        places = f"; I know {', '.join(self.locations)}" if self.locations else ""
        number = len(self.materials)
        few = {0: "nothing else", 1: "1 other kind of thing"}
        others = few.get(number, f"{number} other kinds of things")
        return f"With me {tools} and {others}{worn}{places}."


class StatusResult(Result):
    bot: str
    online: bool
    doing: tuple[str, ...]
    """The running job first, then everything else that `!stop` would end."""
    lately: str | None
    """What it did of its own accord a moment ago."""
    stage: StageInfo | None
    """Which step of its goal the bot is at, and how long the rest takes."""
    latest_sequence: int
    lines_withheld: int
    """Lines of players that were not answered because one of them said too many."""
    world: Wellbeing | None
    last_death: dict[str, Any] | None
    """Where and of what it died last, and how long it had lived; None: it has not since it joined
    first."""

    def lines(self) -> list[str]:
        at_goal = self.doing if self.stage is None else (f"at {self.stage}", *self.doing[1:])
        doing = ", ".join(at_goal) or "idle"
        if self.world is None:
            return [f"{self.bot} is in no world right now; {doing}."]
        fares = [f"{self.world.sentence()}; {doing}.", self.world.belongings()]
        if (death := self.last_death) is not None:
            fares.append(f"{death['sentence']} That was {death['secondsAgo'] // 60} min ago.")
        return fares


@commands.command("status", NoArgs, tells=places_known, example="!status", allow_bots=True)
async def status(context: CommandContext, _args: NoArgs) -> StatusResult:
    """Tell where the bot is, how it fares and what it is doing."""
    limit, known = context.bot.services.get(LineLimit), context.bot.locations.all(context.may_know)
    try:
        world = Wellbeing.of(await context.bot.snapshot(), known)
    except BridgeError:
        world = None
    return StatusResult(
        bot=context.bot.name,
        online=world is not None,
        doing=tuple(name for name in context.bot.doing if name != "!status"),
        lately=context.bot.leisure.lately,
        stage=context.bot.stage,
        latest_sequence=context.bot.latest_sequence(),
        lines_withheld=limit.withheld(context.bot.name) if limit else 0,
        world=world,
        last_death=context.bot.obituary.latest(),
    )


class StopResult(Result):
    stopped_actions: tuple[str, ...]
    message: str


class StopArgs(NoArgs):
    """Words after the command change nothing: `!stop it` stops."""

    @classmethod
    def from_words(cls, rest: str) -> dict[str, Any]:
        return {}


@commands.command("stop", StopArgs, example="!stop", overtakes=True, personal=True)
async def stop(context: CommandContext, _args: StopArgs) -> StopResult:
    """Stop everything the bot is doing; players stop what they started."""

    may_stop = may_be_stopped_by(context.origin, context.asker_level)

    def others(started_by: Origin | None) -> bool:
        return started_by is not None and not may_stop(started_by)

    stopped = tuple(await context.bot.stop(may_stop))
    goes_on = [*context.bot.doing_for(others), *context.bot.waiting_for(others)]
    if not stopped and goes_on:
        sentence = f"Somebody else started {', '.join(goes_on)}; a trusted player may stop that."
        raise NotPermitted("not_permitted", sentence, goesOn=goes_on)
    message = f"Stopped: {', '.join(stopped)}." if stopped else "Nothing was running."
    return StopResult(stopped_actions=stopped, message=message)


class IdleArgs(Args):
    interval_ms: int = Field(int(_USUAL.interval_s * 1000), ge=SHORTEST_MS, le=LONGEST_MS)
    """Milliseconds between two looks."""
    player_range: float = Field(_USUAL.player_range, ge=0, le=128, allow_inf_nan=False)
    """Blocks within which players are looked at."""
    yaw_jitter: float = Field(_USUAL.yaw_jitter, ge=0, le=180, allow_inf_nan=False)
    """Degrees it turns at most, to either side."""
    pitch_min: float = Field(_USUAL.pitch_min, ge=-90, le=90, allow_inf_nan=False)
    """Degrees it looks down at most."""
    pitch_max: float = Field(_USUAL.pitch_max, ge=-90, le=90, allow_inf_nan=False)
    """Degrees it looks up at most."""
    player_look_chance: float = Field(_USUAL.player_look_chance, ge=0, le=1, allow_inf_nan=False)
    """How often it looks at a player near, 0 to 1."""

    @property
    def manner(self) -> Manner:
        if self.pitch_max < self.pitch_min:
            sentence = f"pitchMax {self.pitch_max:g} is below pitchMin {self.pitch_min:g}."
            raise InvalidArguments("invalid_format", sentence)
        return Manner(
            interval_s=self.interval_ms / 1000,
            player_range=self.player_range,
            yaw_jitter=self.yaw_jitter,
            pitch_min=self.pitch_min,
            pitch_max=self.pitch_max,
            player_look_chance=self.player_look_chance,
        )


class IdleResult(Result):
    message: str


@commands.command(
    "idle on",
    IdleArgs,
    aliases=("idle_on",),
    level=Level.TRUSTED,
    example='!idle on {"intervalMs": 4000}',
)
async def idle_on(context: CommandContext, args: IdleArgs) -> IdleResult:
    """Look about now and then, and to players near, until !idle off or !stop."""
    bot = context.bot
    bot.leisure.stays = False
    bot.pastimes.begin(IDLE, idle(bot, args.manner), started_by=context.origin)
    return IdleResult(message=f"I look about every {args.interval_ms / 1000:g} s until !idle off.")


@commands.command(
    "idle off", NoArgs, aliases=("idle_off",), level=Level.TRUSTED, example="!idle off"
)
async def idle_off(context: CommandContext, _args: NoArgs) -> IdleResult:
    """Stop looking about, and do nothing unasked."""
    was_idle = context.bot.pastimes.end(IDLE)
    context.bot.jobs.end_idle()
    context.bot.leisure.told_to_stay()
    return IdleResult(message="I look about no more." if was_idle else "I was not looking about.")


class QuietArgs(Args):
    state: Literal["on", "off"] | None = None
    """Unless given, nothing changes."""


class QuietResult(Result):
    quiet: bool

    def lines(self) -> list[str]:
        if self.quiet:
            return ["I am quiet: of a long command I tell only the end."]
        return ["I tell how a long command goes."]


@commands.command("quiet", QuietArgs, level=Level.TRUSTED, example="!quiet on")
async def quiet(context: CommandContext, args: QuietArgs) -> QuietResult:
    """Tell of long commands only their end (on), or also how they go (off)."""
    if args.state is not None:
        context.bot.quiet = args.state == "on"
    return QuietResult(quiet=context.bot.quiet)


class RefreshResult(Result):
    duration_ms: Number

    def lines(self) -> list[str]:
        return [f"Looked around anew in {self.duration_ms:g} ms."]


@commands.command("refresh", NoArgs, allow_bots=True, example="!refresh")
async def refresh(context: CommandContext, _args: NoArgs) -> RefreshResult:
    """Sense everything around anew; nothing is remembered from before."""
    stopwatch = context.bot.times.stopwatch
    began_s = stopwatch()
    await context.bot.snapshot(blocks_within=REACH)
    return RefreshResult(duration_ms=round((stopwatch() - began_s) * 1000, 1))


class PinArgs(Args):
    pin: str = Field(min_length=1)
    """The number that proves who you are."""

    @classmethod
    def from_words(cls, rest: str) -> dict[str, Any]:
        return {"pin": rest.strip()} if rest.strip() else {}


class PinResult(Result):
    level: str

    def lines(self) -> list[str]:
        return [f"Thank you: until you leave, you are {self.level}."]


@commands.command("pin", PinArgs, secret=True, example="!pin YOUR-PIN")
async def pin(context: CommandContext, args: PinArgs) -> PinResult:
    """Prove by the pin that you are who you are called; by whisper only."""
    permissions, origin = context.bot.permissions, context.origin
    if not permissions.proofs.is_asked_for or not isinstance(origin, Person):
        raise CommandError("no_pin", "You need no pin here.")
    if not permissions.is_named(origin.name):
        raise NotPermitted("not_permitted", "You need no pin: only those who may command have one.")
    verdict = permissions.proofs.judge(origin.name, args.pin, context.bot.name)
    if verdict == "blocked":
        minutes = f"{BLOCKED_S / 60:g} minutes"
        raise CommandError("blocked", f"Too many wrong pins: I take none for {minutes}.")
    if verdict == "wrong":
        left = permissions.proofs.tries_left(origin.name)
        raise CommandError("wrong_pin", f"That is not the pin; tries left: {left}.", triesLeft=left)
    return PinResult(level=context.asker_level.name.lower())
