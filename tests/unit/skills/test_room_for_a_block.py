"""Which blocks make room for one that is placed."""

from bots.skills.placing import is_room


def test_grass_makes_room_and_the_ground_it_grows_on_does_not() -> None:
    assert is_room("grass")
    assert is_room("short_grass")
    assert not is_room("grass_block")


def test_air_and_water_make_room() -> None:
    assert is_room("air")
    assert is_room("water")
    assert not is_room("stone")
