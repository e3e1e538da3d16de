"""How to make a bot do things, for speakers whose request was not understood."""

from __future__ import annotations

import re
from re import Match

from bots.responder.rules.topics.scene import Scene, Topic


def _help(scene: Scene, asked: Match[str]) -> str:
    return scene.say(
        "Say “come here”, “follow me”, “get 10 oak logs”, “make an iron pickaxe”, "
        "“give me 3 bread” or “stop”. Ask where I am, what I carry or who is near. "
        "!help lists my commands.",
        "「来て」「ついてきて」「オークの原木を10個取って」「鉄のツルハシを作って」「パンを3個ちょうだい」"
        "「止まって」と言ってください。居場所や持ち物も聞けます。コマンドは !help です。",
    )


def _stop(scene: Scene, asked: Match[str]) -> str:
    return scene.say(
        "Say “stop” and nothing else, and I end whatever I am doing.",
        "「止まって」とだけ言えば、していることをすぐやめます。",
    )


def _request(scene: Scene, asked: Match[str]) -> str:
    return scene.say(
        "I did not understand what to do, so I did nothing. Say for example “come here”, "
        "“follow me”, “get 10 oak logs”, “make an iron pickaxe” or “stop”.",
        "何をすればよいかわからなかったので、何もしていません。例えば「来て」「ついてきて」"
        "「オークの原木を10個取って」「鉄のツルハシを作って」「止まって」と言ってください。",
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
_VERBS = (
    "come|follow|go|walk|run|jump|bring|give|get|fetch|mine|dig|build|place|craft|make|collect"
    "|gather|attack|kill|fight|eat|drop|throw|sleep|chop|plant|farm|open|close|look|move"
    "|teleport|tp|cook|smelt|put|take|show|lead|guard|wait|stay"
)
_REQUEST = re.compile(
    rf"{_ASKING}(?:{_VERBS})\b"
    r"|(?:来|き|つい|取っ|とっ|掘っ|ほっ|作っ|つくっ|集め|建て|置い|倒し|食べ|行っ|渡し|投げ|待っ|切っ|焼い|開け)て"
    r"|(?<!教え)(?<!言っ)(?<!話し)て(?:ください|下さい)"
    r"|ちょうだい|頂戴|してくれ|して(?:ほしい|欲しい)"
)

TOPICS = (
    Topic("help", _HELP, _help),
    Topic("stop", _STOP, _stop),
    Topic("request", _REQUEST, _request),
)
