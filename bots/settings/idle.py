"""Settings of what bots do of their own accord."""

from __future__ import annotations

from bots.settings.fields import Blocks, Seconds, Section, setting


class IdleSettings(Section):
    enabled: bool = setting(True, "bots do something when nobody wants anything of them")
    after_s: Seconds = setting(10.0, "seconds without work or talk after which a bot does so")
    every_s: Seconds = setting(20.0, "mean seconds from the end of one such thing to the next")
    roam: Blocks = setting(12.0, "blocks from where it was left within which an idle bot stays")
    ask_about_builds: bool = setting(
        True, "ask somebody trusted, once for each place, whether what stands there is theirs"
    )
    gather: bool = setting(True, "pick flowers and the like, on the embedded server alone")
