"""What can be configured, with defaults and meanings; docs/settings.md lists it all.

Order of strength: command-line flags, environment (`TOWNSFOLK_SECTION__NAME`), TOML file,
defaults. Each table of the file is declared in a module beside this one; loading.py reads
them and says what is wrong.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from platformdirs import user_data_path
from pydantic import Field
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from bots.settings.cluster import ClusterSettings
from bots.settings.fields import Section, setting
from bots.settings.idle import IdleSettings
from bots.settings.knowledge import KnowledgeSettings
from bots.settings.llm import LlmSettings
from bots.settings.secrets import SecretUrl, secrets_in
from bots.settings.service import DashboardSettings, LogSettings, TelemetrySettings
from bots.settings.talk import (
    AutoReplySettings,
    ChatSettings,
    GroupTalkSettings,
    HistorySettings,
    LimitSettings,
    TalkSettings,
)
from bots.settings.vision import VisionSettings
from bots.settings.world import (
    BotsSettings,
    BridgeSettings,
    EmbeddedSettings,
    PermissionSettings,
    ServerSettings,
    usable_cores,
)
from bridge.port import Accounts, ServerAddress

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
