"""Settings of the program itself: what it serves over HTTP and what it logs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from bots.settings.fields import LOOPBACK_NAMES, HttpAddress, PortOrAny, Section, Words, setting
from bots.settings.secrets import SecretUrl


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
