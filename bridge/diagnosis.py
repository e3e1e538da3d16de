"""Why a connection ended, in plain words, with the next step to try.

Servers say it with a translation key of Minecraft's own `en_us.json`, with words, or not at all;
sockets say it as one of Node's error codes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from bridge.events import Ending
from bridge.port import ServerAddress
from bridge.versions import VERSIONS

Cause = Literal[
    "refused",
    "unreachable",
    "unknown_host",
    "silent",
    "wrong_version",
    "unknown_version",
    "too_new",
    "too_old",
    "online_mode",
    "account_needed",
    "account_other",
    "account_refused",
    "account_unreachable",
    "whitelist",
    "banned",
    "duplicate_name",
    "throttled",
    "full",
    "spam",
    "illegal_text",
    "unsigned_chat",
    "flying",
    "idle",
    "login_plugin",
    "proxy_only",
    "via_account",
    "via_target",
    "via_version",
    "server_closed",
    "left_dead",
    "lost",
    "kicked",
    "node_died",
    "requested",
]

NEEDS_A_PERSON: frozenset[Cause] = frozenset(
    {
        "wrong_version",
        "unknown_version",
        "too_new",
        "too_old",
        "online_mode",
        "account_needed",
        "account_other",
        "account_refused",
        "whitelist",
        "banned",
        "unknown_host",
        "login_plugin",
        "proxy_only",
        "via_account",
        "via_version",
    }
)
"""Causes that another try is unlikely to fix."""

QUOTED_CHARS = 120
READ_CHARS = 2_000
"""Of what a server says; some patterns take long for long texts."""


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


def diagnose(
    ending: Ending, text: str, key: str = "", *, bot: str, server: ServerAddress
) -> Diagnosis:
    """What an ended or failed connection of a bot means; never fails, whatever the server said.

    `text` and `key` as in `BotDisconnected`."""
    text = server.unsaid(text)[:READ_CHARS]
    cause = _FIXED.get(ending) or _keyed(key) or _recognised(text) or _otherwise(ending)
    sentence, next_step = _WORDS[cause]
    said = "".join(filter(str.isprintable, " ".join(text.split())))[:QUOTED_CHARS]
    if cause == "kicked" and said:
        sentence = "{address} threw the bot out: “{said}”."
    if cause == "online_mode" and server.accounts.file(bot):
        sentence = "{address} did not take the account of {bot}: “{said}”."
        next_step = "Run `townsfolk login {bot}` again."
    if cause == "wrong_version" and server.version:
        next_step = "Set server.version to the server's own, or leave it empty: it is asked for."
    facts = {"address": str(server), "bot": bot, "said": said, "range": str(VERSIONS)}
    return Diagnosis(cause, _filled(sentence, facts), _filled(next_step, facts))


def _filled(words: str, facts: dict[str, str]) -> str:
    """Like `str.format`, but what a server said may hold braces."""
    return re.sub(r"\{(address|bot|said|range)\}", lambda found: facts[found[1]], words)


def _keyed(key: str) -> Cause | None:
    return next((cause for known, cause in _KEYS.items() if key.startswith(known)), None)


def _recognised(text: str) -> Cause | None:
    return next((cause for pattern, cause in _SIGNS if pattern.search(text)), None)


def _otherwise(ending: Ending) -> Cause:
    return "kicked" if ending == "kicked" else "lost"


_FIXED: dict[str, Cause] = {
    "spawn_timeout": "silent",
    "node_died": "node_died",
    "requested": "requested",
}

_DISCONNECT = "multiplayer.disconnect."
_KEYS: dict[str, Cause] = {
    "too_new": "too_new",
    "too_old": "too_old",
    "unknown_version": "unknown_version",
    "account_needed": "account_needed",
    "account_other": "account_other",
    "account_refused": "account_refused",
    "account_unreachable": "account_unreachable",
    "left_dead": "left_dead",
    f"{_DISCONNECT}duplicate_login": "duplicate_name",
    f"{_DISCONNECT}name_taken": "duplicate_name",
    f"{_DISCONNECT}not_whitelisted": "whitelist",
    f"{_DISCONNECT}banned": "banned",
    f"{_DISCONNECT}ip_banned": "banned",
    f"{_DISCONNECT}unverified_username": "online_mode",
    f"{_DISCONNECT}authservers_down": "online_mode",
    f"{_DISCONNECT}outdated_": "wrong_version",
    f"{_DISCONNECT}incompatible": "wrong_version",
    f"{_DISCONNECT}server_full": "full",
    f"{_DISCONNECT}illegal_characters": "illegal_text",
    f"{_DISCONNECT}unsigned_chat": "unsigned_chat",
    f"{_DISCONNECT}missing_public_key": "unsigned_chat",
    f"{_DISCONNECT}chat_validation_failed": "unsigned_chat",
    f"{_DISCONNECT}out_of_order_chat": "unsigned_chat",
    f"{_DISCONNECT}flying": "flying",
    f"{_DISCONNECT}idling": "idle",
    f"{_DISCONNECT}server_shutdown": "server_closed",
    f"{_DISCONNECT}slow_login": "silent",
    "disconnect.spam": "spam",
    "disconnect.timeout": "silent",
}


def _sign(pattern: str, cause: Cause) -> tuple[re.Pattern[str], Cause]:
    return re.compile(pattern, re.IGNORECASE), cause


_SIGNS: tuple[tuple[re.Pattern[str], Cause], ...] = (
    _sign(r"ECONNREFUSED", "refused"),
    _sign(r"ENOTFOUND|EAI_AGAIN|EAI_FAIL", "unknown_host"),
    _sign(r"ETIMEDOUT|EHOSTUNREACH|ENETUNREACH", "unreachable"),
    _sign(r"requires you to connect (with|through)|ip forwarding", "proxy_only"),
    _sign(
        r"online mode and requires a valid authentication|fill player data"
        r"|requires a signed nonce|failed to join online mode server",
        "via_account",
    ),
    _sign(
        r"connect(ing)? to the backend server|automatic protocol detection failed"
        r"|authenticate with mojang servers",
        "via_target",
    ),
    _sign(r"not supported by viaproxy|using an unsupported minecraft version", "via_version"),
    _sign(r"login timeout|not logged in|/login\b|/register\b", "login_plugin"),
    _sign(r"logged in from another location|name is already taken", "duplicate_name"),
    _sign(r"not white-?listed", "whitelist"),
    _sign(r"\bbanned\b", "banned"),
    _sign(
        r"failed to verify username|invalid session|online[- ]mode"
        r"|not authenticated with minecraft|authentication servers are down",
        "online_mode",
    ),
    _sign(
        r"outdated (client|server)|incompatible client"
        r"|unsupported protocol|version .* is not supported|is not supported.*version"
        r"|please use (version )?\d+\.",
        "wrong_version",
    ),
    _sign(r"connection throttled|wait before reconnecting", "throttled"),
    _sign(r"server is full", "full"),
    _sign(r"kicked for spamming", "spam"),
    _sign(r"illegal characters", "illegal_text"),
    _sign(r"idle for too long", "idle"),
    _sign(
        r"server (is )?(closed|closing|stopped|stopping|restart)|shut(ting)? ?down|restarting"
        r"|going down|be back (in|soon)",
        "server_closed",
    ),
    _sign(r"timed out|keepalive|took too long to log in", "silent"),
    _sign(r"flying is not enabled", "flying"),
    _sign(
        r"requires secure profiles|out-of-order chat|chat message validation"
        r"|missing or (an )?invalid signature",
        "unsigned_chat",
    ),
    _sign(r"ECONNRESET|EPIPE|socketClosed|closed before the server", "lost"),
)

_RANGE = "This is {said}; townsfolk speaks {range}."

_STEPS = "docs/server.md, “A newer server”"

WAY_TO_NEWER = (
    "Put ViaProxy between, or, if the server is yours, the plugins ViaVersion and ViaBackwards "
    f"on it: {_STEPS}."
)
"""How bots join a server that is newer than they are."""

_LOGIN = "Run `townsfolk login {bot}` and add {bot} to bots.accounts"

_WORDS: dict[Cause, tuple[str, str]] = {
    "refused": (
        "Nothing listens at {address}.",
        "Start the server, or check host and port.",
    ),
    "unreachable": (
        "{address} cannot be reached.",
        "Check the network, the firewall and the address.",
    ),
    "unknown_host": (
        "No computer of the name in {address} was found.",
        "Check the spelling of the host.",
    ),
    "silent": (
        "{address} took the connection and did not let the bot in.",
        "Check that it is a Minecraft Java server and not overloaded.",
    ),
    "wrong_version": (
        "{address} speaks another Minecraft version: “{said}”.",
        "Set server.version to the version it names.",
    ),
    "unknown_version": (
        "{said}; townsfolk speaks {range}.",
        "Correct server.version, or leave it empty: it is asked for.",
    ),
    "too_new": (_RANGE, WAY_TO_NEWER),
    "too_old": (_RANGE, "Run a version in that range."),
    "online_mode": (
        "{address} wants an account checked by Mojang; {bot} has none.",
        f"{_LOGIN}, or set online-mode=false in its server.properties; behind a proxy, in the "
        "proxy's file.",
    ),
    "account_needed": (
        "{bot} is not signed in with its account, or no longer.",
        "Run `townsfolk login {bot}`.",
    ),
    "account_other": (
        "The account of {bot} is called {said} in the game, and a bot has its account's name.",
        "Run `townsfolk login {said}`, and put {said} into bots.names and bots.accounts.",
    ),
    "account_refused": (
        "Microsoft did not let the account of {bot} in: “{said}”.",
        "Correct what it says, then run `townsfolk login {bot}`.",
    ),
    "account_unreachable": (
        "Microsoft's sign-in does not answer: “{said}”.",
        "Check the network; the bot tries again.",
    ),
    "whitelist": (
        "The whitelist of {address} does not name {bot}.",
        "Run `whitelist add {bot}` on the server.",
    ),
    "banned": ("{address} has banned {bot}.", "Run `pardon {bot}` on the server."),
    "duplicate_name": (
        "Someone else joined {address} as {bot}.",
        "Give the bot another name, or end the other client.",
    ),
    "throttled": (
        "{address} asks to wait between connections.",
        "Nothing to do: the bot waits and tries again.",
    ),
    "full": ("{address} is full.", "Raise max-players, or wait for a place."),
    "spam": (
        "{address} threw the bot out for writing too fast.",
        "Keep chat.pace on, or make the bot an operator.",
    ),
    "illegal_text": (
        "{address} refused a character in chat.",
        "Tell us which text it was; the bot joins again.",
    ),
    "unsigned_chat": (
        "{address} takes signed chat only, and bots without an account cannot sign.",
        f"{_LOGIN}, or set enforce-secure-profile=false in its server.properties.",
    ),
    "flying": (
        "{address} took the bot for flying.",
        "Set allow-flight=true in its server.properties; the bot joins again.",
    ),
    "idle": (
        "{address} threw the bot out for standing still.",
        "Raise player-idle-timeout on the server.",
    ),
    "login_plugin": (
        "{address} asks for a password in chat: “{said}”.",
        'Set server.on_join = ["/login {secret}"] and the password in TOWNSFOLK_SERVER__SECRET.',
    ),
    "proxy_only": (
        "{address} lets players in through its proxy only: “{said}”.",
        "Join the proxy's address and port instead.",
    ),
    "via_account": (
        "ViaProxy at {address} has no account for the server behind it: “{said}”.",
        f"Give ViaProxy one: {_STEPS}.",
    ),
    "via_target": (
        "ViaProxy at {address} did not get through to the server behind it: “{said}”.",
        f"Check its target-address and target-version: {_STEPS}. The bot tries again.",
    ),
    "via_version": (
        "{address} does not translate for Minecraft as bots speak it: “{said}”.",
        "Update ViaProxy, or ViaVersion and ViaBackwards, and look what their config.yml blocks.",
    ),
    "server_closed": (
        "{address} was shut down.",
        "Nothing to do: the bot joins when it is back.",
    ),
    "left_dead": (
        "{address} did not bring {bot} back after its death.",
        "Nothing to do: the bot joins again.",
    ),
    "lost": (
        "The connection to {address} broke.",
        "The bot joins again; if it never can, check that a Minecraft Java server listens there.",
    ),
    "kicked": ("{address} threw the bot out.", "Read its reason; the bot tries again."),
    "node_died": (
        "The Node process that carries the bots ended.",
        "Nothing to do: it is started again and the bot joins.",
    ),
    "requested": ("The bot left because it was asked to.", "Nothing to do."),
}
