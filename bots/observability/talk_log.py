"""Shows the talk in the log as it happens, so that whoever starts a town sees it live."""

from __future__ import annotations

from collections.abc import Container

import structlog

from bots.observability.trace import Trace, TraceLog

log = structlog.get_logger()

EVERYBODY = "everybody"


async def narrate(trace: TraceLog, fellows: Container[str]) -> None:
    """Log every line said, once, until cancelled."""
    with trace.reading() as reader:
        async for happened in reader:
            if (line := spoken_line(happened, fellows)) is not None:
                log.info("line.said", **line)


def spoken_line(happened: Trace, fellows: Container[str]) -> dict[str, str] | None:
    """Who said what to whom, if that is what happened.

    What bots say to each other is told when it is heard; what a person is told, when it is sent;
    a bot's line in a talk of several, when it is said.
    In public a bot's line is told when it is said, another's when the first bot heard it."""
    facts = happened.facts
    if happened.name == "chat.said" and happened.bot is not None:
        return {"by": happened.bot, "to": EVERYBODY, "text": facts["text"]}
    if facts.get("public"):
        return _public_line(happened, fellows)
    if happened.name == "talk.said" and happened.bot is not None:
        return {"by": happened.bot, "to": ", ".join(facts["to"]), "text": facts["text"]}
    if happened.name == "message.heard" and happened.bot and not facts.get("of_talk"):
        return {"by": facts["speaker"], "to": happened.bot, "text": facts["text"]}
    if happened.name == "reply.sent" and happened.bot and facts["speaker"] not in fellows:
        return {"by": happened.bot, "to": facts["speaker"], "text": facts["text"]}
    return None


def _public_line(happened: Trace, fellows: Container[str]) -> dict[str, str] | None:
    facts = happened.facts
    if happened.name == "message.heard" and facts["news"] and facts["speaker"] not in fellows:
        return {"by": facts["speaker"], "to": EVERYBODY, "text": facts["text"]}
    return None
