"""Names are words that a field engineer would search for."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = [
    path
    for top in ("townsfolk", "bots", "bridge", "llm")
    for path in sorted((ROOT / top).rglob("*.py"))
]
SCRIPTS = [p for p in sorted((ROOT / "bridge").rglob("*.cjs")) if "node_modules" not in p.parts]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
SAY = {
    "town": "daemon or roster",
    "lane": "queue",
    "deed": "action",
    "errand": "job",
    "telling": "speech or broadcast",
    "wits": "decision parts",
    "resident": "session",
    "minds": "responders",
}
"""Words that nobody would search for, and what to say instead."""
WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
CODE = re.compile(r"`[^`\s]+`")
REMARKS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def banned(name: str) -> set[str]:
    """The words of a name, as `DeedsDone` or `take_deed`, that are not ours; plurals too."""
    words = {word.lower() for word in WORDS.findall(name)}
    return {word for word in SAY if word in words or f"{word}s" in words}


def names_of(path: Path) -> Iterator[str]:
    """The identifiers of a module, its own name, and names in backticks in its text."""
    yield from path.relative_to(ROOT).with_suffix("").parts
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        if token.type == tokenize.NAME:
            yield token.string
        elif token.type in (tokenize.COMMENT, tokenize.STRING):
            yield from CODE.findall(token.string)


def names_of_script(path: Path) -> Iterator[str]:
    yield from path.relative_to(ROOT).with_suffix("").parts
    yield from re.findall(r"\w+", REMARKS.sub("", path.read_text()))


def uses() -> set[str]:
    """Every use of a banned word as a name, as `FILE: word`."""
    named = [(path, name) for path in SOURCES for name in names_of(path)]
    named += [(path, name) for path in SCRIPTS for name in names_of_script(path)]
    named += [(path, name) for path in PAGES for name in CODE.findall(path.read_text())]
    return {f"{path.relative_to(ROOT)}: {word}" for path, name in named for word in banned(name)}


def test_a_name_is_split_into_its_words() -> None:
    assert banned("DeedsDone") == {"deed"}
    assert banned("take_errand") == {"errand"}
    assert banned("planes, reminds, Townsend") == set()


def test_no_name_is_a_word_that_nobody_would_search_for() -> None:
    assert uses() == set()
