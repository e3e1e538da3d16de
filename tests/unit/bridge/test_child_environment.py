"""What child processes see of the environment."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.child_environment import child_environment

ROOT = Path(__file__).parents[3]
SECRETS = {
    "ANTHROPIC_API_KEY": "sk-ant-1",
    "ANTHROPIC_BASE_URL": "https://me:pass@api.test",
    "TOWNSFOLK_LLM__API_KEY": "sk-ant-2",
    "AWS_SECRET_ACCESS_KEY": "x",
    "GITHUB_TOKEN": "x",
    "NODE_AUTH_TOKEN": "x",
    "npm_config_//registry.test/:_authToken": "x",
    "NPM_CONFIG__PASSWORD": "x",
    "XDG_SESSION_KEY": "x",
    "LC_SECRET": "x",
    "UV_DEFAULT_INDEX": "https://me:pass@index.test",
}


def test_a_child_gets_what_programs_need() -> None:
    needed = {
        "PATH": "/bin",
        "HOME": "/home/me",
        "LC_ALL": "C.UTF-8",
        "XDG_CACHE_HOME": "/c",
        "TMPDIR": "/t",
        "SystemRoot": r"C:\Windows",
        "NODE_OPTIONS": "--max-old-space-size=512",
    }
    assert child_environment(environment=needed | SECRETS) == needed


def test_an_install_gets_proxies_and_settings_of_npm_besides() -> None:
    network = {"https_proxy": "http://p", "npm_config_registry": "r", "SSL_CERT_FILE": "c"}
    assert child_environment(environment=network) == {}
    assert child_environment(environment=network | SECRETS, network=True) == network


def test_what_the_caller_adds_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    environment = child_environment(LANG="C.UTF-8", TOWNSFOLK_NODE_DIR="/n")
    assert (environment["LANG"], environment["TOWNSFOLK_NODE_DIR"]) == ("C.UTF-8", "/n")


@given(
    beginning=st.sampled_from(["", "NODE_", "npm_config_", "LC_", "XDG_", "UV_"]),
    middle=st.text("ABcd_:/.", max_size=8),
    end=st.sampled_from(["_KEY", "_TOKEN", "_PASSWORD", "_SECRET", "_key", "_authToken"]),
    network=st.booleans(),
)
def test_no_name_of_a_secret_passes(beginning: str, middle: str, end: str, network: bool) -> None:
    name = beginning + middle + end
    assert child_environment(environment={name: "x"}, network=network) == {}


def test_whatever_starts_a_process_says_what_that_sees() -> None:
    """The model's key stood in the environment of both Node processes, beside packages that
    are not ours: no process is started with all of ours."""
    starts = {"subprocess.Popen", "subprocess.run", "asyncio.create_subprocess_exec"}
    for path in [p for wing in ("bots", "bridge", "llm") for p in (ROOT / wing).rglob("*.py")]:
        text = path.read_text()
        for call in ast.walk(ast.parse(text)) if "subprocess" in text else ():
            if isinstance(call, ast.Call) and ast.unparse(call.func) in starts:
                said = {keyword.arg for keyword in call.keywords}
                assert "env" in said, f"{path.name}:{call.lineno}"
