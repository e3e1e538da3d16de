"""`!echo`: the same words."""

import pytest
from support.rig import STRANGERS, Rig, rig_with_alice

from bots.commands.catalogue import handle_chat_command
from bots.registry.render import render
from bridge.world import Position

rig = rig_with_alice(Position(0.5, 64, 0.5), STRANGERS)


async def test_echo_says_the_same_words(rig: Rig) -> None:
    result = await handle_chat_command(rig.bots["Alice"], "Steve", "!echo こんにちは  世界")
    assert result.as_json() == {"success": True, "message": "こんにちは  世界"}
    assert render(result) == ["こんにちは  世界"]


@pytest.mark.parametrize(
    ("rest", "said"), [('{"a":1}', '{"a":1}'), ("{hello", "{hello"), ('{"message": "hi"}', "hi")]
)
async def test_echo_says_json_back_too(rig: Rig, rest: str, said: str) -> None:
    result = await handle_chat_command(rig.bots["Alice"], "Steve", f"!echo {rest}")
    assert result.as_json() == {"success": True, "message": said}
