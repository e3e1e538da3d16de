"""What HTTP asks of the daemon: plain values in, JSON values out."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol, TypeAlias

from bots.access.origin import Origin
from bots.http.experiments import ExperimentsPort
from bots.http.memory_port import MemoryPort
from bots.http.shapes import (
    BudgetShape,
    GoalsShape,
    LoadShape,
    Positions,
    PromptShape,
    TalksShape,
    TerrainShape,
)
from bots.observability.trace import TraceLog

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PictureWanted:
    """None = where the bot looks, and as large as is usual."""

    yaw: float | None
    pitch: float | None
    is_panorama: bool
    width: int | None
    height: int | None


class MetricsText(NamedTuple):
    """Figures for Prometheus."""

    body: bytes
    media_type: str


class OperatorPort(Protocol):
    """The daemon as HTTP sees it. Callers check bot names and message types first."""

    trace: TraceLog

    @property
    def memory(self) -> MemoryPort:
        """What bots know."""

    @property
    def experiments(self) -> ExperimentsPort:
        """Which experiments were played."""

    def bots(self) -> list[Json]:
        """Every bot; each has at least `name`."""

    async def command(
        self, bot: str, text: str, origin: Origin, wait: bool = True, plain: bool = False
    ) -> Json:
        """The result of a command that starts with `!`; always has `success`.

        With `plain` also `plain`, the lines that tell it to a person."""

    async def message(self, bot: str, text: str, name: str | None = None) -> Json:
        """Let the bot hear a message of an operator, who may have a name.

        `sequence`, `answer` and `source` tell what it answered."""

    async def prompt(self, bot: str, text: str, name: str | None = None) -> Json:
        """The `request` a model would get if the operator, or a player of this name, said this.

        `tokens` is about how many it takes. The bot hears nothing of it."""

    async def history(
        self,
        bot: str,
        *,
        usernames: Collection[str] | None = None,
        type: str | None = None,
        since: int | None = None,
        before: int | None = None,
        talk: int | None = None,
        limit: int | None = None,
    ) -> Json:
        """`{success, latestSequence, history}`; `since` is a sequence: only later messages, of the
        newest. `before` too: only earlier ones, however old. `talk` is the number of a group
        talk: only what was said to it."""

    async def recall(
        self,
        bot: str,
        words: str,
        *,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 10,
        offset: int = 0,
        episodes: bool = False,
    ) -> Json:
        """`{success, count, lines}`, best first."""

    async def picture(self, bot: str, wanted: PictureWanted) -> bytes:
        """What the bot sees, as a PNG."""

    async def map(self, bot: str, reach: int | None) -> bytes:
        """The country up to `reach` blocks around the bot from above, as a PNG."""

    def decisions(self) -> list[Json]:
        """What was decided and why, oldest first."""

    async def approve(self, decision: int) -> Json:
        """Approve a decision; `reason` is `unknown_decision` where there is none."""

    async def reanalyse(self, decision: int) -> Json:
        """Decide anew; `reason` is `unknown_decision` where there is none, `nobody_asked` for
        what a bot thought of by itself."""

    def stats(self) -> Json:
        """The metrics of the budget's period that ends now, with their targets."""

    def metrics(self, accept: str) -> MetricsText:
        """Figures for Prometheus, in the format that this `Accept` header asks for."""

    async def stop_all(self) -> Json:
        """`!stop` for every bot."""

    def health(self) -> Json:
        """`ok`, and facts that anyone on this machine may know: no names, no secrets."""

    def why_not_live(self) -> list[str]:
        """Why it should be started anew; as little as `health` tells."""

    def why_not_ready(self) -> list[str]:
        """Why it cannot do its work now; as little as `health` tells."""


class WatchPort(Protocol):
    """What may be watched: typed values (`shapes`), made when they are asked for."""

    def goals(self, bot: str) -> GoalsShape:
        """Its goals, and the plan of the one under way."""

    async def positions(self) -> Positions:
        """Where everybody is."""

    def moving(self) -> AsyncGenerator[Positions]:
        """Where everybody is, again and again until it is closed."""

    async def terrain(self, bot: str, reach: int | None) -> TerrainShape:
        """The ground up to `reach` blocks around the bot from above."""

    def talks(self) -> TalksShape:
        """The talks under way, with their lines."""

    def budget(self) -> BudgetShape:
        """What models cost in the period that ends now, beside the caps."""

    async def load(self) -> LoadShape:
        """What the daemon and its Node processes take of the machine."""

    async def prompt_of(self, decision: int) -> PromptShape:
        """What the model was asked; `reason` is `unknown_decision`, or `not_kept`."""
