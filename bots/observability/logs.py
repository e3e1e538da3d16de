"""Sets up logging: to stderr and, as JSON lines, to a file in the data folder.

Events of structlog and of the standard library (uvicorn, asyncio, SDKs) pass the same
processors: level filter, bound context, redactor.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from time import monotonic
from typing import Any, TextIO

import structlog
from structlog.types import EventDict, Processor, WrappedLogger

from bots.errors import SettingsError
from bots.observability import terminal_log
from bots.observability.redaction import Redactor
from bots.private_files import ends_torn, for_owner_alone, has_room, make_private_folder
from bots.settings.settings import LogSettings
from bots.text.printable import printable

log = structlog.get_logger()

LOG_FOLDER = "log"
LOG_FILE = "townsfolk.jsonl"
FILE_BYTES = 5_000_000
REPEATED_AFTER_S = 30.0  # seconds until we log the same warning again
TEXTS_KNOWN = 500  # warnings that we remember
OLD_FILES = 3  # with the current one at most 20 MB on disk
CHATTY = ("uvicorn", "httpx", "httpx2", "httpcore2", "anthropic", "websockets", "asyncio")
"""Libraries for which we log only warnings and errors."""


@contextmanager
def logging_to(
    data_dir: Path,
    settings: LogSettings,
    secrets: Iterable[str] = (),
    stream: TextIO | None = None,
) -> Iterator[None]:
    """Log for as long as the block lasts. `stream` is stderr unless given.

    Raises SettingsError when the log file cannot be written.
    """
    redactor = Redactor(secrets)
    out = sys.stderr if stream is None else stream
    console = _console(settings.format, out, redactor)
    file = _open_log_file(data_dir / LOG_FOLDER)
    file.setFormatter(_formatter(redactor, _json()))
    repeats = _Repeats()
    for output in (console, file):
        output.addFilter(repeats)
    try:
        with _routed((console, file), settings.level.upper()):
            yield
    finally:
        console.close()
        file.close()


@contextmanager
def logging_unless_set_up(
    settings: LogSettings, secrets: Iterable[str], stream: TextIO | None
) -> Iterator[None]:
    """Log as `settings` say to `stream`, stderr unless given, where the program that runs us has
    not set up structlog itself. Its own logging stays as it is."""
    if structlog.is_configured():
        yield
        return
    out = sys.stderr if stream is None else stream
    log_plainly(settings.level, settings.format, secrets, out)
    try:
        yield
    finally:
        structlog.reset_defaults()


def log_plainly(
    level: str = "info",
    format: str = "console",
    secrets: Iterable[str] = (),
    out: TextIO | None = None,
) -> None:
    """Log to `out`, stderr unless given, without a file. As structlog does by itself, a traceback
    would show the values of variables."""
    out = sys.stderr if out is None else out
    redact = _redacting(Redactor(secrets))
    shown = (structlog.processors.format_exc_info, redact, _renderer(format, out))
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, *_stamps(), *shown],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(out),
    )


@contextmanager
def quietly() -> Iterator[None]:
    """Only warnings, to stderr, for as long as the block lasts."""
    with _for_now():
        log_plainly("warning")
        yield


@contextmanager
def silently() -> Iterator[None]:
    """Log nothing during the block, whose outcome is shown in another way."""
    with _for_now():
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
        yield


@contextmanager
def _for_now() -> Iterator[None]:
    """Set structlog up in the block alone."""
    before = structlog.get_config() if structlog.is_configured() else None
    try:
        yield
    finally:
        if before is None:
            structlog.reset_defaults()
        else:
            structlog.configure(**before)


def log_file(data_dir: Path) -> Path:
    """The log file of a data folder's daemon."""
    return data_dir / LOG_FOLDER / LOG_FILE


@contextmanager
def _routed(handlers: tuple[logging.Handler, ...], level: str) -> Iterator[None]:
    root = logging.getLogger()
    before, level_before = root.handlers[:], root.level
    root.handlers[:] = handlers
    root.setLevel(level)
    levels = {name: logging.getLogger(name).level for name in CHATTY}
    for name in CHATTY:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.filter_by_level,
            *_stamps(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    try:
        yield
    finally:
        structlog.reset_defaults()
        root.handlers[:] = before
        root.setLevel(level_before)
        for name, was in levels.items():
            logging.getLogger(name).setLevel(was)


def _stamps() -> list[Processor]:
    return [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _redacting(redactor: Redactor) -> Processor:
    def redact(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        return {key: redactor.value(value) for key, value in event.items()}

    return redact


def _formatter(redactor: Redactor, renderer: Processor) -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_logger_name,
            *_stamps(),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _redacting(redactor),
            renderer,
        ],
    )


def _console(wanted: str, out: TextIO, redactor: Redactor) -> logging.Handler:
    """What writes to stderr: words for a person, or all facts."""
    if wanted == "auto" and out.isatty():
        console: logging.Handler = terminal_log.PersonsConsole(out)
        console.setFormatter(_formatter(redactor, terminal_log.renderer(out)))
    else:
        console = terminal_log.Console(out)
        console.setFormatter(_formatter(redactor, _renderer(wanted, out)))
    return console


def _renderer(wanted: str, out: TextIO) -> Processor:
    if wanted == "json" or (wanted == "auto" and not out.isatty()):
        return _json()
    colours = terminal_log.may_colour(out)
    return structlog.dev.ConsoleRenderer(colors=colours, sort_keys=False)  # by, to, text


def _json() -> Processor:
    return structlog.processors.JSONRenderer(_one_line)


def _one_line(event: Mapping[str, Any], **options: Any) -> str:
    """JSON that a terminal may show too: words of players are in it."""
    return printable(json.dumps(event, ensure_ascii=False, **options))


class _Repeats(logging.Filter):
    """Passes the same warning or error now and then, with the number of dropped ones.

    Something that keeps failing, such as a socket without descriptors, must not fill the disk."""

    def __init__(self, stopwatch: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._stopwatch = stopwatch
        self._told: dict[str, tuple[float, int]] = {}
        """When a text was last let through, and how often it was left out since."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        passes: bool | None = getattr(record, "passes", None)
        if passes is not None:  # another of our outputs has asked
            return passes
        text, now_s = _text_of(record), self._stopwatch()
        at_s, left_out = self._told.pop(text, (-REPEATED_AFTER_S, 0))
        is_new = now_s - at_s >= REPEATED_AFTER_S
        self._told[text] = (now_s, 0) if is_new else (at_s, left_out + 1)
        if len(self._told) > TEXTS_KNOWN:
            del self._told[next(iter(self._told))]
        if is_new and left_out and isinstance(record.msg, dict):
            record.msg["repeated"] = left_out
        record.passes = is_new
        return is_new


def _text_of(record: logging.LogRecord) -> str:
    """The content of a record without its time."""
    if isinstance(record.msg, dict):
        said = {key: value for key, value in record.msg.items() if key != "timestamp"}
    else:
        said = {"event": record.getMessage(), "exc_info": record.exc_info}
    failure = said.pop("exc_info", None)
    if isinstance(failure, tuple):
        failure = failure[1]
    return f"{record.name} {said} {failure!r}"


class _LogFile(RotatingFileHandler):
    """A log file that drops what it cannot write, on a full disk for example, and says so once;
    and once more when it is over."""

    _dropped = 0
    _failures = 0

    def emit(self, record: logging.LogRecord) -> None:
        dropped = self._dropped
        super().emit(record)
        if dropped and self._dropped == dropped and has_room(Path(self.baseFilename).parent):
            self._dropped = 0
            log.info("log.recovered", file=self.baseFilename, dropped=dropped)

    def handleError(self, record: logging.LogRecord) -> None:
        failure = sys.exc_info()[1]
        if not isinstance(failure, OSError):
            super().handleError(record)
            return
        self._dropped += 1
        stream, self.stream = self.stream, None  # opened anew for the next record
        if stream is not None:
            with suppress(OSError):
                stream.close()
        if self._dropped == 1:
            self._failures += 1
            log.error(
                "log.write_failed",
                file=self.baseFilename,
                why=failure.strerror,
                times=self._failures,  # the log drops repeated lines, so this line has the count
            )

    def _open(self) -> TextIOWrapper:
        with open(self.baseFilename, "ab+", opener=for_owner_alone) as file:
            if ends_torn(file):
                file.write(b"\n")
        return super()._open()


def _open_log_file(folder: Path) -> _LogFile:
    try:
        make_private_folder(folder)
        # A name may hold half a surrogate pair; a log line must not fail over it.
        return _LogFile(
            folder / LOG_FILE,
            maxBytes=FILE_BYTES,
            backupCount=OLD_FILES,
            encoding="utf-8",
            errors="backslashreplace",
        )
    except OSError as error:
        raise SettingsError(f"cannot write logs to {folder}: {error.strerror}") from error
