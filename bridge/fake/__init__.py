"""A small simulated Minecraft in memory in which things fail as they fail in the world."""

from bridge.fake.body import Body, Heard, Person
from bridge.fake.bridge import FakeBridge, SentLine
from bridge.fake.clock import VirtualClock
from bridge.fake.crossing import Faults
from bridge.fake.dangers import endanger
from bridge.fake.rules import VANILLA, BlockRule, Recipe, Rules
from bridge.fake.world import FakeWorld

__all__ = [
    "VANILLA",
    "BlockRule",
    "Body",
    "FakeBridge",
    "FakeWorld",
    "Faults",
    "Heard",
    "Person",
    "Recipe",
    "Rules",
    "SentLine",
    "VirtualClock",
    "endanger",
]
