"""Which blocks make room for one that is placed."""

from __future__ import annotations

import pytest

from bots.skills.placing import is_room


@pytest.mark.parametrize("version", ["1.8.8", "1.12.2"])
def test_grass_is_ground_where_the_name_is_that_of_the_block(version: str) -> None:
    assert not is_room("grass", version)


@pytest.mark.parametrize("version", ["1.13", "1.16.5", "1.20.4"])
def test_grass_makes_room_where_the_name_is_that_of_the_plant(version: str) -> None:
    assert is_room("grass", version)


@pytest.mark.parametrize("version", ["1.8.8", "1.21.4"])
def test_air_and_water_make_room_in_each_version(version: str) -> None:
    assert is_room("air", version)
    assert is_room("water", version)
    assert not is_room("stone", version)
