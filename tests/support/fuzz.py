"""What nobody would send: any JSON, and right JSON with something wrong in it.

Each test tries as many examples as the profile of hypothesis says: a hundred usually, thousands
with `--hypothesis-profile=fuzz`. What was found once stays as an `@example` beside its test.
"""

import copy
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=30)  # lone surrogates too
ODD_TEXT = ANY_TEXT | st.sampled_from(
    ("", "\x00", "null", "NaN", "-1", "1e999", "{", '{"', "[" * 200, "../..", "%s", "${x}", "§4")
)
ODD_NUMBER = (
    st.integers(-(2**70), 2**70)
    | st.floats()
    | st.sampled_from((0, -1, 2**31, 2**53, 2**63, -(2**63), 10**400, 1e308, 5e-324))
)
ODD_LEAF = st.none() | st.booleans() | ODD_NUMBER | ODD_TEXT
ODD_JSON = st.recursive(
    ODD_LEAF,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ODD_TEXT, inner, max_size=4),
    max_leaves=8,
)

fuzzed = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
"""Fixtures may be shared by all examples; how many there are is left to the profile."""


def outcome(work: Callable[[], object], refusals: type[Exception]) -> str:
    """The words of its refusal, or `done`. Whatever else is raised is a mistake of ours."""
    try:
        work()
    except refusals as refused:
        return str(refused).strip()
    return "done"


@st.composite
def nearly(draw: st.DrawFn, right: Any) -> Any:
    """This value with one to three things in it replaced, left out or doubled."""
    value = copy.deepcopy(right)
    for _ in range(draw(st.integers(1, 3))):
        value = _changed(draw, value)
    return value


def _changed(draw: st.DrawFn, value: Any) -> Any:
    if isinstance(value, dict | list) and value and draw(st.integers(0, 5)):
        places: Sequence[Any] = [*value] if isinstance(value, dict) else range(len(value))
        at: Any = draw(st.sampled_from(places))
        parts: Any = value
        match draw(st.integers(0, 6)):
            case 0:
                del parts[at]
            case 1 if isinstance(value, list):
                parts.append(parts[at])
            case 1:
                parts[draw(ODD_TEXT)] = parts[at]
            case _:
                parts[at] = _changed(draw, parts[at])
        return value
    return draw(ODD_JSON)
