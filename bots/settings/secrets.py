"""Settings that may hold secrets. They print without them; only the client that needs a secret
reads it, with `get_secret_value`."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Annotated
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from pydantic import BaseModel, Field, Secret, SecretStr

HIDDEN = "***"
LOGINS = frozenset({"login", "l", "log", "register", "reg"})
"""Commands of login plugins; what follows is a password."""


class SecretUrl(Secret[str]):
    """An address that may hold a password; empty for none.

    Printed it is scheme, host and port: paths and queries may hold keys, too."""

    def _display(self) -> str:
        address = self.get_secret_value()
        if not address:
            return ""
        parts = self._parts
        if parts is None:
            return HIDDEN
        shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        return f"{shown}/…" if parts.path.strip("/") or parts.query else shown

    def __bool__(self) -> bool:
        return bool(self.get_secret_value())

    @property
    def host(self) -> str:
        """Empty where there is none."""
        return (self._parts and self._parts.hostname) or ""

    @property
    def secrets(self) -> Iterator[str]:
        """The parts that we must not show: as written, as meant, and as HTTP sends them."""
        parts = self._parts
        if parts is None:
            return
        user, colon, password = parts.netloc.rpartition("@")[0].partition(":")
        yield from _written_and_meant(password if colon else user)  # a token stands alone
        if user:
            yield b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
        for _, value in parse_qsl(parts.query):
            yield from _written_and_meant(value)

    @property
    def _parts(self) -> SplitResult | None:
        """None where it is no address: then any part may be of a password."""
        try:
            parts = urlsplit(self.get_secret_value())
            _ = parts.port
        except ValueError:
            return None
        return parts


class JoinLine(Secret[Annotated[str, Field(min_length=1, max_length=200)]]):
    """What a bot types as it joins; printed it is the command without what follows."""

    def _display(self) -> str:
        command, _, rest = self.get_secret_value().partition(" ")
        return f"{command} {HIDDEN}" if rest else command

    @property
    def secrets(self) -> Iterator[str]:
        """The passwords in it."""
        command, _, rest = self.get_secret_value().partition(" ")
        if command.removeprefix("/").rpartition(":")[2].casefold() in LOGINS:
            yield from (word for word in rest.split() if "{" not in word)


def secrets_in(value: object) -> Iterator[str]:
    """Every secret that settings hold, whichever setting it is."""
    match value:
        case SecretUrl() | JoinLine():
            yield from value.secrets
        case SecretStr():
            yield value.get_secret_value()
        case BaseModel():
            for _, inner in value:
                yield from secrets_in(inner)
        case tuple():
            for inner in value:
                yield from secrets_in(inner)


def _written_and_meant(secret: str) -> Iterator[str]:
    if secret:
        yield secret
        yield unquote(secret)
