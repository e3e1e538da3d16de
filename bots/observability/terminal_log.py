"""The log for a person at a terminal: spoken lines, faults, and little else.

    13:26:48  Bob → Alice    Some gravel, 9 blocks away!
    13:26:59  ! Alice: Nothing listens at the server's address.

All events with their facts are in the log file, and on the terminal with `--verbose`.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TextIO

import structlog
from structlog.types import EventDict

from bots.observability.trace import Trace, TraceLog
from bots.text.causes import doer
from bots.text.columns import padded, terminal_columns, width_of, wrapped
from bots.text.printable import printable
from bots.text.program import as_typed
from bridge.causes import read_cause

SAID = "line.said"
PROGRESS = "node.preparing"
ENDING = "daemon.ending"
NAMES = 14  # columns of `Bob → Alice`
BEHIND_TIME = 10
NARROW = 60  # columns; below, later rows begin under the names
LEAST = 12  # columns for words, however narrow the terminal is
SENTENCES: Mapping[str, Callable[[EventDict], str]] = {
    PROGRESS: lambda e: str(e["progress"]),
    "bot.joined": lambda e: f"{e['bot']} is in the world.",
    "bot.died": lambda e: f"{e['bot']} died at {' '.join(map(str, e['position']))}{_of_what(e)}.",
    "model.on": lambda e: f"Bots answer by {_models(e)}.",
    "model.off": lambda e: f"{_capital(e['meaning'])}.",
    "permissions.open_house": lambda e: f"{_capital(e['meaning'])}.",
    "permissions.weak": lambda e: f"{_capital(e['found'])}. To do: {e['advice']}.",
    "bot.disconnected": lambda e: as_typed(f"{e['bot']}: {e['advice']} {_next_try(e)}"),
    "bridge.restored": lambda e: (
        f"The bots of host {e['host']} are back." if "host" in e else "The bots are back."
    ),
    "server.restarted": lambda e: "The server runs again.",
    "goal.resumed": lambda e: f"{e['bot']} goes on with its goal: {e['goal']}.",
    ENDING: lambda e: "Ending.",
}
"""Events that we show a person, and how; we always show warnings and errors."""
WHY = ("why", "found", "meaning", "text", "cause")
WHAT_TO_DO = ("advice", "hint")
_ABOUT = frozenset({"event", "level", "timestamp", "logger", "exception", "bot", *WHY, *WHAT_TO_DO})
_DIM, _BOLD, _YELLOW, _RED, _PLAIN = "\x1b[2m", "\x1b[1m", "\x1b[33m", "\x1b[31m", "\x1b[0m"
_STYLES = {"warning": _YELLOW, "error": _RED, "critical": _RED}
_CLEAR_LINE = "\r\x1b[K"


def may_colour(out: TextIO) -> bool:
    """Whether colours may be used there; see no-color.org."""
    return out.isatty() and not os.environ.get("NO_COLOR")


def speaks_unicode(out: TextIO) -> bool:
    """Whether arrows and boxes can be shown there."""
    return "utf" in (out.encoding or "").lower()


class Console(logging.StreamHandler[TextIO]):
    """stderr. If it cannot be written to, that is ignored."""

    def handleError(self, record: logging.LogRecord) -> None:
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


class PersonsConsole(Console):
    """A terminal with a person before it. Progress is counted in one place."""

    def __init__(self, out: TextIO) -> None:
        super().__init__(out)
        self.addFilter(_is_told)
        self._counts = False

    def close(self) -> None:
        """End the line that counts: what comes next is not ours."""
        if self._counts:
            self._counts = False
            with suppress(OSError, ValueError):
                self.stream.write("\n")
                self.stream.flush()
        super().close()

    def format(self, record: logging.LogRecord) -> str:
        """The record's lines; those of progress replace each other."""
        text = super().format(record)
        counts, counted = _name_of(record) == PROGRESS, self._counts
        self._counts, self.terminator = counts, "" if counts else "\n"
        if counts:
            # It does not wrap, as the next one could not replace it.
            line = text.replace("\n", " ")[: terminal_columns() - 1]
            return f"{_CLEAR_LINE if counted else ''}{line}"
        before = _CLEAR_LINE if _name_of(record) == ENDING else ""  # of the ^C that was typed
        return f"\n{text}" if counted else f"{before}{text}"


def is_told(event: Mapping[str, Any]) -> bool:
    """Whether a person is told of it: of all that is said, of some events, of what goes wrong."""
    name = event.get("event")
    return event.get("level") in _STYLES or name == SAID or name in SENTENCES


def renderer(
    out: TextIO, columns: Callable[[], int] = terminal_columns
) -> Callable[[object, str, EventDict], str]:
    """Makes the lines of an event, for the width that the terminal has just then."""
    colours, arrow = may_colour(out), "→" if speaks_unicode(out) else "->"

    def render(_logger: object, _method: str, event: EventDict) -> str:
        if event["event"] == SAID:
            names = padded(printable(f"{event['by']} {arrow} {event['to']}"), NAMES)
            row = _Row(f"{names} ", _BOLD, printable(str(event["text"])), is_speech=True)
        else:
            style = _STYLES.get(str(event.get("level")), "")
            row = _Row("! " if style else "", style, printable(_sentence(event)))
        at = datetime.fromisoformat(str(event["timestamp"])).astimezone().strftime("%H:%M:%S")
        return "\n".join(row.lines(at, columns(), colours=colours))

    return render


@dataclass(frozen=True, slots=True)
class _Row:
    """A time, a lead and words behind it; they go on in further rows."""

    lead: str
    style: str
    words: str
    is_speech: bool = False

    def lines(self, time: str, columns: int, *, colours: bool) -> list[str]:
        before = BEHIND_TIME + width_of(self.lead)
        is_wide = self.is_speech and columns >= NARROW and before <= columns // 2
        indent = before if is_wide else BEHIND_TIME
        room, first_room = (max(LEAST, columns - taken) for taken in (indent, before))
        first, *rest = wrapped(self.words, room, first_room)
        lead = f"{self.style}{self.lead}{_PLAIN}" if colours else self.lead
        at = f"{_DIM}{time}{_PLAIN}" if colours else time
        return [f"{at}  {lead}{first}", *(" " * indent + row for row in rest)]


def _sentence(event: EventDict) -> str:
    name = str(event["event"])
    if name in SENTENCES:
        return SENTENCES[name](event)
    why = [str(event[key]) for key in WHY if event.get(key)]
    if failure := event.get("exception"):
        why.append(f"{str(failure).splitlines()[-1]} (the log file has more)")
    others = [f"{key}={value}" for key, value in event.items() if key not in _ABOUT and value]
    what = ": ".join([str(event["bot"]), _words(name)] if event.get("bot") else [_words(name)])
    facts = f" ({', '.join(others)})" if others else ""
    next_step = "".join(f" To do: {event[key]}." for key in WHAT_TO_DO if event.get(key))
    told = f"{what}{facts}{': ' if why else ''}{'; '.join(why)}.{next_step}".replace("..", ".")
    return as_typed(told)


def _words(name: str) -> str:
    """An event's name as words; what libraries log is a sentence."""
    is_name = " " not in name and "." in name
    return name.replace(".", " ").replace("_", " ") if is_name else name


def _next_try(event: EventDict) -> str:
    wait_s = float(event["next_try_s"])
    return f"Next try in {wait_s:.0f} s." if wait_s >= 1 else "Trying again."


def _of_what(e: EventDict) -> str:
    cause = read_cause(e.get("cause"))
    return "; nobody knows of what" if cause is None else f": {doer(cause)} killed it"


def _models(event: EventDict) -> str:
    names = dict.fromkeys(str(event[tier]) for tier in ("haiku", "sonnet", "opus") if tier in event)
    return ", ".join(names) or "a model"


def _capital(words: object) -> str:
    return f"{str(words)[:1].upper()}{str(words)[1:]}"


def _is_told(record: logging.LogRecord) -> bool:
    name = _name_of(record)
    return record.levelno >= logging.WARNING or name == SAID or name in SENTENCES


def _name_of(record: logging.LogRecord) -> Any:
    return record.msg.get("event") if isinstance(record.msg, dict) else None


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
        is_news = traced.name == "message.heard" and facts["news"]
        if not is_news or facts["speaker"] in fellows:
            return None
        return {"by": facts["speaker"], "to": EVERYBODY, "text": facts["text"]}
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
