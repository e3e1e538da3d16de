"""What real bots sensed, as `record_snapshots.py` wrote it down."""

import json
from pathlib import Path

from bridge.looking import parse_scan
from bridge.wire import parse_snapshot

_DATA = Path(__file__).parents[1] / "data"


def _read(name: str) -> dict[str, dict[str, object]]:
    read: dict[str, dict[str, object]] = json.loads((_DATA / f"{name}.json").read_text())
    return read


SNAPSHOTS = {name: parse_snapshot(wire) for name, wire in _read("snapshots").items()}
AROUND = {
    name: parse_scan({"under_water": [], "shores": [], **wire})
    for name, wire in _read("surroundings").items()
}
"""The blocks of note around, of the same moments."""
