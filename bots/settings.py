"""What can be configured, with defaults and meanings; README's table comes from here.

Order of strength: command-line flags, environment (`TOWNSFOLK_SECTION__NAME`), TOML file,
defaults. Reading them, and saying what is wrong with them, is in settings_loading.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from platformdirs import user_data_path
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from bots.settings_sources import AnthropicVariables
from bots.settings_values import (
    LOOPBACK_NAMES,
    Blocks,
    BotNames,
    HttpAddress,
    PlayerNames,
    Port,
    PortOrAny,
    Sayable,
    SayableWords,
    Seconds,
    WhisperPatterns,
    Words,
    check_matches,
    parse_rows,
)

ENV_PREFIX = "TOWNSFOLK_"
ENV_DELIMITER = "__"


def setting(default: Any, meaning: str) -> Any:
    """One setting; its meaning is what README says of it."""
    return Field(default=default, description=meaning)


class Section(BaseModel):
    """A table of the file: nothing unknown in it, nothing changed after start."""

    # An error that quotes its input could quote a key.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class ServerSettings(Section):
    host: str = setting("", "Minecraft server to join; empty: the embedded one")
    port: Port = setting(25565, "its port")
    version: str = setting("", "its Minecraft version; empty: asked from the server")


class EmbeddedSettings(Section):
    port: PortOrAny = setting(0, "port of the embedded server; 0: any free one")
    seed: int = setting(1, "seed of its country")
    world_folder: Path | None = setting(
        None, "where its world is kept; unset: it lives as long as the process"
    )
    version: str = setting("1.16.5", "Minecraft version it speaks")


class BotsSettings(Section):
    names: BotNames = setting(("Alice", "Bob"), "the bots to keep in the world")


class PermissionSettings(Section):
    owners: PlayerNames = setting((), "players who may do everything")
    trusted: PlayerNames = setting((), "players who may command the bots")


class AutoReplySettings(Section):
    """One `[[chat.auto_replies]]`."""

    match: SayableWords
    reply: Sayable


AutoReplyRows = Annotated[
    tuple[AutoReplySettings, ...],
    BeforeValidator(parse_rows),
    AfterValidator(check_matches),
]


class ChatSettings(Section):
    hearing_range: Blocks = setting(
        15.0, "blocks within which `!chat` reaches, unless it says otherwise"
    )
    pace: bool = setting(True, "keep below the server's spam limit")
    public: Literal["off", "addressed", "all"] = setting(
        "off",
        "public chat that bots notice: none, lines that name them (answered in public), or all "
        "(recorded)",
    )
    auto_replies: AutoReplyRows = setting(
        (), "fixed answers to persons instead of thinking: tables with `match` (words) and `reply`"
    )


class HistorySettings(Section):
    view: Annotated[int, Field(ge=1, le=10_000)] = setting(
        100, "newest messages a bot's history shows; all are kept on disk"
    )


class LlmSettings(Section):
    enabled: Literal["auto", "on", "off"] = setting(
        "auto", "answer through a model; auto: when there is a key or a base_url"
    )
    api_key: SecretStr | None = setting(None, "Anthropic API key; also read from ANTHROPIC_API_KEY")
    auth_token: SecretStr | None = setting(
        None, "bearer token instead of a key; also from ANTHROPIC_AUTH_TOKEN"
    )
    base_url: HttpAddress = setting(
        "", "another Anthropic-compatible API; also from ANTHROPIC_BASE_URL"
    )
    model: Annotated[str, Field(min_length=1)] = setting("claude-haiku-5-5", "model that answers")
    model_cut_s: Annotated[Seconds, Field(le=7.5)] = setting(
        7.0, "seconds after which the rules answer instead of the model"
    )

    @property
    def active(self) -> bool:
        """Whether a model is to be asked at all."""
        return self.enabled != "off" and self._reachable

    @property
    def _reachable(self) -> bool:
        return bool(self.api_key or self.auth_token or self.base_url)

    @model_validator(mode="after")
    def _on_needs_credentials(self) -> LlmSettings:
        if self.enabled == "on" and not self._reachable:
            raise ValueError("enabled is on, but there is no api_key (set ANTHROPIC_API_KEY)")
        return self


class TalkSettings(Section):
    small_talk: bool = setting(True, "bots chat a little among themselves")
    small_talk_every_s: Seconds = setting(180.0, "mean seconds between such talks")
    max_turns_without_person: Annotated[int, Field(ge=1, le=100)] = setting(
        6, "turns bots take among themselves until a person speaks"
    )
    quiet: bool = setting(False, "of a long command tell only the end; `!quiet` overrules it")


class LimitSettings(Section):
    commands_per_10_s: Annotated[int, Field(ge=1, le=10_000)] = setting(
        20, "commands one player may give in 10 seconds"
    )
    auto_replies_per_minute: Annotated[int, Field(ge=1, le=1_000)] = setting(
        6, "fixed answers one player gets in a minute; beyond, silence"
    )


class BridgeSettings(Section):
    whisper_patterns: WhisperPatterns = setting(
        (),
        "regular expressions of a whole line, with groups `(?P<sender>…)` and `(?P<text>…)`, "
        "for servers whose whispers look different",
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
        "auto", "of stderr; auto: console on a terminal, else JSON"
    )
    talk: bool = Field(default=True, description="log every line that is said, with its words")


class Settings(BaseSettings):
    """All of it; built once at start and handed down as narrow values."""

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
    limits: LimitSettings = LimitSettings()
    bridge: BridgeSettings = BridgeSettings()
    dashboard: DashboardSettings = DashboardSettings()
    log: LogSettings = LogSettings()
    data_dir: Path = Field(
        default_factory=lambda: user_data_path("townsfolk"),
        description="where database, logs and daemon.json lie; unset: the user's data folder",
    )
    offline: bool = setting(False, "no model calls and no downloads")
    run_for_s: Annotated[float, Field(ge=0, allow_inf_nan=False)] = setting(
        0.0, "end this many seconds after `ready`; 0: when told to"
    )

    @property
    def model_active(self) -> bool:
        """Whether answers may come from a model: configured, and not offline."""
        return self.llm.active and not self.offline

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be logged."""
        held = (self.llm.api_key, self.llm.auth_token)
        return tuple(secret.get_secret_value() for secret in held if secret is not None)

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


def _shown(field: FieldInfo) -> str:
    default = field.default
    if field.default_factory is not None or default in (None, "", ()):
        return ""
    if isinstance(default, bool):
        return str(default).lower()
    return ",".join(default) if isinstance(default, tuple) else f"{default}"
