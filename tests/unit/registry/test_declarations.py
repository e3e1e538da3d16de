"""What a declaration provides: usage, example, level and deadline."""

import pytest
from support.families import help_and_places, whispered
from support.rig import Rig, rig_with_alice

from bots.access.origin import Level
from bots.bot.result import Result
from bots.commands.catalogue import commands
from bots.registry.args import NoArgs, check, fields_of
from bots.registry.registry import CommandContext, CommandRegistry

rig = rig_with_alice()


@pytest.fixture
def registry() -> CommandRegistry:
    return help_and_places()


async def test_bad_arguments_get_usage_and_example(rig: Rig, registry: CommandRegistry) -> None:
    assert await whispered(rig, registry, "!creative nav goto") == [
        "place is missing. Usage: !navigation goto <place> Example: !navigation goto home"
    ]


def test_a_world_command_is_for_the_trusted_and_takes_its_time(registry: CommandRegistry) -> None:
    goto, list_ = registry.find("navigation goto"), registry.find("navigation list")
    assert (goto.level, goto.deadline_s, goto.family) == (Level.TRUSTED, 600, "navigation")
    assert (list_.level, list_.deadline_s, list_.world) == (Level.PLAYER, 10, False)


@pytest.mark.parametrize(
    ("text", "overtakes", "is_query"),
    [
        ("!halt", True, True),
        ("!cease at once", True, True),
        ("!navigation list", False, True),
        ("!navigation goto home", False, False),
        ("!creative nav goto", False, False),
        ("!dance", False, False),
        ("halt", False, False),
    ],
)
def test_a_text_is_judged_by_the_command_it_names(
    registry: CommandRegistry, text: str, overtakes: bool, is_query: bool
) -> None:
    @registry.command("halt", NoArgs, aliases=("cease",), overtakes=True)
    async def halt(_context: CommandContext, _args: NoArgs) -> Result:
        """Stop."""
        return Result()

    assert registry.overtakes(text) is overtakes
    assert registry.is_query(text) is is_query


def test_the_programs_examples_are_commands_that_parse() -> None:
    for command in commands:
        if command.example:
            found, rest = commands.names.match(command.example.removeprefix("!"))
            assert found is command
            check(command.args, fields_of(command.args, rest))
