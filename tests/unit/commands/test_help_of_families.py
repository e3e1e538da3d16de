"""`!help` of families of commands."""

import pytest
from support.families import help_and_places, whispered
from support.rig import Rig, asked_by, rig_with_alice

from bots.commands.catalogue import commands
from bots.registry.args import NoArgs
from bots.registry.registry import CommandRegistry
from bots.registry.render import LINE, render

rig = rig_with_alice()


@pytest.fixture
def registry() -> CommandRegistry:
    return help_and_places()


async def test_help_shows_a_family_in_one_line(rig: Rig, registry: CommandRegistry) -> None:
    assert await whispered(rig, registry, "!help all") == [
        "Commands: !help",
        "navigation: goto, list",
    ]


async def test_the_programs_help_fits_what_a_whisper_shows(rig: Rig) -> None:
    result = await commands.run(asked_by(rig.bots["Alice"], "Steve"), "!help all")
    assert render(result) == result.lines()


async def test_help_of_many_families_fits_a_whisper(rig: Rig, registry: CommandRegistry) -> None:
    handler = registry.find("navigation list").handler
    for number in range(12):
        for action in ("start", "stop", "status"):
            registry.command(f"family{number:02} {action}", NoArgs)(handler)
    lines = await whispered(rig, registry, "!help all")
    told = "; ".join(lines[1:])
    spoken = [f"family{number:02}: start, status, stop" in told for number in range(12)]
    assert all(spoken)
    assert told.endswith("navigation: goto, list")
    assert max(map(len, lines)) <= LINE
    assert min(map(len, lines[1:-1])) > LINE / 2


@pytest.mark.parametrize("text", ["!help navigation", "!help !Navigation"])
async def test_help_lists_the_actions_of_a_family(
    rig: Rig, registry: CommandRegistry, text: str
) -> None:
    assert (await whispered(rig, registry, text))[0] == "navigation: goto, list"


async def test_help_explains_a_command_with_a_family(rig: Rig, registry: CommandRegistry) -> None:
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
