"""What goes to stdout, in whatever letters it can show, at once."""

from __future__ import annotations

import sys

import typer


def print_line(line: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    typer.echo(line.encode(encoding, "backslashreplace").decode(encoding))
