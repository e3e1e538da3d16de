"""Names: the longest wins; any text is parsed or refused; players are found; results are lines."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.moments import WORLD

from bots.bot.result import Failure, Result
from bots.commands.catalogue import commands
from bots.commands.chat import ChatArgs
from bots.commands.history import HistoryArgs
from bots.errors import CommandError, UnknownCommand
from bots.registry.args import Args, NoArgs, body_of, check, fields_of
from bots.registry.named import player_in_view, player_listed
from bots.registry.names import Names
from bots.registry.render import LINE, LINES, plain_lines, render
from bridge.world import PlayerName, PlayerSighting


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


# --- parsing --------------------------------------------------------------------------


ARGS = st.sampled_from([ChatArgs, HistoryArgs, NoArgs])
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
FRAGMENTS = st.lists(
    st.sampled_from(['{', '}', '"username":', '"Steve"', ',', 'NaN', '[', ' ', '\\ud800', '"']),
    max_size=12,
).map("".join)  # fmt: skip


def refusal(understand: Callable[[], object]) -> CommandError | None:
    """Why something was refused; None when it was understood. Any other error is a bug."""
    try:
        understand()
    except CommandError as error:
        return error
    return None


@given(ARGS, st.text() | FRAGMENTS)
def test_any_text_parses_or_is_refused_with_a_reason(args: type[Args], text: str) -> None:
    rest = body_of("!" + text).strip()
    refused = refusal(lambda: check(args, fields_of(args, rest)))
    if refused is not None:
        assert refused.reason == "invalid_format"
        assert refused.message.isprintable()
        assert len(refused.message) < 200


@given(ARGS, st.dictionaries(st.sampled_from(["username", "message", "maxDistance", "x"]), JSON))
def test_any_object_fits_or_is_refused(args: type[Args], fields: dict[str, object]) -> None:
    refused = refusal(lambda: check(args, fields))
    assert refused is None or refused.reason == "invalid_format"


@given(st.floats() | st.integers())
def test_only_a_finite_range_above_zero_is_taken(max_distance: float) -> None:
    fields = {"username": "Steve", "message": "hi", "maxDistance": max_distance}
    try:
        taken = check(ChatArgs, fields).max_distance
    except CommandError:
        assert not 0 < max_distance < 1e308
    else:
        assert taken == pytest.approx(max_distance)
        assert 0 < taken < float("inf")


def test_the_last_word_takes_the_rest() -> None:
    fields = ChatArgs.from_words("Steve  hello   there, friend")
    assert fields == {"username": "Steve", "message": "hello   there, friend"}


# --- players --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Steve", "steve", "STEVE"])
def test_a_player_in_view_comes_with_the_blocks_to_them(name: str) -> None:
    player, distance = player_in_view(WORLD, name)
    assert player.name == "Steve"
    assert distance == pytest.approx(2.51, abs=0.01)


def test_a_player_on_the_list_may_be_out_of_view() -> None:
    assert player_listed(WORLD, "bob").name == "Bob"
    with pytest.raises(CommandError) as refused:
        player_in_view(WORLD, "bob")
    assert (refused.value.reason, refused.value.data) == (
        "entity_not_available",
        {"username": "Bob"},
    )


@pytest.mark.parametrize(
    ("name", "sentence", "facts"),
    [
        (
            "Stvee",
            "Nobody called Stvee is on this server. Did you mean Steve?",
            {"username": "Stvee", "nearest": "Steve"},
        ),
        ("Zzz", "Nobody called Zzz is on this server.", {"username": "Zzz"}),
        ("ALICE", "That is me.", {"username": "Alice"}),
        ("@Yuki", "Yuki is not in this world: name a player or a place.", {"username": "@Yuki"}),
    ],
)
def test_a_name_that_nobody_has_is_refused(name: str, sentence: str, facts: dict[str, str]) -> None:
    with pytest.raises(CommandError) as refused:
        player_listed(WORLD, name)
    assert (refused.value.reason, refused.value.message) == ("player_not_found", sentence)
    assert refused.value.data == facts


def test_a_player_whose_name_is_the_bots_but_for_its_case_is_not_taken_for_it() -> None:
    twin = replace(WORLD.players[0], name=PlayerName("alice"))
    world = replace(WORLD, players=(twin,))
    assert player_listed(world, "alice") == twin
    with pytest.raises(CommandError, match="That is me"):
        player_listed(world, "Alice")


def test_of_players_that_differ_in_case_only_the_exact_name_is_found() -> None:
    twins = tuple(PlayerSighting(PlayerName(name), WORLD.position) for name in ("Max", "MAX"))
    world = replace(WORLD, players=twins)
    assert player_listed(world, "MAX").name == "MAX"
    with pytest.raises(CommandError, match="Nobody called max"):
        player_listed(world, "max")


# --- results as lines -----------------------------------------------------------------


class Pile(Result):
    block: str
    counts: tuple[int, ...]
    by_name: dict[str, int]


def test_a_result_without_own_words_is_rendered_from_its_fields() -> None:
    pile = Pile(block="stone", counts=(1, 2, 3, 4, 5, 6, 7), by_name={"a": 1})
    assert render(pile) == ["block: stone, counts: 1, 2, 3, 4, 5 …, by_name: 1 entries"]


class Report(Result):
    count: int

    def lines(self) -> list[str]:
        return [f"line {number}" for number in range(self.count)]


class Log(Report):
    newest_last: ClassVar = True


@pytest.mark.parametrize(("kind", "first"), [(Report, 0), (Log, 3)])
def test_of_too_many_lines_the_first_are_whispered_or_where_time_runs_the_last(
    kind: type[Report], first: int
) -> None:
    told = [f"line {number}" for number in range(first, first + LINES)]
    assert render(kind(count=LINES + 3)) == told


def test_a_result_with_no_fields_says_done() -> None:
    assert render(Result()) == ["Done."]


def test_a_refusal_is_one_whisper_with_usage_and_example_where_they_fit() -> None:
    facts = {"usage": "!echo <message>", "example": "!echo hello"}
    refused = Failure(reason="invalid_format", message="message is missing.", data=facts)
    assert render(refused) == ["message is missing. Usage: !echo <message> Example: !echo hello"]
    longer = refused.model_copy(update={"message": "word " * 40})
    assert len(render(longer)) == 2


def test_long_lines_are_cut_to_what_a_whisper_holds() -> None:
    long = Failure(reason="x", message="word " * 200)
    (line,) = render(long)
    assert len(line) == LINE
    assert plain_lines(long) == [("word " * 200).strip()]  # a terminal holds all of it
    assert line.endswith("…")
