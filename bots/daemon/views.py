"""What observers see of talks, goals and money, as HTTP tells it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bots.access.origin import speaker_of
from bots.bot.agenda import KeptGoal
from bots.bot.bot import Bot
from bots.bot.stage import Course
from bots.daemon.shapes import (
    BudgetShape,
    GoalShape,
    GoalsShape,
    ModelShape,
    PlanShape,
    PurseShape,
    StepShape,
    TalkShape,
)
from bots.responder.model_health import ModelHealth
from bots.talks.live.talk import LiveTalk
from llm.engine.budget import Budget, Scope
from llm.engine.prices import DOLLAR


def goals_of(bot: Bot) -> GoalsShape:
    """The goals of a bot, and the plan of the one under way."""
    job, stage = bot.agenda.job, bot.stage
    plan = None
    if job is not None and job.course is not None:
        plan = _plan(job.course, stage.left_s if stage else 0.0)
    return {
        "success": True,
        "goals": [_goal(one, bot.agenda.under_way) for one in bot.agenda.goals],
        "plan": plan,
    }


def talk_of(talk: LiveTalk) -> TalkShape:
    """A talk under way, with all its lines."""
    machine = talk.machine
    bots = [one.name for one in machine.participants if one.kind == "bot"]
    return {
        "talk": talk.number,
        "topic": talk.topic,
        "participants": [{"name": one.name, "kind": one.kind} for one in machine.participants],
        "mainBot": next(iter(bots), None),
        "speaking": machine.speaking,
        "paused": machine.is_paused,
        "startedBy": speaker_of(talk.beginning.started_by),
        "lines": [
            {"number": one.number, "speaker": one.speaker, "text": one.text, "turn": one.turn}
            for one in machine.lines
        ],
    }


def model_of(health: ModelHealth) -> ModelShape:
    """How the model is."""
    if (trouble := health.trouble) is None:
        state: Literal["ok", "off"] = "ok" if health.is_on else "off"
        return {"state": state, "why": None, "found": None, "nextStep": None}
    return {
        "state": "unusable",
        "why": trouble.why,
        "found": trouble.found,
        "nextStep": trouble.next_step,
    }


def budget_of(budget: Budget, bots: Iterable[str], model: ModelShape) -> BudgetShape:
    """What was spent in the period that ends now, and what may be."""
    caps = budget.caps
    return {
        "success": True,
        "model": model,
        "periodS": caps.period_s,
        "spentUsd": budget.spent() / DOLLAR,
        "heldUsd": budget.held() / DOLLAR,
        "capUsd": caps.everything / DOLLAR,
        "background": _purse(budget, "background"),
        "strangers": _purse(budget, "strangers"),
        "bots": {name: _purse(budget, "bot", name) for name in bots},
    }


def _purse(budget: Budget, scope: Scope, name: str = "") -> PurseShape:
    spent, cap = budget.spent(scope, name), budget.caps.of(scope)
    return {"spentUsd": spent / DOLLAR, "capUsd": cap / DOLLAR}


def _goal(kept: KeptGoal, under_way: KeptGoal | None) -> GoalShape:
    waits: Literal["paused", "waiting"] = "paused" if kept.state == "paused" else "waiting"
    return {
        "goal": kept.title,
        "state": "under_way" if kept is under_way else waits,
        "givenBy": speaker_of(kept.given_by),
    }


def _plan(course: Course, left_s: float) -> PlanShape:
    took: list[float | None] = [*course.took_s]
    took += [None] * (len(course.steps) - len(took))
    steps: list[StepShape] = [
        {
            "action": step.action,
            "thing": step.thing,
            "count": step.count,
            "tool": step.tool,
            "station": step.station,
            "consumes": dict(step.consumes),
            "produces": dict(step.produces),
            "estimateS": step.estimate_s,
            "tookS": took_s,
        }
        for step, took_s in zip(course.steps, took, strict=True)
    ]
    return {"goal": course.goal, "steps": steps, "leftS": left_s}
