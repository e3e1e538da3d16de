"""`!status`: how the bot is, in a few words, even when it is in no world."""

from __future__ import annotations

from collections.abc import Iterable

from bots.bot.locations import Location
from bots.bot.result import Facts, Number, Result
from bots.bot.stage import StageInfo
from bots.commands.info.sections import Inventory
from bots.registry.args import NoArgs
from bots.registry.places import places_known
from bots.registry.points import Point
from bots.registry.registry import CommandContext, commands
from bots.responder.limits import LineLimit
from bridge.errors import BridgeError
from bridge.world import WorldSnapshot


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
        return f"With me {tools} and {_kinds(len(self.materials))}{worn}{places}."


def _kinds(number: int) -> str:
    if not number:
        return "nothing else"
    return "1 other kind of thing" if number == 1 else f"{number} other kinds of things"


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

    def lines(self) -> list[str]:
        doing = ", ".join(self._said()) or "idle"
        if self.world is None:
            return [f"{self.bot} is in no world right now; {doing}."]
        return [f"{self.world.sentence()}; {doing}.", self.world.belongings()]

    def _said(self) -> tuple[str, ...]:
        """What it does, the goal by its step."""
        if self.stage is None:
            return self.doing
        return (f"at {self.stage}", *self.doing[1:])


@commands.command("status", NoArgs, tells=places_known, example="!status", allow_bots=True)
async def status(context: CommandContext, _args: NoArgs) -> StatusResult:
    """Tell where the bot is, how it fares and what it is doing."""
    world, limit = await _wellbeing(context), context.bot.services.get(LineLimit)
    return StatusResult(
        bot=context.bot.name,
        online=world is not None,
        doing=tuple(name for name in context.bot.doing if name != "!status"),
        lately=context.bot.leisure.lately,
        stage=context.bot.stage,
        latest_sequence=context.bot.latest_sequence(),
        lines_withheld=limit.withheld(context.bot.name) if limit else 0,
        world=world,
    )


async def _wellbeing(context: CommandContext) -> Wellbeing | None:
    known = context.bot.locations.all(context.may_know)
    try:
        return Wellbeing.of(await context.bot.snapshot(), known)
    except BridgeError:
        return None
