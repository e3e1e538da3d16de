"""The file of records: JSON lines in the data folder, rotated by size."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic_core import to_jsonable_python

from bots.observability.logs import LOG_FOLDER
from bots.observability.redaction import Redactor
from bots.private_files import ends_torn, for_owner_alone, make_private_folder
from bridge.foreign_json import read_object

FILE_NAME = "decisions.jsonl"
PROMPTS_NAME = "prompts.jsonl"
FILE_BYTES = 10_000_000
OLD_FILES = 4  # with the current one at most 50 MB on disk


class RecordFile:
    """A file such as `decisions.jsonl`, and older records in `decisions.jsonl.1` and so on.

    For one thread at a time. Every method may raise OSError."""

    def __init__(
        self,
        data_dir: Path,
        secrets: Iterable[str] = (),
        *,
        name: str = FILE_NAME,
        file_bytes: int = FILE_BYTES,
    ) -> None:
        self.path = data_dir / LOG_FOLDER / name
        self._redactor = Redactor(secrets)
        self._file_bytes = file_bytes

    def append(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Append records, with secrets hidden."""
        lines = b"".join(map(self._line, records))
        make_private_folder(self.path.parent)
        if self.path.exists() and self.path.stat().st_size + len(lines) > self._file_bytes:
            self._make_room()
        with open(self.path, "ab+", opener=for_owner_alone) as file:
            file.write(b"\n" + lines if ends_torn(file) else lines)

    def read_back(self, since: datetime) -> Iterator[dict[str, Any]]:
        """The records since then, oldest first; unreadable lines are skipped."""
        for path in reversed([self.path, *map(self._old, range(1, OLD_FILES + 1))]):
            if path.exists() and path.stat().st_mtime >= since.timestamp():
                yield from _records(path, since)

    def find(self, mark: bytes, is_wanted: Callable[[Mapping[str, Any]], bool]) -> Any | None:
        """The newest record that is wanted; its line must hold `mark`, so that few are parsed."""
        for path in [self.path, *map(self._old, range(1, OLD_FILES + 1))]:
            if path.exists() and (found := _newest(path, mark, is_wanted)) is not None:
                return found
        return None

    def _line(self, record: Mapping[str, Any]) -> bytes:
        plain = to_jsonable_python(record, inf_nan_mode="null", fallback=str)
        text = json.dumps(self._redactor.value(plain), ensure_ascii=False, separators=(",", ":"))
        # A name may hold half a surrogate pair; a record must not fail over it.
        return text.encode("utf-8", "backslashreplace") + b"\n"

    def _make_room(self) -> None:
        for number in range(OLD_FILES - 1, 0, -1):
            if self._old(number).exists():
                self._old(number).replace(self._old(number + 1))
        self.path.replace(self._old(1))

    def _old(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")


def _records(path: Path, since: datetime) -> Iterator[dict[str, Any]]:
    with path.open("rb") as file:
        for line in file:
            record = _record(line)
            if record is not None and datetime.fromisoformat(record["at"]) >= since:
                yield record


def _newest(
    path: Path, mark: bytes, is_wanted: Callable[[Mapping[str, Any]], bool]
) -> Mapping[str, Any] | None:
    found = None
    with path.open("rb") as file:
        for line in file:
            if mark in line:
                with suppress(ValueError, KeyError, TypeError):  # torn or foreign
                    record = read_object(line)
                    found = record if is_wanted(record) else found
    return found


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        record = read_object(line)
        at = datetime.fromisoformat(record["at"])
    except (ValueError, TypeError, KeyError):
        return None
    whole = at.tzinfo is not None and isinstance(record.get("name"), str)
    return record if whole else None
