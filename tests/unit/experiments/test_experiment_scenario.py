"""What a scenario may contain, and the errors for a wrong one."""

import re
from pathlib import Path

import pytest
from support.experiments import THREE

from bots.experiments.scenario import ScenarioError
from bots.experiments.scenario_file import keys, parse_scenario, scenario_text
from bots.experiments.study import Study


def refusal(text: str) -> str:
    with pytest.raises(ScenarioError) as refused:
        parse_scenario(text, "play.toml")
    return str(refused.value)


def test_plain_words_are_cues_without_conditions() -> None:
    scenario = parse_scenario('[[cast]]\nname="A"\ncues=["Hi."]\n[[cast]]\nname="B"\n')
    assert scenario.cast[0].cues[0].say == ("Hi.",)
    assert [member.mind for member in scenario.cast] == ["cues", "rules"]


def test_the_policy_of_the_talk_is_what_the_file_says() -> None:
    text = THREE.replace("[talk]", '[talk]\norder="nominate"\nfallback="random"\ntopic="tea"')
    policy = parse_scenario(text.replace("turns = 9", "turns = 9\ntokens = 500")).policy
    assert (policy.order, policy.fallback, policy.topic, policy.seed) == (
        "nominate",
        "random",
        "tea",
        7,
    )
    assert (policy.caps.turns, policy.caps.tokens) == (9, 500)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("title", "titel"), "play.toml: titel: unknown key; did you mean title?"),
        (("thinking_s = [1, 1]", "thinking_s = [2, 1]"), "talk.thinking_s: write the least first"),
        (("turns = 9", "tuns = 9"), "caps.tuns: unknown key; did you mean turns?"),
        (("turns = 9", "order = 9"), "caps.order: unknown key; did you mean talk.order?"),
        (("turns = 9", "turns = 0"), "caps.turns: Input should be greater than or equal to 1"),
        (('at = "here"', 'at = "hree"'), "cast.Alice.at: no place is called 'hree'; there are"),
        (('at = "here"', "at = 3"), "cast.Alice.at: write the name of a place, or [x, y, z]"),
        (('name = "Bob"', 'name = "Alice"'), "every participant needs a name of its own"),
        (('name = "Bob"', 'name = "Bob!"'), "'Bob!' is no name; write 1 to 16 letters"),
        (('name = "Bob"', ""), "cast.2.name: is missing; it is username"),
        (("again = true", "hear = 3"), "cast.Alice.cues.1.hear: unknown key; did you mean hears?"),
        (("again = true", 'near = "Bbo"'), "cast.Alice.cues.1: nobody is called 'Bbo'"),
        (("[talk]", '[talk]\nopening={by="Zoe",text="x"}'), "talk.opening.by: nobody is called"),
        (("[talk]", '[talk]\nopening={by="Bob"}'), "talk.opening.text: write what Bob says"),
    ],
)
def test_a_mistake_is_named_with_its_key(change: tuple[str, str], complaint: str) -> None:
    assert complaint in refusal(THREE.replace(*change, 1))


@pytest.mark.parametrize(
    ("added", "complaint"),
    [
        ('[[events]]\ndo="walk"\nwho="Bob"\nto="far"\n', "events.1: write one of at_s, after_turn"),
        ('[[events]]\ndo="walk"\nwho="Bob"\nat_s=1\n', 'events.1: "walk" needs to: a place'),
        ('[[events]]\ndo="leave"\nat_s=1\n', 'events.1: "leave" needs who'),
        ('[[events]]\ndo="leave"\nat_s=1\nwho="Ann"\n', "events.1.who: nobody is called 'Ann'"),
        ('[[tasks]]\nwho="Bob"\ngoal="x"\nat_s=0\n', "nobody works in the simulated world"),
        ('[[tasks]]\nwho="Zoe"\ngoal="x"\nat_s=0\n', "tasks.1.who: no bot is called 'Zoe'"),
        ('[[tasks]]\nwho="Bob"\ngoal="x"\n', "tasks.1: write one of at_s, after_turn and during"),
        ('[[cast]]\nname="Zoe"\ncarries={dirt=1}\n', "nobody works in the simulated world"),
        ('[[cast]]\nname="Zoe"\nplayer="Sam"\n', 'a player needs answers = "human"'),
        (
            '[[cast]]\nname="Zoe"\nanswers="human"\nplayer="Sam"\n',
            'cast.Zoe.player: players need world = "embedded" or a server',
        ),
        ('[[people]]\nname="Steve"\nlive=true\n', 'live persons need world = "embedded"'),
        ('[[cast]]\nname="Dan"\nanswers="cues"\n', 'cast.Dan: answers is "cues", but there are'),
        (
            '[[cast]]\nname="Dan"\nfunction="talk.py"\n',
            'function is written as "rules.py:next_one"',
        ),
    ],
)
def test_a_table_that_does_not_fit_is_refused(added: str, complaint: str) -> None:
    assert complaint in refusal(THREE + added)


def test_every_mistake_is_told_at_once() -> None:
    text = THREE.replace("turns = 9", "turns = 0\ntime_s = -1").replace("title", "titel")
    assert len(refusal(text).splitlines()) == 3


def test_what_is_no_toml_and_no_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    assert "is not TOML" in refusal("[[cast")
    with pytest.raises(ScenarioError, match="cannot read"):
        scenario_text(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes("title='é'".encode("latin-1"))
    with pytest.raises(ScenarioError, match="not UTF-8"):
        scenario_text(tmp_path / "latin.toml")


def test_an_empty_file_asks_for_a_cast() -> None:
    assert "name at least one bot" in refusal("")


def test_every_key_says_what_it_means_and_is_documented() -> None:
    page = (Path(__file__).parents[3] / "docs/experiments.md").read_text(encoding="utf-8")
    table = page.partition("<!-- keys -->")[2].partition("<!-- end keys -->")[0]
    rows = re.findall(r"^\| (`[\w.`, ]+`) \| (.*) \| (.+) \|$", table, re.MULTILINE)
    written = [
        (name, default.strip("`"), meaning)
        for names, default, meaning in rows
        for name in re.findall(r"[\w.]+", names)
    ]
    every_key = [*keys(), *keys(Study, "study.")]
    assert sorted(written) == sorted((key.name, key.default, key.meaning) for key in every_key)
    assert all(key.meaning for key in every_key)
