"""A person at a terminal and a running daemon: what stands on the screen."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import httpx2
import pytest
from e2e.daemon_process import DaemonProcess, Site, daemon_with
from support.screen import Seen, in_terminal

pytestmark = pytest.mark.real

ERRAND_WITHIN_S = 60.0


daemon = daemon_with()


@contextmanager
def at_terminal(
    site: Site, *words: str, columns: int = 80, stdout: IO[bytes] | None = None, **variables: str
) -> Iterator[Seen]:
    """A command of ours on this data folder, in a terminal. `stdout` may go elsewhere."""
    command = site.command(*words)
    program, env = [command["command"], *command["args"]], {**command["env"], **variables}
    with in_terminal(program, env, columns, stdout=stdout) as seen:
        yield seen


async def test_a_conversation_goes_on_while_the_bot_works(daemon: DaemonProcess) -> None:
    with at_terminal(daemon.site, "chat", "alice", "--as", "Yuki") as seen:
        seen.shows("You talk with Alice as Yuki.")
        seen.types("come here\n")
        seen.shows("Alice: You are not in this world yourself: name a player or a place")
        seen.types("!echo a  b\n")
        seen.shows("  a  b")
        seen.types("get 2 oak logs\n")
        seen.shows("Alice: All right: 2 oak logs.")
        seen.types("and then")
        seen.shows("Alice: I have got 2 oak logs.", ERRAND_WITHIN_S)
        seen.becomes(lambda: seen.lines[-1] == "Yuki> and then", "the line that was typed")
        seen.types("\x15!inf\t\t")
        seen.shows("!info block")
        seen.types("\x15\x04")
        assert seen.ended() == 0
        told = seen.lines
    assert told.index("Alice: All right: 2 oak logs.") < told.index("Alice: I have got 2 oak logs.")
    assert {line["speaker"] for line in await daemon.history("Alice")} == {"@Yuki", "Alice"}


async def test_results_are_words_on_a_terminal(daemon: DaemonProcess) -> None:
    with at_terminal(daemon.site, "exec", "Bob", "!status") as seen:
        assert seen.ended() == 0
        assert '{"success"' not in seen.text
        assert "health 20/20" in seen.text


async def test_top_shows_work_as_it_goes_on_and_keys_stop_it(daemon: DaemonProcess) -> None:
    with at_terminal(daemon.site, "top") as seen:
        seen.shows("2 of 2 bots online")
        assert re.search(r"Load  daemon .* Node .* server .* loop lag", " ".join(seen.lines))
        seen.types("\ttgo to 300 300\n")
        seen.shows("operator → Bob: go to 300 300")
        seen.types("t!goal inventory.iron_pickaxe:1\n")
        seen.shows("% iron pickaxe: ")
        seen.becomes(lambda: "goal inventory." in _row_of("▸ Bob", seen), "what Bob does")
        seen.types("s")
        seen.becomes(lambda: _row_of("▸ Bob", seen).endswith("idle"), "the end of it")
        seen.types("q")
        assert seen.ended() == 0
    once = await daemon.site.townsfolk("top", "--once")
    assert [line.split()[0] for line in once.out.splitlines()] == ["Alice", "Bob", "Cost", "Load"]


def _row_of(lead: str, seen: Seen) -> str:
    return next((line for line in seen.lines if line.startswith(lead)), "")


async def test_init_asks_the_server_what_it_is(daemon: DaemonProcess, site: Site) -> None:
    done = await site.townsfolk("init", "--server", str(daemon.minecraft), "--owner", "Papa")
    assert done.code == 0, done.err
    assert "is Minecraft" in done.err
    assert 'owners = ["Papa"]' in (site.data_dir / "townsfolk.toml").read_text()


async def test_up_shows_what_is_said_and_one_box_with_a_link_that_opens(site: Site) -> None:
    site.folder.mkdir(parents=True, exist_ok=True)
    out = site.folder / "stdout"
    with (
        out.open("wb") as stdout,
        at_terminal(
            site, "up", stdout=stdout, TOWNSFOLK_TALK__SMALL_TALK="true", NO_COLOR="1"
        ) as up,
    ):
        up.shows("Ctrl-C", 120.0)
        up.becomes(lambda: bool(re.search(r"\d\d:\d\d:\d\d  \w+ → \w+ ", up.text)), "a line", 30.0)
        link = re.search(r"http://127\.0\.0\.1:\d+/\S+", up.text)
        assert link is not None
        async with httpx2.AsyncClient(trust_env=False) as browser:
            opened = await browser.get(link[0], follow_redirects=True)
            assert (opened.status_code, opened.url.query) == (200, b"")
        up.types("\x03")
        assert up.ended() == 0
        (ready,) = out.read_text().splitlines()
        text, lines = up.text, up.lines
    assert ready.startswith("ready server=127.0.0.1:")
    assert text.count("╭") == text.count("╰") == 1
    assert "Alice and Bob are in the world" in text
    assert not re.search(r"\x1b\[[0-9;]*m", up.raw.decode())
    assert lines[-1].endswith("  Ending.")
    assert link[0] not in (site.data_dir / "log" / "townsfolk.jsonl").read_text()
