"""Settings of talks of several."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bots.settings_section import Section, setting
from bots.settings_values import Seconds
from bots.talk.policy import Caps, TalkPolicy

Count = Annotated[int, Field(ge=1, le=10_000)]
Pause = Annotated[float, Field(ge=0, le=60, allow_inf_nan=False)]


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
    gap_s: Pause = setting(1.5, "seconds between a bot's line and the next, for people to read")

    def policy(self) -> TalkPolicy:
        """What talks go by that bring no policy of their own."""
        caps = Caps(
            turns=self.max_turns,
            time_s=self.max_time_s,
            tokens=self.max_tokens or None,
            cost_usd=self.max_cost_usd or None,
            bot_turns=self.max_turns_without_person,
            silence_s=self.max_silence_s,
        )
        return TalkPolicy(order=self.order, caps=caps, gap_s=self.gap_s)
