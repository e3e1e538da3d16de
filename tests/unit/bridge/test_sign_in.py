"""What `townsfolk login` says of a sign-in that failed."""

import json
from pathlib import Path

import pytest

from bridge.accounts import SignInFailed, sign_in
from bridge.node import NodeRuntime


def node_that_tells(folder: Path, **message: str) -> NodeRuntime:
    """A runtime whose Node writes this one message, whatever it is to run."""
    binary = folder / "node"
    binary.write_text(f"#!/bin/sh\necho '{json.dumps(message)}'\n")
    binary.chmod(0o700)
    return NodeRuntime(binary, folder)


async def failure_of(folder: Path, **message: str) -> str:
    runtime = node_that_tells(folder, **message)
    with pytest.raises(SignInFailed) as raised:
        await sign_in(runtime, folder / "tokens.json", "Alice", lambda _: None)
    return str(raised.value)


async def test_without_a_network_whoever_signs_in_is_to_run_it_again(tmp_path: Path) -> None:
    told = await failure_of(tmp_path, t="failed", text="ENOTFOUND", key="account_unreachable")
    assert told == (
        "Microsoft's sign-in does not answer: “ENOTFOUND”. "
        "Check the network, then run `townsfolk login Alice` again."
    )


async def test_an_account_that_is_refused_is_told_with_the_reason(tmp_path: Path) -> None:
    told = await failure_of(tmp_path, t="failed", text="it owns nothing", key="account_refused")
    assert "“it owns nothing”" in told
    assert "townsfolk login Alice" in told


async def test_a_node_that_ends_early_is_told(tmp_path: Path) -> None:
    runtime = node_that_tells(tmp_path)
    runtime.binary.write_text("#!/bin/sh\n")
    with pytest.raises(SignInFailed, match="ended before"):
        await sign_in(runtime, tmp_path / "tokens.json", "Alice", lambda _: None)
