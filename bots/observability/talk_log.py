"""Logs every spoken line, so that people can follow the talk live."""

from __future__ import annotations

from collections.abc import Container

import structlog

from bots.observability.trace import Trace, TraceLog

log = structlog.get_logger()

EVERYBODY = "everybody"


async def narrate(trace: TraceLog, fellows: Container[str]) -> None:
    """Log every line said, once, until cancelled."""
    with trace.reading() as reader:
        async for traced in reader:
            if (line := spoken_line(traced, fellows)) is not None:
                log.info("line.said", **line)


def spoken_line(traced: Trace, fellows: Container[str]) -> dict[str, str] | None:
    """Who said what to whom, if the trace is a spoken line.

    A line between bots counts when it is heard, a line to a person when it is sent, a line of
    small talk or in a talk of several when it is said; in public chat a bot's line counts when it
    is said, a person's when the first bot heard it."""
    facts = traced.facts
    if traced.name == "chat.said" and traced.bot is not None:
        return {"by": traced.bot, "to": EVERYBODY, "text": facts["text"]}
    if facts.get("public"):
        return _public_line(traced, fellows)
    if traced.name in ("talk.said", "smalltalk.said") and traced.bot is not None:
        if not facts["to"]:
            return None  # nobody heard it
        return {"by": traced.bot, "to": ", ".join(facts["to"]), "text": facts["text"]}
    if traced.name == "message.heard" and traced.bot and not facts.get("of_talk"):
        return {"by": facts["speaker"], "to": traced.bot, "text": facts["text"]}
    if traced.name == "reply.sent" and traced.bot and facts["speaker"] not in fellows:
        if not facts.get("success", True):
            return None
        return {"by": traced.bot, "to": facts["speaker"], "text": facts["text"]}
    return None


def _public_line(traced: Trace, fellows: Container[str]) -> dict[str, str] | None:
    facts = traced.facts
    if traced.name == "message.heard" and facts["news"] and facts["speaker"] not in fellows:
        return {"by": facts["speaker"], "to": EVERYBODY, "text": facts["text"]}
    return None
