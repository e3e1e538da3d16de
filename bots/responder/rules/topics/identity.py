"""Who the bot is."""

from __future__ import annotations

import re
from re import Match

from bots.responder.rules.topics.scene import Scene, Topic
from bots.text.language import language_of


def _identity(scene: Scene, asked: Match[str]) -> str:
    name = scene.say(
        f"I am {scene.bot}, a bot in this world.", f"{scene.bot}です。この世界のボットです。"
    )
    fits = scene.about and language_of([scene.about]) == scene.language
    return f"{name} {scene.about}" if fits else name


def _speaker(scene: Scene, asked: Match[str]) -> str:
    return scene.say(f"You are {scene.called}.", f"あなたは{scene.called}さんです。")


_SPEAKER = re.compile(
    r"\bwhat(?:'s|s| is) my name\b|\b(?:know|remember|say) my name\b|^who am i\b"
    r"|(?:私|僕|俺|わたし|ぼく|おれ)(?:の名前|のなまえ|は(?:誰|だれ))"
)
_IDENTITY = re.compile(
    r"\bwho (?:are|r|made|built|created|programmed) (?:you|u)\b|\byour name\b"
    r"|\bwhat are you\b(?! \w+ing)"
    r"|\bare you (?:a |an |the )?"
    r"(?:bot|robot|human|person|real|player|ai|npc|machine|claude|chatgpt|gpt|alive)\b"
    r"|\bintroduce yourself\b|\babout yourself\b"
    r"|(?<!の)(?:名前|なまえ)|(?:君|きみ|あなた|お前)の(?:名前|なまえ)|(?:誰|だれ)(?:です|だ|なの|$)|何者|自己紹介"
    r"|(?:ボット|bot|人間|ロボット|ai)(?:です|なの|か|$)"
)

TOPICS = (
    Topic("speaker_name", _SPEAKER, _speaker),
    Topic("identity", _IDENTITY, _identity),
)
