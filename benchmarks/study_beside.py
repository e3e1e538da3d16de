"""The study of docs/study.md here, in AutoGen and in Concordia: turns a second, lines of code, the
result.

    python3 -m venv beside
    beside/bin/pip install autogen-agentchat==0.7.5 gdm-concordia==2.1.0
    python -m benchmarks.study_beside --beside beside/bin/python [--talks 1000]

They are in a venv of their own, as their pins are not ours. Ours writes a log of each talk that
replays; theirs play the talks and print two means. All are timed by the processor, in a
process that is up. Lines are those of the study's own files that are not blank and no comment.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
import time
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from bots.cli.main import app
from bots.experiments.data import load_study

ROOT = Path(__file__).parents[1]
THEIRS = {name: ROOT / f"benchmarks/beside_{name.lower()}.py" for name in ("AutoGen", "Concordia")}
SEEDS, TURNS = 30, 10  # as the tutorial has them
CONDITIONS = 2
PLAYED = SEEDS * CONDITIONS * TURNS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--beside", metavar="PYTHON", help="that has both")
    parser.add_argument("--talks", type=int, default=0, metavar="N", help="of 24 turns, --jobs 2")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = written(Path(folder))
        took_s, kept = ours(Path(folder))
        _tell("townsfolk", took_s, lines_of(files), kept)
        for name, file in THEIRS.items() if asked.beside else ():
            told = subprocess.run(
                [asked.beside, file, str(SEEDS), str(TURNS)],
                capture_output=True,
                text=True,
                check=True,
            )
            found = json.loads(told.stdout)
            _tell(name, found["seconds"], lines_of([file]), found["kept"].values())
        if asked.talks:
            many(Path(folder), asked.talks)


def written(folder: Path) -> list[Path]:
    """The files of the tutorial, as it shows them."""
    page = (ROOT / "docs/study.md").read_text(encoding="utf-8")
    shown = re.findall(r"```(?:toml|py) (\S+)\n(.*?)```", page, re.DOTALL)
    names = ("story.toml", "answers.py", "study.toml", "measures.py")
    for name, text in shown:
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in names]


def ours(folder: Path) -> tuple[float, list[float]]:
    """(seconds of processor time, the mean of each condition)."""
    began_s = time.process_time()
    _play(folder, "study.toml", "ours")
    took_s = time.process_time() - began_s
    study = load_study(folder / "ours")
    last = {line.run: line.text for line in study.lines if line.speaker == "Eve"}
    story = (folder / "story.toml").read_text(encoding="utf-8").partition('text = "')[2]
    words = story.partition('"')[0].split()
    of: dict[str, list[float]] = {}
    for run in study.runs:
        share = sum(word in last[run.run].split() for word in words) / len(words)
        of.setdefault(run.condition, []).append(share)
    return took_s, [sum(shares) / len(shares) for shares in of.values()]


def many(folder: Path, talks: int) -> None:
    began_s = time.perf_counter()
    words = ("--set", "caps.turns=24", "--runs", str(talks), "--jobs", "2")
    _play(folder, "story.toml", "many", *words)
    took_s = time.perf_counter() - began_s
    print(f"{talks:,} talks of 24 turns, --jobs 2: {took_s:.1f} s,", end=" ")
    print(f"{talks * 24 / took_s:,.0f} turns/s")


def lines_of(files: Iterable[Path]) -> int:
    """Lines that are not blank and no comment or docstring."""
    found = 0
    for file in files:
        text = re.sub(r'^\s*""".*?"""', "", file.read_text(encoding="utf-8"), flags=re.S | re.M)
        found += sum(bool(line.strip()) and not line.startswith("#") for line in text.splitlines())
    return found


def _play(folder: Path, file: str, out: str, *words: str) -> None:
    """As a user does; nothing of what it says is shown."""
    homes = ("--out", folder / out, "--data-dir", folder / "data")
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        app(
            ["experiment", "run", *map(str, (folder / file, *homes, *words))], standalone_mode=False
        )


def _tell(name: str, took_s: float, lines: int, kept: Iterable[float]) -> None:
    means = ", ".join(f"{one:.2f}" for one in kept)
    print(
        f"{name}: {PLAYED} turns in {took_s:.2f} s of processor time, {PLAYED / took_s:,.0f}/s;",
        end=" ",
    )
    print(f"{lines} lines; kept {means}")


if __name__ == "__main__":
    main()
