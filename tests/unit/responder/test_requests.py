"""Requests to move, look and stop become commands, in English and Japanese."""

import pytest
from support.asking_alice import (
    COME,
    DOING,
    EAT,
    FOLLOW,
    HOME,
    PICK_UP,
    STAY,
    STOP,
    Asked,
    asked,
    goal,
    reading_of,
)

from bots.catalogue.counted import told

TO_CAROL: Asked = [("navigation gotoCoords", {"coords": [13, 64, -12], "range": 2})]


@pytest.mark.parametrize(
    "line",
    [
        *("come here", "Come here!", "come here please", "please come here", "Alice, come here"),
        *("alice come here", "hey alice, come over here", "could you come here?"),
        *("can you come here please?", "would you please come to me", "come over"),
        *("come back here", "get over here", "ok come here now", "COME TO ME"),
        *("ｃｏｍｅ　ｈｅｒｅ", "come here, alice", "come here. I found diamonds!", "来て"),
        *("来てください", "こっちに来て", "こっちきて", "こっちへおいで", "おいで"),
        *("ここに来てくれる？", "ちょっと来てくれませんか？", "私のところに来て"),
        *("そばに来てください。", "戻ってきて", "Alice、来て", "Aliceさん、こっちに来てください"),
        "来てね",
    ],
)
def test_come_here(line: str) -> None:
    assert asked(line) == COME


@pytest.mark.parametrize(
    "line",
    [
        *("follow me", "Follow me, please", "please follow me!", "can you follow me?"),
        *("follow me alice", "alice: follow me", "hello alice, follow me", "come with me"),
        *("walk with me", "keep following me", "stay close to me", "I want you to follow me"),
        *("ok now follow me", "follow me thanks", "ついてきて", "ついて来て", "付いてきてください"),
        *("私についてきて", "ついてきてくれる？", "一緒に来て", "フォローして", "後をついてきて"),
        *("ねえ、ついてきて", "ついておいで"),
    ],
)
def test_follow_me(line: str) -> None:
    assert asked(line) == FOLLOW


@pytest.mark.parametrize(
    "line",
    [
        *("stop following me", "stop following", "please stop following me", "don't follow me"),
        *("don’t follow me anymore", "do not follow me", "stay here", "wait here"),
        *("stay where you are", "stay there please", "ついてこないで"),
        *("もうついてこないでください", "ついてくるのをやめて", "フォローをやめて"),
        *("ここで待ってて", "ここで待っていてください", "ここにいて", "そこで止まって"),
        "動かないで",
    ],
)
def test_stop_following(line: str) -> None:
    assert asked(line) == STAY


@pytest.mark.parametrize(
    "line",
    [
        *("stop", "STOP!", "stop!!!", "please stop", "alice stop", "stop it", "stop that"),
        *("stop what you're doing", "stop everything", "stop mining", "halt", "cancel that"),
        *("never mind", "nevermind", "that's enough", "can you stop?", "止まって", "とまって！"),
        *("止まれ", "やめて", "やめてください", "ストップ", "もうやめて", "中止して", "キャンセル"),
        *("もういい", "もういいです", "やっぱりいい", "作業をやめて"),
    ],
)
def test_stop(line: str) -> None:
    assert asked(line) == STOP


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("go home", HOME),
        ("please go back home", HOME),
        ("go to spawn", [("navigation goto", {"name": "spawn"})]),
        ("go to the mine", [("navigation goto", {"name": "mine"})]),
        ("walk to 10 64 -5", [("navigation gotoCoords", {"coords": [10, 64, -5]})]),
        ("go to 10, 64, -5", [("navigation gotoCoords", {"coords": [10, 64, -5]})]),
        ("go to Carol", TO_CAROL),
        ("follow carol", [("navigation follow", {"username": "Carol"})]),
        ("follow Bob", [("navigation follow", {"username": "Bob"})]),
        ("go 10 blocks north", [("navigation moveInDirection", {"distance": 10, "yaw": 0})]),
        ("walk west 5 blocks", [("navigation moveInDirection", {"distance": 5, "yaw": 90})]),
        ("walk 5 blocks forward", [("navigation moveInDirection", {"distance": 5})]),
        ("look at me", [("look player", {"username": "Steve"})]),
        ("look at carol", [("look player", {"username": "Carol"})]),
        ("eat", EAT),
        ("eat something please", EAT),
        ("get yourself something to eat", EAT),
        ("eat some bread", [("skill eat", {"itemName": "bread"})]),
        ("pick that up", PICK_UP),
        ("pick up the items", PICK_UP),
        ("equip the stone axe", [("skill equip", {"itemName": "stone_axe"})]),
        ("hold your axe", [("skill equip", {"itemName": "stone_axe"})]),
        ("drop 2 bread", [("navigation dropItem", {"itemName": "bread", "count": 2})]),
        ("place a torch here", [("goal", {"goal": "placed.torch:+1"})]),
        ("remember this place as base", [("navigation register", {"name": "base"})]),
        ("set home", [("navigation register", {"name": "home"})]),
        ("go to my house", [("navigation goto", {"name": "house"})]),
        ("my house is here", [("navigation register", {"name": "house", "coords": [6, 64, -12]})]),
        (
            "remember that this is our base",
            [("navigation register", {"name": "base", "coords": [6, 64, -12]})],
        ),
        ("how long will it take?", [("status", {})]),
        ("are you done yet?", [("status", {})]),
        ("what are you doing?", DOING),
        ("what are you up to", DOING),
        ("what r u doing", DOING),
        ("alice what are you doing right now?", DOING),
        ("家に帰って", HOME),
        ("帰って", HOME),
        ("おうちに戻ってください", HOME),
        ("スポーンに行って", [("navigation goto", {"name": "spawn"})]),
        ("鉱山に行って", [("navigation goto", {"name": "鉱山"})]),
        ("10 64 -5に行って", [("navigation gotoCoords", {"coords": [10, 64, -5]})]),
        ("Carolについていって", [("navigation follow", {"username": "Carol"})]),
        (
            "Carolさんのところに行って",
            TO_CAROL,
        ),
        ("北に10ブロック進んで", [("navigation moveInDirection", {"distance": 10, "yaw": 0})]),
        ("こっちを見て", [("look player", {"username": "Steve"})]),
        ("何か食べて", EAT),
        ("パンを食べて", [("skill eat", {"itemName": "bread"})]),
        ("それを拾って", PICK_UP),
        ("石の斧を装備して", [("skill equip", {"itemName": "stone_axe"})]),
        ("松明を置いて", [("goal", {"goal": "placed.torch:+1"})]),
        ("パンを1個捨てて", [("navigation dropItem", {"itemName": "bread", "count": 1})]),
        ("ここを家として覚えて", [("navigation register", {"name": "home"})]),
        ("何してるの？", DOING),
        ("今何をしていますか？", DOING),
        ("いまなにしてる？", DOING),
    ],
)
def test_other_requests(line: str, wanted: Asked) -> None:
    assert asked(line) == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("get 3 oak logs and come here", [*goal("oak_log:+3"), *COME]),
        ("get 3 oak logs, then make 4 torches", [*goal("oak_log:+3"), *goal("torch:+4")]),
        ("get 3 oak logs and 4 sticks", [*goal("oak_log:+3"), *goal("stick:+4")]),
        ("come here and then follow me", [*COME, *FOLLOW]),
        (
            "原木を3本切って、こっちに来て",
            [("skill gather", {"itemName": "log", "count": 3}), *COME],
        ),
        ("松明を4本作って、それから家に帰って", [*goal("torch:+4"), *HOME]),
    ],
)
def test_several_requests_keep_their_order(line: str, wanted: Asked) -> None:
    assert asked(line) == wanted


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("tell Carol hello from me", "Hello from Steve!"),
        ("Alice, can you tell Carol good night?", "Good night from Steve!"),
        ("say hi to carol please", "Hi from Steve!"),
        ("greet Carol from me", "Hello from Steve!"),
        ("Carolにこんにちはと伝えてください", "Steveさんから、こんにちは。"),
        ("私からCarolさんに「よろしく」って言って", "Steveさんから、よろしく。"),
    ],
)
def test_greetings_are_passed_on(line: str, words: str) -> None:
    assert asked(line) == [("chat", {"username": "Carol", "message": words})]


@pytest.mark.parametrize(
    "line", ["tell me hello", "tell Carol to follow me", "say hello", "did you tell Carol hello?"]
)
def test_what_is_no_greeting_to_somebody_is_not_passed_on(line: str) -> None:
    assert asked(line) == []


def test_a_greeting_for_somebody_who_is_not_here_is_refused_in_a_line() -> None:
    (why,) = reading_of("tell Zed hello from me").unclear
    assert told(why, "en") == "Nobody called zed is on this server, so I did nothing."
