"""What can be configured, with defaults and meanings; docs/settings.md lists it all.

Order of strength: command-line flags, environment (`TOWNSFOLK_SECTION__NAME`), TOML file,
defaults. Each table of the file is declared in a module beside this one; loading.py reads
them and says what is wrong.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from platformdirs import user_data_path
from pydantic import AfterValidator, Field, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from bots.access.permissions import is_loopback
from bots.settings.fields import (
    LOOPBACK_NAMES,
    Blocks,
    HttpAddress,
    NatsAddresses,
    PortOrAny,
    Seconds,
    Section,
    Words,
    setting,
)
from bots.settings.llm import LlmSettings
from bots.settings.secrets import SecretUrl, secrets_in
from bots.settings.talk import (
    AutoReplySettings,
    ChatSettings,
    GroupTalkSettings,
    HistorySettings,
    LimitSettings,
    TalkSettings,
)
from bots.settings.world import (
    BotsSettings,
    BridgeSettings,
    EmbeddedSettings,
    PermissionSettings,
    ServerSettings,
    SurvivalSettings,
    usable_cores,
)
from bridge.port import Accounts, ServerAddress


class IdleSettings(Section):
    enabled: bool = setting(True, "bots do something when nobody wants anything of them")
    after_s: Seconds = setting(10.0, "seconds without work or talk after which a bot does so")
    every_s: Seconds = setting(20.0, "mean seconds from the end of one such thing to the next")
    roam: Blocks = setting(12.0, "blocks from where it was left within which an idle bot stays")
    ask_about_builds: bool = setting(
        True, "ask somebody trusted, once for each place, whether what stands there is theirs"
    )
    gather: bool = setting(True, "pick flowers and the like, on the embedded server alone")


class KnowledgeSettings(Section):
    prompt_tokens: Annotated[int, Field(ge=0, le=10_000)] = setting(
        300, "tokens of what a bot knows in one prompt, about; 0 shows a model none of it"
    )


class VisionSettings(Section):
    textures: bool = setting(
        False, "draw blocks with the pictures that `townsfolk vis textures install` fetched"
    )


class DashboardSettings(Section):
    enabled: bool = setting(True, "serve HTTP; `exec`, `say` and `log` need it")
    host: Annotated[str, Field(min_length=1)] = setting("127.0.0.1", "address it listens on")
    port: PortOrAny = setting(0, "port it listens on; 0: any free one")
    allow_remote: bool = setting(False, "permit a host that is not loopback")
    host_names: Words = setting(
        (), "further Host names requests may carry, as `name` or `name:port`"
    )

    @model_validator(mode="after")
    def _loopback_unless_allowed(self) -> DashboardSettings:
        if self.host not in LOOPBACK_NAMES and not self.allow_remote:
            raise ValueError("host must be 127.0.0.1, ::1 or localhost unless allow_remote is true")
        return self


class LogSettings(Section):
    level: Literal["debug", "info", "warning", "error"] = setting(
        "info", "least severity that is logged"
    )
    format: Literal["auto", "console", "json"] = setting(
        "auto",
        "of stderr; auto: words on a terminal, else JSON; console: all events with their facts",
    )
    talk: bool = Field(default=True, description="log every line that is said, with its words")


class TelemetrySettings(Section):
    otlp_endpoint: HttpAddress = setting(
        SecretUrl(""),
        "collector of OpenTelemetry that decisions are sent to, as `http://127.0.0.1:4318`",
    )


def _check_replicas(servers: int) -> int:
    if servers not in (1, 3, 5):
        raise ValueError("write 1, 3 or 5: one more than an odd number outlives no more failures")
    return servers


class ClusterSettings(Section):
    bus: NatsAddresses = setting(
        (),
        "NATS broker, as `nats://HOST:4222`, that all daemons of a cluster reach; empty: a daemon "
        "of its own",
    )
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{0,50}$")] = setting(
        "", "what the others call this daemon; empty: the name of its machine and of its home"
    )
    copies: Annotated[int, Field(ge=1, le=100)] = setting(
        2, "daemons that keep a copy of each home, to take it over at once"
    )
    replicas: Annotated[int, AfterValidator(_check_replicas)] | None = setting(
        None,
        "servers of the broker that hold all that the cluster stores, 1, 3 or 5; unset: as many as "
        "do already, one at first",
    )
    keep_file: bool = setting(
        False,
        "where data folder and cluster each remember what the other does not: go on with the "
        "folder, and lose the rest",
    )


__all__ = [
    "AutoReplySettings",
    "BotsSettings",
    "BridgeSettings",
    "ChatSettings",
    "ClusterSettings",
    "DashboardSettings",
    "EmbeddedSettings",
    "GroupTalkSettings",
    "HistorySettings",
    "IdleSettings",
    "KnowledgeSettings",
    "LimitSettings",
    "LlmSettings",
    "LogSettings",
    "PermissionSettings",
    "ServerSettings",
    "Settings",
    "TalkSettings",
    "is_secret",
    "leaf_settings",
    "settings_table",
]

ACCOUNTS_FOLDER = "accounts"
"""Of the data folder."""
ENV_PREFIX = "TOWNSFOLK_"
ENV_DELIMITER = "__"
ANTHROPIC_VARIABLES = {
    "ANTHROPIC_API_KEY": "api_key",
    "ANTHROPIC_AUTH_TOKEN": "auth_token",
    "ANTHROPIC_BASE_URL": "base_url",
}
"""The SDK's own variables and the `llm` settings they fill, below ours in strength."""


class Settings(BaseSettings):
    """All settings; built once at start and handed down as narrow values."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
        env_prefix=ENV_PREFIX,
        env_nested_delimiter=ENV_DELIMITER,
        env_ignore_empty=True,
        # Lists are written Alice,Bob; pydantic-settings would ask for JSON.
        enable_decoding=False,
    )
    server: ServerSettings = ServerSettings()
    embedded: EmbeddedSettings = EmbeddedSettings()
    bots: BotsSettings = BotsSettings()
    permissions: PermissionSettings = PermissionSettings()
    chat: ChatSettings = ChatSettings()
    history: HistorySettings = HistorySettings()
    llm: LlmSettings = LlmSettings()
    talk: TalkSettings = TalkSettings()
    idle: IdleSettings = IdleSettings()
    survival: SurvivalSettings = SurvivalSettings()
    knowledge: KnowledgeSettings = KnowledgeSettings()
    group_talk: GroupTalkSettings = GroupTalkSettings()
    limits: LimitSettings = LimitSettings()
    bridge: BridgeSettings = BridgeSettings()
    cluster: ClusterSettings = ClusterSettings()
    dashboard: DashboardSettings = DashboardSettings()
    log: LogSettings = LogSettings()
    telemetry: TelemetrySettings = TelemetrySettings()
    vision: VisionSettings = VisionSettings()
    data_dir: Path = Field(
        default_factory=lambda: user_data_path("townsfolk"),
        description="where database, logs and daemon.json lie; unset: the user's data folder",
    )
    offline: bool = setting(False, "no model calls and no downloads")
    run_for_s: Annotated[float, Field(ge=0, allow_inf_nan=False)] = setting(
        0.0, "end this many seconds after `ready`; 0: when told to"
    )

    @property
    def host_count(self) -> int:
        """How many Node processes carry the bots of these settings."""
        return self.bridge.host_count(len(self.bots.names), usable_cores())

    @property
    def budget_brokers(self) -> tuple[SecretUrl, ...]:
        """The brokers that hold the budget; none: it is in a data folder."""
        return self.llm.budget_bus or (() if self.llm.budget_dir else self.cluster.bus)

    @property
    def accounts_dir(self) -> Path:
        """Where tokens of Microsoft accounts are kept."""
        return self.data_dir / ACCOUNTS_FOLDER

    @property
    def named_server(self) -> ServerAddress:
        """The server to join instead of an embedded one, with all that joining it takes."""
        accounts = Accounts(self.accounts_dir, frozenset(self.bots.accounts))
        return self.server.address(self.server.host or "127.0.0.1", accounts)

    @property
    def model_active(self) -> bool:
        """Whether answers may come from a model: configured, and not offline."""
        return self.llm.active and not self.offline

    @property
    def secrets(self) -> tuple[str, ...]:
        """Values that we must never write or show."""
        return tuple(secrets_in(self))

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, AnthropicVariables(settings_cls)


def settings_table() -> list[tuple[str, str, str]]:
    """Every setting as (dotted name, default, meaning), in the order of the file."""
    return [(name, _shown(field), field.description or "") for name, field in leaf_settings()]


def leaf_settings() -> Iterator[tuple[str, FieldInfo]]:
    """Dotted name and declaration of every single setting."""
    for name, field in Settings.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
            for inner, declared in field.annotation.model_fields.items():
                yield f"{name}.{inner}", declared
        else:
            yield name, field


def is_secret(name: str) -> bool:
    """Whether we never show this setting; for an unknown one its name decides."""
    declared = dict(leaf_settings()).get(name)
    if declared is None:
        return re.search("key|pin|pass|secret|token", name.rpartition(".")[2], re.I) is not None
    return "Secret" in str(declared.annotation)


def _shown(field: FieldInfo) -> str:
    default = field.default
    if field.default_factory is not None or default in (None, "", ()):
        return ""
    if isinstance(default, bool):
        return str(default).lower()
    return ",".join(default) if isinstance(default, tuple) else f"{default}"


class AnthropicVariables(PydanticBaseSettingsSource):
    """The SDK's usual variables as `llm` settings."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return (
            (self._llm() or None, field_name, False) if field_name == "llm" else (None, "", False)
        )

    def __call__(self) -> dict[str, Any]:
        return {"llm": self._llm()}

    def _llm(self) -> dict[str, str]:
        given = {name: os.environ.get(variable) for variable, name in ANTHROPIC_VARIABLES.items()}
        return {name: value for name, value in given.items() if value}


@dataclass(frozen=True, slots=True)
class Weakness:
    """A weakness, and how to remove it."""

    found: str
    next_step: str


def weaknesses(settings: Settings, *, is_ours_alone: bool) -> Iterator[Weakness]:
    """All of them. `is_ours_alone`: we run the server, and nobody but this machine can join it."""
    yield from filter(
        None,
        (
            open_to_network(settings),
            no_owner(settings, is_ours_alone=is_ours_alone),
            no_proof(settings),
        ),
    )


def open_to_network(settings: Settings) -> Weakness | None:
    """Others may join the embedded server."""
    if settings.server.host or is_loopback(settings.embedded.host):
        return None
    return Weakness(
        "every device in your network can join the embedded server, under any name",
        "open it in a network of people you know, never to the internet: the router must not"
        " forward its port",
    )


def no_owner(settings: Settings, *, is_ours_alone: bool) -> Weakness | None:
    """No owner is set."""
    named = settings.permissions
    if named.owners or is_ours_alone:
        return None
    may = "only the trusted may" if named.trusted else "nobody in the game may"
    return Weakness(
        f"nobody is named as owner, so {may} command the bots",
        'start with --owner NAME, or write owners = ["NAME"] below [permissions]:'
        " the player's name exactly as the game spells it",
    )


def no_proof(settings: Settings) -> Weakness | None:
    """A name alone gives a player the rights of its owner."""
    named = settings.permissions
    who = (*named.owners, *named.trusted)
    if not who or named.pin is not None or _names_are_checked(settings):
        return None
    return Weakness(
        f"where bots join without an account nobody checks names, so whoever joins as {who[0]}"
        " may command the bots",
        "set TOWNSFOLK_PERMISSIONS__PIN and whisper !pin with it to a bot after you joined,"
        " or have a login plugin check names",
    )


def _names_are_checked(settings: Settings) -> bool:
    """Whether others vouch for names, as far as the settings tell: a server that asks our bots for
    accounts asks everybody, and one with a login plugin wants a password."""
    if not settings.server.host:
        return False
    return settings.server.asks_for_secret or set(settings.bots.names) <= set(
        settings.bots.accounts
    )
