"""No core dumps: one would hold the keys, the pin and what players whispered."""

from __future__ import annotations

from contextlib import suppress

NO_FILE_NOR_PIPE = 1
"""Bytes. No core fits them, and Linux hands none to a program either; 0 would not keep it from
that. Child processes inherit the limit."""


def forbid_core_dumps() -> None:
    """Leave no core when this process or one of its children crashes."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    most = NO_FILE_NOR_PIPE if hard == resource.RLIM_INFINITY else min(hard, NO_FILE_NOR_PIPE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (most, most))
