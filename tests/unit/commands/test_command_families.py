"""Names of several words: the longest declared name wins, families list what they have."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rig import Rig, asked_by

from bots.access.origin import Level
from bots.bot.result import Result
from bots.commands.help import HelpArgs
from bots.errors import CommandError, UnknownCommand
from bots.registry import parse
from bots.registry.args import Args, NoArgs
from bots.registry.names import Names
from bots.registry.registry import CommandContext, CommandRegistry, commands
from bots.registry.render import LINE, render

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class Entry:
    name: str
    aliases: tuple[str, ...] = ()


@pytest.fixture
def names() -> Names[Entry]:
    names = Names[Entry]()
    for entry in (
        Entry("stop"),
        Entry("info"),
        Entry("info scanBlocks"),
        Entry("navigation goto", ("creative nav goto", "creative navigation goto")),
        Entry("navigation gotoCoords"),
        Entry("skill move_to"),
    ):
        names.add(entry)
    return names


@pytest.mark.parametrize(
    ("body", "name", "rest"),
    [
        ("stop", "stop", ""),
        (" stop now", "stop", "now"),
        ("info all", "info", "all"),
        ("info scanBlocks 3", "info scanBlocks", "3"),
        ('navigation goto {"name": "home"}', "navigation goto", '{"name": "home"}'),
        ('Navigation\tGOTO{"name": "home"}', "navigation goto", '{"name": "home"}'),
        ("navigation gotocoords 1 2 3", "navigation gotoCoords", "1 2 3"),
        ("creative nav goto  the  old home ", "navigation goto", "the  old home"),
        ("creative navigation goto home", "navigation goto", "home"),
        ("skill moveTo {}", "skill move_to", "{}"),
        ("skill move_to", "skill move_to", ""),
    ],
)
def test_the_longest_declared_name_wins_and_the_rest_stays_as_written(
    names: Names[Entry], body: str, name: str, rest: str
) -> None:
    found, left = names.match(body)
    assert (found.name, left) == (name, rest)


@pytest.mark.parametrize(
    ("body", "nearest", "actions"),
    [
        ("navigation gotto home", "navigation goto", ["goto", "gotoCoords"]),
        ("navigation", "navigation goto", ["goto", "gotoCoords"]),
        ("navigation {}", "navigation goto", ["goto", "gotoCoords"]),
        ("creative nav fly", "creative nav goto", ["goto"]),
        ("navigation toString", None, ["goto", "gotoCoords"]),
        ("navigation __class__", None, ["goto", "gotoCoords"]),
    ],
)
def test_an_unknown_action_of_a_family_is_told_the_familys_actions(
    names: Names[Entry], body: str, nearest: str | None, actions: list[str]
) -> None:
    with pytest.raises(UnknownCommand) as refused:
        names.match(body)
    assert refused.value.reason == "unknown_command"
    assert refused.value.data["actions"] == actions
    if nearest is not None:
        assert refused.value.data["nearest"] == nearest
    assert "goto" in refused.value.message


@pytest.mark.parametrize(
    ("body", "nearest"), [("navigaton goto home", "navigation goto"), ("stopp", "stop")]
)
def test_a_misspelt_family_is_told_the_nearest_name(
    names: Names[Entry], body: str, nearest: str
) -> None:
    with pytest.raises(UnknownCommand) as refused:
        names.match(body)
    assert refused.value.data["nearest"] == nearest


@pytest.mark.parametrize(
    "name", ["stop", "Stop", "creative nav goto", "skill moveTo", "", "a " * 5]
)
def test_a_name_or_alias_is_declared_once_and_has_few_words(names: Names[Entry], name: str) -> None:
    with pytest.raises(ValueError, match=r"twice|words"):
        names.add(Entry(name))


def test_a_refused_declaration_leaves_nothing_behind(names: Names[Entry]) -> None:
    with pytest.raises(ValueError, match="twice"):
        names.add(Entry("skill dance", ("stop",)))
    with pytest.raises(UnknownCommand):
        names.find("skill dance")


def test_every_command_is_listed_once_whatever_its_aliases(names: Names[Entry]) -> None:
    assert [entry.name for entry in names].count("navigation goto") == 1


@given(st.text())
def test_any_text_names_a_command_or_is_refused(text: str) -> None:
    refused: CommandError | None = None
    try:
        command, rest = commands.names.match(text)
    except CommandError as error:
        refused = error
    if refused is None:
        assert text.rstrip().endswith(rest)
        assert command in set(commands)
    else:
        assert refused.reason == "unknown_command"
        assert refused.message.isprintable()
        assert len(refused.message) < 400


# --- through the registry -------------------------------------------------------------


class PlaceArgs(Args):
    place: str


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = await Rig.found(tmp_path)
    await rig.bot("Alice")
    yield rig
    await rig.aclose()


@pytest.fixture
def registry() -> CommandRegistry:
    registry = CommandRegistry()
    help_ = commands.find("help")
    registry.command("help", HelpArgs)(help_.handler)

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
    return render(await registry.run(asked_by(rig.bots["Alice"], "Steve", registry), text))


async def test_help_shows_a_family_in_one_line(rig: Rig, registry: CommandRegistry) -> None:
    commands_line, more, *families = await whispered(rig, registry, "!help")
    assert commands_line == "Commands: !help"
    assert more.startswith("More with !help <command>.")
    assert families == ["navigation: goto, list"]


async def test_the_programs_help_fits_what_a_whisper_shows(rig: Rig) -> None:
    result = await commands.run(asked_by(rig.bots["Alice"], "Steve"), "!help")
    assert render(result) == result.lines()


async def test_help_of_many_families_still_fits_a_whisper(
    rig: Rig, registry: CommandRegistry
) -> None:
    handler = registry.find("navigation list").handler
    for number in range(12):
        for action in ("start", "stop", "status"):
            registry.command(f"family{number:02} {action}", NoArgs)(handler)
    lines = await whispered(rig, registry, "!help")
    told = "; ".join(lines[2:])
    spoken = [f"family{number:02}: start, status, stop" in told for number in range(12)]
    assert all(spoken)
    assert told.endswith("navigation: goto, list")
    assert max(map(len, lines)) <= LINE
    assert min(map(len, lines[2:-1])) > LINE / 2


@pytest.mark.parametrize("text", ["!help navigation", "!help !Navigation"])
async def test_help_lists_the_actions_of_a_family(
    rig: Rig, registry: CommandRegistry, text: str
) -> None:
    assert (await whispered(rig, registry, text))[0] == "navigation: goto, list"


async def test_help_explains_a_command_that_is_a_family_too(
    rig: Rig, registry: CommandRegistry
) -> None:
    registry.command("navigation", NoArgs)(registry.find("navigation list").handler)
    assert await whispered(rig, registry, "!help navigation") == [
        "List the places.",
        "Usage: !navigation",
        "navigation: goto, list",
    ]


@pytest.mark.parametrize("text", ["!help navigation goto", "!help creative nav goto"])
async def test_help_explains_an_action_with_its_example(
    rig: Rig, registry: CommandRegistry, text: str
) -> None:
    assert await whispered(rig, registry, text) == [
        "Walk to a place.",
        "Usage: !navigation goto <place>",
        "Example: !navigation goto home",
    ]


async def test_bad_arguments_are_told_usage_and_example(
    rig: Rig, registry: CommandRegistry
) -> None:
    assert await whispered(rig, registry, "!creative nav goto") == [
        "place is missing.",
        "Usage: !navigation goto <place>",
        "Example: !navigation goto home",
    ]


def test_a_world_command_is_for_the_trusted_and_takes_its_time(registry: CommandRegistry) -> None:
    goto, list_ = registry.find("navigation goto"), registry.find("navigation list")
    assert (goto.level, goto.deadline_s, goto.family) == (Level.TRUSTED, 600, "navigation")
    assert (list_.level, list_.deadline_s, list_.world) == (Level.PLAYER, 10, False)


def test_the_programs_examples_are_commands_that_parse() -> None:
    for command in commands:
        if command.example:
            found, rest = commands.names.match(command.example.removeprefix("!"))
            assert found is command
            parse.check(command.args, parse.fields_of(command.args, rest))
