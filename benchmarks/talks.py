"""How many turns a second a simulated talk takes: `python -m benchmarks.talks`.

Everything is done as `townsfolk experiment run` does it, the log written to disk included; and
the replay of it.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from bots.experiments.runs import PreparedRun, replay
from bots.experiments.scenario_file import parse_scenario
from bots.experiments.simulation import simulate
from bots.observability.logs import quietly

TURNS = 5_000
NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")


def main() -> None:
    with quietly(), tempfile.TemporaryDirectory() as folder:
        for bots in (2, 4, 8):
            for order in ("rounds", "nominate"):
                _measure(bots, order, Path(folder) / f"{order}-{bots}")


def _measure(bots: int, order: str, out: Path) -> None:
    text = _scenario(NAMES[:bots], order)
    begun_s = time.perf_counter()
    simulate(PreparedRun(parse_scenario(text), text, out), out)
    played_s = time.perf_counter() - begun_s
    begun_s = time.perf_counter()
    again = replay(out)
    replayed_s = time.perf_counter() - begun_s
    print(
        f"{bots} bots, {order}: {again.turns / played_s:,.0f} turns a second played, "
        f"{again.turns / replayed_s:,.0f} replayed, identical: {again.identical}"
    )


def _scenario(names: tuple[str, ...], order: str) -> str:
    head = f'[talk]\norder = "{order}"\n'
    caps = f"[caps]\nturns = {TURNS}\ntime_s = 1e9\nrepetition_lines = 0\n"
    return head + caps + "".join(_member(name, names) for name in names)


def _member(name: str, names: tuple[str, ...]) -> str:
    """Says one of several things to one of the others, for ever."""
    words = ", ".join(
        f'"{other}, that makes {number} reasons. [Next: {other}]"'
        for number, other in enumerate(names)
        if other != name
    )
    return f'[[cast]]\nname = "{name}"\ncues = [{{ say = [{words}], again = true }}]\n'


if __name__ == "__main__":
    main()
