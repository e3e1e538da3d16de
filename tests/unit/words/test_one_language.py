"""What a bot says is in one language: no English stands in a Japanese or a Chinese sentence."""

import ast
import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from support.moments import WORLD

from bots.bot.episode import WHATS, Episode
from bots.bot.result import Failure
from bots.catalogue.counted import told
from bots.catalogue.japanese import mob_in, name_in
from bots.knowledge.episodes import EpisodeWords
from bots.responder.case.inbox import EventReport
from bots.responder.rules.outcomes import ended, failure
from bots.responder.rules.scene import Scene
from bots.words import Saying, found, languages, saying, slots_of, table
from bridge.causes import Cause
from bridge.events import FailureReason
from bridge.fake.rules import VANILLA

ROOT = Path(__file__).parents[3]
OTHERS = [language for language in languages() if language != "en"]
ENGLISH = tomllib.loads((ROOT / "bots/words/en.toml").read_text("utf-8"))
LATIN = re.compile(r"[A-Za-z]{2,}")
MAY_STAND = re.compile(r"townsfolk(?: doctor)?|Minecraft|TNT|!help|!area list|Steve|Bob")
"""Names, and what one types."""
RULES_SAY = (
    *("order", "area", "unclear", "hint", "named", "dealt", "closing", "danger", "outcome", "did"),
    *("who", "count", "list", "ago", "span", "time", "episode", "me"),
)
"""Sections that a speaker of any language with a file may be told."""
SLOTS: Mapping[str, object] = {
    "items": {"oak_log": 3, "iron_pickaxe": 1},
    "thing": "oak_log",
    "mob": "zombie",
    "any": ("oak_boat", "birch_boat"),
    "hint": saying("hint.meant", any=("oak_log",)),
    "what": saying("named.one", thing="torch"),
    "where": saying("area.here"),
    "doing": saying("order.come.doing"),
    "put": saying("did.no_torch"),
    "moved": saying("did.moved", items={"dirt": 2}, at="1 64 2"),
    "kept": {"bread": 2},
    "both": ("Steve", "Bob"),
    "who": "Steve",
}


def english_in(words: str) -> list[str]:
    return LATIN.findall(MAY_STAND.sub("", words))


def sentences(section: Mapping[str, Any], before: str) -> Iterator[tuple[str, list[str]]]:
    """The ids of a section, and what stands there."""
    for key, entry in section.items():
        if isinstance(entry, dict) and not {"one", "other"} & entry.keys():
            yield from sentences(entry, f"{before}.{key}")
        else:
            each = entry.values() if isinstance(entry, dict) else [entry]
            yield (
                f"{before}.{key}",
                [one for e in each for one in ([e] if isinstance(e, str) else e)],
            )


SAID = [row for name in RULES_SAY for row in sentences(ENGLISH[name], name)]


@pytest.mark.parametrize("language", OTHERS)
def test_each_sentence_of_the_rules_stands_in_each_language(language: str) -> None:
    assert [meaning for meaning, _ in SAID if found(meaning, language) is None] == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_of_a_language_holds_english(language: str) -> None:
    file = tomllib.loads((ROOT / f"bots/words/{language}.toml").read_text("utf-8"))
    spoken = {
        name: part for name, part in file.items() if name not in ("heard", "names", "between")
    }
    every = [one for name, part in spoken.items() for one in sentences(part, name)]
    without_slots = {m: [re.sub(r"\{.*?\}", "", one) for one in said] for m, said in every}
    wrong = {m: said for m, said in without_slots.items() if any(map(english_in, said))}
    assert wrong == {}


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_filled_into_a_saying_is_told_in_its_language(language: str) -> None:
    for meaning, ways in SAID:
        if isinstance(found(meaning, "en"), list):
            continue
        needs = {slot for way in ways for slot in slots_of(way)}
        words = told(
            saying(meaning, **{slot: SLOTS.get(slot, 3) for slot in needs | {"n"}}), language
        )
        assert english_in(words) == [], (meaning, words)


def test_a_language_without_the_sentence_says_all_of_it_in_english() -> None:
    assert told(Saying("dealt.still_have", {"items": {"oak_log": 2}}), "ko") == (
        "I still have 2 oak logs."
    )


def reasons() -> set[str]:
    """The codes of all refusals: of actions, and those that code names."""
    each = set(get_args(FailureReason))
    for file in (ROOT / "bots").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                raised, code = ast.unparse(node.func).rpartition(".")[2], node.args[0]
                is_one = raised in ("CommandError", "ActionFailed", "JobEnded", "StepFailed")
                if is_one and isinstance(code, ast.Constant):
                    each.add(code.value)
    return each


def scene(language: str) -> Scene:
    own = "ja" if language == "ja" else "en"
    tongue = "" if language == own else language
    return Scene("Alice", "Steve", own, WORLD, random.Random(1), tongue=tongue)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", OTHERS)
def test_each_refusal_is_told_in_each_language(language: str) -> None:
    assert sorted(reasons() - table("own.failure", language).keys()) == []
    missing = [{"item": "oak_log", "need": 3, "have": 1, "why": "No tree is near."}]
    for reason in (*reasons(), "not known yet", ""):
        failed = Failure(reason=reason, message="It is all English.", data={"missing": missing})
        said = failure(scene(language), reason, failed.message, (), failed.lacking)
        assert name_in(language, "oak_log") in said
        assert english_in(said) == [], (reason, said)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("what", WHATS)
def test_each_episode_is_told_in_each_language(what: Any, language: str) -> None:
    cause = Cause("creature", "zombie", "seen")
    thing = "1" if what in ("failed", "went") else "oak_log"
    episode = Episode(what, thing, 3, "Steve", why="No tree.", reason="not_found", cause=cause)
    unknown = replace(episode, cause=None, asked_by="Bob", at=WORLD.position, dimension="the_end")
    for one in (episode, unknown):
        said = EpisodeWords(language, "Bob").sentence(one, "")
        assert english_in(said) == [], said


@pytest.mark.parametrize("language", OTHERS)
def test_what_befell_a_bot_is_told_in_each_language(language: str) -> None:
    hurt = EventReport(
        "danger", "I was hurt.", 0, outcome=saying("danger.hurt", before=9, health=3)
    )
    died = EventReport("danger", "I died.", 0, done=(Episode("died"),))
    over = EventReport("action_ended", "It is over.", 0, about="!skill tend")
    for event in (hurt, died, over):
        assert english_in(ended(scene(language), event)) == []


@pytest.mark.parametrize("language", OTHERS)
def test_things_go_by_their_names_in_each_language(language: str) -> None:
    made = ("polished_granite_stairs", "red_stained_glass_pane", "cow_spawn_egg", "music_disc_far")
    names = [name_in(language, item) for item in (*VANILLA.names, *made)]
    assert [name for name in names if english_in(name)] == []
    assert english_in(mob_in(language, "zombified_piglin")) == []
