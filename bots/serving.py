"""What `townsfolk up` does around the daemon: settings, logging, and a way to be ended early."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bots.logs import logging_to
from bots.settings import Settings
from bots.settings_loading import load_settings
from bots.shadowing import refuse_shadowed


def serve(
    config: Path | None,
    flags: Mapping[str, Any],
    announce: Callable[[str], None],
    fake_llm: Path | None = None,
) -> int:
    """Run a daemon until it is told to end; the exit code.

    `announce` gets the ready line; `fake_llm` is the script of an API that stands in for the
    real one. Raises BotError subclasses when it cannot start.
    """
    settings = load_settings(config, flags)
    refuse_shadowed()
    with logging_to(settings.data_dir, settings.log, settings.secrets):
        try:
            return asyncio.run(_run(settings, announce, fake_llm))
        except asyncio.CancelledError:
            return 0  # told to end before it was ready


async def _run(settings: Settings, announce: Callable[[str], None], fake_llm: Path | None) -> int:
    # Not before the shadow check: they import all there is.
    from bots.scripted_model import thinking_by
    from bots.up import run

    # asyncio.run does this for Ctrl-C alone; a start can take minutes.
    me = asyncio.current_task()
    assert me is not None
    on_ending_signal(me.cancel)
    async with thinking_by(fake_llm, settings) as answering:
        return await run(answering, announce=announce)


def on_ending_signal(end: Callable[[], object]) -> None:
    """From now on Ctrl-C, SIGTERM and a closed terminal call this, and nothing else."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup ignores it, and means it
        loop.add_signal_handler(signal.SIGHUP, end)
