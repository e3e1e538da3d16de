"""What commands print: results go to stdout, everything else to stderr."""

from __future__ import annotations

import sys
from typing import NoReturn

import typer


def print_line(line: str) -> None:
    """Print a line of the result; what the terminal cannot encode is escaped."""
    encoding = sys.stdout.encoding or "utf-8"
    typer.echo(line.encode(encoding, "backslashreplace").decode(encoding))


def complain(why: object) -> None:
    """Say on stderr what is wrong, or what is going on; secrets are redacted."""
    from bots.observability.redaction import Redactor

    typer.echo(Redactor().text(f"townsfolk: {why}"), err=True)


def fail(why: object) -> NoReturn:
    """End with exit code 1: something failed."""
    complain(why)
    raise typer.Exit(1)


def refuse(why: object) -> NoReturn:
    """End with exit code 2: wrong usage or settings."""
    complain(why)
    raise typer.Exit(2)
