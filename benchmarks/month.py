"""A month in a town, to ask about: 5,000 lines by six people in two languages, as three bots hear
them, and questions with the line that answers each.

What matters is written by hand, so is what people ask about it weeks later, in other words. All
else is small change between them, drawn at random about the same things. A line is whispered to one
bot, said to those near, or said in public: bots hear what reaches them and nothing else.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Literal, NamedTuple, TypeAlias, cast

from bots.access.origin import Fellow, Level, Person
from bots.access.sources import Sources
from bots.chat import recall_sql
from bots.chat.conversation_sql import add_hearing, add_utterance
from bots.chat.message import AnyDelivery, Delivery, Message, PublicDelivery, Utterance
from bots.store.migrations import migrate
from bridge.world import BotName, PlayerName

LINES = 5_000
DAYS = 30
NOW = datetime(2026, 11, 18, 20, tzinfo=UTC)  # a Wednesday
BOTS = ("Alice", "Bob", "Carol")
ENGLISH, JAPANESE = ("Steve", "Alex", "Nora"), ("Kenji", "Yui", "Haru")
PEOPLE = (*ENGLISH, *JAPANESE)

Reach: TypeAlias = Literal["whisper", "near", "public"]


class Asked(NamedTuple):
    """A question, and who asks it."""

    by: str
    words: str


@dataclass(frozen=True, slots=True)
class Told:
    """A line that somebody asks about later."""

    speaker: str
    reach: Reach
    days_ago: int
    words: str
    questions: tuple[Asked, ...]
    after: str = ""
    """What somebody else had asked just before; '' where it was said out of the blue."""


@dataclass(slots=True)
class Month:
    """Who heard what, and what is asked."""

    heard: dict[str, dict[int, Utterance]] = field(default_factory=dict)
    """All lines that each bot heard, by sequence."""
    _answers: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    def hears(self, bot: str, said: Utterance, told: Told | None) -> int:
        """The sequence under which a bot hears a line."""
        lines = self.heard.setdefault(bot, {})
        sequence = len(lines) + 1
        lines[sequence] = said
        if told is not None:
            self._answers.setdefault(told.words, []).append((bot, sequence))
        return sequence

    def of(self, told: Told) -> Sequence[tuple[str, int]]:
        """The bots that heard a line, each with its sequence there."""
        return self._answers[told.words]


def filled(connection: sqlite3.Connection, lines: int = LINES, seed: int = 1) -> Month:
    """Store the month, the newest line some hours ago."""
    migrate(connection)
    month = Month()
    connection.execute("BEGIN")
    for exchange in _in_order(Random(seed), lines):
        for at, line in _with_times(exchange):
            stored = add_utterance(connection, _utterance(exchange, line, at))
            for bot in exchange.bots:
                message = Message(bot, month.hears(bot, stored, line.told), stored, at)
                add_hearing(connection, message)
                recall_sql.enter(connection, message)
    connection.execute("COMMIT")
    return month


class _Line(NamedTuple):
    speaker: str
    words: str
    told: Told | None = None


@dataclass(frozen=True, slots=True)
class _Exchange:
    """Lines that follow one another within a minute, among the same company."""

    number: int
    lines: Sequence[_Line]
    reach: Reach
    bots: Sequence[str]
    people: frozenset[str]
    begins: datetime


def _in_order(rng: Random, lines: int) -> list[_Exchange]:
    """All exchanges, the oldest first. People talk from nine to nine."""
    found = [_asked_later(rng, number, told) for number, told in enumerate(TOLD)]
    left = lines - sum(len(one.lines) for one in found)
    while left > 0:
        found.append(_chatter(rng, len(found), left))
        left -= len(found[-1].lines)
    return sorted(found, key=lambda one: one.begins)


def _asked_later(rng: Random, number: int, told: Told) -> _Exchange:
    alike = [one for one in _alike(told.speaker) if one != told.speaker]
    before = [_Line(rng.choice(alike), told.after)] if told.after else []
    people = {told.speaker, *(asked.by for asked in told.questions)}
    return _exchange(
        rng,
        number,
        [*before, _Line(told.speaker, told.words, told)],
        told.reach,
        people,
        told.days_ago,
    )


def _chatter(rng: Random, number: int, most: int) -> _Exchange:
    """A remark, or a few lines of talk, which bots may answer."""
    is_japanese = rng.random() < 0.45
    forms, things, places = _OF_JAPANESE if is_japanese else _OF_ENGLISH
    reach: Reach = rng.choices(("whisper", "near", "public"), (2, 5, 2))[0]
    people = rng.sample(JAPANESE if is_japanese else ENGLISH, 1 if reach == "whisper" else 2)
    thing, place = rng.choice(things), rng.choice(places)

    def line(speaker: str) -> _Line:
        words = rng.choice(forms).format(
            thing=thing if rng.random() < 0.6 else rng.choice(things),
            place=place if rng.random() < 0.6 else rng.choice(places),
            name=rng.choice(PEOPLE),
            number=rng.randrange(2, 64),
        )
        return _Line(speaker, words)

    said = [line(people[turn % len(people)]) for turn in range(rng.choice((1, 1, 2, 3)))]
    found = _exchange(rng, number, said[:most], reach, set(people), rng.randrange(1, DAYS))
    if len(said) < most and rng.random() < 0.4:
        return replace(found, lines=[*said, line(found.bots[0])])
    return found


def _exchange(
    rng: Random, number: int, lines: Sequence[_Line], reach: Reach, people: set[str], days_ago: int
) -> _Exchange:
    begins = NOW.replace(hour=9) - timedelta(days=days_ago, seconds=-rng.uniform(0, 36_000))
    if reach == "public":
        return _Exchange(number, lines, reach, BOTS, frozenset(PEOPLE), begins)
    if reach == "whisper":
        return _Exchange(number, lines, reach, [rng.choice(BOTS)], frozenset(people), begins)
    bots = rng.sample(BOTS, rng.choice((1, 2)))
    passing = {name for name in PEOPLE if rng.random() < 0.3}
    return _Exchange(number, lines, reach, bots, frozenset(people | passing), begins)


def _with_times(exchange: _Exchange) -> Iterator[tuple[datetime, _Line]]:
    for number, line in enumerate(exchange.lines):
        yield exchange.begins + timedelta(seconds=11 * number), line


def _utterance(exchange: _Exchange, line: _Line, at: datetime) -> Utterance:
    audience = None if exchange.reach == "public" else exchange.people
    is_bots = line.speaker in BOTS
    origin = Fellow(BotName(line.speaker)) if is_bots else Person(PlayerName(line.speaker))
    aim: AnyDelivery | None = PublicDelivery(True) if exchange.reach == "public" else None
    if exchange.reach == "whisper" and is_bots:
        aim = Delivery(next(iter(exchange.people)), 3.0, None, True)
    return Utterance(
        0,
        line.speaker,
        line.words,
        "conversation",
        at,
        aim,
        sources=Sources.said_by(origin, Level.PLAYER, audience),
        talk=exchange.number if exchange.reach == "near" else None,
    )


def _alike(speaker: str) -> Sequence[str]:
    return JAPANESE if speaker in JAPANESE else ENGLISH


def _told_by(rows: str) -> Iterator[Told]:
    """Rows of speaker, reach and days ago, the line, and the questions, each with its asker."""
    for row in rows.strip().split("\n\n"):
        head, *lines = row.splitlines()
        speaker, reach, days_ago = head.split()
        after = lines.pop(0).removeprefix("< ") if lines[0].startswith("<") else ""
        words, *asked = lines
        questions = tuple(Asked(*one.split(": ", 1)) for one in asked)
        assert reach in ("whisper", "near", "public")
        yield Told(speaker, cast("Reach", reach), int(days_ago), words, questions, after)


THINGS = (
    *("wood", "stone", "coal", "iron", "bread", "wheat", "sheep", "cows", "torches", "planks"),
    *("diamonds", "gold", "arrows", "wool", "pumpkins", "carrots", "emeralds", "a boat", "glass"),
    *(
        "the key",
        "the horse",
        "the cat",
        "a map",
        "cake",
        "leather",
        "books",
        "the furnace",
        "bricks",
    ),
)
PLACES = (
    *("the lake", "the bridge", "the tower", "the farm", "the mine", "the house", "the harbour"),
    *("the village", "the forest", "the hill", "the barn", "the cave", "the river", "the garden"),
    *("the roof", "the cellar", "the market", "the well", "the north gate", "the library"),
)
CHATTER = (
    "I left {thing} at {place} again.",
    "We need more {thing} for {place}.",
    "Has anybody seen {thing}?",
    "{name} took {thing} to {place}, I think.",
    "There is nothing left at {place} but {thing}.",
    "I saw {number} zombies near {place} last night.",
    "Let's meet at {place} later.",
    "Could you bring {thing}?",
    "{place} looks nice in the evening.",
    "I am so tired of carrying {thing}.",
    "Sure, I'll go to {place} then.",
    "Yes, that's what {name} said too.",
    "No idea, ask {name}.",
    "The way to {place} is flooded.",
    "I counted {number} of them, mostly {thing}.",
    "Who built {place}, by the way?",
    "My chest is full of {thing}.",
    "I promised {name} some {thing}.",
    "It will rain at {place} soon.",
    "{name} lives somewhere behind {place}.",
    "What shall we do with {thing}?",
    "I found {thing} under {place}!",
    "Good morning, {name}.",
    "I like {thing}.",
    "My favourite spot is {place}.",
    "Yesterday I worked at {place} all day.",
    "I will be at {place} tomorrow.",
    "It took me {number} minutes to get to {place}.",
    "The door of {place} is broken.",
    "{name} is looking for you.",
    "Don't forget {thing}.",
    "I am afraid of the dark at {place}.",
    "We should paint {place}.",
    "Somebody stole {thing} from {place}.",
    "Thanks, that helps.",
    "Give me a hand with {thing}, please.",
    "I dreamt of {thing}.",
    "I put {number} of these into the chest at {place}.",
    "Does {name} know about {thing}?",
    "The price of {thing} went up.",
)
THINGS_JA = (
    *("木材", "石炭", "鉄", "パン", "小麦", "羊", "牛", "松明", "板", "ダイヤモンド", "金", "矢"),
    *("羊毛", "かぼちゃ", "にんじん", "エメラルド", "ボート", "ガラス", "鍵", "馬", "猫", "地図"),
    *("ケーキ", "革", "本", "かまど", "レンガ"),
)
PLACES_JA = (
    *("湖", "橋", "塔", "畑", "鉱山", "家", "港", "村", "森", "丘", "納屋", "洞窟", "川", "庭"),
    *("屋根", "地下室", "市場", "井戸", "北の門", "図書館"),
)
CHATTER_JA = (
    "また{place}に{thing}を忘れてきた。",
    "{place}に{thing}がもっと要るね。",
    "誰か{thing}を見なかった？",
    "{name}さんが{thing}を{place}に持って行ったと思う。",
    "{place}にはもう{thing}しか残っていない。",
    "昨夜{place}の近くでゾンビを{number}体見たよ。",
    "あとで{place}で会おう。",
    "{thing}を持ってきてくれる？",
    "夕方の{place}はきれいだね。",
    "{thing}を運ぶのはもう疲れた。",
    "わかった、じゃあ{place}に行くね。",
    "うん、{name}さんもそう言ってた。",
    "さあ、{name}さんに聞いてみて。",
    "{place}への道が水浸しだよ。",
    "{number}個あった、ほとんど{thing}。",
    "ところで{place}は誰が建てたの？",
    "チェストが{thing}でいっぱいだ。",
    "{name}さんに{thing}をあげる約束をした。",
    "もうすぐ{place}は雨だね。",
    "{name}さんは{place}の裏のほうに住んでいる。",
    "{thing}はどうしようか。",
    "{place}の下で{thing}を見つけた！",
    "おはよう、{name}さん。",
    "{thing}が好き。",
    "お気に入りの場所は{place}。",
    "昨日は一日中{place}で働いていた。",
    "明日は{place}にいるよ。",
    "{place}まで{number}分かかった。",
    "{place}の扉が壊れている。",
    "{name}さんが探していたよ。",
    "{thing}を忘れないで。",
    "暗い{place}は怖い。",
    "{place}を塗り直さないと。",
    "誰かが{place}から{thing}を盗んだ。",
    "ありがとう、助かる。",
    "{thing}を手伝って。",
    "{thing}の夢を見た。",
    "{place}のチェストに{number}個入れておいた。",
    "{name}さんは{thing}のことを知ってる？",
    "{thing}の値段が上がった。",
)
_OF_ENGLISH = (CHATTER, THINGS, PLACES)
_OF_JAPANESE = (CHATTER_JA, THINGS_JA, PLACES_JA)

TOLD: Sequence[Told] = tuple(
    _told_by(
        """
Steve whisper 26
My sister Mia turns eleven on Sunday, I still need a present for her.
Steve: What is my sister's name?
Steve: How old is my sister?

Steve near 24
I hid the spare key under the blue flower pot behind the barn.
Alex: Where did Steve hide the spare key?
Nora: Which pot did Steve put that key under?

Alex public 23
The blacksmith gives two emeralds for every iron chestplate.
Nora: How many emeralds does the smith pay for a chestplate?
Kenji: What did Alex say about selling chestplates?

Nora near 21
Elephants is what the old man called his parrots, all six of them.
Steve: What did Nora tell us about parrots?
Alex: What did the old man call his birds?

Steve public 20
< Where shall we hold the wedding?
On the little island, so that the pigs can't get in.
Alex: Where will the wedding be held?
Nora: Did Steve say where we'd celebrate the wedding?

Alex whisper 19
I'm allergic to mushrooms, so please never put them in my stew.
Alex: What food am I allergic to?
Alex: Why should there be no mushrooms in my food?

Nora public 18
Captain Redbeard sails every Friday at dawn, and he waits for nobody.
Steve: When does Redbeard's ship sail?
Alex: Who sails on Fridays?

Alex near 17
My grandfather taught me to tame wolves with bones when I was six.
Steve: Who taught Alex about taming wolves?
Nora: How old was Alex when he learnt taming?

Steve near 16
The password for the library is "velvet owl", don't write it down.
Nora: What's the library's password?
Alex: Which secret word opens the library door?

Nora whisper 15
Between us: I broke the church window with a snowball.
Nora: Which window did I break?
Nora: What did I do with a snowball two weeks ago?

Alex public 14
Turn left at the crooked oak, the shortcut to the desert temple starts there.
Nora: How did Alex say one gets to the desert temple quickly?
Steve: Where must one turn left to get to the desert temple?

Steve near 13
I'm building a clock tower out of copper because it turns green with age.
Nora: Why did Steve choose copper for his clock tower?
Alex: What is Steve's clock tower made of?

Nora near 12
< What would you like for your birthday?
A saddle would be lovely, or anything with bees on it.
Alex: What does Nora wish for on her birthday?
Steve: What birthday present would Nora like?

Alex near 11
Somebody named a llama after me and I don't know whether to be proud.
Nora: What animal was named after Alex?
Steve: What did Alex say about a llama?

Steve whisper 10
Remember this number for me: my locker is 4417.
Steve: What's the number of my locker?
Steve: Which number did I ask you to remember?

Nora public 9
Dinner on Thursday is at Alex's place, bring your own chairs.
Alex: What should people bring to the dinner on Thursday?
Steve: Whose house is the dinner at this Thursday?

Alex near 9
The lighthouse lamp burns out every nine days, last time Tom replaced it.
Nora: Who replaced the lamp of the lighthouse?
Steve: How often does the lighthouse lamp burn out?

Steve public 8
I lost a bet, so I have to wear a carved pumpkin until Christmas.
Nora: Why is Steve wearing a pumpkin?
Alex: How long will Steve have to wear that pumpkin on his head?

Nora near 7
The witch in the swamp sells potions of night vision, but only for sugar.
Alex: What does the swamp witch want for her potions?
Steve: Who sells something to see better at night, did Nora say?

Alex whisper 7
Tell nobody, but I'm going to propose to Nora on the glass balcony.
Alex: Where will I propose?
Alex: To whom am I going to propose?

Steve near 6
The leak in the cellar comes from the third barrel on the right.
Nora: Where is the water in the cellar coming from?
Alex: What did Steve find out about the leaking barrels last week?

Nora whisper 6
My horse is called Thunder and he hates bridges made of planks.
Nora: What is my horse called?
Nora: What does my horse hate?

Alex public 5
Never dig below the monastery, there's an ancient city with a warden.
Steve: Why shouldn't we dig under the monastery?
Nora: What did Alex warn everybody about on Friday?

Steve near 5
< How do you keep the creepers away from the crops?
Three cats sit on the fence all night, that does it.
Nora: How does Steve keep creepers off the crops?
Alex: What scares creepers away from Steve's field of crops?

Nora public 4
The mayor resigned and the baker's daughter takes over on Monday.
Steve: Who becomes mayor now?
Alex: Why do we need a new mayor?

Alex near 4
I owe Nora twelve gold ingots and a haircut.
Nora: What does Alex owe me?
Steve: How much gold does Alex owe Nora?

Steve whisper 3
My knee still hurts from falling off the windmill.
Steve: Where does it still hurt me?
Steve: What did I fall off?

Nora near 3
We called the new baby panda Dumpling, since he's so round.
Alex: What's the panda's name?
Steve: Why is the panda called Dumpling?

Alex public 2
The portal behind the theatre is crooked; it drops you into lava two times out of ten.
Nora: What's wrong with the portal behind the theater?
Steve: What did Alex say about the portal the day before yesterday?

Steve public 2
Whoever finds my red umbrella gets a reward of five pearls.
Nora: What do you get if you find Steve's umbrella?
Alex: What colour is Steve's umbrella?

Nora near 1
Tomorrow I'm leaving for the savanna and I'll be gone for a fortnight.
Alex: Where is Nora travelling to?
Steve: When did Nora say she would leave for the savanna?

Alex near 1
The beehives must face south or the honey turns bitter.
Nora: Why must a beehive face south?
Steve: What can make the honey bitter?

Steve near 27
I was a sailor before I became a farmer, twenty years on the whaler Esmeralda.
Alex: What was Steve's job before he was a farmer?
Nora: How long was Steve at sea as a sailor?

Kenji whisper 26
妹の名前は美香で、来月結婚するんだ。
Kenji: 私の妹の名前は何ですか？
Kenji: 妹はいつ結婚するの？

Yui near 25
予備の鍵は青い植木鉢の下に隠してある。
Kenji: Yuiさんは予備の鍵をどこに隠しましたか？
Haru: 植木鉢の下には何がある？

Haru public 24
鍛冶屋は鉄のよろい一つにエメラルドを二つくれるよ。
Yui: 鍛冶屋はよろいにいくつエメラルドを払う？
Kenji: Haruさんは鍛冶屋について何と言っていた？

Kenji near 22
< 結婚式はどこでやるの？
小さな島だよ、豚が入れないからね。
Yui: 結婚式の場所はどこですか？
Haru: Kenjiさんはどこで結婚するつもり？

Yui whisper 20
きのこアレルギーだから、シチューには絶対に入れないで。
Yui: 私は何のアレルギーですか？
Yui: どうして私のシチューにきのこを入れてはいけないの？

Haru near 19
赤ひげ船長の船は毎週金曜日の夜明けに出港する。
Kenji: 赤ひげ船長の船はいつ出港しますか？
Yui: 金曜日に出る船は誰の船？

Kenji near 18
六歳のとき、おじいちゃんに狼の手なずけ方を教わった。
Haru: 狼の手なずけ方をKenjiさんに教えたのは誰？
Yui: Kenjiさんは何歳で狼を手なずけられるようになった？

Yui near 17
図書室の合言葉は「月夜のふくろう」、書き留めちゃだめだよ。
Haru: 図書室の合言葉を教えてください
Kenji: Yuiさんが言っていた合言葉って何だっけ？

Haru whisper 16
内緒だけど、教会の窓を雪玉で割ったのは僕なんだ。
Haru: 僕が割った窓はどこの窓？
Haru: 雪玉で何を割ったか覚えてる？

Kenji public 15
曲がった樫の木を左に行くと、砂漠の神殿への近道がある。
Yui: 砂漠の神殿への近道はどこ？
Haru: 砂漠の神殿に早く着くにはどう行けばいい？

Yui near 14
時計台は銅で作っているの、古くなると緑色になるから。
Haru: 先週か先々週、Yuiさんは時計台の材料について何と言った？
Kenji: Yuiはなぜ時計台に銅を使うの？

Haru near 13
< 誕生日に何が欲しい？
鞍がいいな、蜂の絵がついたものなら何でも。
Kenji: Haruさんが誕生日に欲しがっているものは？
Yui: Haruの誕生日プレゼントは何がいい？

Kenji whisper 12
ロッカーの番号は4417、忘れたら教えて。
Kenji: 私のロッカーの番号は？
Kenji: ロッカー番号って何番だった？

Yui public 11
木曜の夕食会はHaruの家でやるので、椅子は各自持参してね。
Haru: 夕食会には何を持参すればいい？
Kenji: 木曜の晩ごはんは誰の家に集まるの？

Haru near 10
灯台のランプは九日ごとに切れて、前回はタロウが替えてくれた。
Kenji: 灯台のランプを替えたのは誰？
Yui: 灯台のランプは何日ごとに切れますか？

Kenji public 9
賭けに負けたから、クリスマスまでかぼちゃをかぶらないといけない。
Yui: Kenjiさんがかぼちゃをかぶっている理由は？
Haru: Kenjiは先週、賭けについて何と言った？

Yui near 8
沼の魔女は暗視のポーションを売ってくれるけど、砂糖としか交換しない。
Haru: ポーションの代わりに魔女が欲しがるものは？
Kenji: 暗視のポーションはどこで買えますか？

Haru whisper 7
ガラスのバルコニーでゆいにプロポーズするつもりなんだ。
Haru: 僕はどこでプロポーズする予定？
Haru: プロポーズの相手は誰だった？

Kenji near 6
地下の水漏れは右から三番目の樽が原因だった。
Yui: 水漏れの原因は何でしたか？
Haru: 何番目の樽から水が漏れていた？

Yui whisper 6
私の馬はいかずちという名前で、板の橋が大嫌い。
Yui: 私の馬の名前は何？
Yui: うちの馬が嫌いなものは？

Haru public 5
修道院の下は掘らないで、古代都市があってウォーデンが出る。
Kenji: なぜ修道院の下を掘ってはいけないの？
Yui: Haruさんはどこにウォーデンがいると言っていましたか？

Kenji near 5
< クリーパーから畑をどう守ってるの？
柵の上に猫が三匹、一晩中座っているんだ。
Yui: Kenjiさんはクリーパーからどうやって畑を守っている？
Haru: 畑をクリーパーから守っているのはどんな動物？

Yui public 4
町長が辞めて、パン屋の娘さんが月曜から引き継ぐそうよ。
Haru: 新しい町長は誰になる？
Kenji: どうして新しい町長が必要なの？

Haru near 4
Yuiさんに金の延べ棒を十二本と散髪一回の借りがある。
Yui: Haruさんは私に何を借りていますか？
Kenji: HaruはYuiにいくら借りがある？

Kenji whisper 3
風車から落ちて、まだ膝が痛いんだ。
Kenji: 私はどこから落ちた？
Kenji: 私は体のどこが痛いと言いましたか？

Yui near 3
パンダの赤ちゃんは丸いからおだんごと名付けたの。
Haru: パンダの赤ちゃんの名前は？
Kenji: 丸い動物の赤ちゃんは何と名付けられた？

Haru public 2
劇場の裏のポータルは曲がっていて、十回に二回は溶岩に落ちる。
Kenji: 劇場の裏のポータルは何が危ない？
Yui: Haruさんはおとといポータルについて何と言いましたか？

Kenji public 2
赤い傘を見つけてくれた人には真珠を五つお礼に渡します。
Yui: Kenjiさんの傘を見つけた人へのお礼は何ですか？
Haru: Kenjiさんがなくした傘は何色？

Yui near 1
明日からサバンナに出かけて、二週間帰りません。
Haru: Yuiさんはどこに出かけるのですか？
Kenji: Yuiさんは何週間帰らないの？

Haru near 1
蜂の巣は南向きにしないと、はちみつが苦くなるよ。
Yui: 蜂の巣はどうして南向きなの？
Kenji: Haruさんは昨日、はちみつについて何を説明した？

Haru near 27
農夫になる前は二十年、捕鯨船の船乗りだったんだ。
Kenji: Haruさんは農夫の前に何をしていましたか？
Yui: 捕鯨船に乗っていたのは誰？
"""
    )
)
"""What is asked about."""
