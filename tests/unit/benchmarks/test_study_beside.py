"""The comparison with other frameworks counts the tutorial's own files, and plays its study."""

from pathlib import Path

import pytest

from benchmarks.study_beside import THEIRS, lines_of, ours, written

pytestmark = pytest.mark.slow


def test_it_is_the_study_of_the_tutorial_that_is_played(tmp_path: Path) -> None:
    files = written(tmp_path)
    assert [file.name for file in files if file.exists()] == [
        "story.toml",
        "answers.py",
        "study.toml",
        "measures.py",
    ]
    took_s, kept = ours(tmp_path)
    assert [f"{share:.2f}" for share in kept] == ["0.96", "0.84"]  # as the tutorial's table says
    assert took_s > 0


def test_comments_docstrings_and_blank_lines_are_no_code(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_text('"""Two\n\nlines."""\n\n# why\ndef f():\n    """Short."""\n    return 1\n')
    assert lines_of([file]) == 2
    assert all(lines_of([file]) > 0 for file in THEIRS.values())
