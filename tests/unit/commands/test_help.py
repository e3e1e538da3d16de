"""`!help`: the commands the asker may use, a family, or one command."""

import re

import pytest
from support.rig import STRANGERS, Rig, in_words, rig_with_alice, run_json

from bots.access.origin import Person
from bots.commands.catalogue import commands, handle_chat_command
from bots.commands.help import GROUPS
from bots.registry.render import LINE, render
from bridge.world import PlayerName, Position

STEVE, EVE = Person(PlayerName("Steve")), Person(PlayerName("Eve"))
rig = rig_with_alice(Position(0.5, 64, 0.5), STRANGERS)


async def test_help_lists_what_the_asker_may_use(rig: Rig) -> None:
    shown = (await run_json(rig.bots["Alice"], "!help", STEVE))["commands"]
    assert [command["name"] for command in shown] == sorted(command["name"] for command in shown)
    assert {"name", "usage", "summary", "level", "aliases", "example"} == set(shown[0])
    for_bots = (await run_json(rig.bots["Alice"], "!help"))["commands"]
    assert len(for_bots) >= len(shown)


async def test_the_trace_keeps_the_names_alone_of_what_help_tells(rig: Rig) -> None:
    result = await handle_chat_command(rig.bots["Alice"], "Steve", "!help echo")
    assert result.as_traced() == {"success": True, "commands": ["echo"]}


async def test_help_names_a_few_commands_in_two_whispers(rig: Rig) -> None:
    result = await handle_chat_command(rig.bots["Alice"], "Steve", "!help")
    groups, more = render(result)
    assert groups.startswith("Walk: !go !navigation; Get and make: !goal ")
    assert groups.endswith("; End: !stop")
    assert re.match(r"More of one: !help go\. All \d+: !help all\. Without ! we just talk", more)
    assert [groups, more] == result.lines()


async def test_help_names_to_a_player_only_what_a_player_may(rig: Rig) -> None:
    told = " ".join(await in_words(rig.bots["Alice"], "!help", EVE))
    assert "!go " not in told
    assert "!skill" not in told
    assert "!status !info" in told


def test_every_command_that_help_names_exists() -> None:
    known = {command.name.partition(" ")[0] for command in commands}
    assert {name for names in GROUPS.values() for name in names} <= known


@pytest.mark.parametrize("text", ["!help all", "!help ALL"])
async def test_help_all_lists_every_command(rig: Rig, text: str) -> None:
    asked = await handle_chat_command(rig.bots["Alice"], "Steve", text)
    plain = await handle_chat_command(rig.bots["Alice"], "Steve", "!help")
    assert asked.as_json() == plain.as_json()
    assert "chest: allow, forbid, list" in " ".join(render(asked))


@pytest.mark.parametrize("text", ["!help chat", "!help !CHAT", '!help {"command": "chat"}'])
async def test_help_explains_one_command(rig: Rig, text: str) -> None:
    _, usage = (await in_words(rig.bots["Alice"], text, STEVE))[:2]
    assert usage.startswith("Usage: !chat <username> <message>")


async def test_help_explains_each_option_of_a_command(rig: Rig) -> None:
    text = "!help skill gather"
    result = await run_json(rig.bots["Alice"], text, STEVE)
    options = {option["name"]: option for option in result["options"]}
    assert len(options) == 10
    assert options["maxDistance"]["meaning"] == "How far to look for blocks."
    assert (options["count"]["default"], options["itemName"]["default"]) == ("1", "")
    told = " ".join(await in_words(rig.bots["Alice"], text, STEVE))
    assert "maxDistance (100): How far to look for blocks" in told


@pytest.mark.slow
def test_every_option_is_explained_and_all_of_them_fit_into_whispers() -> None:
    for command in commands:
        options = list(command.args.options())
        assert all(meaning for _, meaning, _ in options), command.name
        assert sum(len("".join(option)) + 8 for option in options) < 5 * LINE, command.name


async def test_help_for_nothing_known_names_the_nearest(rig: Rig) -> None:
    result = await run_json(rig.bots["Alice"], "!help chta")
    assert (result["reason"], result["nearest"]) == ("unknown_command", "chat")
