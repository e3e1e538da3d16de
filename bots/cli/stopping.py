"""`townsfolk stop`: end the running daemon in order."""

from __future__ import annotations

from pathlib import Path

import psutil

from bots.daemon import daemon_file
from bridge.errors import UserError

ENDS_WITHIN_S = 15.0


class NotEnded(UserError):
    """The daemon was told to end and did not."""


def stop(data_dir: Path, within_s: float = ENDS_WITHIN_S) -> str:
    """What came of it. Raises NoDaemon, NotEnded."""
    pid = daemon_file.read(data_dir).pid
    try:
        process = psutil.Process(pid)
        process.terminate()
        process.wait(within_s)
    except psutil.NoSuchProcess:
        pass  # it ended by itself just then
    except psutil.AccessDenied:
        raise NotEnded(f"the daemon (process {pid}) is another user's; have them end it") from None
    except psutil.TimeoutExpired:
        raise NotEnded(
            f"the daemon (process {pid}) has not ended within {within_s:g} s; "
            f"wait, or force it: kill -9 {pid}"
        ) from None
    return f"The daemon (process {pid}) has ended."
