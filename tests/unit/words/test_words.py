"""Every sentence of bots stands in each language's file, and code names only what stands there."""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest

from bots import words
from bots.text.language import Language
from bots.words import filled, sentence, slots_of, table, variants
from bots.words.heard import heard, questions

ROOT = Path(__file__).parents[3]
FILES = [ROOT / f"bots/words/{one}.toml" for one in get_args(Language)]
PARTS = sorted({*(ROOT / "bots/words").glob("*.toml")} - {*FILES})
"""Files of languages in which bots say some of it."""
NAMES = re.compile(r"(?:^|\.)(?:names|own)\.")
"""What one language alone has, as names of things: what it has none for goes by its id."""
TOPIC = re.compile(r"(idle\.\w+)\.\w+")
"""Sections that say as much as they like of a topic, with the topic's slots."""
MAY_BE_EMPTY = ("list.", "card.we", "card.told")
"""Joints and parts of sentences that a language may need no words for."""
FORMS = {"thing", "n", "advice", "lately", "message"}
"""Slots that a language may do without: grammar, numbers, words that are English anyway."""


def entries(section: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The ids of a file with what stands there, but for what people say."""
    for key, entry in section.items():
        if not before and key == "heard":
            continue
        if isinstance(entry, dict) and entry.keys() != {"one", "other"}:
            yield from entries(entry, f"{before}{key}.")
        else:
            yield f"{before}{key}", entry


def read(file: Path) -> dict[str, Any]:
    return dict(entries(tomllib.loads(file.read_text("utf-8"))))


def patterns(entry: Any) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    return list(entry.values()) if isinstance(entry, dict) else list(entry)


def slots(entry: Any) -> set[str]:
    return {slot for pattern in patterns(entry) for slot in slots_of(pattern)}


def slots_by_topic(own: dict[str, Any]) -> dict[str, set[str]]:
    found = defaultdict[str, set[str]](set)
    for meaning, entry in own.items():
        found[TOPIC.sub(r"\1", meaning)] |= slots(entry) - FORMS
    return found


ENGLISH = read(ROOT / "bots/words/en.toml")
EVERY: dict[str, set[str]] = {}
"""All ids, with the slots that any language has there."""
for file in FILES:
    for meaning, entry in read(file).items():
        EVERY[meaning] = EVERY.get(meaning, set()) | slots(entry) - {"n"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_language_says_the_same_with_the_same_slots(file: Path) -> None:
    own = {one: entry for one, entry in read(file).items() if not NAMES.search(one)}
    english = {one: entry for one, entry in ENGLISH.items() if not NAMES.search(one)}
    assert own.keys() ^ english.keys() == set()
    assert slots_by_topic(own) == slots_by_topic(english)
    empty = {one for one in own if not all(patterns(own[one]))}
    assert empty <= {one for one in own if file.stem != "en" and one.startswith(MAY_BE_EMPTY)}


@pytest.mark.parametrize("file", PARTS, ids=lambda file: file.stem)
def test_what_a_language_says_of_it_has_slots_that_english_has(file: Path) -> None:
    own = read(file)
    assert own
    said = {one: entry for one, entry in own.items() if not NAMES.search(one)}
    more = {one: slots(entry) - slots(ENGLISH[one]) for one, entry in said.items()}
    assert {one: unknown for one, unknown in more.items() if unknown} == {}


class Named(NamedTuple):
    """An id that code names."""

    id: re.Pattern[str]
    slots: frozenset[str] | None
    """Those that code gives; None where that cannot be read off."""
    where: str


NAMING = ("sentence", "variants", "table", "saying", "said_to")


def named_in(file: Path) -> Iterator[Named]:
    tree = ast.parse(file.read_text("utf-8"))
    imported = {
        one.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "bots.words"
        for one in node.names
    }
    ours = {*imported & set(NAMING), "plainly", "scene.tell", "self._scene.tell"}
    if file.name == "scene.py":
        ours.add("self.tell")
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        function = ast.unparse(node.func)
        if function not in ours or (pattern := id_in(node.args[0])) is None:
            continue
        gives_all = function not in ("variants", "table", "plainly") and all(
            o.arg for o in node.keywords
        )
        given = frozenset(one.arg for one in node.keywords if one.arg) if gives_all else None
        where = f"{file.relative_to(ROOT)}:{node.lineno}"
        tail = r"(?:\..*)?" if function == "table" else ""
        yield Named(re.compile(pattern + tail), given, where)


def id_in(node: ast.expr) -> str | None:
    """A pattern of the ids that an argument may stand for."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+"
            for part in node.values
        )
    if isinstance(node, ast.IfExp):
        return f"(?:{id_in(node.body)}|{id_in(node.orelse)})"
    return None


NAMED = [one for file in sorted((ROOT / "bots").rglob("*.py")) for one in named_in(file)]


def test_every_id_that_code_names_stands_in_the_files() -> None:
    assert [one.where for one in NAMED if not any(map(one.id.fullmatch, EVERY))] == []


def test_code_gives_the_slots_of_what_it_says() -> None:
    for one in NAMED:
        if one.slots is None:
            continue
        uses = {meaning: used for meaning, used in EVERY.items() if one.id.fullmatch(meaning)}
        lacking = {meaning: used - one.slots for meaning, used in uses.items() if used - one.slots}
        assert (one.where, lacking) == (one.where, {})
        superfluous = one.slots - {"n"} - frozenset().union(*uses.values())
        assert (one.where, superfluous) == (one.where, frozenset())


def test_nothing_stands_in_the_files_that_no_code_names() -> None:
    assert [one for one in EVERY if not any(by.id.fullmatch(one) for by in NAMED)] == []


def forget() -> None:
    """Read the files anew."""
    for cached in (words._file, words.found, words.table):
        cached.cache_clear()


def heard_in(file: Path) -> dict[str, Any]:
    """What people say, by id; a list of questions as one."""
    said = tomllib.loads(file.read_text("utf-8")).get("heard", {})
    return dict(entries({key: part for key, part in said.items() if key != "parts"}))


HEARD = {file.stem: heard_in(file) for file in FILES}
HEARING = re.compile(r'\b(?:heard|questions|_newest|hearing)\(f?"([\w.{}]+)"')


def test_code_hears_what_stands_in_the_files_and_nothing_else() -> None:
    used = [
        re.sub(r"\\{\w+\\}", r"\\w+", re.escape(meaning))
        for wing in ("commands", "responder", "talks", "experiments", "knowledge", "skills")
        for file in (ROOT / "bots" / wing).rglob("*.py")
        for meaning in HEARING.findall(file.read_text("utf-8"))
    ]
    said = {meaning for heard in HEARD.values() for meaning in heard}
    assert [one for one in used if not any(re.fullmatch(one, meaning) for meaning in said)] == []
    assert [one for one in said if not any(re.fullmatch(meaning, one) for meaning in used)] == []


@pytest.mark.parametrize("language", HEARD)
def test_every_pattern_of_what_people_say_can_be_read(language: Any) -> None:
    assert HEARD[language]
    for meaning in HEARD[language]:
        is_list = isinstance(HEARD[language][meaning][0], dict)
        assert questions(meaning, language) if is_list else heard(meaning)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of languages, in place of ours."""
    monkeypatch.setattr(words, "files", lambda _package: tmp_path)
    forget()
    english = 'hi = "Hi, {who!c}!"\nseen = { one = "{what!a}", other = "{n!w} {what!p}" }\n'
    (tmp_path / "en.toml").write_text(english + 'bye = ["Bye.", "See you."]\n[names]\na = "A"\n')
    (tmp_path / "ja.toml").write_text('hi = "やあ、{who}！"\n[names]\nb = "ビー"\n', "utf-8")
    yield tmp_path
    forget()


def test_a_sentence_is_of_its_language_and_english_where_that_has_none(files: Path) -> None:
    assert sentence("hi", "en", who="steve {x}") == "Hi, Steve {x}!"
    assert sentence("hi", "ja", who="Steve") == "やあ、Steve！"
    assert variants("bye", "ja") == ("Bye.", "See you.")
    assert table("names", "ja") == {"a": "A", "b": "ビー"}


def test_a_further_language_is_one_more_file(files: Path) -> None:
    further: Any = "zh"
    assert sentence("hi", further, who="Steve") == "Hi, Steve!"
    (files / "zh.toml").write_text('hi = "你好，{who}！"', "utf-8")
    forget()
    assert sentence("hi", further, who="Steve") == "你好，Steve！"


@pytest.mark.parametrize(
    ("count", "what", "told"),
    [(1, "apple", "an apple"), (3, "wolf", "three wolves"), (12, "cow", "12 cows")],
)
def test_a_number_chooses_the_sentence_and_the_form_of_its_words(
    files: Path, count: int, what: str, told: str
) -> None:
    languages: tuple[Language, ...] = ("en", "ja")
    for language in languages:
        assert sentence("seen", language, n=count, what=what) == told


def test_what_people_say_is_heard_in_every_language_with_its_parts(files: Path) -> None:
    (files / "en.toml").write_text(
        "[heard]\ngo = ['^go %to%$']\n[heard.parts]\nto = 'to %who%'\nwho = '(?P<who>\\w+)'\n"
    )
    (files / "ja.toml").write_text("[heard]\ngo = ['^行って$']\n", "utf-8")
    heard.cache_clear()
    found = heard("go").search("go to steve")
    assert found is not None
    assert found["who"] == "steve"
    assert heard("go").search("行って")
    assert not heard("go").search("go")
    assert not heard("go", "en").search("行って")
    assert not heard("go", "ko").search("")
    heard.cache_clear()


def test_an_id_that_no_file_has_is_a_fault(files: Path) -> None:
    with pytest.raises(KeyError, match=r"no\.such"):
        sentence("no.such", "en")


def test_words_that_are_filled_in_are_not_filled_in_again() -> None:
    assert (
        filled("{who} said {words}", {"who": "{words}", "words": "{who!c}"})
        == "{words} said {who!c}"
    )
