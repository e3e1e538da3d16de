"""Bots are spread over the hosts, and stay where they are while they are in a world."""

from dataclasses import dataclass, field

import pytest

from bots.settings.settings import Settings
from bridge.js.bridge import BACK_SOON_S, Placement
from bridge.world import BotName

ALICE = BotName("Alice")


@dataclass(eq=False)
class Host:
    bots: set[str] = field(default_factory=set)
    away_s: float = 0.0

    @property
    def load(self) -> int:
        return len(self.bots)

    def holds(self, bot: BotName) -> bool:
        return bot in self.bots


def join(placement: Placement[Host], *names: str) -> None:
    for name in names:
        placement.place(BotName(name)).bots.add(name)


def names(count: int) -> list[str]:
    return [f"Bot{number}" for number in range(count)]


def test_each_bot_goes_where_the_fewest_are() -> None:
    hosts = [Host(), Host(), Host()]
    join(Placement(hosts), *names(8))
    assert [host.load for host in hosts] == [3, 3, 2]


def test_one_that_was_never_placed_is_asked_for_at_the_first_host() -> None:
    hosts = [Host(), Host()]
    assert Placement(hosts).host_of(ALICE) is hosts[0]


def test_a_bot_in_its_world_stays_where_it_is() -> None:
    hosts = [Host(), Host()]
    placement = Placement(hosts)
    join(placement, "Alice")
    hosts[0].bots |= {"Bob", "Carol"}
    assert placement.place(ALICE) is placement.host_of(ALICE) is hosts[0]


def test_a_bot_out_of_its_world_joins_where_fewer_are_and_else_where_it_was() -> None:
    hosts = [Host(), Host()]
    placement = Placement(hosts)
    join(placement, "Bob", "Alice")
    hosts[1].bots.clear()
    hosts[0].bots.clear()
    assert placement.place(ALICE) is hosts[1]
    hosts[1].bots.add("Carol")
    assert placement.place(ALICE) is placement.host_of(ALICE) is hosts[0]


def test_bots_of_a_host_that_died_return_to_it_unless_it_stays_away() -> None:
    hosts = [Host(), Host()]
    placement = Placement(hosts)
    join(placement, *names(4))
    lost, hosts[1].bots = hosts[1].bots, set()
    hosts[1].away_s = 0.1
    assert {placement.place(BotName(name)) for name in lost} == {hosts[1]}
    hosts[1].away_s = BACK_SOON_S
    assert {placement.place(BotName(name)) for name in lost} == {hosts[0]}


def test_while_no_host_is_there_a_bot_is_placed_all_the_same() -> None:
    hosts = [Host(away_s=9.0), Host({"Bob"}, away_s=9.0)]
    assert Placement(hosts).place(ALICE) is hosts[0]


@pytest.mark.parametrize(
    ("bots", "cores", "hosts"),
    [(0, 8, 1), (2, 8, 1), (25, 8, 1), (26, 8, 2), (100, 8, 4), (100, 2, 2), (100, 1, 1)],
)
def test_few_bots_share_one_host_and_many_one_a_core(bots: int, cores: int, hosts: int) -> None:
    assert Settings().bridge.host_count(bots, cores) == hosts


def test_a_number_of_hosts_is_kept_whatever_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOWNSFOLK_BRIDGE__HOSTS", "3")
    assert Settings().host_count == 3
