"""The command `townsfolk`: refuses mixed-up packages, then hands over to `bots.cli`."""

from __future__ import annotations

import sys

from townsfolk.packages import WAY_OUT, PackagesMixed, mixed, refuse_mixed


def main() -> None:
    """The console script."""
    if sys.argv[1:2] == ["doctor"] and (found := mixed()):
        sys.exit(_as_doctor_tells(found))
    try:
        refuse_mixed()
    except PackagesMixed as error:
        sys.exit(f"townsfolk: {error}")
    from bots.cli.main import main as run  # only now: it may have been a stranger's

    run()


def _as_doctor_tells(found: list[str]) -> int:
    """The line of `townsfolk doctor`, which cannot run; its exit code."""
    sys.stdout.write(f"{'bad':<6} {'packages':<14} {'; '.join(found)}\n")
    sys.stdout.write(f"{'':<6} {'':<14} → {WAY_OUT}\n")
    return 1
