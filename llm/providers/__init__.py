"""Where models come from: one module for each provider, found by its name.

A provider's module has a function `connect(access)`. It returns a function that makes the model of
an id. Models of one provider may share a connection.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeAlias

from llm.model import ChatModel

MakeModel: TypeAlias = Callable[[str], ChatModel]


@dataclass(frozen=True, slots=True)
class Access:
    """How to reach a provider."""

    key: str | None = field(default=None, repr=False)
    url: str | None = field(default=None, repr=False)
    """None: the provider's own address."""
    hidden: tuple[str, ...] = field(default=(), repr=False)
    """Parts of the address that no log may show."""


def names() -> tuple[str, ...]:
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def connect(name: str, access: Access) -> MakeModel:
    """Make models of the provider of this name, one of `names()`."""
    make: MakeModel = import_module(f"{__name__}.{name}").connect(access)
    return make
