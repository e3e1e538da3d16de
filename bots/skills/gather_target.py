"""What to gather: the blocks to break, and the items that count."""

from __future__ import annotations

from dataclasses import dataclass

from bots.errors import CommandError
from bots.skills.drops import is_sheared
from bots.skills.item_words import block_names, item_name, unknown
from bots.text.spelling import plain
from bridge.catalogue import Catalogue
from bridge.world import WorldSnapshot


@dataclass(frozen=True, slots=True)
class GatherTarget:
    """Blocks to break for the items that count, under the word that asked for them."""

    word: str
    blocks: tuple[str, ...]
    items: frozenset[str]

    def carried(self, world: WorldSnapshot) -> int:
        """How many of the items are in the inventory."""
        return sum(stack.count for stack in world.items if stack.name in self.items)

    @property
    def falls_only_to_shears(self) -> bool:
        """Whether it is leaves and the like themselves that are wanted, not what drops of them."""
        return all(map(is_sheared, self.blocks)) and not self.items.isdisjoint(self.blocks)

    def has_room(self, catalogue: Catalogue, world: WorldSnapshot) -> bool:
        """Whether one more of the items fits."""
        sizes = {name: catalogue.items[name].stack_size for name in self.items & {*catalogue.items}}
        open_stacks = (stack.count < sizes.get(stack.name, 0) for stack in world.items)
        return world.free_slots > 0 or any(open_stacks)


def gather_target(catalogue: Catalogue, word: str) -> GatherTarget:
    """The target that a word names: a block, an item that blocks drop, or a category of blocks.

    What a block always drops counts for it: cobblestone counts as `stone`. Raises CommandError
    unknown_item, not_gatherable."""
    name = plain(word)
    if name in catalogue.items and name not in catalogue.blocks:
        return _dropped(catalogue, name)
    try:
        blocks = block_names(catalogue, word)
    except CommandError:
        raise unknown("item", word, [*catalogue.blocks, *catalogue.items]) from None
    surely = {catalogue.blocks[block].drops[0] for block in blocks if catalogue.blocks[block].drops}
    others = [one for one in catalogue.dropping(name) if catalogue.blocks[one].drops[0] == name]
    every = tuple(dict.fromkeys((*blocks, *others)))
    return GatherTarget(name, every, frozenset({*surely, *blocks}))


def _dropped(catalogue: Catalogue, item: str) -> GatherTarget:
    name = item_name(catalogue, item)
    blocks = catalogue.dropping(name)
    if not blocks:
        raise CommandError("not_gatherable", f"No block drops {name}; it has to be made or found.")
    return GatherTarget(name, blocks, frozenset({name}))
