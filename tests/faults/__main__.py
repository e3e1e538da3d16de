"""Play faults on a testbed: `PYTHONPATH=tests:. python -m faults --seed 7 --minutes 60`."""

import argparse
import asyncio
import signal
import sys
import tempfile
from collections import defaultdict
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from faults.run import Report, play, small_disk
from faults.schedule import Kind, faults


def main() -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a script's background ignores it
    asked = _arguments()
    kinds = tuple(map(Kind, asked.only or Kind)) if not asked.calm else ()
    if asked.show:
        for fault in islice(faults(asked.seed, kinds), asked.show):
            print(f"{fault}, after {fault.after_s:.1f} s of calm")
        return 0
    folder = Path(tempfile.mkdtemp(prefix="faults-"))
    print(f"seed {asked.seed}, {asked.minutes:g} minutes, in {folder}", flush=True)
    with small_disk(folder / "data") as may_fill:
        if not may_fill:
            print("only root can mount a disk to fill: it is left out")
            kinds = tuple(kind for kind in kinds if kind is not Kind.DISK_FULL)
        report = asyncio.run(
            play(folder, asked.seed, asked.minutes, faults(asked.seed, kinds), _tell)
        )
    _show(report)
    return 1 if report.broken else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="faults", description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--only", nargs="+", metavar="KIND", help=", ".join(Kind))
    parser.add_argument("--calm", action="store_true", help="no fault at all")
    parser.add_argument("--show", type=int, metavar="N", help="print the first N faults and end")
    return parser.parse_args()


def _tell(line: str) -> None:
    print(f"{datetime.now(UTC):%H:%M:%S} {line}", flush=True)


def _show(report: Report) -> None:
    print("\n| fault | times | slowest recovery |\n|---|---|---|")
    times: defaultdict[Kind, list[float]] = defaultdict(list)
    for fault, took_s in report.mended:
        times[fault.kind].append(took_s)
    for kind, took in sorted(times.items()):
        print(f"| {kind} | {len(took)} | {max(took):.1f} s |")
    print(
        "\n| minute | daemon | MB | Node MB | server MB | files | threads | tasks | blocks |",
        end="",
    )
    print(" Node in use | server in use |\n|---|---|---|---|---|---|---|---|---|---|---|")
    for s in report.samples:
        in_use = "{:.1f} | {:.1f}".format(*s.in_use_mb) if s.in_use_mb else "|"
        print(
            f"| {s.minute:.0f} | {s.daemon} | {s.daemon_mb:.0f} | {s.node_mb:.0f} |"
            f" {s.server_mb:.0f} | {s.files} | {s.threads} | {s.tasks} | {s.blocks} |"
            f" {in_use} |"
        )
    print()
    for what, count in sorted(report.counts.items()):
        print(f"{what}: {count:,}")
    print(f"\n{len(report.broken)} promises broken; play it again with --seed {report.seed}")
    for breach in report.broken:
        print(f"- {breach}")


if __name__ == "__main__":
    sys.exit(main())
