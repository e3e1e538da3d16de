"""`townsfolk status`: whether the daemon, its database, its model and its bots are well."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bots.cli.client import DaemonClient
from bots.cli.output import print_line
from bots.text.printable import printable


def show(data_dir: Path, as_json: bool) -> bool:
    """Print how the running daemon is; whether it is well. Raises NoDaemon and DaemonSilent."""
    with DaemonClient.of(data_dir) as daemon:
        model = daemon.budget().get("model")
        found = {**daemon.health(), "model": model, "bots": daemon.bots()}
    for line in [json.dumps(found, ensure_ascii=False)] if as_json else rendered(found):
        print_line(line)
    return found.get("ok") is True


def show_live(data_dir: Path) -> bool:
    """Print whether the daemon should be left alone. Raises NoDaemon and DaemonSilent."""
    with DaemonClient.of(data_dir) as daemon:
        return _shown("live", daemon.is_live())


def show_ready(data_dir: Path) -> bool:
    """Print whether the bots can be talked with now. Raises NoDaemon and DaemonSilent."""
    with DaemonClient.of(data_dir) as daemon:
        return _shown("ready", daemon.is_ready())


def _shown(word: str, found: Mapping[str, Any]) -> bool:
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
