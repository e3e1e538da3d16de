"""What all commands share: results go to stdout, everything else to stderr, errors are sentences.

All that is printed passes here, and loses what a terminal would obey: servers, players and files
have had a word in much of it.

Heavy modules are imported where they are used, so that `--help` is quick."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import typer

from bots.text import suggest
from bots.text.printable import printable_lines, styled_lines
from bots.text.program import as_typed


def print_line(line: str) -> None:
    """Print a line of the result, or several; what the terminal cannot encode is escaped."""
    _echo(printable_lines(line))


def print_styled(line: str) -> None:
    """Print a line that has colours."""
    _echo(styled_lines(line))


def remark(line: str) -> None:
    """Tell on stderr what is going on."""
    typer.echo(printable_lines(line), err=True)


def complain(why: object) -> None:
    """Say on stderr what is wrong, or what is going on; secrets are redacted."""
    from bots.observability.redaction import Redactor

    remark(Redactor().text(as_typed(f"townsfolk: {why}")))


def fail(why: object) -> NoReturn:
    """End with exit code 1: something failed."""
    complain(why)
    raise typer.Exit(1)


def refuse(why: object) -> NoReturn:
    """End with exit code 2: wrong usage or settings."""
    complain(why)
    raise typer.Exit(2)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Errors of ours end the program with a sentence, not a traceback."""
    from bots.errors import SettingsError
    from bridge.errors import BotError

    try:
        yield
    except SettingsError as error:
        refuse(error)
    except BotError as error:
        fail(error)
    except ExceptionGroup as group:
        ours, others = group.split(BotError)
        if ours is None or others is not None:
            raise
        for fault in ours.exceptions:
            complain(fault)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


def help_on(context: typer.Context, words: Sequence[str]) -> str:
    """What a command's `--help` prints. Ends the program where there is no such command."""
    at = context.find_root()
    for word in words:
        commands = getattr(at.command, "commands", {})
        if word not in commands:
            shown = [name for name, one in commands.items() if not one.hidden]
            near = suggest.as_clause(suggest.similar(word, shown))
            refuse(f"there is no command {word!r}{near or '; townsfolk help lists them'}")
        at = typer.Context(commands[word], parent=at, info_name=word)
    return at.get_help().rstrip()


def _echo(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    typer.echo(text.encode(encoding, "backslashreplace").decode(encoding))


def folder_of(data_dir: Path | None) -> Path:
    """The data folder by flag, environment or default."""
    from bots.settings.loading import data_folder

    return data_folder(data_dir)
