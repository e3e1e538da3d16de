"""`townsfolk bots`: the bots of a data folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from bots.cli.output import BotName, DataDir, folder_of, plain_errors, print_line

app = typer.Typer(help="The bots of a data folder.", no_args_is_help=True, rich_markup_mode=None)

VARIABLES = ("TOWNSFOLK_BOTS__NAMES", "TOWNSFOLK_BOTS")
"""Of the environment; they beat the file."""


@app.command("list")
def show(data_dir: DataDir = None) -> None:
    """List the bots, and how they are."""
    from bots.cli.client import DaemonClient
    from bots.daemon.daemon_file import NoDaemon
    from bots.text.printable import printable

    with plain_errors():
        folder = folder_of(data_dir)
        configured, states = _configured(folder), dict[str, str]()
        try:
            with DaemonClient.of(folder) as daemon:
                for bot in daemon.bots():
                    lives = f" at {printable(bot['daemon'])}" if bot.get("daemon") else ""
                    states[str(bot["name"])] = f"{bot['state']}{lives}"
            absent = "comes with the next start"
        except NoDaemon:
            absent = "no daemon runs"
        for name in dict.fromkeys([*configured, *states]):
            print_line(f"{name:<16} {states.get(name, absent)}")


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the new bot.")],
    source: Annotated[
        str | None,
        typer.Option(
            "--character",
            metavar="FILE",
            help="A text, a SillyTavern card, or a name of the gallery.",
        ),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Add a bot; it comes with the next start."""
    from bots.cli.init import keep_names
    from bots.errors import SettingsError

    with plain_errors():
        folder = folder_of(data_dir)
        names = _configured(folder)
        if _checked(name).lower() in {other.lower() for other in names}:
            raise SettingsError(f"there is a bot called {name} already: {', '.join(names)}")
        told = list(given(folder, name, source)) if source is not None else []
        file = _config(folder)
        keep_names(file, [*names, name])
        for line in (f"{name} is among the bots, from the next start on: {file}", *told):
            print_line(line)


@app.command()
def remove(
    name: BotName,
    data_dir: DataDir = None,
) -> None:
    """Remove a bot; it stays away from the next start on. What it remembers is kept."""
    from bots.cli.init import keep_names
    from bots.errors import SettingsError
    from bots.text import suggest

    with plain_errors():
        folder = folder_of(data_dir)
        names = _configured(folder)
        if name not in names:
            near = suggest.as_clause(suggest.similar(name, names))
            there_are = f"; there are {', '.join(names)}"
            raise SettingsError(f"no bot is called {name!r}{near or there_are}")
        if len(names) == 1:
            raise SettingsError(f"{name} is the only bot; add another one first")
        file = _config(folder)
        keep_names(file, [other for other in names if other != name])
        print_line(f"{name} stays away from the next start on: {file}")
        print_line(f"Its character and what it remembers are kept in {folder}.")


@app.command()
def character(
    bot: BotName,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="CHARACTER", help="A text, a SillyTavern card, or a name of the gallery."
        ),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Show a bot's character, or give it another one."""
    from bots.responder.case.persona import PersonaFiles
    from bots.text.reading import read_bytes
    from bridge.errors import UserError

    with plain_errors():
        folder = folder_of(data_dir)
        if source is not None:
            for line in given(folder, bot, source):
                print_line(line)
            return
        path = PersonaFiles.of(folder).path(_checked(bot))
        try:
            text = read_bytes(path).decode("utf-8", "replace")
        except FileNotFoundError:
            message = f"there is no {path}; a bot's first start makes it, or give it a character"
            raise UserError(message) from None
        except OSError as error:
            raise UserError(f"cannot read {path}: {error.strerror}") from error
        print_line(f"{path}\n")
        print_line(text.rstrip())


def _configured(data_dir: Path) -> list[str]:
    """Raises SettingsError, also where a variable holds what the file cannot change."""
    from bots.settings.loading import load_settings

    return list(load_settings(None, {"data_dir": data_dir}).bots.names)


def _config(data_dir: Path) -> Path:
    """The file that holds the names. Raises SettingsError where a variable beats it."""
    import os

    from bots.daemon.data_folder import refuse_foreign
    from bots.errors import SettingsError
    from bots.settings.loading import FILE_NAME

    if any(name.upper() in VARIABLES for name in os.environ):
        raise SettingsError(f"{VARIABLES[0]} names the bots; change it there")
    refuse_foreign(data_dir)
    return data_dir / FILE_NAME


def given(data_dir: Path, bot: str, source: str) -> Iterator[str]:
    """Give a bot the character of a file or of the gallery; what was done, in lines.

    Raises CharacterRefused, SettingsError, UserError."""
    from bots.characters.file import character_from
    from bots.daemon.data_folder import refuse_foreign
    from bots.responder.case.persona import PersonaFiles
    from bridge.errors import UserError

    refuse_foreign(data_dir)
    found = character_from(source, _checked(bot))
    files = PersonaFiles.of(data_dir)
    try:
        kept = files.replace(bot, found.text)
    except OSError as error:
        raise UserError(f"{files.path(bot)} cannot be written: {error.strerror}") from error
    if kept is None:
        yield f"{bot}'s character: {files.path(bot)}"
    else:
        yield f"{bot} has a new character, from its next answer on: {files.path(bot)}"
        yield f"The one before is kept: {kept}"
    if found.left_out:
        yield f"Of the card was left out: {', '.join(found.left_out)}."


def _checked(bot: str) -> str:
    from bots.errors import SettingsError
    from bots.settings.fields import check_name

    try:
        return check_name(bot)
    except ValueError as error:
        raise SettingsError(str(error)) from error
