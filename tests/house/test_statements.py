"""The SQL of the product gives the same wherever it is run again."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from bots.store.recording import NOT_REPEATABLE

ROOT = Path(__file__).parents[2]
SQL = re.compile(
    r"\s*(?:--.*\s*)*(?:WITH|SELECT|INSERT|REPLACE|UPDATE|DELETE|CREATE|ALTER|DROP)\s",
    re.IGNORECASE,
)


def texts(path: Path) -> Iterator[str]:
    """The texts of a file that may be SQL or a part of it; of an f-string what is fixed."""
    if path.suffix == ".sql":
        yield from path.read_text().split(";\n")
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def statements() -> list[tuple[str, str]]:
    return [
        (str(path.relative_to(ROOT)), text)
        for path in sorted([*(ROOT / "bots").rglob("*.py"), *(ROOT / "bots").rglob("*.sql")])
        for text in texts(path)
        if SQL.match(text) and re.search(r"\b(?:FROM|INTO|SET|TABLE|INDEX|COLUMN)\b", text)
    ]


def test_the_statements_are_found() -> None:
    files = {file for file, _ in statements()}
    assert {"bots/chat/conversation_sql.py", "bots/store/tables.sql"} <= files
    assert len(statements()) > 100


def test_no_statement_asks_for_chance_or_the_time() -> None:
    unsure = [
        (file, found[0]) for file, text in statements() if (found := NOT_REPEATABLE.search(text))
    ]
    assert unsure == []


def test_a_statement_that_does_would_be_found() -> None:
    assert NOT_REPEATABLE.search("INSERT INTO t VALUES (Random ())")
    assert NOT_REPEATABLE.search("UPDATE t SET at = datetime('now')")
    assert NOT_REPEATABLE.search("CREATE TABLE t (at TEXT DEFAULT CURRENT_TIMESTAMP)")
    assert not NOT_REPEATABLE.search("SELECT time, dates FROM times WHERE update_time = 1")
