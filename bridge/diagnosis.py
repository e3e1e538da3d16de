"""Why a connection ended, in plain words, with the next step to try.

Servers say it as a JSON chat component (`{"translate": ...}`), as text, or not at all;
sockets say it as an error code. Sources: Minecraft's own `en_us.json` keys, Node's codes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from bridge.events import Ending

Cause = Literal[
    "refused",
    "unreachable",
    "unknown_host",
    "silent",
    "wrong_version",
    "online_mode",
    "whitelist",
    "banned",
    "duplicate_name",
    "throttled",
    "full",
    "spam",
    "illegal_text",
    "idle",
    "server_closed",
    "lost",
    "kicked",
    "node_died",
    "requested",
]

NEEDS_A_PERSON: frozenset[Cause] = frozenset(
    {"wrong_version", "online_mode", "whitelist", "banned", "unknown_host"}
)
"""Causes that trying again alone is unlikely to mend."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    cause: Cause
    sentence: str
    next_step: str

    @property
    def needs_a_person(self) -> bool:
        return self.cause in NEEDS_A_PERSON

    def __str__(self) -> str:
        return f"{self.sentence} {self.next_step}"


def diagnose(ending: Ending, text: str) -> Diagnosis:
    """What an ended or failed connection means; never fails, whatever the server said."""
    cause = _FIXED.get(ending) or _recognised(text) or _otherwise(ending)
    sentence, next_step = _WORDS[cause]
    said = _readable(text)
    if cause == "kicked" and said:
        sentence = f"The server threw the bot out: “{said}”."
    return Diagnosis(cause, sentence, next_step)


def _recognised(text: str) -> Cause | None:
    return next((cause for pattern, cause in _SIGNS if pattern.search(text)), None)


def _otherwise(ending: Ending) -> Cause:
    return "kicked" if ending == "kicked" else "lost"


def _readable(text: str) -> str:
    """The words inside a chat component, or the text itself; at most a short line."""
    words = re.findall(r'"(?:text|translate)"\s*:\s*"([^"]*)"', text)
    return (" ".join(w for w in words if w) or text)[:120]


_FIXED: dict[str, Cause] = {
    "spawn_timeout": "silent",
    "node_died": "node_died",
    "requested": "requested",
}


def _sign(pattern: str, cause: Cause) -> tuple[re.Pattern[str], Cause]:
    return re.compile(pattern, re.IGNORECASE), cause


_SIGNS: tuple[tuple[re.Pattern[str], Cause], ...] = (
    _sign(r"ECONNREFUSED", "refused"),
    _sign(r"ENOTFOUND|EAI_AGAIN|EAI_FAIL", "unknown_host"),
    _sign(r"ETIMEDOUT|EHOSTUNREACH|ENETUNREACH", "unreachable"),
    _sign(r"duplicate_login|logged in from another location", "duplicate_name"),
    _sign(r"not_whitelisted|not white-?listed", "whitelist"),
    _sign(r"disconnect\.banned|\bbanned\b", "banned"),
    _sign(
        r"unverified_username|failed to verify username|invalid session|online[- ]mode"
        r"|not authenticated with minecraft",
        "online_mode",
    ),
    _sign(
        r"outdated_(client|server)|outdated (client|server)|disconnect\.incompatible"
        r"|unsupported protocol|version .* is not supported|is not supported.*version"
        r"|please use (version )?1\.",
        "wrong_version",
    ),
    _sign(r"connection throttled|wait before reconnecting", "throttled"),
    _sign(r"server_full|server is full", "full"),
    _sign(r"disconnect\.spam|kicked for spamming", "spam"),
    _sign(r"illegal_characters|illegal characters", "illegal_text"),
    _sign(r"disconnect\.idling|idle for too long", "idle"),
    _sign(r"server_shutdown|server closed|server is restarting", "server_closed"),
    _sign(r"timed out|disconnect\.timeout|keepalive", "silent"),
    _sign(r"ECONNRESET|EPIPE|socketClosed", "lost"),
)

_WORDS: dict[Cause, tuple[str, str]] = {
    "refused": (
        "Nothing listens at the server's address.",
        "Start the server, or check host and port.",
    ),
    "unreachable": (
        "The server's address cannot be reached.",
        "Check the network, the firewall and the address.",
    ),
    "unknown_host": ("No computer of that name was found.", "Check the spelling of the host."),
    "silent": (
        "The server took the connection but said nothing.",
        "Check that it is a Minecraft server, of the version set, and not overloaded.",
    ),
    "wrong_version": (
        "The server speaks another Minecraft version.",
        "Leave the version empty so that it is asked for, or set the server's own.",
    ),
    "online_mode": (
        "The server wants accounts checked by Mojang; bots have none.",
        "Set online-mode=false in server.properties of your local server.",
    ),
    "whitelist": (
        "The server's whitelist does not name the bot.",
        "Run `whitelist add NAME` on the server.",
    ),
    "banned": ("The server has banned the bot.", "Run `pardon NAME` on the server."),
    "duplicate_name": (
        "Someone else joined under the bot's name.",
        "Give the bot another name, or end the other client.",
    ),
    "throttled": (
        "The server asks to wait between connections.",
        "Nothing to do: the bot waits and tries again.",
    ),
    "full": ("The server is full.", "Raise max-players, or wait for a place."),
    "spam": (
        "The server threw the bot out for writing too fast.",
        "Keep chat.pace on, or make the bot an operator.",
    ),
    "illegal_text": (
        "The server refused a character in chat.",
        "Tell us which text it was; the bot joins again.",
    ),
    "idle": (
        "The server threw the bot out for standing still.",
        "Raise player-idle-timeout on the server.",
    ),
    "server_closed": (
        "The server was shut down.",
        "Nothing to do: the bot joins when it is back.",
    ),
    "lost": ("The connection broke.", "Nothing to do: the bot joins again."),
    "kicked": ("The server threw the bot out.", "Read its reason; the bot tries again."),
    "node_died": (
        "The Node process that carries the bots ended.",
        "Nothing to do: it is started again and the bot joins.",
    ),
    "requested": ("The bot left because it was asked to.", "Nothing to do."),
}
