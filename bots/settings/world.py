"""Settings of the world: which server, who lives there, and who may command them."""

from __future__ import annotations

import math
import os
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field, SecretStr, model_validator

from bots.access.permissions import (
    PLAYER_SCAN_RANGE,
    Permissions,
    PlayerReach,
)
from bots.access.proofs import Proofs
from bots.settings.fields import (
    BotNames,
    CommandNames,
    Dialects,
    Ipv4,
    JoinLines,
    NodeHosts,
    Pin,
    PlayerNames,
    Port,
    PortOrAny,
    Section,
    WhisperCommandName,
    WhisperPatterns,
    in_javascript,
    parse_rows,
    setting,
)
from bots.settings.secrets import secrets_in
from bridge.port import WHISPER_COMMANDS, Accounts, ServerAddress
from bridge.versions import DIALECT_NAMES, LineShapes
from bridge.world import Difficulty

BOTS_OF_A_HOST = 25  # at work they take half a core


def usable_cores() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


WhisperFallback: TypeAlias = Literal["none", "public"]


class ServerSettings(Section):
    host: str = setting("", "Minecraft server to join; empty: the embedded one")
    port: Port = setting(25565, "its port")
    version: str = setting("", "its Minecraft version; empty: asked from the server")
    whisper_command: WhisperCommandName = setting(
        "", "the server's command for whispers, as `msg`; empty: the first it knows of tell, msg, w"
    )
    whisper_fallback: WhisperFallback = setting(
        "none",
        "what becomes of a whisper that the server refuses; `public`: it is said in public chat,"
        " unless others told it in confidence",
    )
    on_join: JoinLines = setting(
        (), "lines each bot sends as it joins, as `/login {secret}` for AuthMe; also `{bot}`"
    )
    secret: SecretStr | None = setting(
        None, "what `{secret}` stands for; best by TOWNSFOLK_SERVER__SECRET"
    )

    @model_validator(mode="before")
    @classmethod
    def _port_apart(cls, given: object) -> object:
        """`host` may be written as HOST:PORT where no port is set."""
        if not isinstance(given, dict) or "port" in given:
            return given
        host, colon, port = str(given.get("host", "")).rpartition(":")
        is_both = colon and ":" not in host and port.isascii() and port.isdigit()
        return {**given, "host": host, "port": int(port)} if is_both else given

    @model_validator(mode="after")
    def _secret_is_there(self) -> ServerSettings:
        if self.secret is None and self.asks_for_secret:
            raise ValueError("on_join needs a secret: set TOWNSFOLK_SERVER__SECRET")
        return self

    @property
    def asks_for_secret(self) -> bool:
        """Whether bots log in as they join."""
        return any("{secret}" in line.get_secret_value() for line in self.on_join)

    @property
    def whisper_commands(self) -> tuple[str, ...]:
        """Those to try, in order."""
        return (self.whisper_command,) if self.whisper_command else WHISPER_COMMANDS

    def address(self, host: str, accounts: Accounts) -> ServerAddress:
        """The server under a host's name, with all that joining it takes."""
        secret = self.secret.get_secret_value() if self.secret else ""
        lines = tuple(line.get_secret_value().replace("{secret}", secret) for line in self.on_join)
        passwords = tuple(secrets_in((self.secret, self.on_join)))
        return ServerAddress(host, self.port, self.version or None, lines, accounts, passwords)


class EmbeddedSettings(Section):
    host: Ipv4 = setting(
        "127.0.0.1",
        "address it listens on; `0.0.0.0` lets other devices in your network join, and then"
        " only players who are named command the bots",
    )
    port: PortOrAny = setting(0, "port of the embedded server; 0: any free one")
    seed: int = setting(1, "seed of its country")
    world_folder: Path | None = setting(
        None, "where its world is kept; unset: it lives as long as the process"
    )
    difficulty: Difficulty = setting(
        "peaceful", "`easy`, `normal` and `hard` have hunger, falls, fire, lava, monsters"
    )


Nickname = Annotated[str, Field(min_length=1, max_length=32)]


class NicknameSettings(Section):
    """One `[[bots.nicknames]]`."""

    name: str
    """The bot."""
    display_name: Nickname | None = None
    short_name: Nickname | None = None


class BotsSettings(Section):
    names: BotNames = setting(("Alice", "Bob"), "the bots to keep in the world")
    accounts: PlayerNames = setting(
        (), "those of them that join another server with the account of `townsfolk login`"
    )
    nicknames: Annotated[tuple[NicknameSettings, ...], BeforeValidator(parse_rows)] = setting(
        (),
        "other names of bots in talks: tables with `name`, `display_name` and `short_name`",
    )

    @model_validator(mode="after")
    def _are_of_bots(self) -> BotsSettings:
        nicknamed = [one.name for one in self.nicknames]
        for key, named in (("nicknames", nicknamed), ("accounts", self.accounts)):
            if strangers := [name for name in named if name not in self.names]:
                raise ValueError(f"{key} names {strangers[0]}, which is none of the bots")
        return self


class PermissionSettings(Section):
    owners: PlayerNames = setting((), "players who may do everything")
    trusted: PlayerNames = setting((), "players who may command the bots")
    pin: Pin | None = setting(
        None,
        "what owners and trusted players whisper as `!pin` to prove themselves; best by"
        " TOWNSFOLK_PERMISSIONS__PIN",
    )
    player_commands: CommandNames | None = setting(
        None, "the only commands of ours that everybody else may run; unset: those listed for them"
    )
    player_scan_range: Annotated[int, Field(ge=1, le=128)] = setting(
        PLAYER_SCAN_RANGE, "blocks within which everybody else may have blocks looked for"
    )
    pvp: bool = setting(False, "bots strike the players that an owner names to `!attack`")

    def on_server(
        self,
        proofs: Proofs,
        *,
        is_ours_alone: bool,
        given: Collection[str] = (),
        taken: Collection[str] = (),
    ) -> Permissions:
        """Who may do what; `player_commands` has `given` and `taken` these commands.

        `is_ours_alone`: we run the server, and nobody but this machine can join it."""
        owners, trusted = frozenset(self.owners), frozenset(self.trusted)
        return Permissions(
            owners,
            trusted,
            open_house=is_ours_alone and not owners | trusted,
            reach=PlayerReach(frozenset(given), frozenset(taken), self.player_scan_range),
            proofs=proofs,
            pvp=self.pvp,
        )


class SurvivalSettings(Section):
    enabled: bool = setting(True, "bots have reflexes that keep them alive; see docs/survival.md")
    escape: bool = setting(True, "leave fire and lava, and come up for air")
    fight: bool = setting(True, "strike monsters that it reckons to beat")
    help: bool = setting(True, "fight for other bots and owners")
    flee: bool = setting(True, "run from those that it would not beat, and from creepers")
    shelter: bool = setting(True, "dig in at night, and from monsters that it cannot shake off")
    sleep: bool = setting(True, "sleep at night, in a bed that a bot placed or an area allows")
    step_back: bool = setting(True, "step back from a player who strikes it, and say so once")
    eat: bool = setting(True, "eat when hungry, or hurt and too hungry to heal")
    wear: bool = setting(True, "put on the best armour that it carries when monsters are near")
    shun: bool = setting(True, "walk at night around where it died or nearly died")
    fetch: bool = setting(True, "fetch what it lost in a death while nobody wanted anything of it")
    speak: bool = setting(True, "say one line when it matters")
    tell_deaths: bool = setting(True, "tell an owner of each death, once")


class BridgeSettings(Section):
    whisper_patterns: WhisperPatterns = setting(
        (),
        "regular expressions of a whole line, with groups `(?P<sender>…)` and `(?P<text>…)`, "
        "for servers whose whispers look different",
    )
    chat_patterns: WhisperPatterns = setting(
        (), "the same for public chat, where a plugin of a Spigot server reshapes it"
    )
    dialects: Dialects = setting(
        DIALECT_NAMES, "plugins whose whispers are understood by themselves"
    )
    hosts: NodeHosts = setting(
        "auto",
        "Node processes that carry the bots; auto: one for each 25 of `bots.names`, at most one for"
        " each processor",
    )

    def host_count(self, bots: int, cores: int) -> int:
        """How many Node processes carry so many bots on so many processors.

        Few bots have one: a second would make their start no faster and take 80 MB more."""
        if self.hosts != "auto":
            return self.hosts
        return max(1, min(cores, math.ceil(bots / BOTS_OF_A_HOST)))

    @property
    def line_shapes(self) -> LineShapes:
        """As the bridge takes them."""
        return LineShapes(
            tuple(in_javascript(pattern) for pattern in self.whisper_patterns),
            tuple(in_javascript(pattern) for pattern in self.chat_patterns),
            self.dialects,
        )
