"""Fishing on the embedded server, by Mineflayer's own rules."""

import pytest
from server.players import Players

pytestmark = pytest.mark.real


async def test_who_reels_in_a_bite_gets_it_and_the_rod_wears(players: Players) -> None:
    assert await players.play("angle") == {"worn": 1}


async def test_the_line_is_gone_when_the_rod_is_put_away(players: Players) -> None:
    assert await players.play("putAway") == [["fishing_rod", 0], ["stick", 0]]
