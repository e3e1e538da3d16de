"""How a bot of your own is tested: the same program on a simulated world, in milliseconds.

`pytest examples/test_parrot.py`; the fixtures come with townsfolk.
"""

import asyncio
from pathlib import Path

import pytest

from townsfolk import BotsSettings, Daemon, FakeBridge, NaturalMessage, Settings, Times


@pytest.mark.anyio
async def test_polly_repeats_what_steve_says(fake_bridge: FakeBridge, tmp_path: Path) -> None:
    steve = fake_bridge.world.person("Steve")
    settings = Settings(data_dir=tmp_path, bots=BotsSettings(names=("Polly",)))
    times = Times.of(fake_bridge.world.clock)
    async with Daemon(settings, bridge=fake_bridge, answers=False, times=times) as daemon:
        polly, repeated = daemon.bot("Polly"), asyncio.Event()

        async def repeat(message: NaturalMessage) -> None:
            await polly.reply(message.from_, message.content)
            repeated.set()

        polly.on_natural_message(repeat)
        assert await daemon.all_joined()
        steve.whisper("Polly", "Who is a pretty bird?")
        assert (await steve.hears()).text == "Who is a pretty bird?"
        await asyncio.wait_for(repeated.wait(), 5)
        assert [m.role for m in polly.get_conversation_history()] == ["user", "assistant"]
