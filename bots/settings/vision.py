"""Settings of the pictures of what bots see."""

from __future__ import annotations

from bots.settings.fields import Section, setting


class VisionSettings(Section):
    textures: bool = setting(
        False, "draw blocks with the pictures that `townsfolk vis textures install` fetched"
    )
