"""An installed `townsfolk`: its names, other packages in its way, and an old Python."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import townsfolk
from bridge.fake import Person
from townsfolk import start
from townsfolk.packages import NAMES, PackagesMixed, mixed, refuse_mixed

STUB = Path(townsfolk.__file__).with_suffix(".pyi")


def test_every_public_name_can_be_loaded() -> None:
    names = [name for name in dir(townsfolk) if name[0].isalpha()]
    assert {"Daemon", "Settings", "Bot", "FakeBridge", "plan", "simulate"} <= set(names)
    assert townsfolk.FakePerson is Person
    assert [name for name in names if getattr(townsfolk, name, None) is None] == []


def test_a_name_that_townsfolk_lacks_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Demon'"):
        _ = townsfolk.Demon  # type: ignore[attr-defined]


def test_the_import_alone_loads_nothing() -> None:
    code = "import townsfolk, sys; print([m for m in sys.modules if m in ('bots','bridge','llm')])"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


def test_names_are_listed_once() -> None:
    names = [line.split(" as ")[-1] for line in STUB.read_text().splitlines() if " as " in line]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("package", ["townsfolk", "bots", "bridge", "llm"])
def test_every_package_says_that_it_is_typed(package: str) -> None:
    assert (STUB.parents[1] / package / "py.typed").exists()


# --- packages of others ---------------------------------------------------------------


OURS = {f"{name}/__init__.py": '"""Ours."""\n' for name in NAMES}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages with townsfolk in it; imports look there first."""
    folder = tmp_path / "site-packages"
    install(folder, "townsfolk-0.1.0", {**OURS, "llm/engine.py": "budget = 1\n"})
    for name in NAMES:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(folder))
    return folder


def install(site: Path, project: str, files: dict[str, str]) -> None:
    """Lay files over what is there, and note them, as pip does."""
    for name, text in files.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    record = site / f"{project}.dist-info/RECORD"
    record.parent.mkdir()
    record.write_text("".join(f"{name},sha256=x,{len(text)}\n" for name, text in files.items()))


STRANGERS = {"llm/__init__.py": '"""A tool for models."""\n', "llm/cli.py": "main = 1\n"}


def test_this_checkout_is_whole() -> None:
    assert mixed() == []


def test_a_whole_installation_is_well(site: Path) -> None:
    assert mixed(site) == []


def test_a_package_that_was_there_before_is_noticed(site: Path) -> None:
    ours = (site / "llm/__init__.py").read_text()
    install(site, "llm-0.27", STRANGERS)
    (site / "llm/__init__.py").write_text(ours)  # ours came last
    assert mixed(site) == [f"files of another package lie in {site}/llm: llm/cli.py (llm 0.27)"]


def test_a_package_that_came_later_is_noticed(site: Path) -> None:
    install(site, "bridge-3.1", {"bridge/__init__.py": "cards = 52\n"})
    assert mixed(site) == [
        f"{site}/bridge/__init__.py is not as townsfolk installed it (bridge 3.1)"
    ]


def test_what_another_uninstalling_took_along_is_noticed(site: Path) -> None:
    (site / "llm/__init__.py").unlink()
    [fault] = mixed(site)
    assert "llm/__init__.py is missing" in fault or "comes from" in fault
    (site / "llm/__init__.py").write_text(OURS["llm/__init__.py"])
    (site / "llm/engine.py").unlink()
    assert mixed(site) == [f"{site}/llm/engine.py is not as townsfolk installed it"]


def test_a_package_in_front_of_ours_is_noticed(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "project"
    (own / "bots").mkdir(parents=True)
    (own / "bots/__init__.py").touch()
    monkeypatch.syspath_prepend(str(own))
    assert mixed(site) == [f"the package bots comes from {own}/bots, not from townsfolk in {site}"]


def test_the_refusal_names_the_way_out(site: Path) -> None:
    install(site, "llm-0.27", STRANGERS)
    with pytest.raises(PackagesMixed, match=r"llm 0\.27.*with pipx.*environment of its own"):
        refuse_mixed(site)


def test_the_program_does_not_start_and_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("townsfolk.packages.mixed", lambda _ours: ["llm is another one"])
    monkeypatch.setattr(sys, "argv", ["townsfolk", "up"])
    with pytest.raises(SystemExit, match=r"townsfolk: llm is another one\. Install .* with pipx"):
        start.main()


def test_doctor_tells_it_in_its_own_way(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "mixed", lambda: ["llm is another one"])
    monkeypatch.setattr(sys, "argv", ["townsfolk", "doctor"])
    with pytest.raises(SystemExit) as ended:
        start.main()
    assert ended.value.code == 1
    finding, step = capsys.readouterr().out.splitlines()
    assert finding.split(maxsplit=2) == ["bad", "packages", "llm is another one"]
    assert "virtual environment" in step


# --- old Python -----------------------------------------------------------------------


ROOT = Path(__file__).parents[3]
AS_OLD = "import runpy, sys; sys.version_info = (3, 10, 4, 'final', 0); runpy.run_path(sys.argv[1])"


def test_it_names_both_versions_and_what_to_do() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]
    (folder,), module = build["backend-path"], build["build-backend"]
    file = ROOT / folder / f"{module}.py"
    ended = subprocess.run(
        [sys.executable, "-c", AS_OLD, file], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith(
        "townsfolk needs Python 3.11 or newer, and this is Python 3.10.4"
    )
    assert "python3.11 -m venv .venv" in ended.stderr


def test_an_old_python_needs_nothing_to_get_there() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]
    assert all("python_version >= '3.11'" in needed for needed in build["requires"])
    oldest = re.search(
        r"OLDEST = \((\d+), (\d+)\)", (ROOT / "deploy/build/checked_build.py").read_text()
    )
    assert oldest is not None
    assert oldest.groups() == ("3", "11")
