"""Enough file descriptors: each connection, file and process takes some."""

from __future__ import annotations

import asyncio
import errno
from typing import Any

import structlog

log = structlog.get_logger()

FEW = 512  # below this, many connections at once can use them up
WANTED = 4_096
ADVICE = "allow more open files, as with `ulimit -n 4096`, then start again"


def descriptors_allowed() -> int | None:
    """How many this process may have open; None where there is no such limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def allow_descriptors() -> None:
    """Take as many as are of use, as far as the system lets us; warn when they stay few."""
    allowed = descriptors_allowed()
    if allowed is None:
        return
    if allowed < WANTED:
        _raise()
        allowed = descriptors_allowed() or allowed
    if allowed < FEW:
        log.warning("descriptors.few", allowed=allowed, advice=ADVICE)


def tell_when_exhausted(loop: asyncio.AbstractEventLoop) -> None:
    """Say in a sentence what asyncio tells by a traceback for each connection."""

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        failure = context.get("exception")
        if isinstance(failure, OSError) and failure.errno in (errno.EMFILE, errno.ENFILE):
            log.error("descriptors.exhausted", allowed=descriptors_allowed(), advice=ADVICE)
        else:
            loop.default_exception_handler(context)

    loop.set_exception_handler(handle)


def _raise() -> None:
    import resource

    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
