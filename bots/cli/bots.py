"""`townsfolk bots`: the bots of a data folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from bots.cli.output import BotName, DataDir, folder_of, plain_errors, print_line

app = typer.Typer(help="The bots of a data folder.", no_args_is_help=True, rich_markup_mode=None)

VARIABLES = ("TOWNSFOLK_BOTS__NAMES", "TOWNSFOLK_BOTS")
"""Of the environment; they beat the file."""


@app.command("list")
def show(data_dir: DataDir = None) -> None:
    """List the bots, and how they are."""
    with plain_errors():
        for line in _listed(folder_of(data_dir)):
            print_line(line)


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
    with plain_errors():
        for line in _added(folder_of(data_dir), name, source):
            print_line(line)


@app.command()
def remove(
    name: BotName,
    data_dir: DataDir = None,
) -> None:
    """Remove a bot; it stays away from the next start on. What it remembers is kept."""
    with plain_errors():
        for line in _removed(folder_of(data_dir), name):
            print_line(line)


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
    with plain_errors():
        folder = folder_of(data_dir)
        lines = _shown(folder, bot) if source is None else given(folder, bot, source)
        for line in lines:
            print_line(line)


def _listed(data_dir: Path) -> Iterator[str]:
    """The configured ones, and those of a running daemon with their state."""
    from bots.cli.client import DaemonClient
    from bots.daemon.daemon_file import NoDaemon

    configured = _configured(data_dir)
    try:
        with DaemonClient.of(data_dir) as daemon:
            states = {str(bot["name"]): _state(bot) for bot in daemon.bots()}
        absent = "comes with the next start"
    except NoDaemon:
        states, absent = {}, "no daemon runs"
    for name in dict.fromkeys([*configured, *states]):
        yield f"{name:<16} {states.get(name, absent)}"


def _state(bot: Mapping[str, Any]) -> str:
    """In a cluster also where it lives."""
    from bots.text.printable import printable

    return f"{bot['state']} at {printable(bot['daemon'])}" if bot.get("daemon") else bot["state"]


def _added(data_dir: Path, name: str, source: str | None) -> Iterator[str]:
    from bots.cli.init import keep_names
    from bots.errors import SettingsError

    names = _configured(data_dir)
    if _checked(name).lower() in {other.lower() for other in names}:
        raise SettingsError(f"there is a bot called {name} already: {', '.join(names)}")
    told = list(given(data_dir, name, source)) if source is not None else []
    file = _config(data_dir)
    keep_names(file, [*names, name])
    yield f"{name} is among the bots, from the next start on: {file}"
    yield from told


def _removed(data_dir: Path, name: str) -> Iterator[str]:
    from bots.cli.init import keep_names
    from bots.errors import SettingsError
    from bots.text import suggest

    names = _configured(data_dir)
    if name not in names:
        hint = suggest.as_clause(suggest.similar(name, names)) or f"; there are {', '.join(names)}"
        raise SettingsError(f"no bot is called {name!r}{hint}")
    if len(names) == 1:
        raise SettingsError(f"{name} is the only bot; add another one first")
    file = _config(data_dir)
    keep_names(file, [other for other in names if other != name])
    yield f"{name} stays away from the next start on: {file}"
    yield f"Its character and what it remembers are kept in {data_dir}."


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


def _shown(data_dir: Path, bot: str) -> Iterator[str]:
    from bots.responder.case.persona import PersonaFiles
    from bots.text.reading import read_bytes
    from bridge.errors import UserError

    path = PersonaFiles.of(data_dir).path(_checked(bot))
    try:
        text = read_bytes(path).decode("utf-8", "replace")
    except FileNotFoundError:
        message = f"there is no {path}; a bot's first start makes it, or give it a character"
        raise UserError(message) from None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    yield f"{path}\n"
    yield text.rstrip()


def _checked(bot: str) -> str:
    from bots.errors import SettingsError
    from bots.settings.fields import check_name

    try:
        return check_name(bot)
    except ValueError as error:
        raise SettingsError(str(error)) from error
