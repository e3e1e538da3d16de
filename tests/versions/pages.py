"""What the docs tell of the range: `PYTHONPATH=tests:. python -m versions.pages` writes it."""

import itertools
import re
from pathlib import Path

from bridge.versions import VERSIONS, Known, Versions

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/server.md", "docs/troubleshooting.md", "docs/versions.md")
HEADER = "| version | how it is known |\n|---|---|\n"
MEANINGS: dict[Known, str] = {
    "bench": "protocol bench",
    "bytes": "protocol bench, bytes recorded from vanilla",
    "real": "protocol bench, a real server",
    "newer": "not joined by itself: [a newer server](server.md#a-newer-server)",
}
_RANGE = re.compile(r"(speaks |servers of |Java |\[)\d[\d.]* to \d[\d.]*\d")
_TABLE = re.compile(re.escape(HEADER) + r"(?:\|.*\n)+")


def told(page: str, versions: Versions) -> str:
    """A page with this range and this table instead of those it had."""
    return _TABLE.sub(HEADER + table(versions), _RANGE.sub(rf"\g<1>{versions}", page))


def table(versions: Versions) -> str:
    every = (*versions.joined, *versions.newer)
    rows = itertools.groupby(every, key=lambda one: one.known)
    return "".join(
        f"| {' '.join(one.name for one in group)} | {MEANINGS[known]} |\n" for known, group in rows
    )


def main() -> None:
    for page in PAGES:
        path = ROOT / page
        path.write_text(told(path.read_text(), VERSIONS))


if __name__ == "__main__":
    main()
