"""What pip installs from a wheel into a bare environment, outside of the checkout."""

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pydantic
import pytest

pytest.importorskip("hatchling", reason="the extra dev brings what builds wheels")
pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[2]
DEPENDENCIES = Path(pydantic.__file__).parents[1]
WITHIN_S = 200.0

USERS_SCRIPT = '''
"""What a user writes."""

import asyncio
from pathlib import Path
from tempfile import mkdtemp

from townsfolk import (
    BotsSettings, Daemon, Failure, FakeBridge, InfoResult, Settings, handle_chat_command, reach_goal
)


async def main() -> None:
    settings = Settings(data_dir=Path(mkdtemp()), bots=BotsSettings(names=("Carol",)))
    async with Daemon(settings, bridge=FakeBridge(), answers=False) as daemon:
        assert await daemon.all_joined()
        carol = daemon.bot("Carol")
        seen = await handle_chat_command(carol, "Steve", "!info all", gives=InfoResult)
        kind: str = seen.type
        reached = await reach_goal(carol, "inventory.nosuchitem:1")
        reason: str = reached.reason if isinstance(reached, Failure) else reached.goal
        await carol.add_message("Steve", "Hello!")
        [line] = carol.get_conversation_history(username="Steve")
        said: tuple[str, str, int] = (line.speaker, line.type, line.timestamp_ms)
        print(kind, reason, *said[:2])


asyncio.run(main())
'''
STRANGER = {
    "llm/__init__.py": '"""A tool for models."""\n',
    "llm/cli.py": "",
    "llm-0.27.dist-info/METADATA": "Metadata-Version: 2.1\nName: llm\nVersion: 0.27\n",
    "llm-0.27.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "llm-0.27.dist-info/RECORD": "llm/__init__.py,,\nllm/cli.py,,\nllm-0.27.dist-info/METADATA,,\n"
    "llm-0.27.dist-info/WHEEL,,\nllm-0.27.dist-info/RECORD,,\n",
}


class Environment:
    """A bare environment with the libraries that we need, but without us."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder, with_pip=False, symlinks=True)
        [self.site] = folder.glob("lib/python*/site-packages")
        (self.site / "dependencies.pth").write_text(f"{DEPENDENCIES}\n")

    def install(self, wheel: Path) -> None:
        pip: list[str | Path] = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            self.folder,
            "install",
            "-q",
            "--no-compile",
        ]
        run(*pip, "--no-deps", "--no-index", wheel, cwd=self.folder)

    def townsfolk(self, *words: str | Path, exits: int = 0) -> str:
        return run(self.folder / "bin/townsfolk", *words, cwd=self.folder, exits=exits)

    def python(self, *words: str | Path) -> str:
        return run(self.folder / "bin/python", *words, cwd=self.folder)


def run(*command: str | Path, cwd: Path, exits: int = 0) -> str:
    """Run it outside of the checkout; what it said."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command,
        cwd=cwd,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=WITHIN_S,
    )
    assert done.returncode == exits, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of wheel and sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "-t",
        "wheel",
        "-t",
        "sdist",
        "-d",
        folder,
        cwd=ROOT,
    )
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    [wheel] = built.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of another project with a package called llm."""
    wheel = tmp_path_factory.mktemp("stranger") / "llm-0.27-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        for name, text in STRANGER.items():
            file.writestr(name, text)
    return wheel


@pytest.fixture(scope="module")
def installed(
    wheel: Path, cache_home: Path, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """With the wheel alone; the Node packages are those of all tests."""
    assert cache_home.exists()
    environment = Environment(tmp_path_factory.mktemp("user") / "venv")
    environment.install(wheel)
    return environment


def test_the_sdist_holds_all_that_the_wheel_is_made_of(built: Path, wheel: Path) -> None:
    [sdist] = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    moved = (
        "townsfolk-1.0.0.dist-info/",
        "bots/characters/texts/",
        "bridge/host/node_package.json",
    )
    installed = [name for name in zipfile.ZipFile(wheel).namelist() if not name.startswith(moved)]
    assert {name.partition("/")[0] for name in installed} == {"townsfolk", "bots", "bridge", "llm"}
    assert [name for name in installed if name not in sources] == []
    assert {"examples/characters/brack.md", "node_package.json", "README.md"} <= sources


def test_a_users_script_runs_on_the_installed_packages(installed: Environment) -> None:
    script = installed.folder / "own.py"
    script.write_text(USERS_SCRIPT)
    where = installed.python("-c", "import townsfolk; print(townsfolk.Daemon, townsfolk.__file__)")
    assert str(installed.site) in where
    last = installed.python(script).splitlines()[-1]
    assert last == "all unknown_item Steve conversation"


def test_the_command_plans_and_plays_from_the_wheel(installed: Environment) -> None:
    assert installed.townsfolk("--version").startswith("townsfolk ")
    assert "oak_log: need 1" in installed.townsfolk("plan", "inventory.stick:4", exits=1)
    data = installed.folder / "data"
    ran = installed.townsfolk("up", "--data-dir", data, "--for", "0.1", "--dashboard-port", "0")
    assert "ready server=127.0.0.1:" in ran
    assert "bots=Alice,Bob" in ran


def test_a_later_package_of_others_is_refused(wheel: Path, stranger: Path, tmp_path: Path) -> None:
    environment = Environment(tmp_path / "venv")
    environment.install(wheel)
    environment.install(stranger)
    for command, exits in (("up", 1), ("doctor", 1)):
        told = environment.townsfolk(command, exits=exits)
        assert "(llm 0.27)" in told
        assert "pipx" in told


def test_a_strangers_package_that_was_there_before_is_refused(
    wheel: Path, stranger: Path, tmp_path: Path
) -> None:
    environment = Environment(tmp_path / "venv")
    environment.install(stranger)
    environment.install(wheel)
    told = environment.townsfolk("doctor", exits=1)
    assert "llm/cli.py (llm 0.27)" in told
    assert "virtual environment of its own" in told
