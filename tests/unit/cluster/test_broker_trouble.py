"""A broker that stores nothing is told by its cause, once, and asked less and less often."""

from contextlib import suppress
from itertools import pairwise

import pytest
from structlog.testing import capture_logs

from bots.cluster.bus import BusUnavailable
from bots.cluster.connecting import MOST_WAIT_S, Storing, cause_of, named


class Broker:
    """One without room that somebody asks all the time."""

    def __init__(self) -> None:
        self.now_s, self.asked_at = 0.0, list[float]()
        self.storing = Storing(lambda: self.now_s)

    def be_asked(self, for_s: float, *, every_s: float = 0.1) -> None:
        for _ in range(round(for_s / every_s)):
            with suppress(BusUnavailable):
                self.storing.check()
                self.asked_at.append(self.now_s)
                self.storing.failed(named("full"))
            self.now_s += every_s


def test_a_full_broker_is_asked_after_longer_and_longer_waits_and_told_once() -> None:
    broker = Broker()
    with capture_logs() as logged:
        broker.be_asked(300.0)
    waits = [after - before for before, after in pairwise(broker.asked_at)]
    assert waits[:4] == pytest.approx([0.5, 1.0, 2.0, 4.0], abs=0.2)
    assert max(waits) == pytest.approx(MOST_WAIT_S, abs=0.2)
    assert len(broker.asked_at) < 20
    assert [(one["event"], one["why"]) for one in logged] == [
        ("bus.refuses", "the broker has no room left")
    ]


def test_once_it_stores_again_it_is_asked_at_once_and_that_is_told() -> None:
    broker = Broker()
    broker.be_asked(60.0)
    with capture_logs() as logged:
        broker.storing.done()
        broker.storing.done()
    broker.storing.check()
    assert broker.storing.trouble is None
    assert [one["event"] for one in logged] == ["bus.stores_again"]


def test_servers_that_do_not_agree_yet_are_asked_again_at_once() -> None:
    storing = Storing(lambda: 0.0)
    storing.failed(named("no_majority"))
    storing.check()
    assert storing.trouble is not None


def test_a_broker_that_is_gone_is_no_trouble_of_storing() -> None:
    storing = Storing(lambda: 0.0)
    with capture_logs() as logged:
        storing.failed(BusUnavailable("no answer in time"))
    assert (storing.trouble, logged) == (None, [])


@pytest.mark.parametrize(
    ("code", "cause"),
    [(10023, "full"), (10047, "full"), (10077, "full"), (10008, "no_majority"), (None, "other")],
)
def test_the_cause_is_known_by_the_number_of_an_error(code: int | None, cause: str) -> None:
    assert cause_of(code) == cause
