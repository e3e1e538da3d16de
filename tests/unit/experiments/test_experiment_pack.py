"""A study in one archive: it replays elsewhere, no byte of it may change, and people can be taken
out of it."""

import re
import zipfile
from pathlib import Path

import pytest
from support.experiments import (
    DEBATE,
    THREE,
    experiment,
    log_lines,
    play_seeds,
    played,
)

from bots.experiments.data import load_study
from bots.experiments.log import LogWriter
from bots.experiments.pack import SUMS_NAME, anonymise, pack, unpack
from bots.experiments.runs import LOG_NAME, Run, read_run, replay
from bots.experiments.scenario import LogError
from bots.experiments.study import Study, declare
from llm.function_model import FunctionModel

pytestmark = pytest.mark.slow

LINES = (
    "Alice, my cat Mitzelbrunn sleeps in 471199884711 Elmwood, mail me: zaphod@example.net",
    "Bob! 私の猫はキョウコバヤシです。",
    "Next: I am Xantippe, STEVE_9 to you.",
)
CANARIES = (
    "Mitzelbrunn 471199884711 Elmwood zaphod example キョウコバヤシ 私の猫 Xantippe STEVE_9 steve_9"
)
STEVE = '[[people]]\nname = "Steve_9"\n'
SCRIPT = "".join(f'{{ after_turn = {n}, text = "{text}" }}, ' for n, text in enumerate(LINES, 1))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("packed") / "study"
    for folder, seed in ((home, 1), (home / "failed", 2)):
        play_seeds(folder, THREE, [seed], "talk.order=rounds", "talk.order=nominate")
    declare(Study(seeds=1), 1, home, was_played=False)
    return home


def test_a_study_replays_and_reports_the_same_in_another_folder(
    study: Path, tmp_path: Path
) -> None:
    experiment("pack", study, "--out", tmp_path / "study.zip")
    elsewhere = tmp_path / "elsewhere"
    experiment("unpack", tmp_path / "study.zip", "--out", elsewhere)
    replayed = experiment("replay", elsewhere)
    assert (replayed.exit_code, replayed.output.count("identical")) == (0, 2)
    assert load_study(elsewhere) == load_study(study)
    for file in study.rglob("*"):
        if file.is_file():
            assert (elsewhere / file.relative_to(study)).read_bytes() == file.read_bytes()


def test_the_same_runs_make_the_same_archive(study: Path, tmp_path: Path) -> None:
    first = pack(study, tmp_path / "a.zip")
    assert pack(study, tmp_path / "b.zip") == first
    with pytest.raises(LogError, match="exists"):
        pack(study, tmp_path / "a.zip")


def test_a_changed_byte_is_refused_wherever_it_is(study: Path, tmp_path: Path) -> None:
    pack(study, tmp_path / "a.zip")
    whole = (tmp_path / "a.zip").read_bytes()
    unlike = 0
    for place in range(0, len(whole), len(whole) // 60):
        changed = tmp_path / f"{place}.zip"
        changed.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            files = unpack(changed, tmp_path / f"{place}")
        except LogError:
            assert not (tmp_path / f"{place}").exists()
            unlike += 1
        else:  # of the archive's own facts, such as times
            assert len(files) > 6
            assert load_study(tmp_path / f"{place}") == load_study(study)
    assert unlike > 50


def test_a_file_that_was_exchanged_is_named(study: Path, tmp_path: Path) -> None:
    """Its archive is whole, and so is its own check sum."""
    rewritten(study, tmp_path, "0-seed-1/transcript.txt", b"nothing was said\n")
    with pytest.raises(LogError, match=r"0-seed-1/transcript.txt was changed after it was packed"):
        unpack(tmp_path / "b.zip", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "name", ["../log.jsonl", "/log.jsonl", "a/../../log.jsonl", "run/run.sh", "C:\\x/log.jsonl"]
)
def test_an_archive_from_anywhere_writes_nothing_outside(
    name: str, study: Path, tmp_path: Path
) -> None:
    rewritten(study, tmp_path, name, b"{}\n", listed=True)
    with pytest.raises(LogError, match="is no file of a study"):
        unpack(tmp_path / "b.zip", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_is_no_archive_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_text("nothing")
    told = experiment("unpack", tmp_path / "a.zip", "--out", tmp_path / "out", code=1)
    assert "cannot be unpacked" in told.output


def rewritten(study: Path, home: Path, name: str, content: bytes, *, listed: bool = False) -> None:
    """`b.zip`: the archive of a study with one file exchanged, or added."""
    from hashlib import sha256

    pack(study, home / "a.zip")
    with zipfile.ZipFile(home / "a.zip") as packed:
        files = {one: packed.read(one) for one in packed.namelist()}
    files[name] = content
    if listed:
        files[SUMS_NAME] += f"{sha256(content).hexdigest()}  {name}\n".encode()
    with zipfile.ZipFile(home / "b.zip", "w") as packed:
        for one, what in files.items():
            packed.writestr(one, what)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A real player told two bots things that they repeat."""
    answers = iter(("Hello.", "I like Elmwood trees! [Next: Alice]"))

    def answer(_question: object) -> str:
        return next(answers, "Mitzelbrunn, said steve_9? 猫はキョウコバヤシ! [Next: Steve_9]")

    text = DEBATE + STEVE + f"lines = [{SCRIPT}]\n"
    run = played(tmp_path_factory.mktemp("told"), text, FunctionModel(answer))
    as_live(run, text, 'world = "embedded"\n' + DEBATE + STEVE + "live = true\n")
    return read_run(run.folder)


def as_live(run: Run, then: str, now: str) -> None:
    """As if the person had been a player: no word is in the scenario."""
    first, *lines, last = log_lines(run)
    (run.folder / LOG_NAME).unlink()
    (run.folder / "scenario.toml").write_text(now)
    assert first["scenario"] == then
    added = ("n", "at_ms", "kind", "lines", "sha256")
    with LogWriter.create(run.folder / LOG_NAME) as log:
        for line in (first | {"scenario": now}, *lines):
            facts = {name: value for name, value in line.items() if name not in added}
            log.write(line["at_ms"], line["kind"], facts)
        log.end(last["at_ms"], {name: v for name, v in last.items() if name not in added})


def test_players_are_told_of_where_they_are_packed(told: Run, tmp_path: Path) -> None:
    assert replay(told.folder).identical
    packed = experiment("pack", told.folder, "--out", tmp_path / "a.zip")
    assert "3 lines are words of players, personal data: --anonymise" in packed.output


def test_no_word_and_no_name_of_a_player_is_left_and_the_talk_replays(
    told: Run, tmp_path: Path
) -> None:
    everything = b"".join(file.read_bytes() for file in told.folder.iterdir()).decode()
    assert all(canary in everything for canary in CANARIES.split())
    packed = experiment("pack", told.folder, "--out", tmp_path / "a.zip", "--anonymise")
    assert (packed.exit_code, packed.output.count("\n")) == (0, 1), packed.output
    unpack(tmp_path / "a.zip", tmp_path / "out")
    left = b"".join(file.read_bytes() for file in (tmp_path / "out").iterdir()).decode()
    assert [canary for canary in CANARIES.split() if canary in left] == []
    assert replay(tmp_path / "out").identical
    scenarios = [read_run(one).played_with["scenario"] for one in (told.folder, tmp_path / "out")]
    assert scenarios[0] != scenarios[1]  # a name could be guessed at by the digest


def test_the_same_word_is_always_replaced_by_the_same_and_what_bots_knew_stays(
    told: Run, tmp_path: Path
) -> None:
    anonymise(told.folder, tmp_path / "out")
    was, now = load_study(told.folder), load_study(tmp_path / "out")
    assert [(one.turn, one.rule, one.at_ms) for one in now.lines] == [
        (one.turn, one.rule, one.at_ms) for one in was.lines
    ]
    assert {one.speaker for one in now.lines if one.of_player} == {"Person1"}
    cat = re.search(r"Alice, \w+ \w+ (\w+) \w+ \w+ \w+ (\w+)", now.lines[1].text)
    assert cat, now.lines[1].text
    texts = [line.text for line in now.lines if not line.of_player]
    assert "Cake or pie?" in texts
    assert any(text.startswith(f"{cat[1]}, ") and "person1?" in text for text in texts)


def test_words_of_scripted_persons_stay_and_their_names_go(tmp_path: Path) -> None:
    played(tmp_path, THREE + STEVE + 'lines = [{ after_turn = 1, text = "Hello, Bob." }]\n')
    anonymise(tmp_path / "run", tmp_path / "out")
    assert replay(tmp_path / "out").identical
    transcript = (tmp_path / "out" / "transcript.txt").read_text()
    assert "Person1: Hello, Bob." in transcript
    assert "Steve_9" not in b"".join(f.read_bytes() for f in (tmp_path / "out").iterdir()).decode()


def test_a_person_called_like_a_key_of_the_scenario_is_refused(tmp_path: Path) -> None:
    played(tmp_path, THREE + '[[people]]\nname = "turns"\n')
    with pytest.raises(LogError, match="a person is called like one of its words"):
        anonymise(tmp_path / "run", tmp_path / "out")
