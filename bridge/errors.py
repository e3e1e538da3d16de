"""The root of this program's errors, and all errors of the Minecraft side.

BotError                      raised on purpose by us
├── UserError                 whoever typed can fix it; its text is shown to them
└── BridgeError               the Minecraft side failed; a retry may help
    ├── NodeSetupError        Node or its packages could not be made ready
    ├── BridgeDown            Node died or hung; the command's outcome is unknown
    ├── BridgeTimeout         no answer in time; the command's outcome is unknown
    ├── NotConnected          the named bot is not in a world
    ├── SpawnFailed           the bot could not join
    ├── LineTooLong           one chat line does not fit the server's limit
    ├── ServerFailed          the embedded server did not start
    ├── HostError             the JavaScript host raised; carries its message
    ├── CrossingFailed        js/: a text did not come back from Node
    └── TooManyUnread         fake/: nobody reads the events
"""

from __future__ import annotations

from bridge.events import Ending


class BotError(Exception):
    """Base of everything this program raises on purpose."""


class UserError(BotError):
    """Whoever typed can fix this; `str(error)` is shown to them."""


class BridgeError(BotError):
    """The Minecraft side failed; the caller may retry."""


class NodeSetupError(BridgeError):
    """Node or its packages could not be made ready; the text says what to do."""


class BridgeDown(BridgeError):
    """Node went away before it answered: whether the command ran is unknown."""

    def __init__(self, operation: str, why: str) -> None:
        super().__init__(f"{operation}: outcome unknown, {why}")
        self.operation, self.why = operation, why


class BridgeTimeout(BridgeError):
    """No answer in time: whether the command ran is unknown."""

    def __init__(self, operation: str, after_s: float) -> None:
        super().__init__(f"{operation}: no answer after {after_s:g} s")
        self.operation, self.after_s = operation, after_s


class NotConnected(BridgeError):
    """The named bot is not in a world."""

    def __init__(self, bot: str) -> None:
        super().__init__(f"bot {bot!r} is not connected")
        self.bot = bot


class SpawnFailed(BridgeError):
    """The bot could not join; `ending`, `text` and `key` as in events.BotDisconnected."""

    def __init__(self, bot: str, ending: Ending, text: str, key: str = "") -> None:
        super().__init__(f"bot {bot!r} could not join: {text or ending}")
        self.bot, self.text, self.key = bot, text, key
        self.ending: Ending = ending


class LineTooLong(BridgeError):
    """One chat line, header included, is longer than the server takes."""

    def __init__(self, length: int, limit: int) -> None:
        super().__init__(f"a chat line of {length} characters exceeds the server's {limit}")
        self.length, self.limit = length, limit


class ServerFailed(BridgeError):
    """The embedded server did not start or ended; the text says why."""


class HostError(BridgeError):
    """The JavaScript host raised while it ran a command."""

    def __init__(self, operation: str, message: str) -> None:
        super().__init__(f"{operation}: {message}")
        self.operation, self.message = operation, message
