"""Settings of talking: what is heard and said, how much of it, and what is remembered."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field

from bots.next_speaker import Fallback
from bots.settings.fields import (
    Blocks,
    Sayable,
    SayableWords,
    Seconds,
    Section,
    parse_rows,
    setting,
)
from bots.text.language import normal

Count = Annotated[int, Field(ge=1, le=10_000)]
Pause = Annotated[float, Field(ge=0, le=60, allow_inf_nan=False)]
"""Seconds."""
PublicNotice: TypeAlias = Literal["off", "addressed", "all"]
"""Which lines of public chat a bot notices: none, those that name it, every one."""


class AutoReplySettings(Section):
    """One `[[chat.auto_replies]]`."""

    match: SayableWords
    reply: Sayable


MOST_ROWS = 100


def _check_matches(rows: tuple[AutoReplySettings, ...]) -> tuple[AutoReplySettings, ...]:
    """Refuse too many rows, and words that an earlier row has already."""
    if len(rows) > MOST_ROWS:
        raise ValueError(f"at most {MOST_ROWS}, not {len(rows)}")
    seen: set[str] = set()
    for row in rows:
        if normal(row.match) in seen:
            raise ValueError(f"{row.match!r} is there twice")
        seen.add(normal(row.match))
    return rows


AutoReplyRows = Annotated[
    tuple[AutoReplySettings, ...],
    BeforeValidator(parse_rows),
    AfterValidator(_check_matches),
]


class ChatSettings(Section):
    hearing_range: Blocks = setting(
        15.0, "blocks within which `!chat` reaches, unless it says otherwise"
    )
    pace: bool = setting(True, "keep below the server's spam limit")
    public: PublicNotice = setting(
        "addressed",
        "public chat that bots heed: none, lines that name or answer them, or all "
        "(models read them)",
    )
    auto_replies: AutoReplyRows = setting(
        (), "fixed answers to persons instead of thinking: tables with `match` (words) and `reply`"
    )


class HistorySettings(Section):
    view: Annotated[int, Field(ge=1, le=10_000)] = setting(
        100, "newest messages a bot's history shows; all are kept on disk"
    )


class TalkSettings(Section):
    small_talk: bool = setting(True, "bots tell each other, and whoever is near, what they see")
    small_talk_every_s: Seconds = setting(
        10.0,
        "mean seconds from a reply to the next remark; a fifth more where people hear it",
    )
    max_turns_without_person: Annotated[int, Field(ge=1, le=100)] = setting(
        6,
        "turns bots take among themselves until a person speaks, and with each speaker who answers "
        "like a machine",
    )
    quiet: bool = setting(False, "of a long command tell only the end; `!quiet` overrules it")


class LimitSettings(Section):
    commands_per_10_s: Annotated[int, Field(ge=1, le=10_000)] = setting(
        20, "commands one player may give in 10 seconds"
    )
    player_lines_per_minute: Annotated[int, Field(ge=1, le=1_000)] = setting(
        20, "lines a minute of one player below trusted that bots answer; the rest are recorded"
    )
    auto_replies_per_minute: Annotated[int, Field(ge=1, le=1_000)] = setting(
        6, "fixed answers one player gets in a minute; beyond, one notice"
    )


class GroupTalkSettings(Section):
    order: Literal["rounds", "nominate"] = setting(
        "nominate",
        "who speaks next: each bot once for every line of a person, or whom the speaker names",
    )
    channel: Literal["whisper", "public"] = setting(
        "whisper", "how lines reach the others in hearing range: a whisper to each, or public chat"
    )
    by_words: bool = setting(
        True, "a line to several bots by name (`hey Alice, Bob, …`) begins a talk with them"
    )
    max_turns: Count = setting(40, "turns of a talk, at most")
    max_time_s: Seconds = setting(1800.0, "seconds of a talk, at most")
    max_tokens: Annotated[int, Field(ge=0)] = setting(0, "model tokens of a talk; 0: no limit")
    max_cost_usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] = setting(
        0.0, "US dollars of a talk; 0: no limit"
    )
    max_turns_without_person: Count = setting(
        12, "turns bots take in a talk until a person says something in it"
    )
    max_silence_s: Seconds = setting(120.0, "seconds without a line after which a talk is over")
    wait_for_person_s: Annotated[float, Field(ge=0, le=600, allow_inf_nan=False)] = setting(
        30.0, "seconds that bots wait for a person whom one of them gave the floor; 0: not at all"
    )
    allow_self_nomination: bool = setting(False, "a bot may give itself the next turn")
    fallback: Fallback = setting(
        "round_robin", "who is next when nobody was named: the next in turn, or one at random"
    )
    fuzzy_threshold: Annotated[float, Field(gt=0, le=1)] = setting(
        0.85, "how alike a misspelt name must be to count, 0 to 1"
    )
    gap_s: Pause = setting(1.5, "seconds between a bot's line and the next, at least")
    reading_cps: Annotated[float, Field(ge=0, le=1_000, allow_inf_nan=False)] = setting(
        20.0,
        "characters a second that people read: the next line waits until the one before is read; "
        "0: `gap_s` alone",
    )
