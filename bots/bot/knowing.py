"""What a bot knows, as the parts above use it: entries, queries, and the store as a port.

An entry is one thing that somebody told the bot or that it found out, in words, with where they
come from. `bots/knowledge` stores entries; `bot.knowledge` is those of one bot.

    wish = Entry("Steve likes birch.", sources, "preference", tags=frozenset({player("Steve")}))
    kept = await bot.knowledge.add(wish)
    for found in await bot.knowledge.search(Wanted("birch")):
        print(found.entry.insight, found.weight)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple, Protocol, TypeAlias, get_args

from bots.access.origin import Level, Origin
from bots.access.sources import MayKnow, Sources, anything
from bots.text.language import normal

KnowledgeType = Literal[
    "preference", "strategy", "correction", "insight", "synergy", "combo", "counter", "pattern"
]
"""preference: what somebody likes or wants; strategy: what works; correction: what was believed
wrongly; insight: any other fact; synergy: things that are better together; combo: steps that belong
together; counter: what helps against a danger; pattern: what somebody does again and again."""
TYPES: tuple[KnowledgeType, ...] = get_args(KnowledgeType)
LearntFrom = Literal["told", "seen", "concluded"]
"""told: somebody said so; seen: the bot did or met it; concluded: a model made it of both."""
TagKind = Literal["item", "block", "mob", "biome", "player", "place"]
TAG_KINDS: tuple[TagKind, ...] = get_args(TagKind)

LONGEST = 300  # characters of an insight, as many as a whisper holds
LONGEST_TOPIC = 60
DEPTH, MOST_FOUND = 3, 20


class Tag(NamedTuple):
    """What an entry is about: an item or the like by Minecraft's name, a player or place by its
    own. Compared case-blind; make them with `tag`."""

    kind: TagKind
    name: str


def tag(kind: TagKind, name: str) -> Tag:
    return Tag(kind, normal(name)[:LONGEST_TOPIC])


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a bot knows."""

    insight: str
    sources: Sources
    """Whose words it holds, and who may know it."""
    type: KnowledgeType = "insight"
    topic: str = ""
    context: str = ""
    """The circumstances."""
    tags: frozenset[Tag] = frozenset()
    situations: frozenset[str] = frozenset()
    """When it matters even if nobody speaks of it: night, storm, the_nether, goal …"""
    always: bool = False
    """It matters at any time."""
    learnt_from: LearntFrom = "told"
    speaker: str = ""
    """Under which name the lines of whoever told it are recorded; '' when nobody did."""
    utterance: int | None = None
    """The line that told it: its sequence in the bot's history."""
    confidence: float = 0.8
    """From 0 to 1."""
    links: frozenset[int] = frozenset()
    """Numbers of entries that it refers to."""
    expires_at: datetime | None = None
    id: int = 0
    """These are the store's: its number, and how often and when it was used."""
    made_at: datetime | None = None
    updated_at: datetime | None = None
    used: int = 0
    used_at: datetime | None = None

    @property
    def level(self) -> Level:
        """The lowest level of those whose words it holds, when it was made."""
        return self.sources.level


class Found(NamedTuple):
    """An entry that fits a query."""

    entry: Entry
    weight: float
    references: int
    """How many entries refer to it."""
    depth: int
    """Links between it and an entry that fits by itself."""
    is_claim: bool
    """Whether its words are those of somebody below trusted, who may be wrong or lie."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for. What fits has any of the words, tags or situations; of the rest, all."""

    words: str = ""
    tags: frozenset[Tag] = frozenset()
    situations: frozenset[str] = frozenset()
    types: Collection[KnowledgeType] = TYPES
    speaker: str | None = None
    """Only what this one told."""
    least_confidence: float = 0.0
    limit: int = MOST_FOUND
    depth: int = DEPTH
    """How far links are followed."""
    damped: bool = False
    """Whether many references count little more than some."""
    without: frozenset[int] = frozenset()
    """Entries that were found before."""
    may_know: MayKnow = anything
    """Whether those who hear of an entry may know it."""


MayForget: TypeAlias = Callable[[Entry], bool]


class Knowledge(Protocol):
    """The knowledge of one bot. All methods raise StoreError."""

    async def add(self, entry: Entry) -> Entry:
        """Store an entry; what the same one told before in these words is brought up to date. As
        it is stored, with its number."""
        ...

    async def learn(self, entry: Entry, instead_of: Collection[KnowledgeType]) -> Entry:
        """Store what the bot found out of a topic, in place of what it had found out of it and
        that is of one of these types."""
        ...

    async def correct(self, entry: Entry) -> Entry:
        """Store a correction, in place of what it corrects and is its author's, or was told by
        nobody who may do more than a trusted author."""
        ...

    async def update(self, entry: Entry) -> Entry | None:
        """Store the newer form of an entry; None where its number is gone."""
        ...

    async def search(self, wanted: Wanted) -> Sequence[Found]:
        """The entries that fit; all of them where nothing is asked for. What trusted ones told and
        the bot saw comes before claims, then the weightier first."""
        ...

    async def relevant(self, wanted: Wanted) -> Sequence[Found]:
        """The entries that fit a moment, and those that these refer to. Claims only where they
        have the words."""
        ...

    async def mark_used(self, ids: Iterable[int]) -> None:
        """Count that these were of use; returns before that is written."""
        ...

    async def forget(self, ids: Iterable[int], may_forget: MayForget) -> Sequence[Entry]:
        """Forget those of these entries that may be forgotten, and return them."""
        ...

    async def forget_person(self, person: Origin | None, speaker: str) -> int:
        """Forget what holds the words of somebody; how many entries that were. Of an operator the
        name alone counts."""
        ...

    async def prune(self) -> int:
        """Forget what has expired, and of too many entries the least useful; how many."""
        ...

    async def merge(self) -> int:
        """Make one of each entry that the same one told several times; how many are gone."""
        ...
