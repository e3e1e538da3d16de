"""Names that may be written in other ways: an exact one wins, and twins are never mixed up."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable


def spelt(name: str, names: Iterable[str]) -> str | None:
    """The name as it is spelt, else the only one that differs in case alone."""
    known = tuple(names)
    return name if name in known else only_alike(name, known)


def only_alike(name: str, names: Iterable[str]) -> str | None:
    """The only name that is the same but for its case: for words whose own case is lost."""
    alike = [one for one in names if one.casefold() == name.casefold()]
    return alike[0] if len(alike) == 1 else None


def plain(word: str) -> str:
    """A word spelt like a name: `Oak Log` becomes `oak_log`."""
    folded = unicodedata.normalize("NFKC", word).strip().lower().removeprefix("minecraft:")
    return re.sub(r"[\s-]+", "_", folded)
