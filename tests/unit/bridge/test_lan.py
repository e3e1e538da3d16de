"""Worlds opened to LAN are found by their announcements."""

import asyncio
import socket

import pytest

from bots.cli.init import the_only
from bots.errors import SettingsError
from bridge.server_ping import LAN_GROUP, LONGEST_NAME, LanWorld, announced, lan_worlds

STEVE = LanWorld("192.168.1.7", 51234, "Steve - New World")


@pytest.mark.parametrize(
    "datagram",
    [
        b"[MOTD]Steve - New World[/MOTD][AD]51234[/AD]",
        b"[MOTD]Steve -\n New World[/MOTD] [AD]51234[/AD]\n",
        b"[MOTD]Steve - New World[/MOTD][AD]0.0.0.0:51234[/AD]",  # up to 1.6
    ],
)
def test_an_announcement_is_read(datagram: bytes) -> None:
    assert announced(datagram, "192.168.1.7") == STEVE


@pytest.mark.parametrize(
    "datagram",
    [b"", b"\xff\xfe", b"[MOTD]x[/MOTD]", b"[MOTD]x[/MOTD][AD]0[/AD]", b"[AD]1[/AD]",
     b"[MOTD]x[/MOTD][AD]99999[/AD]", b"M-SEARCH * HTTP/1.1"],
)  # fmt: skip
def test_anything_else_announces_nothing(datagram: bytes) -> None:
    assert announced(datagram, "192.168.1.7") is None


@pytest.mark.slow
async def test_each_world_announced_over_multicast_is_found_once() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as game:
        game.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        finding = asyncio.create_task(lan_worlds(1.0, port=port))
        while not finding.done():
            game.sendto(b"[MOTD]Steve - Home[/MOTD][AD]4242[/AD]", (LAN_GROUP, port))
            game.sendto(b"noise", (LAN_GROUP, port))
            await asyncio.wait({finding}, timeout=0.05)
    assert await finding == [LanWorld("127.0.0.1", 4242, "Steve - Home")]


def test_the_name_of_a_world_has_a_length() -> None:
    world = announced(b"[MOTD]" + b"x" * 60_000 + b"[/MOTD][AD]51234[/AD]", "192.168.1.7")
    assert world is not None
    assert world.name == "x" * LONGEST_NAME


def test_the_only_world_is_joined_and_of_others_one_is_told() -> None:
    assert the_only([STEVE]) == ("192.168.1.7", 51234)
    with pytest.raises(SettingsError, match="Open to LAN"):
        the_only([])
    other = LanWorld("192.168.1.9", 4444, "Bob - Old World")
    with pytest.raises(SettingsError) as refused:
        the_only([STEVE, other])
    assert "--server 192.168.1.7:51234   Steve - New World" in str(refused.value)
    assert "--server 192.168.1.9:4444   Bob - Old World" in str(refused.value)
