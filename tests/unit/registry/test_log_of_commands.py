"""The log names each command, its bot, and who asked."""

from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest
from structlog.testing import capture_logs
from support.rig import PYTHON, Rig, allowing, rig_with_alice

from bots.access.origin import Fellow, Level, Origin, Person
from bots.access.permissions import Permissions
from bots.bot.jobs import Job
from bots.bot.result import Failure, Result
from bots.registry.args import Args
from bots.registry.registry import CommandContext, CommandRegistry
from bridge.errors import HostError
from bridge.world import BotName, PlayerName

OWNER, STRANGER = Person(PlayerName("Olga")), Person(PlayerName("Steve"))
WHO = {"bot": "Alice", "asked_by": "the asker", "log_level": "info"}

Logged = list[MutableMapping[str, Any]]


class PlaceArgs(Args):
    place: str


permissions = allowing(Permissions(owners=frozenset({"Olga"})))
rig = rig_with_alice()


@pytest.fixture
def registry() -> CommandRegistry:
    registry = CommandRegistry()

    @registry.command("look", PlaceArgs, aliases=("see",), allow_bots=True)
    async def look(_context: CommandContext, args: PlaceArgs) -> Result:
        """Look at a place."""
        if args.place == "nowhere":
            return Failure(reason="not_found", message="There is no such place.")
        _fail_if_broken(args)
        return Result()

    @registry.command("walk", PlaceArgs, level=Level.TRUSTED, world=True)
    async def walk(_context: CommandContext, args: PlaceArgs) -> Result:
        """Walk to a place."""
        _fail_if_broken(args)
        return Result()

    return registry


@pytest.fixture
def logged(rig: Rig) -> Iterator[Logged]:
    """What is logged once the bot stands in the world."""
    with capture_logs() as logged:
        yield logged


def _fail_if_broken(args: PlaceArgs) -> None:
    if args.place == "broken":
        raise HostError("query", "no such thing")


def context_of(rig: Rig, registry: CommandRegistry, origin: Origin = OWNER) -> CommandContext:
    return CommandContext(rig.bots["Alice"], origin, "the asker", registry)


def of_commands(logged: Logged) -> Logged:
    return [entry for entry in logged if entry["event"].startswith(("command.", "job."))]


@pytest.mark.parametrize(
    ("origin", "kind"),
    [(PYTHON, "Operator"), (OWNER, "Person"), (Fellow(BotName("Bob")), "Fellow")],
)
async def test_the_end_of_a_query_is_logged_with_who_asked(
    rig: Rig, registry: CommandRegistry, logged: Logged, origin: Origin, kind: str
) -> None:
    await registry.run(context_of(rig, registry, origin), "!see home")
    facts = {"command": "look", "reason": None, "origin": kind}
    assert of_commands(logged) == [{"event": "command.finished", **facts, **WHO}]


@pytest.mark.parametrize(
    ("text", "command", "reason"),
    [
        ("!look nowhere", "look", "not_found"),
        ("!look", "look", "invalid_format"),
        ("!walk", "walk", "invalid_format"),
        ("!dance\x07 wildly", "!dance? wildly", "unknown_command"),
        ("hello", "hello", "invalid_format"),
    ],
)
async def test_a_refused_or_failed_command_is_logged_with_its_reason(
    rig: Rig, registry: CommandRegistry, logged: Logged, text: str, command: str, reason: str
) -> None:
    await registry.run(context_of(rig, registry), text)
    facts = {"command": command, "reason": reason, "origin": "Person"}
    assert of_commands(logged) == [{"event": "command.finished", **facts, **WHO}]


@pytest.mark.parametrize("text", ["!look broken", "!walk broken"])
async def test_what_failed_in_node_is_logged_with_its_cause(
    rig: Rig, registry: CommandRegistry, logged: Logged, text: str
) -> None:
    """The asker is told only that Minecraft refused it."""
    result = await registry.run(context_of(rig, registry), text)
    assert isinstance(result, Failure)
    assert result.reason == "bridge_failed"
    (told,) = [entry for entry in logged if entry["event"] == "command.failed_in_node"]
    assert (told["command"], told["why"]) == (text[1:5], "query: no such thing")


async def test_the_begin_of_a_world_command_is_logged_with_the_id_of_its_job(
    rig: Rig, registry: CommandRegistry, logged: Logged
) -> None:
    job = await registry.begin(context_of(rig, registry), "!walk home")
    assert isinstance(job, Job)
    facts = {"command": "walk", "action_id": job.id, "origin": "Person"}
    assert of_commands(logged) == [{"event": "job.begun", **facts, **WHO}]
    assert (await job.end()).success


async def test_a_call_with_json_fields_is_logged_like_a_text(
    rig: Rig, registry: CommandRegistry, logged: Logged
) -> None:
    context = context_of(rig, registry)
    await registry.call(context, registry.find("look"), {"place": "nowhere"})
    job = await registry.call(context, registry.find("walk"), {"place": "home"})
    assert isinstance(job, Job)
    await job.end()
    finished = {"event": "command.finished", "command": "look", "reason": "not_found"}
    begun = {"event": "job.begun", "command": "walk", "action_id": job.id}
    assert of_commands(logged) == [
        {**finished, "origin": "Person", **WHO},
        {**begun, "origin": "Person", **WHO},
    ]


async def test_a_command_above_the_askers_level_is_logged_as_not_permitted(
    rig: Rig, registry: CommandRegistry, logged: Logged
) -> None:
    await registry.run(context_of(rig, registry, STRANGER), "!walk home")
    refused, finished = of_commands(logged)
    facts = {"command": "walk", "asked_by": "the asker", "log_level": "info"}
    assert refused == {"event": "command.not_permitted", **facts}
    assert (finished["event"], finished["reason"]) == ("command.finished", "not_permitted")
