"""Topics about the bot: who it is, how it is, what it carries and can do, and its manners."""

from __future__ import annotations

import re
from collections import Counter
from re import Match

from bots.catalogue.counted import item
from bots.responder.case.wording import is_group, item_counts, items, meant_by
from bots.responder.rules.scene import Scene, Topic, in_world, telling
from bots.text.closing import Closing
from bots.text.language import language_of
from bridge.world import WorldSnapshot


def _identity(scene: Scene, asked: Match[str]) -> str:
    name = scene.tell("me.identity", bot=scene.bot)
    fits = scene.about and language_of([scene.about]) == scene.language
    return f"{name} {scene.about}" if fits else name


def _speaker(scene: Scene, asked: Match[str]) -> str:
    return scene.tell("me.speaker", who=scene.called)


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

IDENTITY = (
    Topic("speaker_name", _SPEAKER, _speaker),
    Topic("identity", _IDENTITY, _identity),
)


WELL = 15  # half-hearts or food points from which a bot calls itself well


def _condition(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    mood = "hurt" if world.health < WELL else "hungry" if world.food < WELL else "fine"
    health, food = f"{world.health:.0f}", f"{world.food:.0f}"
    return scene.tell("me.condition", mood=scene.tell(f"me.mood.{mood}"), health=health, food=food)


_CONDITION = re.compile(
    r"\bhow (?:are|r) (?:you|u|ya|things)\b|\bhow(?:'s| is|s) (?:it going|life|your (?:health|hp))"
    r"|\bhow (?:do|are) you (?:feel|do|doing)|\bhow (?:hungry|healthy)\b|\bwhat(?:'s|s| is) up\b"
    r"|\byour (?:health|hp|hunger|food|hearts)\b|^(?:health|hp|hunger)$"
    r"|\bare you (?:hurt|ok|okay|alright|all right|well|fine|injured|hungry|dying|starving|good)\b"
    r"|元気|げんき|体力|調子|大丈夫|(?:お腹|おなか|腹)|空腹|満腹|ハート|けが|怪我"
)

CONDITION = (Topic("condition", _CONDITION, in_world(_condition)),)


def _inventory(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    carried = item_counts(world)
    if not carried:
        return scene.tell("me.carry_nothing")
    return scene.tell("me.have", things=items(carried, scene.language))


def _held(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    if world.held is None:
        return scene.tell("me.hands_empty")
    held = item(world.held.name, world.held.count, scene.language)
    return scene.tell("me.hold", things=held)


def _thing(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str | None:
    words = next(filter(None, asked.groupdict().values()), "").strip()
    carried = item_counts(world)
    found = Counter({name: carried[name] for name in meant_by(words, carried)})
    if found:
        return scene.tell("me.have", things=items(found, scene.language))
    if scene.things and not (scene.things.meant(words) or is_group(words)):
        return None
    return scene.tell("me.have_none", what=words, rest=_inventory(scene, world, asked))


_HELD = re.compile(
    r"\b(?:in|into) your hands?\b|\bwhat(?:'s| is| are|re)? (?:you )?hold(?:ing)?\b"
    r"|\bare you holding\b|手に(?:何|なに|持)|手元|装備"
)
_INVENTORY = re.compile(
    r"\bwhat (?:do|have|did|can) you (?:have|got|carry|own|hold|collected?)\b|\bwhat have you\b"
    r"|\bwhat(?:'s|s| is| are|'re)? (?:you )?carrying\b"
    r"|\bwhat(?:'s|s| is) in your (?:inventory|bag|pockets?|backpack)\b"
    r"|\binventory\b|\byour (?:items|stuff|things|belongings)\b|\bwhat you (?:got|have)\b"
    r"|\b(?:do you have|have you got|got) (?:anything|something)\b|\bwhat (?:items|things)\b"
    r"|(?:何|なに)[をか]?\s?(?:持|もっ)|持ち物|もちもの|インベントリ|所持品|アイテム|荷物"
)
_OWNING = r"(?:do you (?:have|own|carry)|have you(?: got)?|you got|are you carrying|^got)"
_THING = re.compile(
    rf"(?:\b|^){_OWNING} (?:any|some|a|an|the|enough|more)? ?"
    r"(?P<a>[a-z][a-z_ ]{1,30}?)(?: (?:left|with you|on you|for me|please|there|now))*$"
    rf"|\bhow (?:many|much) (?P<b>[a-z][a-z_ ]{{1,30}}?) {_OWNING}\b"
    r"|(?P<c>[^\sをはがも、]{1,12}?)\s?(?:を|は|が|も|って)?\s?(?:いくつ|何個|どれくらい)?\s?"
    r"(?:(?:持|も)って(?:い?ますか|い?る|る|い?ない)|ある\b|ありますか)"
)

BELONGINGS = (
    Topic("held", _HELD, in_world(_held)),
    Topic("inventory", _INVENTORY, in_world(_inventory)),
    Topic("thing", _THING, in_world(_thing)),
)


HELP: Closing = (
    "Say “come here”, “follow me”, “get 10 oak logs”, “make an iron pickaxe”, "
    "“give me 3 bread” or “stop”. Ask where I am, what I carry or who is near. "
    "!help lists my commands.",
    "「来て」「ついてきて」「オークの原木を10個取って」「鉄のツルハシを作って」「パンを3個ちょうだい」"
    "「止まって」と言ってください。居場所や持ち物も聞けます。コマンドは !help です。",
)
HOW_TO_STOP: Closing = (
    "Say “stop” and nothing else, and I end whatever I am doing.",
    "「止まって」とだけ言えば、していることをすぐやめます。",
)
HOW_TO_ASK: Closing = (
    "I did not understand what to do, so I did nothing. Say for example “come here”, "
    "“follow me”, “get 10 oak logs”, “make an iron pickaxe” or “stop”.",
    "何をすればよいかわからなかったので、何もしていません。例えば「来て」「ついてきて」"
    "「オークの原木を10個取って」「鉄のツルハシを作って」「止まって」と言ってください。",
)


def _help(scene: Scene, asked: Match[str]) -> str:
    return scene.say(*HELP)


def _stop(scene: Scene, asked: Match[str]) -> str:
    return scene.say(*HOW_TO_STOP)


def _request(scene: Scene, asked: Match[str]) -> str:
    return scene.say(*HOW_TO_ASK)


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

COMMANDING = (
    Topic("help", _HELP, _help),
    Topic("stop", _STOP, _stop),
    Topic("request", _REQUEST, _request),
)


def greeting(scene: Scene) -> str:
    """A hello to the speaker that fits the time of day when it is known."""
    name, day = scene.called, scene.world.is_day if scene.world else None
    if scene.away:
        return scene.tell("manners.back", away=scene.away, who=name)
    morning = scene.world is not None and scene.world.time_of_day < 5_000
    if morning and scene.rng.random() < 0.5:
        return scene.tell("manners.good_morning", who=name)
    if day is False and scene.rng.random() < 0.5:
        return scene.tell("manners.good_evening", who=name)
    return scene.tell("manners.greeting", who=name)


def farewell(scene: Scene) -> str:
    return scene.tell("manners.farewell", who=scene.called)


def is_farewell(normalised: str) -> bool:
    return _FAREWELL.search(normalised) is not None


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

MANNERS = (
    Topic("farewell", _FAREWELL, lambda scene, _asked: farewell(scene), kind="manners"),
    Topic("greeting", _GREETING, lambda scene, _asked: greeting(scene), kind="manners"),
    Topic("thanks", _THANKS, telling("manners.thanks"), kind="manners"),
    Topic("sorry", _SORRY, telling("manners.sorry"), kind="manners"),
    Topic("praise", _PRAISE, telling("manners.praise"), kind="manners"),
    Topic("nod", _NOD, telling("manners.nod"), kind="manners"),
)
