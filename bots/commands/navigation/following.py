"""`!navigation follow | stopFollow`: stay near a player until told otherwise."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bots.access.origin import Level, Person
from bots.bot.episode import Episode
from bots.commands.navigation.family import ToldResult, navigation
from bots.errors import ActionFailed, CommandError, InvalidArguments, JobEnded
from bots.registry.args import LenientArgs, NoArgs
from bots.registry.persons import PlayerWord
from bots.registry.players import player_in_view
from bots.registry.registry import CommandContext
from bots.skills.tunnelling import finds_way, is_below_ground
from bots.skills.walking import walk
from bots.text.pronouns import as_told
from bridge.actions import Follow
from bridge.world import PlayerSighting

KEPT = 3.0  # blocks
FOLLOWING_S = 3_600.0  # whoever wants more asks again


class FollowArgs(LenientArgs):
    also: ClassVar = {"targetPlayer": "username", "player": "username"}
    json_only: ClassVar = frozenset({"distance"})

    username: PlayerWord | None = Field(None, min_length=1)
    """Unless given, whoever asks."""
    distance: float = Field(KEPT, ge=2, le=16, allow_inf_nan=False)
    """Blocks to keep from them."""


class FollowResult(ToldResult):
    target: str

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("followed", person=self.target),)


class StopFollowResult(ToldResult):
    previous_target: str


@navigation(
    "follow",
    FollowArgs,
    world=True,
    deadline_s=FOLLOWING_S + 10,
    ended_by="!stop or !navigation stopFollow",
    example='{"username": "Steve"}',
)
async def follow(context: CommandContext, args: FollowArgs) -> FollowResult:
    """Follow a player until told to stop, for an hour at most."""
    wanted = args.username or _asker(context)
    player, _ = player_in_view(await context.bot.snapshot(), wanted)
    context.job.intent = f"I follow {as_told(player.name)} until you say !stop"
    await _leave_hole(context, player, args.distance)
    try:
        await context.job.act(Follow(player.name, args.distance), deadline_s=FOLLOWING_S)
    except ActionFailed as failure:
        raise _lost(failure, player.name) from failure
    except JobEnded as ended:
        if not _was_enough(context, ended):
            raise
    return FollowResult(message=f"I follow {as_told(player.name)} no more.", target=player.name)


@navigation("stopFollow", NoArgs, level=Level.TRUSTED, example="")
async def stop_follow(context: CommandContext, _args: NoArgs) -> StopFollowResult:
    """Follow nobody any more, go on with everything else, and then stay."""
    running = context.bot.actions.current
    context.bot.leisure.told_to_stay()
    if running is None or not isinstance(running.action, Follow):
        raise CommandError("not_following", "I am following nobody.")
    target = running.action.player
    await running.stop()
    return StopFollowResult(message=f"I follow {as_told(target)} no more.", previous_target=target)


async def _leave_hole(context: CommandContext, player: PlayerSighting, near: float) -> None:
    """Come out of a pit or a tunnel first: who only follows digs no way."""
    if player.position is None or not await is_below_ground(context.job):
        return
    # Where no way leads, the player may move on to where one does.
    await finds_way(walk(context.bot, context.job, player.position, near, may_pillar=True))


def _asker(context: CommandContext) -> str:
    if isinstance(context.origin, Person):
        return context.origin.name
    raise InvalidArguments("invalid_format", "username is missing.")


def _was_enough(context: CommandContext, ended: JobEnded) -> bool:
    """Whether `stopFollow` ended the action; nobody told the job to end."""
    return ended.reason == "stopped" and context.job.early is None


def _lost(failure: ActionFailed, player: str) -> CommandError:
    whom = as_told(player)
    sentences = {
        "unseen_player": f"I lost sight of {whom}.",
        "deadline": f"I have followed {whom} for an hour; ask again for more.",
    }
    sentence = sentences.get(failure.reason, failure.message)
    return CommandError(failure.reason, sentence, target=player, **failure.data)
