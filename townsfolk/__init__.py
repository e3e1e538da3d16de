"""townsfolk, as programs use it: `from townsfolk import Daemon, Settings`.

`__init__.pyi` beside this file lists every public name and where it is made. A name is loaded when
it is first used, so that `import townsfolk` costs next to nothing.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from townsfolk.packages import refuse_mixed


@cache
def _homes() -> dict[str, tuple[str, str]]:
    """Of each public name the module that makes it, and its name there."""
    import ast  # only now: it costs as much as all the rest

    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [line for line in stub.body if isinstance(line, ast.ImportFrom)]
    return {
        one.asname or one.name: (line.module or "", one.name)
        for line in imports
        for one in line.names
    }


def __getattr__(name: str) -> Any:
    """Load a public name. Raises PackagesMixed when other packages are in the way of ours."""
    if name.startswith("_") or name not in _homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    refuse_mixed()
    module, made_as = _homes()[name]
    value = globals()[name] = getattr(import_module(module), made_as)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes()})
