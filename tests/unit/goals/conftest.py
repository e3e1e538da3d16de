"""A bot in a country with all it needs for tools."""

import pytest
from support.goal_runs import HERE, furnish
from support.rig import Rig


@pytest.fixture
async def alice_in_the_country(rig: Rig) -> None:
    furnish(rig)
    await rig.bot("Alice", HERE)
