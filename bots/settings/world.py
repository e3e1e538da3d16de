"""Settings of the world: which server, who lives there, and who may command them."""

from __future__ import annotations

from pathlib import Path

from bots.settings.fields import (
    BotNames,
    PlayerNames,
    Port,
    PortOrAny,
    Section,
    WhisperPatterns,
    setting,
)


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


class BridgeSettings(Section):
    whisper_patterns: WhisperPatterns = setting(
        (),
        "regular expressions of a whole line, with groups `(?P<sender>…)` and `(?P<text>…)`, "
        "for servers whose whispers look different",
    )
