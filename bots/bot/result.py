"""Results of commands: typed for Python, JSON for machines, lines for a whisper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Protocol, Self, TypeAlias, runtime_checkable

from pydantic import BaseModel, ConfigDict, PlainSerializer, PrivateAttr
from pydantic.alias_generators import to_camel

from bots.access.sources import Sources
from bots.bot.episode import Episode
from bots.text.numbers import whole
from bots.words import Saying
from llm.model import Image

Number: TypeAlias = Annotated[float, PlainSerializer(whole)]
"""A finite number that JSON shows without a fraction when it has none."""


class Facts(BaseModel):
    """A part of a result; its JSON is camelCase."""

    model_config = ConfigDict(
        frozen=True, alias_generator=to_camel, populate_by_name=True, allow_inf_nan=False
    )


class Counted(Facts):
    """So many of an item or a block."""

    name: str
    count: int

    def __str__(self) -> str:
        return f"{self.count} {self.name}"


class Result(Facts):
    """A command succeeded."""

    between_lines: ClassVar[str | None] = None
    """What stands between lines that share a whisper; None: each line has its own."""
    newest_last: ClassVar[bool] = False
    """Whether the last lines are told where there are more than whispers show, not the first."""

    _aside: str = PrivateAttr("")
    _outcome: Saying | None = PrivateAttr(None)

    @property
    def success(self) -> bool:
        return True

    @property
    def aside(self) -> str:
        """What befell the bot on the way, where the result has no sentence of its own."""
        return self._aside

    def with_aside(self, text: str) -> Self:
        """The result that also tells what befell the bot on the way."""
        if message := message_of(self):
            return self.model_copy(update={"message": f"{message} {text}"})
        told = self.model_copy()
        told._aside = text
        return told

    @property
    def outcome(self) -> Saying | None:
        """What came of it, where its episodes do not tell that: nothing was needed, or a part is
        left."""
        return self._outcome

    def with_outcome(self, outcome: Saying) -> Self:
        told = self.model_copy()
        told._outcome = outcome
        return told

    def as_json(self) -> dict[str, Any]:
        facts = {"success": self.success, **self.model_dump(mode="json", by_alias=True)}
        return {**facts, "message": self._aside} if self._aside else facts

    def episodes(self) -> tuple[Episode, ...]:
        """What the bot did, for its history; a query did nothing."""
        return ()

    def as_shown(self) -> dict[str, Any]:
        """The result as a model is shown it, which pays for every word."""
        return self.as_json()

    def as_traced(self) -> dict[str, Any]:
        """The result as the trace keeps it: without what is large."""
        return self.as_json()

    def lines(self) -> list[str]:
        """The result as lines of chat: its message, unless a command overrides this."""
        if isinstance(self, HasMessage):
            return [self.message]
        facts = self.model_dump(mode="json")
        return [", ".join(f"{key}: {_short(value)}" for key, value in facts.items()) or "Done."]


class Failure(Result):
    """A command failed: a code for machines, a sentence for people."""

    between_lines: ClassVar = " "

    reason: str
    message: str
    data: Mapping[str, Any] = {}
    """More keys of the JSON, spelt as they appear there."""

    @property
    def success(self) -> bool:
        return False

    def episodes(self) -> tuple[Episode, ...]:
        """What was done before it failed."""
        match self.data:
            case {"taken": taken, "itemName": item}:
                each = [Episode("gave", item, count, who) for who, count in taken.items()]
            case {"gathered": gathered, "itemName": item}:
                each = [Episode("got", item, gathered)]
            case {"collected": collected}:
                each = [Episode("got", item, count) for item, count in collected.items()]
            case {"torches": torches}:
                each = [Episode("placed", "torch", len(torches))]
            case {"put": put}:
                each = [Episode("put", item, count) for item, count in put.items()]
            case _:
                each = []
        return tuple(one for one in each if one.count)

    @property
    def lacking(self) -> Mapping[str, int]:
        """How many of which items were missing, as far as that is known."""
        match self.data.get("missing"):
            case Mapping() as missing:
                counts = dict(missing)
            case list() as missing:
                counts = {one["item"]: one["need"] - one["have"] for one in missing}
            case _:
                counts = {}
        return {item: count for item, count in counts.items() if count > 0}

    def as_json(self) -> dict[str, Any]:
        head = {"success": False, "reason": self.reason, "message": self.message}
        return {**head, **self.data}

    def lines(self) -> list[str]:
        known = {"Usage": self.data.get("usage"), "Example": self.data.get("example")}
        return [self.message, *(f"{label}: {text}" for label, text in known.items() if text)]


@runtime_checkable
class HasMessage(Protocol):
    """A result with a sentence for people, like those of most commands."""

    @property
    def message(self) -> str: ...


@runtime_checkable
class TellsDoing(Protocol):
    """A result that lists what the bot is doing, like that of `!status`."""

    @property
    def doing(self) -> tuple[str, ...]: ...


@runtime_checkable
class TellsStopped(Protocol):
    """A result that lists what was stopped, like that of `!stop`."""

    @property
    def stopped_actions(self) -> tuple[str, ...]: ...


@runtime_checkable
class HasSources(Protocol):
    """A result with words that somebody chose, like that of `!recall`."""

    @property
    def sources(self) -> Sources: ...


@runtime_checkable
class HasImage(Protocol):
    """A result with a picture for whoever can look at one, like that of `!info vision`."""

    @property
    def seen(self) -> Image | None: ...


def message_of(result: object) -> str:
    """The sentence of a result; '' when it has none."""
    return result.message if isinstance(result, HasMessage) else ""


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return f"{len(value)} entries"
    if isinstance(value, list):
        return ", ".join(map(_short, value[:5])) + (" …" if len(value) > 5 else "")
    return str(value)
