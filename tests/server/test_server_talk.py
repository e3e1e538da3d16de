"""What is said on the embedded server arrives as the vanilla server would send it."""

import json
from typing import Any

import pytest
from server.players import Players

pytestmark = pytest.mark.real

TEXT = "psst 秘密 🦆 R&D 100%"


def name_component(name: str, uuid: str) -> dict[str, Any]:
    shown = {"type": "minecraft:player", "id": uuid, "name": {"text": name}}
    return {
        "insertion": name,
        "clickEvent": {"action": "suggest_command", "value": f"/tell {name} "},
        "hoverEvent": {"action": "show_entity", "contents": shown},
        "text": name,
    }


async def test_a_whisper_has_the_shape_of_the_vanilla_server(players: Players) -> None:
    facts = await players.play("whisper")
    alice, bob = facts["ids"]
    common = {"color": "gray", "italic": True, "position": 1, "sender": alice}
    assert facts["got"] == [
        {
            **common,
            "translate": "commands.message.display.incoming",
            "with": [name_component("alice", alice), {"text": TEXT}],
        }
    ]
    assert facts["sent"] == [
        {
            **common,
            "translate": "commands.message.display.outgoing",
            "with": [name_component("bob", bob), {"text": TEXT}],
        }
    ]


async def test_a_client_reads_who_whispered_and_what(players: Players) -> None:
    facts = await players.play("whisper")
    assert (facts["from"], facts["text"]) == ("alice", TEXT)


async def test_selectors_choose_by_distance_name_limit_and_nearness(players: Players) -> None:
    facts = await players.play("selectors")
    someone = [name for name, lines in facts.items() if "someone" in lines]
    assert len(someone) == 1
    facts[someone[0]].remove("someone")
    assert facts == {
        "alice": ["near", "self", "nearest"],
        "bob": ["near", "limited"],
        "carol": ["named"],
    }


async def test_public_chat_has_the_vanilla_shape_and_single_spaces(players: Players) -> None:
    line = await players.play("publicChat")
    assert line["position"] == 0
    assert line["with"] == [name_component("alice", line["sender"]), "hello みんな & R&D"]


async def test_a_line_with_a_section_sign_is_a_kick(players: Players) -> None:
    reason = json.loads(await players.play("illegal"))
    assert reason == {"translate": "multiplayer.disconnect.illegal_characters"}


async def test_a_line_longer_than_256_is_a_kick(players: Players) -> None:
    assert "256" in await players.play("tooLong")


async def test_the_eleventh_line_of_a_burst_is_delivered_and_a_kick(players: Players) -> None:
    facts = await players.play("spamChecked")
    assert json.loads(facts["kicked"]) == {"translate": "disconnect.spam"}
    assert facts["delivered"] == 11


async def test_ten_lines_of_a_burst_are_allowed(players: Players) -> None:
    assert await players.play("spamBelow") == {"kicked": None, "delivered": 10}


async def test_a_player_who_is_not_checked_may_say_sixty_lines(players: Players) -> None:
    assert await players.play("spamExempt") == {"kicked": None, "delivered": 60}


async def test_only_the_checked_are_no_operators(players: Players) -> None:
    assert await players.play("operators") == {"Checked": False, "alice": True}
