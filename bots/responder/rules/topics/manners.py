"""Greetings, thanks, goodbyes and nods."""

from __future__ import annotations

import re
from re import Match

from bots.responder.rules.topics.scene import Scene, Topic


def greeting(scene: Scene) -> str:
    """A hello to the speaker that fits the time of day when it is known."""
    name, day = scene.called, scene.world.is_day if scene.world else None
    if scene.away:
        return scene.say(
            f"It has been {scene.away}, {name}!", f"{name}さん、{scene.away}ぶりですね！"
        )
    morning = scene.world is not None and scene.world.time_of_day < 5_000
    if morning and scene.rng.random() < 0.5:
        return scene.say(f"Good morning, {name}!", f"{name}さん、おはよう！")
    if day is False and scene.rng.random() < 0.5:
        return scene.say(f"Good evening, {name}!", f"{name}さん、こんばんは！")
    return scene.pick(
        (f"Hello {name}!", f"Hi {name}!", f"Hey {name}!"),
        (f"{name}さん、こんにちは！", f"やあ、{name}さん！"),
    )


def farewell(scene: Scene) -> str:
    name = scene.called
    return scene.pick(
        (f"See you, {name}!", f"Goodbye {name}!", f"Bye {name}, take care!"),
        (f"またね、{name}さん！", f"{name}さん、じゃあね！"),
    )


def is_farewell(normalised: str) -> bool:
    return _FAREWELL.search(normalised) is not None


def _greet(scene: Scene, asked: Match[str]) -> str:
    return greeting(scene)


def _part(scene: Scene, asked: Match[str]) -> str:
    return farewell(scene)


def _thanked(scene: Scene, asked: Match[str]) -> str:
    return scene.pick(
        ("You are welcome!", "My pleasure.", "Any time!"),
        ("どういたしまして！", "いえいえ。", "いつでもどうぞ！"),
    )


def _excused(scene: Scene, asked: Match[str]) -> str:
    return scene.say("No harm done.", "気にしないでください。")


def _praised(scene: Scene, asked: Match[str]) -> str:
    return scene.pick(("Thank you!", "That is kind of you."), ("ありがとう！", "うれしいです。"))


def _nodded(scene: Scene, asked: Match[str]) -> str:
    return scene.pick(("All right.", "Good."), ("わかりました。", "了解です。"))


_GREETING = re.compile(
    r"\b(?:hi|hello|hey|hiya|yo|howdy|greetings|good (?:morning|afternoon|evening|day))\b"
    r"|^morning\b|\bnice to meet you\b"
    r"|こんにち[はわ]|おはよう|こんばん[はわ]|やあ|やっほ|はじめまして|初めまして|ハロー|どうも$"
)
_FAREWELL = re.compile(
    r"\b(?:bye|goodbye|bye-bye|good ?night|farewell|cya|take care)\b|^later\b"
    r"|(?<!\bi )(?<!\bto )(?<!\bcan )(?<!not )\bsee (?:you|ya|u)\b"
    r"|さようなら|さよなら|バイバイ|ばいばい|またね|また(?:今度|明日|あと)|じゃあ?ね|おやすみ"
)
_THANKS = re.compile(r"\b(?:thanks?|thank you|thx|ty|cheers)\b|ありがと|感謝|サンキュ|助かっ")
_SORRY = re.compile(r"\b(?:sorry|my bad|apolog\w+)\b|ごめん|すみません|申し訳")
_PRAISE = re.compile(
    r"\b(?:good (?:job|bot|work)|well done|nice (?:job|work)|i (?:like|love) you)\b"
    r"|\byou(?:'re| are) (?:so |very )?(?:great|nice|cool|funny|cute|awesome|smart|clever|good)\b"
    r"|すごい|すごー|えらい|偉い|かわいい|可愛い|かっこいい|上手|じょうず"
)
_NOD = re.compile(
    r"^(?:yes|yeah|yep|ok|okay|sure|right|cool|nice|great|fine|i see|got it|no|nope|nah|lol|haha"
    r"|wow|true|good)\b"
    r"|^(?:はい|うん|ええ|了解|わかった|分かった|そうです|そうか|そっか|なるほど|いいね|いいえ|へえ|おお)"
)

TOPICS = (
    Topic("farewell", _FAREWELL, _part, kind="manners"),
    Topic("greeting", _GREETING, _greet, kind="manners"),
    Topic("thanks", _THANKS, _thanked, kind="manners"),
    Topic("sorry", _SORRY, _excused, kind="manners"),
    Topic("praise", _PRAISE, _praised, kind="manners"),
    Topic("nod", _NOD, _nodded, kind="manners"),
)
