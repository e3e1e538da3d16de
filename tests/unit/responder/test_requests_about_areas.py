"""Requests about areas become commands, in English and Japanese; what only sounds so does not."""

import pytest
from support.asking_alice import asked, reading_of

from bots.catalogue.counted import told
from bots.commands.catalogue import commands
from bots.responder.command_tools import by_tool_name

HERE = {"name": "here"}
HERE_JA = {"name": "ここ"}


@pytest.mark.parametrize(
    ("line", "rule", "name"),
    [
        ("don't touch anything here", "forbid", "here"),
        ("Alice, please don't break or take anything around here!", "forbid", "here"),
        ("do not dig in this area", "forbid", "here"),
        ("never build here", "forbid", "here"),
        ("leave this place alone please", "forbid", "here"),
        ("don't touch my house", "forbid", "house"),
        ("leave our old farm alone", "forbid", "old farm"),
        ("don't mine anything in the castle yard", "forbid", "castle yard"),
        ("You may dig on the hill", "allow", "hill"),
        ("you can break blocks here", "allow", "here"),
        ("feel free to mine here again", "allow", "here"),
        ("ask me before you dig here", "ask", "here"),
        ("ask before touching anything at the mill", "ask", "mill"),
        ("ここは壊さないで", "forbid", "ここ"),
        ("ここには触らないでください", "forbid", "ここ"),
        ("Alice、この辺りでは何も壊さないでね", "forbid", "この辺り"),
        ("家のものを取らないで", "forbid", "家"),
        ("ここは拠点だから何も触らないで", "forbid", "here"),
        ("丘は掘っていいよ", "allow", "丘"),
        ("ここは掘ってもいいです", "allow", "ここ"),
        ("ここに触る前に聞いてね", "ask", "ここ"),
    ],
)
def test_a_bot_is_told_what_to_leave_alone(line: str, rule: str, name: str) -> None:
    assert asked(line) == [(f"area {rule}", {"name": name})]


@pytest.mark.parametrize(
    ("line", "place", "here"),
    [
        ("this is our base, don't touch anything here", "base", HERE),
        ("ここは私たちの拠点だから、ここは壊さないで", "拠点", HERE_JA),
        ("ここは私たちの村だから、ここは壊さないで", "村", HERE_JA),
    ],
)
def test_a_place_that_is_named_first_gets_its_name(
    line: str, place: str, here: dict[str, str]
) -> None:
    registered, forbidden = asked(line)
    assert registered[0] == "navigation register"
    assert registered[1]["name"] == place
    assert forbidden == ("area forbid", here)


@pytest.mark.parametrize(
    "line",
    [
        *("can i dig here?", "do you dig here?", "don't dig straight down", "don't kill me"),
        *("don't break my heart", "don't touch that creeper", "leave me alone", "you can take it"),
        *("what can you take from here", "Bob said don't touch anything here"),
        *("if you see him, don't touch anything here", "you may dig here if Bob agrees"),
        *("何も言わないで", "取って", "ここは掘っていいの？", "ここで何を掘ったの？"),
    ],
)
def test_what_is_no_order_about_an_area_changes_none(line: str) -> None:
    assert not [command for command, _ in asked(line) if command.startswith("area")]


def test_what_is_done_is_told_in_both_languages() -> None:
    (request,) = reading_of("don't touch my house").requests
    assert request.done is not None
    assert told(request.done, "en").startswith("I touch nothing at house from now on.")
    assert told(request.done, "ja").startswith("「house」のものには触りません。")


@pytest.mark.parametrize(
    "line",
    [
        *("what may you not touch?", "Alice, what can't you touch?", "What must you not break"),
        *("where may you not dig?", "what are you not allowed to touch here?"),
        *("which places must you leave alone?", "what is off limits for you?"),
        *("which areas do you know?", "list your areas", "where can't you dig or build?"),
        *("what aren't you supposed to touch?", "which blocks should you not break?"),
        *("is there anything you may not touch?", "どこを触っちゃだめ？"),
        *("アリス、どこを触ってはいけないの？", "何を壊したらだめですか？"),
        *("どこを掘っちゃいけない？", "触っちゃだめなところはどこ？"),
        "触ってはいけない場所を教えて",
    ],
)
def test_a_bot_is_asked_what_it_may_not_touch(line: str) -> None:
    assert asked(line.replace("アリス", "Alice")) == [("area list", {})]


@pytest.mark.parametrize(
    "line",
    [
        *("what may you touch?", "what can you not do?", "where can you not go?"),
        *("what did you not touch?", "Bob asked what you may not touch", "I can't touch it"),
        *("どこに行っちゃだめ？", "何を食べたらだめ？", "どこを掘ったの？", "触っちゃだめ"),
    ],
)
def test_other_questions_are_not_about_areas(line: str) -> None:
    assert not [command for command, _ in asked(line) if command.startswith("area")]


@pytest.mark.parametrize(
    "line",
    [
        *("don't touch anything here", "you may dig here", "ask me before you dig here"),
        "what may you not touch?",
    ],
)
def test_what_is_asked_for_in_words_can_be_run(line: str) -> None:
    (request,) = reading_of(line).requests
    assert request.tool in by_tool_name(tuple(commands))
