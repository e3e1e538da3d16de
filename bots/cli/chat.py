"""`townsfolk chat`: a conversation with a bot in the terminal.

What is typed goes to the daemon beside the typing, so nobody waits for a slow answer. What the
bot says to whoever sits here comes back as events, answers and later reports alike.
"""

from __future__ import annotations

import getpass
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bots.access.origin import NAME_OF_OPERATOR, OPERATOR_NAME, called, operator_called
from bots.cli.client import DaemonClient, Json
from bots.cli.output import told
from bots.cli.terminal import Terminal
from bots.daemon.daemon_file import DaemonSilent
from bots.daemon.data_folder import CHAT_HISTORY_NAME
from bots.errors import SettingsError
from bots.text import suggest
from bots.text.printable import printable

LEAVING = frozenset({"exit", "quit"})
NAMELESS = frozenset({"root", "administrator"})
MOST_UNDER_WAY = 32  # lines whose end is not known yet
SLOW_S = 2.0  # a command that takes longer is told to be under way
ANSWER_SHOWN_WITHIN_S = 5.0
PIN = "!pin"


def converse(data_dir: Path, bot: str | None, name: str | None) -> int:
    """Talk until whoever types leaves; the exit code. Raises NoDaemon, DaemonSilent."""
    speaker = operator_called(name) if name is not None else name_at_machine()
    with DaemonClient.of(data_dir) as daemon:
        bots = daemon.bots()
        seats = [one for one in bots if one.get("seat") == called(speaker)]
        talking_to = _chosen(seats or bots, bot)
        is_seat = "seat" in talking_to
        own = daemon.seat(talking_to["name"], called(speaker)) if is_seat else daemon.new_traces()
        history, words = data_dir / CHAT_HISTORY_NAME, [str(bot["name"]) for bot in bots]
        if not is_seat:  # which has no commands
            helped = daemon.command(words[0], "!help", wait=True).get("commands") or []
            words = [*sorted(f"!{command['name']}" for command in helped), *words]
        with own as traces, Terminal(history, partial(completions, words), _is_secret) as terminal:
            conversation = Conversation(daemon, talking_to["name"], speaker, terminal, is_seat)
            terminal.show(*_greeting(talking_to, speaker))
            listening = threading.Thread(target=conversation.listen, args=[traces], daemon=True)
            listening.start()
            return conversation.run()


@dataclass
class Conversation:
    """What is said to one bot, and what it says back."""

    daemon: DaemonClient
    bot: str
    speaker: str
    """The name it is recorded under."""
    terminal: Terminal
    is_seat: bool = False
    """Whether whoever sits here speaks for the bot, in an experiment."""
    has_ended: bool = False
    """Whether the daemon has."""
    _leaves: bool = False
    _under_way: threading.Semaphore = field(
        default_factory=lambda: threading.Semaphore(MOST_UNDER_WAY)
    )
    _answered: int = 0
    """The sequence of the newest line that was answered here."""
    _shown: threading.Condition = field(default_factory=threading.Condition)

    def run(self) -> int:
        """Send what is typed until whoever types leaves; the exit code."""
        prompt = f"{called(self.speaker)}> "
        while not self.has_ended:
            try:
                line = self.terminal.read(prompt)
            except KeyboardInterrupt:  # gives up the line, as shells do
                self.terminal.show("")
                continue
            if line is None or line.strip().lower() in LEAVING:
                break
            if words := line.strip():
                self._take(words)
        self._leaves = True
        if self.terminal.is_interactive:
            self.terminal.show("")
        return 1 if self.has_ended and not self.is_seat else 0

    def listen(self, traces: Iterable[Json]) -> None:
        """Show what the bot says to whoever sits here, until the daemon ends."""
        try:
            for trace in traces:
                is_for_us = (
                    trace.get("name") == "reply.sent"
                    and (trace.get("bot"), trace.get("speaker")) == (self.bot, self.speaker)
                    and trace.get("success") is True
                )
                if is_for_us:
                    said_by = "" if self.is_seat else f"{self.bot}: "
                    self.terminal.show(f"{said_by}{printable(str(trace['text']))}")
                    self._note_shown(trace.get("newest") or 0)
        finally:
            self.has_ended = True
            if not self._leaves:  # else it is we who closed the stream
                what = "experiment" if self.is_seat else "daemon"
                self.terminal.show(f"The {what} has ended. Enter leaves.")
            self._note_shown(0)

    def _note_shown(self, sequence: int) -> None:
        with self._shown:
            self._answered = max(self._answered, sequence)
            self._shown.notify_all()

    def _take(self, words: str) -> None:
        """Begin to send a line; who types may go on, unless it comes from a pipe."""
        if words.startswith("/"):
            self.terminal.show("Commands begin with !, as !help; Ctrl-D leaves.")
        elif not self._under_way.acquire(blocking=False):
            self.terminal.show("Too much is under way; wait for its end, or !stop.")
        else:
            sending = threading.Thread(target=self._send, args=[words], daemon=True)
            sending.start()
            if not self.terminal.is_interactive:
                sending.join()

    def _send(self, words: str) -> None:
        try:
            if words.startswith("!"):
                under_way = f"  ({printable(words)} is under way; you can go on.)"
                slow = threading.Timer(SLOW_S, self.terminal.show, [under_way])
                slow.daemon = True
                slow.start()
                try:
                    result = self.daemon.command(self.bot, words, wait=True, plain=True)
                finally:
                    slow.cancel()
                self.terminal.show(*(f"  {line}" for line in told(result)))
            else:
                self._say(words)
        except DaemonSilent as silent:
            self.terminal.show(str(silent))
        finally:
            self._under_way.release()

    def _say(self, words: str) -> None:
        heard = self.daemon.message(self.bot, words, called(self.speaker))
        if heard.get("success") is not True:
            self.terminal.show(*told(heard))
        elif self.is_seat:
            pass  # it comes as an event
        elif heard.get("answer"):
            # An answer comes as an event too, which may be behind.
            sequence = int(heard["sequence"])
            with self._shown:
                self._shown.wait_for(
                    lambda: self._answered >= sequence or self.has_ended, ANSWER_SHOWN_WITHIN_S
                )
        elif heard.get("source"):
            self.terminal.show(f"  ({self.bot} says nothing to that.)")
        else:
            self.terminal.show(f"  ({self.bot} heard you, but has not answered.)")


def name_at_machine() -> str:
    """The name of whoever sits here, as recorded; the operator's where it says nothing."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user, or no variable that tells one
        return OPERATOR_NAME
    is_name = NAME_OF_OPERATOR.fullmatch(name) is not None and name.lower() not in NAMELESS
    return operator_called(name) if is_name else OPERATOR_NAME


def completions(words: Sequence[str], typed: str) -> list[str]:
    """Lines that begin as typed: commands, or one whose last word is a bot's name."""
    if typed.startswith("!") and (found := [w for w in words if w.startswith(typed)]):
        return found
    head, blank, last = typed.rpartition(" ")
    names = [word for word in words if not word.startswith("!")]
    alike = [name for name in names if last and name.lower().startswith(last.lower())]
    return [f"{head}{blank}{name}" for name in alike]


def _chosen(bots: Sequence[Json], name: str | None) -> Json:
    """The bot of this name, else the first. Raises SettingsError."""
    if not bots:
        raise SettingsError("the daemon has no bots; add one: townsfolk bots add NAME")
    if name is None:
        return bots[0]
    known = {str(bot["name"]): bot for bot in bots}
    alike = {known_name.lower(): bot for known_name, bot in known.items()}
    found = known.get(name) or alike.get(name.lower())
    if found is None:
        hint = suggest.as_clause(suggest.similar(name, known))
        there_are = f"; there are {', '.join(known)}"
        raise SettingsError(f"no bot is called {name!r}{hint or there_are}")
    return found


def _greeting(bot: Json, speaker: str) -> list[str]:
    name = bot["name"]
    if "seat" in bot:
        return [f"You are here as {called(speaker)}. Speak when you are asked; Ctrl-D leaves."]
    lines = [f"You talk with {name} as {called(speaker)}. !help lists commands, Ctrl-D leaves."]
    if bot.get("state") != "online":
        why = f": {bot['advice']}" if bot.get("advice") else ""
        lines.append(f"{name} is not in the world now{printable(why)}.")
    return lines


def _is_secret(line: str) -> bool:
    return line.strip().lower().startswith(PIN)
