"""What the shell's completion offers beside commands and options."""

from __future__ import annotations

from typing import Annotated

import typer

from bots.cli.output import folder_of


def bot_names(context: typer.Context, incomplete: str) -> list[str]:
    """The bots of the daemon of the folder that is named, or of the default one."""
    from bots.daemon.daemon_file import NoDaemon, read

    try:
        names = read(folder_of(context.params.get("data_dir"))).bots
    except NoDaemon:
        return []
    return [name for name in names if name.startswith(incomplete)]


BotName = Annotated[str, typer.Argument(metavar="BOT", help="Which bot.", autocompletion=bot_names)]
