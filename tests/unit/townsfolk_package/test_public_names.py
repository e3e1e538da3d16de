"""`import townsfolk`: every name is there, typed, and loaded only when it is used."""

import subprocess
import sys
from pathlib import Path

import pytest

import townsfolk
from bridge.fake import Person

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
