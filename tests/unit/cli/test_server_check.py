"""`doctor --server` reports what happens to a bot that joins."""

import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bots.cli.doctor import LISTEN_S, TO_ALL, TO_ITSELF, check_server, try_server
from bots.daemon import daemon_file
from bots.settings.settings import Settings
from bots.settings.world import ServerSettings
from bridge.events import Ending, LineAnswered, LineUnheard, Refusal
from bridge.fake import FakeBridge
from bridge.port import ServerAddress
from bridge.world import BotName, PlayerName

ALICE = BotName("Alice")
HOME = ServerAddress("mc.example", 25565)


@pytest.fixture
async def bridge() -> AsyncIterator[FakeBridge]:
    bridge = FakeBridge()
    yield bridge
    await bridge.aclose()


async def test_a_server_that_lets_the_bot_in_is_well_with_version_and_whispers(
    bridge: FakeBridge,
) -> None:
    finding = await try_server(bridge, ALICE, HOME)
    assert finding.state == "ok"
    let_in = "mc.example:25565 speaks 1.16.5 and lets Alice in without an account; no whitelist"
    assert f"{let_in} stops it" in finding.found
    assert "whispers are vanilla's; public chat is heard" in finding.found
    assert [line.text for line in bridge.sent] == [TO_ITSELF, TO_ALL]
    assert not bridge.world.bodies


def test_a_bot_that_is_there_already_is_not_thrown_out(tmp_path: Path) -> None:
    there = daemon_file.ServerAddress(host="mc.example", port=25565, version="1.20.4")
    dashboard = daemon_file.DashboardAddress(url="http://127.0.0.1:1/", token="secret")
    running = daemon_file.DaemonFile(
        pid=os.getpid(), server=there, dashboard=dashboard, bots=("Alice", "Bob")
    )
    daemon_file.write(tmp_path, running)
    finding = check_server(Settings(data_dir=tmp_path, server=ServerSettings(host="mc.example")))
    found = "the running daemon has Alice on mc.example:25565"
    assert (finding.state, finding.found) == ("later", found)


@pytest.mark.parametrize(
    ("ending", "said", "found", "advised"),
    [
        ("kicked", "Failed to verify username!", "wants an account", "townsfolk login Alice"),
        (
            *("kicked", "You are not whitelisted!"),
            *("whitelist of mc.example:25565 does not name Alice", "whitelist add"),
        ),
        (
            *("kicked", "You are not white-listed on this server!"),
            *("does not name Alice", "Run `whitelist add Alice` on the server."),
        ),
        (
            *("end", "socketClosed", "The connection to mc.example:25565 broke."),
            "Minecraft Java server listens there",
        ),
    ],
)
async def test_a_server_that_refuses_is_told_with_the_next_step(
    bridge: FakeBridge, ending: Ending, said: str, found: str, advised: str
) -> None:
    bridge.faults.refuse_spawn("Alice", ending, said)
    finding = await try_server(bridge, ALICE, HOME)
    assert finding.state == "bad"
    assert found in finding.found
    assert advised in finding.next_step


async def test_a_whisper_that_does_not_come_back_is_told(bridge: FakeBridge) -> None:
    bridge.faults.lose_whispers()
    finding = await try_server(bridge, ALICE, HOME, listen_s=0.05)
    assert finding.state == "later"
    assert "bridge.whisper_patterns" in finding.next_step


NO_SUCH = Refusal("unknown_command", "Command not found")
FORBIDDEN = Refusal("forbidden", "You do not have permission")
SAME_TARGET = "commands.message.sameTarget"  # up to 1.12
TO_ONESELF = Refusal("refused", "You can't send a private message to yourself!", SAME_TARGET)


@pytest.mark.parametrize(
    ("refused", "state", "found", "advised"),
    [
        ({"tell": NO_SUCH}, "ok", "whispers are vanilla's", ""),
        (
            {"tell": NO_SUCH, "msg": NO_SUCH, "w": NO_SUCH},
            "bad",
            "it refuses whispers: “Command not found”; public chat is heard",
            "server.whisper_command",
        ),
        ({"tell": FORBIDDEN}, "bad", "“You do not have permission”", "rank"),
        ({"tell": TO_ONESELF}, "later", "a whisper to itself did not come", "whisper to Alice"),
        ({"": FORBIDDEN}, "bad", "refuses public chat: “You do not", "let the bots speak"),
    ],
)
async def test_what_the_server_refuses_is_told_in_its_own_words(
    bridge: FakeBridge, refused: dict[str, Refusal], state: str, found: str, advised: str
) -> None:
    bridge.world.refused.update(refused)
    listen_s = 0.05 if state == "later" else LISTEN_S
    finding = await try_server(bridge, ALICE, HOME, listen_s=listen_s)
    assert finding.state == state
    assert found in finding.found
    assert advised in finding.next_step


@pytest.mark.parametrize(
    ("before", "sender", "between"),
    [
        ("[Member] ", "Steve", ": "),
        ("", "Steve", " » "),
        ("=", "Steve", "= says "),
        ("Alicepool ", ".Steve", ": "),
    ],
)
async def test_public_chat_that_nobody_understands_is_told_with_the_pattern_that_reads_it(
    bridge: FakeBridge, before: str, sender: str, between: str
) -> None:
    line = f"{before}Alice{between}{TO_ALL}"

    async def chat(bot: BotName, text: str) -> None:
        now = bridge.world.clock.now()
        bridge.arrive(LineAnswered(bot, None, text, None, now))
        bridge.arrive(LineUnheard(bot, line, now, "public", PlayerName(bot)))

    bridge.chat = chat  # type: ignore[method-assign]
    finding = await try_server(bridge, ALICE, HOME)
    assert (finding.state, line in finding.found) == ("bad", True)
    pattern = finding.next_step.split("'")[1]
    assert re.fullmatch(pattern, f"{before}{sender}{between}hi").groupdict() == {  # type: ignore[union-attr]
        "sender": sender,
        "text": "hi",
    }


async def test_another_player_who_repeats_the_words_is_not_the_bot(bridge: FakeBridge) -> None:
    bridge.world.refused[""] = FORBIDDEN
    say = bridge.chat

    async def chat(bot: BotName, text: str) -> None:
        now = bridge.world.clock.now()
        bridge.arrive(LineUnheard(bot, f"[M] Steve: {text}", now, "public", PlayerName("Steve")))
        await say(bot, text)

    bridge.chat = chat  # type: ignore[method-assign]
    finding = await try_server(bridge, ALICE, HOME)
    assert "refuses public chat" in finding.found
