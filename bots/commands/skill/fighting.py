"""`!skill fight | guard | stopFight` against monsters, `!attack` against players."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bots.access.origin import Level
from bots.bot.result import Result
from bots.bot.stoppables import may_be_stopped_by
from bots.catalogue.counted import told
from bots.commands.basics import StopResult
from bots.commands.goal import locate
from bots.errors import CommandError
from bots.registry.args import Args, NoArgs, PlayerWord
from bots.registry.named import place_here, places_known, player_in_view
from bots.registry.registry import CommandContext, commands
from bots.skills.fighting import attack, fight, guard
from bots.skills.reach import standing
from bots.text.language import normal
from bots.text.pronouns import as_told
from bots.text.spelling import plain, spelt
from bots.words import saying
from bots.words.heard import heard
from bridge.world import PlayerName, Position, WorldSnapshot

GUARDING_S = 3_600.0
FIGHTS = ("!skill fight", "!skill guard")
HOME = "home"


class FightArgs(Args):
    is_needed: ClassVar = False

    mob: str = Field("", max_length=64)
    """The kind of monster; the nearest of any kind unless given."""


class FightResult(Result):
    mob: str
    message: str


class GuardArgs(Args):
    is_needed: ClassVar = False

    where: PlayerWord = Field("", max_length=64)
    """A player, or a place by name; where whoever asks stands unless given."""


class GuardResult(Result):
    target: str


@commands.command(
    "skill fight", FightArgs, world=True, deadline_s=120.0, example="!skill fight zombie"
)
async def fight_(context: CommandContext, args: FightArgs) -> FightResult:
    """Fight the nearest monster, or the nearest of a kind."""
    foe = await fight(context.job, plain(args.mob))
    outcome = saying("did.fight", mob=foe.name)
    return FightResult(mob=foe.name, message=told(outcome, "en")).with_outcome(outcome)


@commands.command(
    "skill guard",
    GuardArgs,
    world=True,
    tells=places_known,
    deadline_s=GUARDING_S,
    ended_by="!stop or !skill stopFight",
    example="!skill guard Steve",
)
async def guard_(context: CommandContext, args: GuardArgs) -> GuardResult:
    """Stay with a player or at a place, and fight what comes near."""
    name, ward = _ward(context, await context.bot.snapshot(), args.where)
    context.job.intent = f"I guard {name} until you say !stop"
    await guard(context.bot, context.job, ward)
    return GuardResult(target=name)


@commands.command("skill stopFight", NoArgs, example="", overtakes=True, level=Level.TRUSTED)
async def stop_fight(context: CommandContext, _args: NoArgs) -> StopResult:
    """Fight and guard no more; go on with the rest."""
    may_stop = may_be_stopped_by(context.origin, context.asker_level)
    fights = [
        job for job in context.bot.jobs.under_way if job.name in FIGHTS and may_stop(job.started_by)
    ]
    if not fights:
        raise CommandError("not_fighting", "I fight nobody; I only strike back.")
    for job in fights:
        await job.stop()
    names = tuple(job.name for job in fights)
    return StopResult(stopped_actions=names, message=f"Stopped: {', '.join(names)}.")


class AttackArgs(Args):
    username: PlayerWord = Field(min_length=1, max_length=100)
    """Whom to strike."""


class AttackResult(Result):
    target: str
    message: str


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
    outcome = saying("did.attack", who=as_told(player.name))
    return AttackResult(target=player.name, message=told(outcome, "en")).with_outcome(outcome)


def _ward(
    context: CommandContext, world: WorldSnapshot, where: str
) -> tuple[str, PlayerName | Position]:
    """What to guard, as it is told, and where or who that is.

    Raises CommandError: unknown_location, other_dimension, entity_not_available."""
    said = normal(where)
    is_house = heard("guard.house").fullmatch(said) is not None
    for name in (where, HOME) if is_house else (where,):
        if name and (known := place_here(context, world, name)) is not None:
            return known.name, standing(known.position)
    if not said or is_house or heard("guard.at_hand").fullmatch(said):
        asker = world.player(context.speaker)
        return "this place", (asker and asker.position) or world.position
    position = locate(context, world, where)
    player = world.player(spelt(where, [one.name for one in world.players]) or "")
    return (where, standing(position)) if player is None else (as_told(player.name), player.name)
