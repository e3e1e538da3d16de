"""Why a connection ended, in plain words, with the next step to try; diagnosis.toml has the words.

Servers say it with a translation key of Minecraft's own `en_us.json`, with words, or not at all;
sockets say it as one of Node's error codes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Literal, cast

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
    by_key = (it.cause for it in _KNOWN.values() if key.startswith(it.keys))
    by_words = (it.cause for it in _KNOWN.values() if it.signs and it.signs.search(text))
    other: Cause = "kicked" if ending == "kicked" else "lost"
    cause = _FIXED.get(ending, next(chain(by_key, by_words), other))
    sentence, next_step = _KNOWN[cause].sentence, _KNOWN[cause].next_step
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


_FIXED: dict[str, Cause] = {
    "spawn_timeout": "silent",
    "node_died": "node_died",
    "requested": "requested",
}


@dataclass(frozen=True, slots=True)
class _Known:
    """A cause as diagnosis.toml tells it."""

    cause: Cause
    keys: tuple[str, ...]
    signs: re.Pattern[str] | None
    sentence: str
    next_step: str
    needs_a_person: bool


def _known(cause: Cause, row: Mapping[str, Any]) -> _Known:
    signs = re.compile("|".join(row["signs"]), re.IGNORECASE) if "signs" in row else None
    words = row["sentence"], row["next_step"]
    return _Known(cause, tuple(row.get("keys", ())), signs, *words, "needs_a_person" in row)


_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_KNOWN = {cause: _known(cause, row) for cause, row in cast("dict[Cause, Any]", _TOLD).items()}
NEEDS_A_PERSON = frozenset(cause for cause, it in _KNOWN.items() if it.needs_a_person)
"""Causes that another try is unlikely to fix."""
WAY_TO_NEWER = _KNOWN["too_new"].next_step
"""How bots join a server that is newer than they are."""
