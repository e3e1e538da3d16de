"""Questions, reports, conditions, quotations and negations of requests do nothing."""

import pytest
from support.asking_alice import asked

NOT_ASKED = [
    *("should I come here?", "did you come here?", "do you follow me?", "why do you follow me?"),
    *("why are you following me", "who follows me", "how do I make an iron pickaxe?"),
    *("how do you make an iron pickaxe", "did you get 10 oak logs?", "have you got 10 oak logs"),
    *("get 10 oak logs?", "where can I get 10 oak logs?", "what if you follow me?"),
    *("if it rains, go home", "if you see Bob, come here", "when it is night, go home"),
    *("once you are done, come here", "unless you are busy, follow me", "don't come here"),
    *("do not come here", "never come here", "don't stop", "do not stop", "please don't go home"),
    *("don't get 10 oak logs", "don't give me bread", "you should not follow me"),
    *("you should come here sometime", "I will follow you", "I'll come here later"),
    *("i can get 10 oak logs", "I got 10 oak logs", "Bob said follow me"),
    *("Bob told you: follow me", "the sign says “come here”", 'he said "follow me"'),
    *("Bob, follow me", "bob follow me", "tell Bob to follow me", "ask Bob to give me 3 planks"),
    *("let's go home", "we go home", "they stop", "the rain will stop", "I can't stop laughing"),
    *("stop and think about it for a moment", "come on", "come here or go home"),
    *("come here if you like", "come here, or not", "come here but only when it is day"),
    *("come here. just kidding", "come here, no wait", "follow me to the end of the world"),
    *("follow the rules", "follow him", "follow my lead", "follow", "get out", "get lost"),
    *("get well soon", "get ready", "get", "get 10", "get 0 oak logs", "get -5 oak logs"),
    *("get 1.5 oak logs", "get 99999 oak logs", "get many oak logs", "get 10 oak logs, not birch"),
    *("get 10 oak logs or 5 birch logs", "get 10 unobtainium", "get everything", "make sense"),
    *("make me happy", "make my day", "make a sword", "make a bed", "make planks"),
    *("build a castle for me", "give me a break", "give up", "give me", "give me 3 diamonds"),
    *("give Dave 2 bread", "hand", "place", "go away", "go", "go to him"),
    *("go home or stay here", "eat dirt and die in a fire", "look at that", "look out"),
    *("pick a number", "take care", "take it easy", "drop dead", "drop it", "call me"),
    *("teleport to me", "op me", "!stop", "/op Steve", "navigation follow"),
    *("I need 10 oak logs", "an iron pickaxe", "10 oak logs", "oak logs"),
    *("where are you?", "hello", "thanks", "bye", "来ないで", "来なくていいよ", "来た？", "来て？"),
    *("来てもいい？", "来てと言われた", "Bobが来てと言っていた", "Bob、来て"),
    *("ボブについていってと言ったら怒る？", "もし夜になったら家に帰って"),
    *("夜になったら、家に帰って", "雨なら、来て", "ついてきたの？", "ついてきた"),
    *("なぜついてくるの？", "止まらないで", "やめないで", "止まった？", "やめてと言ったのに"),
    *("あとで来て", "明日来てもらうかも", "オークの原木を10個取らないで"),
    *("オークの原木を10個取った？", "オークの原木を10個取ったよ", "鉄のツルハシの作り方は？"),
    *("鉄のツルハシを作れる？", "鉄のツルハシを作ったら教えて", "剣を作って", "城を作って"),
    *("ベッドを作って", "音楽を作って", "名前を教えて", "座標を教えて", "ダイヤをちょうだい"),
    *("木を99999個取って", "木を0個取って", "歌って", "助けて"),
    *("待って", "家はどこ？", "家に帰ってもいい？", "帰っていい？", "家に帰ったほうがいいかな"),
    *("来て、いや待って", "来て。冗談だよ", "パンは美味しい", "パンを食べてもいい？", "こんにちは"),
    *("ありがとう", "", "…", "???"),
]
CLEAR = (
    *("come here", "follow me", "get 10 oak logs", "make an iron pickaxe", "give me 2 bread"),
    *("go home", "stop", "eat", "look at me", "go 10 blocks north"),
)
CLEAR_JA = ("来て", "ついてきて", "松明を4本作って", "パンをちょうだい", "家に帰って", "止まって")


@pytest.mark.parametrize("line", NOT_ASKED)
def test_what_is_no_clear_request_does_nothing(line: str) -> None:
    assert asked(line) == []


@pytest.mark.parametrize("line", CLEAR)
@pytest.mark.parametrize(
    "around",
    [
        *("never {}", "if it rains, {}", "Bob said {}", "why {}?", "I {}", "you {}", "{} or not"),
        *("should I {}?", "when I say so, {}", "“{}” is what Bob says", "{}, just kidding"),
        *("{}, but not now", "Bob, {}", "maybe {}", "{} unless it rains", "the sign says: {}"),
    ],
)
def test_a_clear_request_is_none_within_other_words(line: str, around: str) -> None:
    assert asked(around.format(line)) == []


@pytest.mark.parametrize("line", CLEAR_JA)
@pytest.mark.parametrize(
    "around", ["もし雨なら、{}", "Bobが「{}」と言った", "{}と言われた", "{}、冗談だよ", "Bob、{}"]
)
def test_a_clear_request_in_japanese_is_none_within_other_words(line: str, around: str) -> None:
    assert asked(around.format(line)) == []
