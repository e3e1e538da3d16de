"""Reads the configuration, and explains in plain words what is wrong and what would be right."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import EnvSettingsSource, InitSettingsSource

from bots.errors import SettingsError
from bots.settings.settings import (
    ENV_DELIMITER,
    ENV_PREFIX,
    AnthropicVariables,
    Settings,
    leaf_settings,
)
from bots.text import reading, suggest
from bots.text.faults import Fault, faults_of

FILE_NAME = "townsfolk.toml"
"""Read from the data folder when no file is named."""
DEFAULT_MINECRAFT_PORT = 25565
OTHER_VARIABLES = frozenset({"TOWNSFOLK_NODE_DIR", "TOWNSFOLK_HOST_LOG", "TOWNSFOLK_HOST_PROBES"})
"""Our variables that are not settings: the JavaScript side reads them."""


def load_settings(file: Path | None, flags: Mapping[str, Any]) -> Settings:
    """Flags beat the environment, which beats the file. `flags` is nested like the file.

    Without `file`, the data folder's townsfolk.toml is read where there is one.
    """
    names = [name for name, _ in leaf_settings()]
    known = {_variable(name) for name in names} | OTHER_VARIABLES
    ours = sorted(v for v in os.environ if v.upper().startswith(ENV_PREFIX))
    unknown = [variable for variable in ours if variable.upper() not in known]
    if unknown:
        raise SettingsError("\n".join(_unknown_variable(v, names) for v in unknown))
    usual = data_folder(flags.get("data_dir")) / FILE_NAME
    written = _read_toml(file or usual) if file is not None or usual.exists() else {}
    sources = (
        InitSettingsSource(Settings, dict(flags)),
        EnvSettingsSource(Settings),
        AnthropicVariables(Settings),
        InitSettingsSource(Settings, dict(written)),
    )
    built: dict[str, Any] = {"_build_sources": (sources, {})}
    try:
        return Settings(**built)
    except ValidationError as error:
        raise SettingsError("\n".join(map(_sentence, faults_of(error)))) from None


def data_folder(flag: Path | None) -> Path:
    """The data folder by flag, environment or default: where a file may say more."""
    default = Settings.model_fields["data_dir"].get_default(call_default_factory=True)
    return Path(flag or os.environ.get(f"{ENV_PREFIX}DATA_DIR") or default)


def parse_address(text: str) -> tuple[str, int]:
    """`host`, `host:port`, `[ipv6]:port`; the port is 25565 where none is given."""
    host, port = _split_address(text.strip())
    if not host or any(mark in host for mark in "/ @"):
        shown = "this" if "@" in text else repr(text)  # it may hold a password
        raise SettingsError(f"{shown} is no server address; write HOST:PORT, as localhost:25565")
    if not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65535):
        raise SettingsError(f"{port!r} is no port; write a number from 1 to 65535")
    return host, int(port)


def _split_address(text: str) -> tuple[str, str]:
    if text.startswith("["):
        host, _, rest = text[1:].partition("]")
        return host, rest.removeprefix(":") or str(DEFAULT_MINECRAFT_PORT)
    if text.count(":") > 1:  # a bare IPv6 address
        return text, str(DEFAULT_MINECRAFT_PORT)
    host, colon, port = text.partition(":")
    return host, port if colon else str(DEFAULT_MINECRAFT_PORT)


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(reading.read_text(file))
    except OSError as error:
        raise SettingsError(f"cannot read {file}: {error.strerror}") from error
    except reading.NotText as error:
        raise SettingsError(f"{file}: {error}") from error
    except (ValueError, RecursionError) as error:  # TOML's own faults, and endless numbers
        raise SettingsError(f"{file} is not TOML: {error}") from error


def _unknown_variable(variable: str, names: Sequence[str]) -> str:
    written = variable.upper().removeprefix(ENV_PREFIX).replace(ENV_DELIMITER, ".").lower()
    inside = [name for name in names if name.startswith(f"{written}.")]
    nearest = map(_variable, inside[:1] or _nearest(written, names))
    return f"{variable}: unknown setting{suggest.as_clause([*nearest])}"


def _variable(name: str) -> str:
    return ENV_PREFIX + name.replace(".", ENV_DELIMITER).upper()


def _sentence(fault: Fault) -> str:
    name = fault.name
    if fault.is_unknown:
        leaves = [leaf for leaf, _ in leaf_settings()]
        sections = sorted({leaf.partition(".")[0] for leaf in leaves if "." in leaf})
        return f"{name}: unknown setting{suggest.as_clause(_nearest(name, leaves + sections))}"
    if fault.is_section:
        return f"{name}: is a section; write [{name}] and its settings below"
    return str(fault)


def _nearest(name: str, known: Sequence[str]) -> list[str]:
    """The same word in its right section, else what is spelt most alike."""
    leaf = name.rpartition(".")[2]
    misplaced = [candidate for candidate in known if candidate.rpartition(".")[2] == leaf]
    return misplaced[:1] or suggest.similar(name, known)
