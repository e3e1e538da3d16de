"""`townsfolk stats`: how well the bots decide, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bots.cli.output import print_line, remark
from bots.text.printable import printable

NAMES: Mapping[str, str] = {
    "timeout_rate": "ran out of time",
    "answer_mean_s": "mean time to answer a person",
    "opus_mean_s": "mean time of the dearest tier",
    "cost_usd": "cost of the period",
    "valid_actions": "valid actions",
    "ended_properly": "goals and talks ended properly",
    "approval": "approved by people",
}
_SIDES = {"below": "<", "above": ">", "at_most": "≤"}
_MET = {True: "met", False: "not met", None: ""}


def show(data_dir: Path, as_json: bool) -> None:
    """Print the measures: the daemon's when one runs, else of what the last one left.

    Raises DaemonSilent."""
    found = _found(data_dir)
    if as_json:
        print_line(json.dumps(found, ensure_ascii=False))
        return
    for line in rendered(found):
        print_line(line)
    for name, other in found.get("daemons", {}).items():
        for line in (f"At {printable(name)}", *rendered(other)):
            print_line(line)


def rendered(stats: Mapping[str, Any]) -> Iterator[str]:
    """The measures as a table."""
    made = stats["decisions"]
    yield f"Since {stats['since'][:16].replace('T', ' ')} UTC: {made['made']} decisions"
    for title, key in (
        ("by", "by_source"),
        ("tiers", "by_tier"),
        ("no model's answer", "fallbacks"),
    ):
        if made[key]:
            yield f"  {title}: " + ", ".join(f"{name} {n}" for name, n in made[key].items())
    for name, metric in stats["metrics"].items():
        yield _row(NAMES.get(name, name), metric)


def _row(name: str, metric: Mapping[str, Any]) -> str:
    target = "" if metric["target"] is None else _SIDES[metric["side"]]
    target = f"{target} {_shown(metric['target'], metric['unit'])}" if target else "no cap"
    value = _shown(metric["value"], metric["unit"])
    return f"{name:<32}{value:>10}  {target:<10}{_MET[metric['met']]:<8} of {metric['of']}"


def _shown(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    match unit:
        case "share":
            return f"{value:.1%}"
        case "usd":
            return f"${value:.4f}" if value < 1 else f"${value:.2f}"
        case _:
            return f"{value:.2f} s"


def _found(data_dir: Path) -> Mapping[str, Any]:
    from bots.cli.client import DaemonClient
    from bots.daemon.daemon_file import NoDaemon
    from bots.responder.records.keeper import RecordFile, stats_left

    try:
        daemon = DaemonClient.of(data_dir)
    except NoDaemon as none:
        remark(f"{none}; showing what was recorded")
        left = stats_left(RecordFile(data_dir), datetime.now(UTC))
        return {"success": True, **left}
    with daemon:
        return daemon.stats()
