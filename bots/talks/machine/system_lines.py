"""System lines for the participants' histories: the talk began, changed or ended.

Experiment logs hold these texts and replays compare them, so they stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from bots.talks.machine.events import EndReason

ENDINGS: dict[EndReason, str] = {
    "asked": "it was ended on request",
    "none_left": "too few are left",
    "nobody_next": "nobody is next",
    "turns": "its turns are used up",
    "time": "its time is up",
    "tokens": "its tokens are used up",
    "money": "its money is used up",
    "bot_turns": "the bots have spoken long enough among themselves",
    "repetition": "it went in circles",
    "silence": "nobody said anything for long",
    "goodbye": "everybody has said goodbye",
    "rule": "its own rule ends it",
}
NEARLY: dict[EndReason, str] = {
    **ENDINGS,
    "turns": "its turns are nearly used up",
    "time": "its time is nearly up",
    "tokens": "its tokens are nearly used up",
    "money": "its money is nearly used up",
}

REMOVED = "removed"
"""Why somebody leaves whom another one took out of the talk."""


def began(names: Sequence[str], topic: str) -> str:
    topic = " ".join(topic.split())
    about = f" Topic: {topic}." if topic else ""
    return f"Group talk began. Participants: {_listed(names)}.{about}"


def joined(name: str, names: Sequence[str]) -> str:
    return f"{name} joined the group talk. Participants: {_listed(names)}."


def left(name: str, why: str, names: Sequence[str]) -> str:
    how = {"left": "left", REMOVED: "was taken out of"}.get(
        why, f"is out of ({' '.join(why.split())})"
    )
    return f"{name} {how} the group talk. Participants: {_listed(names)}."


def paused(by: str) -> str:
    return f"{by} paused the group talk."


def resumed(by: str) -> str:
    return f"{by} resumed the group talk."


def ended(why: EndReason, cap: EndReason | None = None) -> str:
    """`cap` is the one that the goodbyes were for, if that is told."""
    nearly = f", as {NEARLY[cap]}" if why == "goodbye" and cap is not None else ""
    return f"Group talk ended: {ENDINGS[why]}{nearly}."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nobody"
