"""The benchmark of a bot that is left alone: what it counts, and when its promise holds."""

from benchmarks.unattended import GOALS, WANTED_ITEMS, Stay, holds, table
from bots.bot.events import StepDone
from bots.bot.result import Failure
from bridge.world import Position


def step(*items: str) -> StepDone:
    return StepDone(
        "job", "craft", "it", dict.fromkeys(items, 1), 1.0, Position(0, 64, 0), "overworld"
    )


def test_each_different_item_counts_once() -> None:
    stay = Stay(0, 30)
    for event in (step("oak_log"), step("stick", "oak_log"), step()):
        stay.note(event)
    assert stay.items == ["oak_log", "stick"]


def test_a_goal_that_failed_for_want_of_room_breaks_the_promise_however_it_ended() -> None:
    items = [str(number) for number in range(WANTED_ITEMS)]
    good = Stay(0, 30, items)
    good.fail("clock", Failure(reason="impossible", message="There is no gold."))
    assert holds([good])
    for full in (
        Failure(reason="inventory_full", message="My bag is full."),
        Failure(reason="gave_up", message="I give up.", data={"because": "inventory_full"}),
    ):
        stay = Stay(1, 30, items)
        stay.fail("clock", full)
        assert not holds([good, stay])
    assert not holds([good, Stay(1, 30, items[1:])])


def test_the_table_has_a_line_a_place_and_tells_what_failed() -> None:
    stay = Stay(0, 30, ["stick"], reached=2)
    stay.fail("clock", Failure(reason="impossible", message="There is no gold."))
    head, line, failed = table([stay])
    assert dict(zip(head.replace("no room", "no_room").split(), line.split(), strict=True)) == {
        **{"place": "-30,20", "minutes": "30", "items": "1"},
        **{"reached": "2", "failed": "1", "no_room": "0"},
    }
    assert failed == "(-30, 20) clock: There is no gold."


def test_it_asks_for_nothing_twice_and_for_more_than_the_promise() -> None:
    asked = [item.partition(":")[0] for age in GOALS for item in age.split()]
    assert len(asked) == len({*asked}) > WANTED_ITEMS
