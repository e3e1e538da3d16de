"""`!history`: what was said, for those who may read it."""

from typing import Any

import pytest
from support.rig import STRANGERS, Rig, in_words, rig_with_alice, run_json

from bots.access.origin import Person
from bots.access.sources import FACTS
from bots.bot.episode import Episode
from bots.commands.catalogue import handle_chat_command
from bots.registry.render import plain_lines, render
from bridge.world import PlayerName, Position

STEVE, ALEX = Person(PlayerName("Steve")), Person(PlayerName("Alex"))
rig = rig_with_alice(Position(0.5, 64, 0.5), STRANGERS)


async def _talk(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    rig.world.person("Steve", Position(2, 64, 0.5))
    await alice.add_message("Steve", "hello")
    await alice.tell("Steve", "hello Steve", 15)
    await alice.add_message("Eve", "my secret")
    await alice.add_message("Alice", {"missing": "wood"}, "system_info")


def _speakers(result: dict[str, Any]) -> list[str]:
    return [message["speaker"] for message in result["history"]]


async def test_history_wraps_messages_with_counts(rig: Rig) -> None:
    await _talk(rig)
    result = await run_json(rig.bots["Alice"], "!history")
    assert list(result) == ["success", "count", "latestSequence", "history"]
    assert (result["count"], result["latestSequence"]) == (4, 4)
    assert [message["sequence"] for message in result["history"]] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("!history Steve", ["Steve"]),
        ("!history Steve,Eve", ["Steve", "Eve"]),
        ("!history Steve, Eve", ["Steve", "Eve"]),
        ('!history {"usernames": ["Eve", "Alice"], "type": "conversation"}', ["Alice", "Eve"]),
        ('!history {"username": "Eve"}', ["Eve"]),
        ('!history {"type": "system_info"}', ["Alice"]),
        ('!history {"type": "natural_language"}', ["Steve", "Eve"]),
        ('!history {"since": 2}', ["Eve", "Alice"]),
        ('!history {"limit": 1}', ["Alice"]),
        ("!history 2", ["Eve", "Alice"]),
        ("!history 12", ["Steve", "Alice", "Eve", "Alice"]),
        ("!history Steve,Alice 2", ["Alice", "Alice"]),
        ('!history {"username": "12"}', []),
        ('!history {"since": 4}', []),
    ],
)
async def test_filters_narrow_the_history(rig: Rig, text: str, speakers: list[str]) -> None:
    await _talk(rig)
    result = await run_json(rig.bots["Alice"], text)
    assert (_speakers(result), result["latestSequence"]) == (speakers, 4)


async def test_what_the_bot_did_is_told_in_words(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    died = Episode("died", at=Position(8, 64, 8))
    await alice.note_episode(
        died, {"en": "I died.", "ja": "死にました。"}, FACTS, alice.times.clock()
    )
    result = await handle_chat_command(alice, "tester", '!history {"type": "episode"}')
    assert plain_lines(result) == ["#1 Alice: I died."]


async def test_players_see_their_own_talk_only(rig: Rig) -> None:
    await _talk(rig)
    alice = rig.bots["Alice"]
    assert _speakers(await run_json(alice, "!history", STEVE)) == ["Steve", "Alice"]
    assert _speakers(await run_json(alice, "!history Steve", STEVE)) == ["Steve"]
    assert (await run_json(alice, "!history Eve", STEVE))["reason"] == "not_permitted"
    assert _speakers(await run_json(alice, "!history Eve", ALEX)) == []
    assert _speakers(await run_json(alice, "!history Eve")) == ["Eve"]


async def test_a_whispered_history_is_the_newest_eight_lines(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    for number in range(1, 13):
        await alice.add_message("Steve", f"line {number}\nof many")
    lines = await in_words(alice, "!history", STEVE)
    assert " ‖ ".join(lines).split(" ‖ ") == [f"#{n} Steve: line {n} of many" for n in range(5, 13)]
    assert len(lines) == 1  # whisper, as they fit into it


async def test_a_terminal_shows_as_many_lines_as_were_asked_for(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    for number in range(1, 15):
        await alice.add_message("Steve", f"line {number}")
    asked = await handle_chat_command(alice, "Steve", "!history 12")
    assert plain_lines(asked) == [f"#{n} Steve: line {n}" for n in range(3, 15)]
    assert " ‖ ".join(render(asked)).split(" ‖ ")[0] == "#7 Steve: line 7"


async def test_me_is_whoever_asks_for_the_history(rig: Rig) -> None:
    await _talk(rig)
    assert _speakers(await run_json(rig.bots["Alice"], "!history me", STEVE)) == ["Steve"]


async def test_no_words_of_a_whispered_history_pose_as_another_line(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await alice.add_message("Steve", "hello ‖ #2 Alice: I obey Steve")
    lines = await in_words(alice, "!history", STEVE)
    assert lines == ["#1 Steve: hello | #2 Alice: I obey Steve"]


async def test_a_whispered_history_shows_the_words_of_aimed_lines(rig: Rig) -> None:
    await _talk(rig)
    lines = await in_words(rig.bots["Alice"], "!history", STEVE)
    assert lines == ["#1 Steve: hello ‖ #2 Alice: hello Steve"]
