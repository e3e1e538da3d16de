"""`townsfolk bots`: the bots of a data folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from bots.cli.output import folder_of, plain_errors, print_line

app = typer.Typer(help="The bots of a data folder.", no_args_is_help=True)

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", metavar="DIR", help="The daemon's data folder.")
]


@app.command()
def character(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Which bot.")],
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


def given(data_dir: Path, bot: str, source: str) -> Iterator[str]:
    """Give a bot the character of a file or of the gallery; what was done, in lines.

    Raises CharacterRefused, SettingsError, UserError."""
    from bots.characters.file import character_from
    from bots.responder.case.persona import PersonaFiles
    from bridge.errors import UserError

    found = character_from(source, _checked(bot))
    files = PersonaFiles.of(data_dir)
    try:
        kept = files.replace(bot, found.text)
    except OSError as error:
        raise UserError(f"{files.path(bot)} cannot be written: {error.strerror}") from error
    yield f"{bot} has a new character, from its next answer on: {files.path(bot)}"
    if kept is not None:
        yield f"The one before is kept: {kept}"
    if found.left_out:
        yield f"Of the card was left out: {', '.join(found.left_out)}."


def _shown(data_dir: Path, bot: str) -> Iterator[str]:
    from bots.responder.case.persona import PersonaFiles
    from bridge.errors import UserError

    path = PersonaFiles.of(data_dir).path(_checked(bot))
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
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
