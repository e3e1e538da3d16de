"""Names of several words: the longest declared name wins, families list what they have."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.commands.catalogue import commands
from bots.errors import CommandError, UnknownCommand
from bots.registry.names import Names


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
    ("body", "nearest"),
    [("navigaton goto home", "navigation goto"), ("stopp", "stop"), ("stopp everything", "stop")],
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
