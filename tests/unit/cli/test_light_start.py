"""What is needed by few is loaded by few: help stays quick, and `up` loads no pictures."""

import subprocess
import sys

import pytest

SLOW_FOR_HELP = {
    *("asyncio", "bridge.actions", "bridge.fake", "httpx2", "importlib.metadata", "pydantic"),
    *("rich", "structlog"),
}
OF_OTHERS = {
    *("PIL", "anthropic", "bots.cli.doctor", "bots.experiments", "bots.goals.offline", "bots.mcp"),
    *("bridge.fake", "highspy", "llm.fake_api", "matplotlib", "mcp", "numpy", "opentelemetry"),
    "prometheus_client",
}
"""Of reports, plans without a bot, pictures, tests; the solver is loaded beside the start."""


def loaded_by(code: str) -> set[str]:
    """The modules that a new Python has after running this."""
    tell = "import sys; sys.stderr.write(' '.join(sys.modules))"
    program = f"try:\n {code}\nexcept SystemExit:\n pass\n{tell}"
    done = subprocess.run(
        [sys.executable, "-c", program, "--help"],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return set(done.stderr.split())


def test_help_loads_what_it_prints_and_little_more() -> None:
    assert loaded_by("from townsfolk.start import main; main()") & SLOW_FOR_HELP == set()


@pytest.mark.slow
def test_up_loads_nothing_that_only_others_need() -> None:
    assert loaded_by("import bots.cli.up") & OF_OTHERS == set()
