"""What a running daemon tells of itself: `townsfolk status` and `townsfolk stats`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from bots.cli.client import DaemonClient
from bots.cli.output import print_line, remark
from bots.text.printable import printable


def show(data_dir: Path, as_json: bool) -> bool:
    """Print how the running daemon is; whether it is well. Raises NoDaemon and DaemonSilent."""
    with DaemonClient.of(data_dir) as daemon:
        model = daemon.get("budget").get("model")
        found = {**daemon.health(), "model": model, "bots": daemon.bots()}
    for line in [json.dumps(found, ensure_ascii=False)] if as_json else rendered(found):
        print_line(line)
    return found.get("ok") is True


def show_whether(data_dir: Path, word: Literal["live", "ready"]) -> bool:
    """Print whether the daemon should be left alone, or its bots can be talked with now. Raises
    NoDaemon and DaemonSilent."""
    with DaemonClient.of(data_dir) as daemon:
        found = daemon.health("/live" if word == "live" else "/ready")
    why = "; ".join(found.get("why", ()))
    print_line(f"not {word}: {why}" if why else word)
    return found.get("ok") is True


def show_link(data_dir: Path) -> None:
    """Print a link that opens the page in a browser, once. Raises NoDaemon and DaemonSilent."""
    with DaemonClient.of(data_dir) as daemon:
        print_line(daemon.link())


def rendered(status: Mapping[str, Any]) -> Iterator[str]:
    """One line for the daemon, one for each bot."""
    how = "well" if status.get("ok") is True else "unwell"
    yield f"The daemon is {how}; database: {status.get('database', 'unknown')}"
    if (broker := status.get("broker", "ok")) != "ok":
        yield f"{broker[:1].upper()}{broker[1:]}; townsfolk doctor says what to do"
    for part in status.get("ended", ()):
        yield f"A part has ended, start the daemon anew: {part}"
    model = status.get("model") or {}
    if model.get("state") == "unusable":
        yield f"The model does not answer, so rules do: {model['found']}"
        yield f"  → {model['nextStep']}"
    for bot in status["bots"]:
        facts = ", ".join(bot.get("doing") or ()) or bot.get("advice") or ""
        lives = f"at {printable(bot['daemon'])}" if bot.get("daemon") else ""
        told = ": ".join(filter(None, (lives, facts)))
        yield f"{bot['name']:<16} {bot['state']:<11} {told}".rstrip()


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


def show_stats(data_dir: Path, as_json: bool) -> None:
    """Print the measures: the daemon's when one runs, else of what the last one left.

    Raises DaemonSilent."""
    found = _found(data_dir)
    if as_json:
        print_line(json.dumps(found, ensure_ascii=False))
        return
    for line in rendered_stats(found):
        print_line(line)
    for name, other in found.get("daemons", {}).items():
        for line in (f"At {printable(name)}", *rendered_stats(other)):
            print_line(line)


def rendered_stats(stats: Mapping[str, Any]) -> Iterator[str]:
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
        target, unit = "no cap", metric["unit"]
        if metric["target"] is not None:
            target = f"{_SIDES[metric['side']]} {_measure(metric['target'], unit)}"
        value, met = _measure(metric["value"], unit), _MET[metric["met"]]
        yield f"{NAMES.get(name, name):<32}{value:>10}  {target:<10}{met:<8} of {metric['of']}"


def _measure(value: float | None, unit: str) -> str:
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
        return daemon.get("stats")
