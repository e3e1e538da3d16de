"""A Messages API on loopback that answers by script, faults included: for tests and demos."""

from llm.fake_api.server import FakeClaude
from llm.fake_api.steps import Body, Call, Drop, Failure, Reply, Step

__all__ = ["Body", "Call", "Drop", "Failure", "FakeClaude", "Reply", "Step"]
