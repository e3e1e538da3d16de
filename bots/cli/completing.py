"""What the shell's completion offers beside commands and options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bots.cli.output import folder_of

if TYPE_CHECKING:
    from bots.daemon.daemon_file import DaemonFile


def bot_names(context: typer.Context, incomplete: str) -> list[str]:
    """The bots of the daemon of the folder that is named, or of the default one; those of its
    whole cluster too."""
    from bots.daemon.daemon_file import NoDaemon, read

    try:
        daemon = read(folder_of(context.params.get("data_dir")))
    except NoDaemon:
        return []
    names = daemon.bots if daemon.member is None else _of_cluster(daemon)
    return [name for name in names if name.startswith(incomplete)]


def _of_cluster(file: DaemonFile) -> tuple[str, ...]:
    """The bots of all its daemons; of this one alone while it does not answer."""
    from bots.cli.client import DaemonClient
    from bots.daemon.daemon_file import DaemonSilent

    try:
        with DaemonClient(file) as daemon:
            return tuple(str(bot["name"]) for bot in daemon.bots())
    except DaemonSilent:
        return file.bots


BotName = Annotated[str, typer.Argument(metavar="BOT", help="Which bot.", autocompletion=bot_names)]
