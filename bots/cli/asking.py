"""One question to the daemon that runs on a data folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bots.cli.output import folder_of, remark

if TYPE_CHECKING:
    from bots.cli.client import DaemonClient


def ask_daemon(
    data_dir: Path | None, ask: Callable[[DaemonClient], dict[str, Any]]
) -> dict[str, Any]:
    """What the daemon answers; that none runs is a result too."""
    from bots.cli.client import DaemonClient
    from bots.daemon.daemon_file import DaemonSilent, NoDaemon

    try:
        with DaemonClient.of(folder_of(data_dir)) as daemon:
            return ask(daemon)
    except (NoDaemon, DaemonSilent) as error:
        reason = "no_daemon" if isinstance(error, NoDaemon) else "daemon_silent"
        remark(str(error))
        return {"success": False, "reason": reason, "message": str(error)}
