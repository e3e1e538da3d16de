"""Thoughts in words, for later prompts and for users."""

from __future__ import annotations

from datetime import datetime

from bots.responder.reflection.thought import Thought
from bots.text.excerpt import excerpt

MOST_OF_A_SUMMARY = 150  # characters, so that all of it fits one line of chat

_WHY_NOT = {
    "budget": "the budget for thinking is used up",
    "no_model": "I have no model to think with",
    "deadline": "it took too long",
    "unreadable": "what I thought made no sense",
    "stopped": "I was stopped",
    "disabled": "that kind of thinking is turned off",
}


def advice_of(thought: Thought, now: datetime) -> str:
    """A thought as later decisions are shown it."""
    minutes = max(0, round((now - thought.at).total_seconds() / 60))
    parts = [f"{minutes} min ago: {thought.summary}"]
    if thought.plan:
        agreed = "The agreed plan" if thought.status == "approved" else "A plan nobody approved yet"
        parts.append(f"{agreed}: {'; '.join(thought.plan)}.")
    return " ".join(parts)


def proposal_of(thought: Thought) -> str:
    """A thought as users are told it."""
    parts = [thought.summary]
    if thought.plan:
        parts.append("Plan: " + "; ".join(thought.plan) + ".")
    if thought.goal:
        parts.append(f"First: {thought.goal}.")
    if thought.status == "proposed":
        parts.append("Approve it by: thoughts approve")
    return " ".join(parts)


def announcement_of(thought: Thought) -> str:
    """A briefing in one line of chat, for people who did not ask."""
    how = "!thoughts approve" if thought.status == "proposed" else "!thoughts status"
    return f"I have thought of a plan: {excerpt(thought.summary, MOST_OF_A_SUMMARY)} Whisper {how}."


def why_not(why: str) -> str:
    """Why there is no thought, for people."""
    return f"I could not think it over: {_WHY_NOT.get(why, f'my model failed ({why})')}."
