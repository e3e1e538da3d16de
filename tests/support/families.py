"""A family of commands, and the answer to a whispered command."""

from support.rig import Rig, asked_by

from bots.bot.result import Result
from bots.commands.catalogue import commands
from bots.commands.help import HelpArgs
from bots.registry.args import Args, NoArgs
from bots.registry.registry import CommandContext, CommandRegistry
from bots.registry.render import render


class PlaceArgs(Args):
    place: str


def help_and_places() -> CommandRegistry:
    """`!help`, and `!navigation` with two commands."""
    registry = CommandRegistry()
    registry.command("help", HelpArgs)(commands.find("help").handler)

    @registry.command("navigation goto", PlaceArgs, aliases=("creative nav goto",), world=True,
                      example="!navigation goto home")  # fmt: skip
    async def goto(_context: CommandContext, _args: PlaceArgs) -> Result:
        """Walk to a place."""
        return Result()

    @registry.command("navigation list", NoArgs)
    async def list_(_context: CommandContext, _args: NoArgs) -> Result:
        """List the places."""
        return Result()

    return registry


async def whispered(rig: Rig, registry: CommandRegistry, text: str) -> list[str]:
    """The lines that Steve gets when he whispers a command to Alice."""
    return render(await registry.run(asked_by(rig.bots["Alice"], "Steve", registry), text))
