"""What every test shares: one async backend, Node, and no road to a real model."""

import asyncio
import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from bridge import node
from llm.claude import model as anthropic_model

pytest.register_assert_rewrite("contract", "e2e")  # shared modules that assert

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A script starts its background commands so, and all below them: tests of Ctrl-C need it as
    # a terminal gives it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


settings.register_profile("whole", deadline=None)  # a busy machine is no failure
settings.register_profile("quick", deadline=None, max_examples=25)
settings.register_profile("fuzz", deadline=None, max_examples=3_000)


def pytest_configure(config: pytest.Config) -> None:
    """The inner loop tries fewer examples of each property; a whole run tries all."""
    config.option.loadscopereorder = False  # xdist's: the order is that of the collection
    if config.getoption("--hypothesis-profile"):
        return
    settings.load_profile("quick" if config.getoption("markexpr") == "not slow" else "whole")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that may take longest come first: else the last one keeps one worker busy alone."""
    longest = dict[Path, float]()
    for item in items:
        longest[item.path] = max(longest.get(item.path, 0.0), _most_s(item))
    items.sort(key=lambda item: -longest[item.path])


def _most_s(item: pytest.Item) -> float:
    """The time its mark allows it; 0 without one."""
    mark = item.get_closest_marker("timeout")
    return float(mark.args[0]) if mark is not None else 0.0


def pytest_collection_finish() -> None:
    """All modules are loaded: collections of garbage need not look through them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def _no_road_to_a_real_model() -> Iterator[None]:
    anthropic_model.REAL_CALLS_ALLOWED = False
    yield
    anthropic_model.REAL_CALLS_ALLOWED = True


@pytest.fixture(scope="session")
def node_binary() -> Path:
    return node.node_binary()


@pytest.fixture(scope="session")
def node_dir() -> Path:
    """The folder of the Node packages: TOWNSFOLK_NODE_DIR if set, else the user's cache."""
    named = os.environ.get("TOWNSFOLK_NODE_DIR")
    if named:
        return Path(named)
    return asyncio.run(node.ready(lambda line: None)).packages_dir
