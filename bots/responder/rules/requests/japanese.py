"""Request forms in Japanese. A form must match a whole part of a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match, Pattern
from typing import TypeAlias

from bots.responder.rules.requests import jobs, leaving, pointing
from bots.responder.rules.requests.ask import (
    ALL,
    JAPANESE_COUNT,
    SOME,
    Ask,
    Request,
    Unclear,
    Wish,
    Words,
    japanese_count,
)

Made: TypeAlias = tuple[Request, ...] | Unclear
Make: TypeAlias = Callable[[Ask, Match[str]], Made]

ASKING = re.compile(
    r"(?:くれる|くれます|くれません|もらえる|もらえます|もらえません|いただけ|頂け|くれない)"
)
"""A question with this in it is a request."""

_BEFORE = re.compile(
    r"^(?:ねえ|ねぇ|あの|えっと|じゃあ|では|さあ|ちょっと|すぐに|すぐ|今すぐ|早く|はやく|次に|次は"
    r"|まず|あと|もう一度|また|お願い|おねがい|悪いけど|すみませんが|まって)[、 ]?"
)
_AFTER = re.compile(
    r"(?:お願いします|お願い|おねがい|お願いね|頼む|たのむ|よろしく|ね|よ|な|さん|ちゃん|くん)$"
)
_POLITE = (
    r"(?:ください|下さい|ちょうだい|頂戴|くれ|くれる|くれますか|くれませんか|くれない|もらえる"
    r"|もらえますか|もらえませんか|いただけますか|頂けますか|ほしい|欲しい|ほしいです|欲しいです"
    r"|ほしいな|ね|よ|な|くれるかな)?"
)
_SOMETHING = r"[^\sを、「」]{1,14}?"
_PLACE = r"[^\sをはがもに、「」]{1,12}?"
_COUNT = rf"(?P<count>{JAPANESE_COUNT}|全部|ぜんぶ|すべて|いくつか|少し|すこし)"
_WISH = (
    rf"(?:(?P<thing>{_SOMETHING})を? ?{_COUNT}(?:ほど|だけ|くらい)?|"
    rf"{_COUNT.replace('count', 'count2')}の(?P<thing2>{_SOMETHING})|(?P<thing3>{_SOMETHING}))を? ?"
)
_TO_ME = r"(?:(?:私|僕|俺|わたし|ぼく|おれ|こっち|こちら|ここ)(?:に|へ|まで))?"


def bare(part: str, names: frozenset[str]) -> str:
    """A part of a sentence without the bot's name and polite words."""
    called = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    before = ""
    while before != part:
        before = part
        part = re.sub(rf"^@?(?:{called})(?:さん|ちゃん|くん|君)?[、 ]*", "", part).strip()
        part = _BEFORE.sub("", part).strip()
    while _AFTER.search(part) and not part.endswith(("て", "で")):
        part = _AFTER.sub("", part).strip()
    return part


def wish(asked: Match[str], several: bool) -> Wish:
    said = asked.groupdict()
    count = said["count"] or said["count2"] or ""
    thing = said["thing"] or said["thing2"] or said["thing3"] or ""
    if count in ("全部", "ぜんぶ", "すべて"):
        return Wish(ALL, thing)
    if count in ("いくつか", "少し", "すこし"):
        return Wish(SOME, thing)
    return Wish(japanese_count(count) if count else SOME if several else 1, thing)


def _get(ask: Ask, asked: Match[str]) -> Made:
    several = asked["verb"].startswith(("集め", "あつめ", "切っ", "伐っ", "掘っ", "採"))
    return jobs.get(ask, wish(asked, several))


def _bring(ask: Ask, asked: Match[str]) -> Made:
    return jobs.bring(ask, wish(asked, several=False), ask.speaker)


def _give(ask: Ask, asked: Match[str]) -> Made:
    to = asked["to"] or ""
    player = ask.player(to) if to else None
    if to and player is None:
        return jobs.nobody(to, ask.listed)
    return jobs.give(ask, wish(asked, several=False), player.name if player else ask.speaker)


def _point(ask: Ask, asked: Match[str]) -> Made:
    return jobs.go_to_point(ask, (float(asked["x"]), float(asked["y"]), float(asked["z"])))


def _te(*stems: str) -> str:
    """A pattern of the te-form of these stems, polite or not."""
    return rf"(?:{'|'.join(stems)})(?:きて|来て)?{_POLITE}"


def _form(pattern: str, make: Make) -> tuple[Pattern[str], Make]:
    return re.compile(rf"^(?:{pattern})$"), make


_COMING = (
    r"(?:来て|きて|来い|こい|おいで|いらっしゃい|戻って(?:きて|来て)|もどって(?:きて|来て)|集合)"
)
_HERE = (
    r"(?:(?:こっち|こちら|ここ|(?:私|僕|俺|わたし|ぼく|おれ)(?:のところ|の所|のそば|の近く)|そば|近く)"
    r"(?:に|へ|まで)?)"
)
_FOLLOWING = r"(?:ついて|付いて|着いて|フォローして|追いかけて|追って)"
_STOPPED = r"(?:やめて|止めて|とめて|ストップして|しないで|終わって|おわって)"
_GOT = (
    *("取って", "とって", "採って", "採掘して", "掘って", "ほって", "切って", "伐って"),
    *("集めて", "あつめて", "収集して", "探して", "手に入れて", "用意して"),
    *("作って", "つくって", "クラフトして", "製作して", "焼いて", "やいて", "精錬して"),
)
_NUMBER = r"[-+]?\d{1,8}(?:\.\d{1,3})?"
_GO = (
    r"(?:行って|いって|向かって|移動して|戻って|もどって|帰って|かえって|歩いて(?:行って|いって)?)"
)
_PERSON = r"[a-z0-9_]{2,16}"

FORMS: tuple[tuple[Pattern[str], Make], ...] = (
    *leaving.JAPANESE,
    *pointing.JAPANESE,
    _form(rf"{_HERE}?{_COMING}{_POLITE}|こっちこっち", lambda ask, asked: jobs.come(ask)),
    _form(
        rf"(?:(?:私|僕|俺|わたし|ぼく|おれ)(?:に|を)|(?:後|あと)(?:に|を)?)?{_FOLLOWING}"
        rf"(?:きて|来て|おいで|こい|来い|いて)?{_POLITE}|一緒に(?:来て|きて|行こう|いこう){_POLITE}",
        lambda ask, asked: jobs.follow(ask),
    ),
    _form(
        rf"(?:(?:私|僕|俺)から)?(?P<name>{_PERSON})(?:さん|くん|君|ちゃん)?に"
        r"(?:(?:私|僕|俺)から(?:の)?)?「?(?P<hello>こんにちは|こんばんは|おはよう|おやすみ|ありがとう|よろしく)」?"
        rf"(?:と|って)?(?:伝えて|つたえて|言って|いって){_POLITE}",
        lambda ask, asked: jobs.greet(ask, asked["name"], Words("", asked["hello"])),
    ),
    _form(
        r"(?:もう)?(?:私|僕|俺)?(?:に|を)?(?:つい|付い|着い)て(?:こ|来)(?:ないで|なくて(?:も)?いい)"
        rf"{_POLITE}|(?:もう)?(?:フォロー|(?:つい|付い)て(?:くる|来る)の|追いかけるの)(?:を|は)?{_STOPPED}"
        rf"{_POLITE}|(?:もう)?追いかけないで{_POLITE}"
        r"|(?:ここ|そこ)(?:で|に)(?:待って|まって|待ってて|まってて|いて|止まって|とまって)"
        rf"(?:て|いて)?{_POLITE}|(?:待って|まって)(?:て|いて){_POLITE}|動かないで{_POLITE}",
        lambda ask, asked: jobs.stop_following(ask),
    ),
    _form(
        rf"(?P<name>{_PERSON})(?:さん|くん|君|ちゃん)?(?:に|を|の(?:後|あと)(?:に|を)?){_FOLLOWING}"
        rf"(?:いって|行って|あげて|きて|来て)?{_POLITE}",
        lambda ask, asked: jobs.follow(ask, asked["name"]),
    ),
    _form(
        r"(?:もう|今すぐ)?(?:それ|作業|全部|ぜんぶ|今の)?(?:は|を)?(?:もう)?"
        rf"(?:止まって|とまって|止まれ|とまれ|やめて|やめろ|止めて|ストップ(?:して)?|中止(?:して)?"
        rf"|停止(?:して)?|(?:止まり|とまり|やめ)なさい|やめていい){_POLITE}"
        rf"|キャンセル(?:して{_POLITE})?|(?:もう|やっぱり?)いい(?:です)?|やっぱりやめて{_POLITE}"
        r"|(?:止まって|とまって|ストップ){2,3}",
        lambda ask, asked: jobs.stop(ask),
    ),
    _form(
        r"(?:今|いま)?(?:は)?(?:何|なに)(?:を)?して(?:い)?(?:る|ます|た|るの|るんですか|ますか|るところ|んの)"
        r"(?:です)?(?:か|の|ん)?|(?:何|なに)してんの|調子(?:と)?状況は|状況は|(?:今|いま)(?:忙しい|いそがしい)"
        r"(?:です)?か?",
        lambda ask, asked: jobs.tell_doing(ask),
    ),
    _form(
        r"(?:家|いえ|うち|お家|おうち|ホーム|拠点)?(?:に|へ|まで)?(?:帰って|かえって|帰ろう|帰れ)"
        rf"(?:いて|いいよ)?{_POLITE}|(?:家|いえ|うち|お家|おうち|ホーム)(?:に|へ|まで)"
        rf"(?:戻って|もどって|行って|いって){_POLITE}",
        lambda ask, asked: jobs.go_home(ask),
    ),
    _form(
        rf"x?[=:]?(?P<x>{_NUMBER})[ ,]+y?[=:]?(?P<y>{_NUMBER})[ ,]+z?[=:]?(?P<z>{_NUMBER})"
        rf" ?(?:に|へ|まで)?{_GO}{_POLITE}",
        _point,
    ),
    _form(
        rf"(?P<way>[東西南北]|前|まっすぐ)(?:に|へ|の方に|の方へ)?(?P<n>\d{{1,6}})"
        rf"(?:ブロック|マス|歩|メートル)?(?:進んで|すすんで|歩いて|あるいて|移動して|行って|いって){_POLITE}",
        lambda ask, asked: jobs.step(ask, int(asked["n"]), asked["way"]),
    ),
    _form(
        rf"(?:スポーン|スポーン地点|初期地点)(?:に|へ|まで){_GO}{_POLITE}",
        lambda ask, asked: jobs.go(ask, "spawn"),
    ),
    _form(
        rf"(?P<name>{_PLACE})(?:さん|くん|君|ちゃん)?(?:のところ|の所|のそば)?(?:に|へ|まで)"
        rf"{_GO}{_POLITE}",
        lambda ask, asked: jobs.go(ask, asked["name"]),
    ),
    _form(
        rf"{_TO_ME}{_WISH}{_TO_ME}"
        r"(?:(?:取|と|採|獲|持|も|作|つく|掘|ほ|切|集め|あつめ|拾|買)っ?て(?:き|来)て|届けて|とどけて)"
        rf"{_POLITE}",
        _bring,
    ),
    _form(
        rf"(?:(?P<to>{_PERSON})(?:さん|くん|君|ちゃん)?に|{_TO_ME})?{_WISH}{_TO_ME}"
        r"(?:(?:渡して|わたして|投げて|なげて|よこして|分けて|わけて|あげて|貸して)"
        rf"{_POLITE}|ちょうだい|頂戴|ください|下さい|くれ|くれる|くれますか|くれませんか|くれない)",
        _give,
    ),
    _form(
        rf"{_WISH}(?P<verb>{_te(*_GOT)})",
        _get,
    ),
    _form(
        rf"{_WISH}(?:ここに)?(?:置いて|おいて|設置して){_POLITE}",
        lambda ask, asked: jobs.place(ask, wish(asked, several=False)),
    ),
    _form(
        rf"{_WISH}(?:ここに)?(?:捨てて|すてて|落として){_POLITE}",
        lambda ask, asked: jobs.drop(ask, wish(asked, several=False)),
    ),
    _form(
        rf"(?P<name>{_SOMETHING})を(?:装備して|手に持って|着て|身につけて|かぶって|履いて){_POLITE}",
        lambda ask, asked: jobs.equip(ask, asked["name"]),
    ),
    _form(
        rf"(?:(?:何|なに)か|ご飯を?|ごはんを?|食べ物を)?(?:食べて|たべて){_POLITE}",
        lambda ask, asked: jobs.eat(ask),
    ),
    _form(
        rf"(?P<name>{_SOMETHING})を(?:食べて|たべて){_POLITE}",
        lambda ask, asked: jobs.eat(ask, asked["name"]),
    ),
    _form(
        r"(?:それ|これ|あれ|アイテム|落ちて(?:い)?る(?:もの|物|アイテム)|全部|ドロップ|周りのもの)?(?:を)?"
        rf"(?:全部)?(?:拾って|ひろって|回収して)(?:きて|来て)?{_POLITE}",
        lambda ask, asked: jobs.pick_up(ask),
    ),
    _form(
        rf"(?:(?:私|僕|俺|わたし|こっち|こちら)(?:の方)?(?:を|に)?)(?:見て|みて|向いて|むいて){_POLITE}",
        lambda ask, asked: jobs.look(ask),
    ),
    _form(
        rf"(?P<name>{_PERSON})(?:さん|くん|君|ちゃん)?(?:の方)?を(?:見て|みて){_POLITE}",
        lambda ask, asked: jobs.look(ask, asked["name"]),
    ),
    _form(
        r"ここは(?:私|私たち|僕|僕たち|俺|俺たち|うち|みんな)の(?P<name>拠点|基地|家|畑|庭|村|農場|城)"
        r"(?:なん)?(?:だから|なので|です|だ)?",
        lambda ask, asked: jobs.remember_where_speaker_is(ask, _place_name(asked["name"])),
    ),
    _form(
        rf"ここを「?(?P<name>{_SOMETHING})」?(?:として|って|と|に)(?:覚えて|おぼえて|登録して|記憶して|して)"
        rf"(?:おいて)?{_POLITE}",
        lambda ask, asked: jobs.remember_place(ask, _place_name(asked["name"])),
    ),
)


def _place_name(word: str) -> str:
    return "home" if word in ("家", "いえ", "うち", "おうち", "ホーム") else word
