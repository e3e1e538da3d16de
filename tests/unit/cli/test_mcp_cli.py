"""`townsfolk mcp`: its flags, and what it says without its package."""

import pytest
from typer.testing import CliRunner

from bots.cli import mcp
from bots.cli.main import app


def test_without_the_package_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp, "find_spec", lambda _name: None)
    result = CliRunner().invoke(app, ["mcp"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert 'pip install -q -c constraints.txt -e ".[mcp]"' in result.stderr
