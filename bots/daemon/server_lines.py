"""What an owner has to know of a server's chat: which lines nobody understands, and which of the
bots' own it refuses. Told once in the log, each time in the trace, and as advice on the page."""

from __future__ import annotations

import re
from collections.abc import Callable

import structlog

from bots.chat.answers import WhisperCommand
from bots.observability.trace import TraceLog
from bridge.events import LineAnswered, LineUnheard, RefusalKind
from bridge.versions import pattern_of, whisper_pattern_of

log = structlog.get_logger()

SHOWN_CHARS = 200
MOST_TOLD = 100  # different lines; then nothing new is told
UNHEARD_WHISPER = "if this is a whisper, add a pattern for it to bridge.whisper_patterns"
_NUMBERS = re.compile(r"\d+")
_HINTS: dict[RefusalKind, str] = {
    "unknown_command": "set server.whisper_command to the server's own; bots still talk in public",
    "forbidden": "let the bots' rank whisper; bots still talk in public",
    "muted": "let the bots' rank speak, and log in where that is asked for (server.on_join)",
    "refused": "see docs/versions.md, “What a server refuses”",
}
_REFUSES: dict[RefusalKind, str] = {
    "unknown_command": "The server carries no whispers",
    "forbidden": "The server does not let the bots whisper",
    "muted": "The server does not let the bots speak",
    "refused": "The server refuses the bots' lines",
}


class ServerLines:
    """Tells of lines that went wrong, for all bots of a daemon."""

    def __init__(
        self, trace: TraceLog, whispers: WhisperCommand, unsaid: Callable[[str], str] = str
    ) -> None:
        """`unsaid` takes passwords out of what the server says."""
        self._trace, self._whispers, self._unsaid = trace, whispers, unsaid
        self._told = set[tuple[str, str]]()
        self._refuses: dict[bool, str] = {}
        self._unread = ""

    @property
    def advice(self) -> str | None:
        """What is wrong now and what to do, or None."""
        found = [*self._refuses.values(), self._unread]
        return " ".join(filter(None, found)) or None

    def answered(self, event: LineAnswered) -> None:
        """A line went out, or was refused. That a player has just left is nobody's fault."""
        refusal, is_public = event.refusal, event.to is None
        if refusal is None:
            self._refuses.pop(is_public, None)
            return
        words = self._unsaid(refusal.words)
        facts = {"to": event.to, "kind": refusal.kind, "words": words[:SHOWN_CHARS]}
        self._trace.note("line.refused", event.bot, **facts, key=refusal.key)
        self._whispers.refused(refusal)
        if refusal.kind == "not_found":
            return
        kind = "muted" if is_public and refusal.kind == "forbidden" else refusal.kind
        hint = _HINTS[kind]
        if event.text:
            self._refuses[is_public] = f"{_REFUSES[kind]} (“{words}”): {hint}."
        self._once(
            ("refused", f"{is_public} {refusal.kind}"),
            lambda: log.warning("line.refused", bot=event.bot, **facts, hint=hint),
        )

    def unheard(self, event: LineUnheard) -> None:
        """A line is in a form that nobody told us of."""
        shown = self._unsaid(event.text)[:SHOWN_CHARS]
        form = _NUMBERS.sub("0", shown[:20])
        if event.looks == "private":
            self._trace.note("whisper.unheard", event.bot, line=shown)
            hint = UNHEARD_WHISPER
            if event.speaker is not None:
                pattern = whisper_pattern_of(event.text, event.speaker, event.bot)
                hint = f"if this is a whisper: bridge.whisper_patterns = ['{pattern}']"
            self._once(
                ("private", form),
                lambda: log.warning("whisper.unheard", bot=event.bot, line=shown, hint=hint),
            )
        elif event.looks == "public" and event.speaker is not None:
            pattern = pattern_of(event.text, event.speaker)
            hint = f"if this is public chat: bridge.chat_patterns = ['{pattern}']"
            self._unread = f"Not understood: “{shown}”; {hint}."
            self._trace.note("chat.unheard", event.bot, line=shown, pattern=pattern)
            self._once(
                ("public", pattern),
                lambda: log.warning("chat.unheard", bot=event.bot, line=shown, hint=hint),
            )

    def _once(self, what: tuple[str, str], tell: Callable[[], object]) -> None:
        if what not in self._told and len(self._told) < MOST_TOLD:
            self._told.add(what)
            tell()
