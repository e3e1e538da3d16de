"""The box that `townsfolk up` closes its start with."""

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs

from bots.cli import up
from bots.settings.settings import Settings
from bots.text.columns import width_of
from bridge.port import ServerAddress

LINK = "http://127.0.0.1:41563/?link=" + "x" * 48


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")


def bot(name: str, *, online: bool = True) -> Any:
    connection = SimpleNamespace(version="1.16.5" if online else None)
    return SimpleNamespace(name=name, online=online, connection=connection)


def daemon(*bots: Any, page_link: str | None = LINK, folder: str = "/home/yuki/townsfolk") -> Any:
    return SimpleNamespace(
        settings=Settings(data_dir=Path(folder)),
        roster=SimpleNamespace(sessions=bots),
        address=ServerAddress("127.0.0.1", 25565),
        lan_address=None,
        new_link=lambda: page_link,
        http=None,
    )


def shown(daemon: Any) -> list[str]:
    out = Terminal()
    up.tell_ready(daemon, out)
    return out.getvalue().splitlines()


def test_the_box_tells_how_to_join_and_where_things_lie() -> None:
    assert shown(daemon(bot("Alice"), bot("Bob"))) == [
        f"╭── Alice and Bob are in the world {'─' * 44}",
        "│ Join        Minecraft Java 1.16.5: Multiplayer, Direct Connection,",
        *("│             127.0.0.1:25565", "│ Whisper     /tell Alice hello"),
        *("│ Talk here   townsfolk chat Alice --data-dir /home/yuki/townsfolk", "│ Page"),
        f"│   {LINK}",
        "│             It opens once; townsfolk status --link --data-dir",
        "│             /home/yuki/townsfolk makes another.",
        "│ Data        /home/yuki/townsfolk",
        "│ Characters  /home/yuki/townsfolk/bots/NAME/persona.md",
        "│ End         Ctrl-C",
        f"╰{'─' * 78}",
    ]


@pytest.mark.parametrize("columns", [40, 59, 60, 80, 200])
def test_the_box_fits_but_for_a_link_which_stays_whole(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    rows = shown(daemon(bot("Alice"), bot("Bob"), folder="/home/ユキ/町の人"))
    assert sum(row.endswith(LINK) for row in rows) == 1
    assert [row for row in rows if width_of(row) > columns and "link=" not in row] == []


def test_a_bot_that_is_not_there_yet_is_not_said_to_be() -> None:
    title = shown(daemon(bot("Bob", online=False), bot("Alice"), bot("Cora", online=False)))[0]
    assert title.startswith("╭── Alice is in the world; Bob and Cora not yet ─")
    assert shown(daemon(bot("Bob", online=False)))[0].startswith(
        "╭── Bob is not in the world yet ─"
    )


def test_the_log_names_the_command_as_it_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [".venv/bin/townsfolk"])
    with capture_logs() as logs:
        up.tell_ready(daemon(bot("Alice")), io.StringIO())
    (entry,) = logs
    chat = ".venv/bin/townsfolk chat Alice --data-dir /home/yuki/townsfolk"
    assert entry["without_minecraft"] == chat


def test_a_terminal_that_knows_no_boxes_gets_simple_ones() -> None:
    out = Terminal()
    out.encoding = "cp1252"
    up.tell_ready(daemon(bot("Alice")), out)
    assert out.getvalue().isascii()
    assert out.getvalue().startswith("+-- Alice is in the world ---")


def test_the_box_tells_what_there_is_and_only_a_person() -> None:
    shared = daemon(bot("Alice"), page_link=None)
    shared.lan_address = ServerAddress("192.168.1.5", 25565)
    rows = "\n".join(shown(shared))
    assert "From other devices in your network: 192.168.1.5:25565" in rows
    assert "Page" not in rows
    out = io.StringIO()
    up.tell_ready(daemon(bot("Alice")), out)
    assert out.getvalue() == ""
