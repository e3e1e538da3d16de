"""How to make a bot do things: rules answer, they never act."""

from __future__ import annotations

import re
from re import Match

from bots.answering.scene import Scene, Topic


def _help(scene: Scene, asked: Match[str]) -> str:
    return scene.say(
        "Whisper !help to me for my commands. "
        "Without a command, ask where I am, what I carry, who is near, how I am, or the time.",
        "コマンドは !help とささやいてください。"
        "居場所、持ち物、近くの人、体調、時刻はふつうに聞けば答えます。",
    )


def _stop(scene: Scene, asked: Match[str]) -> str:
    return scene.say(
        "Whisper !stop and I end whatever I am doing.",
        "!stop とささやけば、していることをすぐやめます。",
    )


def _request(scene: Scene, asked: Match[str]) -> str:
    return scene.say(
        "I do things only by command: whisper !help and I list them.",
        "動作はコマンドでだけ行います。!help とささやくと一覧を出します。",
    )


_HELP = re.compile(
    r"\bhelp\b|\bwhat can (?:you|i|we)\b|\bcommands?\b|\binstructions?\b|\bwhat do you do\b"
    r"|\bhow (?:do|can|does|should) (?:i|we|this) (?:use|control|command|work|play|start)\b"
    r"|\bwhat (?:should|could) i (?:do|say|ask)\b|\bwhat are you able\b"
    r"|(?:何|なに)[がを]?できる|(?:何|なに)[がを]?できます|できること|ヘルプ|コマンド|使い方|操作|やり方"
)
_STOP = re.compile(
    r"^(?:please |now )?(?:stop|halt|freeze)\b|止まって|とまって|止まれ|やめて|ストップ|中止"
)
_ASKING = r"^(?:please |can you |could you |would you |will you |go |you should |i want you to )*"
_DEEDS = (
    "come|follow|go|walk|run|jump|bring|give|get|fetch|mine|dig|build|place|craft|make|collect"
    "|gather|attack|kill|fight|eat|drop|throw|sleep|chop|plant|farm|open|close|look|move"
    "|teleport|tp|cook|smelt|put|take|show|lead|guard|wait|stay"
)
_REQUEST = re.compile(
    rf"{_ASKING}(?:{_DEEDS})\b"
    r"|(?:来|き|つい|取っ|とっ|掘っ|ほっ|作っ|つくっ|集め|建て|置い|倒し|食べ|行っ|渡し|投げ|待っ|切っ|焼い|開け)て"
    r"|(?<!教え)(?<!言っ)(?<!話し)て(?:ください|下さい)"
    r"|ちょうだい|頂戴|してくれ|して(?:ほしい|欲しい)"
)

TOPICS = (
    Topic("help", _HELP, _help),
    Topic("stop", _STOP, _stop),
    Topic("request", _REQUEST, _request),
)
