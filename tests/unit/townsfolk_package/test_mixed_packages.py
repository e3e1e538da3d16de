"""Another project's `llm`, `bots` or `bridge` is noticed, in either order of installing."""

import sys
from pathlib import Path

import pytest

from townsfolk import start
from townsfolk.packages import NAMES, PackagesMixed, mixed, refuse_mixed

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
