"""Settings of talking: what is heard and said, how much of it, and what is remembered."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from bots.settings_section import Section, setting
from bots.settings_values import Blocks, Sayable, SayableWords, Seconds, check_matches, parse_rows


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
