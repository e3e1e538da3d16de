"""Questions about things of the game, in the words in which people ask."""

import pytest

from bots.responder.rules.knowing import words_to_keep
from bots.responder.rules.lore import About, asked_in
from bots.responder.rules.whereabouts import sought_in


@pytest.mark.parametrize(
    ("line", "about", "words"),
    [
        ("how do I make a piston?", "making", "piston"),
        ("how do i craft a pistn", "making", "pistn"),
        ("How can I build an iron pickaxe please", "making", "iron pickaxe"),
        ("how 2 make torches", "making", "torches"),
        ("hey Alice, how do you make bread?", "making", "bread"),
        ("what do I need to make a bed?", "making", "bed"),
        ("what is a piston made of?", "making", "piston"),
        ("recipe for a cake", "making", "cake"),
        ("can I make glass?", "making", "glass"),
        ("how many planks do I need for a chest?", "making", "chest"),
        ("where do I find iron?", "finding", "iron"),
        ("how do I get leather?", "finding", "leather"),
        ("at what height do i find gold?", "finding", "gold"),
        ("where is coal found", "finding", "coal"),
        ("what drops gunpowder?", "dropping", "gunpowder"),
        ("which mob drops ender pearls?", "dropping", "ender pearls"),
        ("what animals give leather", "dropping", "leather"),
        ("what do creepers drop?", "left_by", "creepers"),
        ("what can I make with slime balls?", "using", "slime balls"),
        ("what is gunpowder used for", "using", "gunpowder"),
        ("what do I need to mine obsidian?", "digging", "obsidian"),
        ("which pickaxe for diamonds", "digging", "diamonds"),
        ("which pickaxe do I need for gold ore?", "digging", "gold ore"),
        ("whats a creeper", "all", "creeper"),
        ("can I mine obsidian with an iron pickaxe?", "digging", "obsidian"),
        ("can I eat rotten flesh?", "eating", "rotten flesh"),
        ("are creepers dangerous?", "all", "creepers"),
        ("what is a hopper?", "all", "hopper"),
        ("ピストンはどうやって作る？", "making", "ピストン"),
        ("松明の作り方を教えて", "making", "松明"),
        ("ベッドを作るには何がいる？", "making", "ベッド"),
        ("火薬は何が落とす？", "dropping", "火薬"),
        ("何が火薬を落とすの？", "dropping", "火薬"),
        ("クリーパーは何を落とす？", "left_by", "クリーパー"),
        ("牛を倒すと何が出る？", "left_by", "牛"),
        ("スライムボールで何が作れる？", "using", "スライムボール"),
        ("火打石は何に使うの？", "using", "火打石"),
        ("黒曜石を掘るには何がいる？", "digging", "黒曜石"),
        ("鉄はどこで見つかる？", "finding", "鉄"),
        ("腐った肉は食べられる？", "eating", "腐った肉"),
        ("クリーパーは危険？", "all", "クリーパー"),
    ],
)
def test_a_question_of_a_thing_is_read(line: str, about: About, words: str) -> None:
    asked = asked_in(line)
    assert asked is not None
    assert (asked.about, asked.words) == (about, words)


@pytest.mark.parametrize(
    "line",
    [
        *("how are you?", "how do I get home?", "how do I get to the mine?"),
        *("what are you made of?", "what do you like?", "I make bread", "do you have bread?"),
        *("どこにいるの？", "何ができる？", "元気？"),
    ],
)
def test_other_lines_ask_nothing_of_a_thing(line: str) -> None:
    assert asked_in(line) is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("remember that the mine is at 10 64 20", "the mine is at 10 64 20"),
        ("Alice, please remember: I live at the Lake.", "I live at the Lake"),
        ("don't forget that Bob owes me bread", "Bob owes me bread"),
        ("keep in mind that creepers hate cats!", "creepers hate cats"),
        ("鉱山は丘の下にあるって覚えておいて", "鉱山は丘の下にある"),
        ("ぼくは猫が好きだと覚えて", "ぼくは猫が好き"),
        ("覚えておいて、店は昼に開く", "店は昼に開く"),
    ],
)
def test_what_is_to_be_remembered_is_read_in_its_own_words(line: str, words: str) -> None:
    assert words_to_keep(line) == words


@pytest.mark.parametrize(
    "line",
    [
        *("do you remember the mine?", "remember me", "remember this as home", "note block"),
        *("I remember that", "覚えてる？", "それを覚えて"),
    ],
)
def test_other_lines_have_nothing_remembered(line: str) -> None:
    assert words_to_keep(line) is None


@pytest.mark.parametrize(
    ("line", "words", "was_put"),
    [
        ("where did we put the torches?", "torches", True),
        ("where did I leave my pickaxe", "pickaxe", True),
        ("where's my cat?", "cat", False),
        ("where are the cows now?", "cows", False),
        ("松明はどこに置いた？", "松明", True),
        ("鉱山はどこ？", "鉱山", False),
    ],
)
def test_what_somebody_looks_for_is_read(line: str, words: str, was_put: bool) -> None:
    sought = sought_in(line)
    assert sought is not None
    assert (sought.words, sought.was_put) == (words, was_put)


@pytest.mark.parametrize("line", ["where are you?", "where am I", "私はどこ？", "where is Steve?"])
def test_persons_are_not_looked_for_among_things(line: str) -> None:
    assert sought_in(line) is None
