"""Talks in a whole daemon on the simulated world; the model is a function of the speaker."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from support.rig import until

from bots.app import Daemon
from bots.settings.settings import (
    BotsSettings,
    ChatSettings,
    DashboardSettings,
    GroupTalkSettings,
    IdleSettings,
    LlmSettings,
    PermissionSettings,
    Settings,
    TalkSettings,
)
from bots.settings.world import NicknameSettings
from bots.talks.live.talk import LiveTalk
from bots.talks.machine.events import EndReason
from bots.talks.machine.policy import Caps, TalkPolicy
from bridge import FakeBridge
from llm.function_model import FunctionModel
from llm.model import Question

CAST = ("Alice", "Bob", "Cara", "Dan")

Answers = Callable[[str, Question], str | Awaitable[str]]
"""What the bot of this name answers."""


def speaker_of(question: Question) -> str:
    """The bot that is asked, in a talk or not."""
    found = re.search(r"You are (\w+) and nobody else", question.instructions)
    assert found is not None
    return found[1]


def is_of_talk(question: Question) -> bool:
    return question.system.startswith("<persona_lock>")


def is_summary(question: Question) -> bool:
    return question.system.startswith("You keep the notes")


def model_of(answers: Answers) -> FunctionModel:
    """A model for talks; summaries, which are made in the background, stay empty."""
    return FunctionModel(
        lambda question: "" if is_summary(question) else answers(speaker_of(question), question)
    )


def numbered() -> Answers:
    """Answers that are always new."""
    count = 0

    def answer(name: str, _question: Question) -> str:
        nonlocal count
        count += 1
        return f"{name} word{count} thing{count} idea{count} plan{count}"

    return answer


def policy(topic: str = "", **caps: Any) -> TalkPolicy:
    """A policy without pauses and goodbyes, for this many turns of bots."""
    limits = {"bot_turns": None, "repetition_lines": None, **caps}
    return TalkPolicy(caps=Caps(**limits), goodbye=False, nudge_after_s=None, topic=topic)


def opened_by_people(**caps: Any) -> TalkPolicy:
    return replace(policy(**caps), opening="person")


async def begun(daemon: Daemon) -> LiveTalk:
    """The only talk, once there is one."""
    await until(lambda: daemon.talks.under_way)
    (talk,) = daemon.talks.under_way
    return talk


@asynccontextmanager
async def talking(
    bridge: FakeBridge,
    data_dir: Path,
    answers: Answers | None = None,
    *,
    model: FunctionModel | None = None,
    names: tuple[str, ...] = CAST,
    settings: GroupTalkSettings | None = None,
    permissions: PermissionSettings | None = None,
    nicknames: tuple[NicknameSettings, ...] = (),
) -> AsyncIterator[Daemon]:
    """A daemon whose bots are in the world; without a model they answer by rules."""
    chosen = Settings(
        data_dir=data_dir,
        bots=BotsSettings(names=names, nicknames=nicknames),
        talk=TalkSettings(small_talk=False),
        idle=IdleSettings(enabled=False),
        chat=ChatSettings(pace=False),
        group_talk=settings or GroupTalkSettings(gap_s=0, reading_cps=0, by_words=False),
        dashboard=DashboardSettings(enabled=False),
        llm=LlmSettings(briefing=False),
        permissions=permissions or PermissionSettings(),
    )
    thinks = model or (model_of(answers) if answers else None)
    async with Daemon(chosen, bridge=bridge, model=thinks) as daemon:
        assert await daemon.all_joined(30)
        yield daemon


async def over(talk: LiveTalk, within_s: float = 20.0) -> EndReason | None:
    """Why a talk has ended; fails when that takes too long."""
    async with asyncio.timeout(within_s):
        return await talk.wait()


def said(daemon: Daemon, bot: str) -> list[tuple[str, str]]:
    """(speaker, words) in a bot's history, what was only noted left out."""
    history = daemon.bot(bot).get_conversation_history(type="conversation")
    return [(message.utterance.speaker, message.text or "") for message in history]


def noted(daemon: Daemon, bot: str) -> list[str]:
    """The system lines in a bot's history."""
    history = daemon.bot(bot).get_conversation_history(type="system_info")
    return [message.text or "" for message in history]
