"""`!skill fight | guard`, `!attack`: strike monsters, and players only by an owner's word."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bots.access.origin import Level
from bots.bot.result import Result
from bots.errors import CommandError
from bots.registry.args import Args
from bots.registry.named import player_in_view
from bots.registry.persons import PlayerWord
from bots.registry.registry import CommandContext, commands
from bots.skills.fighting import attack, fight, guard
from bots.text.pronouns import as_told
from bots.text.spelling import plain

GUARDING_S = 3_600.0


class FightArgs(Args):
    is_needed: ClassVar = False

    mob: str = Field("", max_length=64)
    """The kind of monster; the nearest of any kind unless given."""


class FightResult(Result):
    mob: str
    message: str

    def lines(self) -> list[str]:
        return [self.message]


class GuardArgs(Args):
    username: PlayerWord = Field(min_length=1, max_length=100)
    """Whom to guard; `me` is whoever asks."""


class GuardResult(Result):
    target: str


@commands.command(
    "skill fight", FightArgs, world=True, deadline_s=120.0, example="!skill fight zombie"
)
async def fight_(context: CommandContext, args: FightArgs) -> FightResult:
    """Fight the nearest monster, or the nearest of a kind."""
    foe = await fight(context.job, plain(args.mob))
    return FightResult(mob=foe.name, message=f"The {foe.name.replace('_', ' ')} is dead.")


@commands.command(
    "skill guard",
    GuardArgs,
    world=True,
    deadline_s=GUARDING_S,
    ended_by="!stop",
    example="!skill guard Steve",
)
async def guard_(context: CommandContext, args: GuardArgs) -> GuardResult:
    """Stay with a player, and fight what comes near."""
    player, _ = player_in_view(await context.bot.snapshot(), args.username)
    context.job.intent = f"I guard {as_told(player.name)} until you say !stop"
    await guard(context.job, player.name)
    return GuardResult(target=player.name)


class AttackArgs(Args):
    username: PlayerWord = Field(min_length=1, max_length=100)
    """Whom to strike."""


class AttackResult(Result):
    target: str
    message: str

    def lines(self) -> list[str]:
        return [self.message]


@commands.command(
    "attack",
    AttackArgs,
    world=True,
    level=Level.OWNER,
    deadline_s=120.0,
    example="!attack Steve",
)
async def attack_(context: CommandContext, args: AttackArgs) -> AttackResult:
    """Strike a player to death, where `permissions.pvp` is on."""
    if not context.bot.permissions.pvp:
        raise CommandError("pvp_off", "I strike no players: permissions.pvp is off.")
    player, _ = player_in_view(await context.bot.snapshot(), args.username)
    await attack(context.job, player.name)
    name = as_told(player.name)
    return AttackResult(target=player.name, message=f"{name} is dead.")
