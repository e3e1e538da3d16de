'use strict'
// Which items may fall out of a block dug without silk touch. What is sure to fall comes first.

// The data has these fall as they are, without saying that only shears do it.
const SHORN = /_leaves$|^(grass|short_grass|tall_grass|fern|large_fern|vine|seagrass|dead_bush)$/

/** Item names; for a block the data does not know, the item of its own name. */
function drops (registry, { name, drops }) {
  const loot = registry.blockLoot?.[name]?.drops
  const fallen = loot ? falling(name, loot) : listed(registry, drops)
  const known = fallen.filter(item => Object.hasOwn(registry.itemsByName, item))
  return [...new Set(known)]
}

function falling (name, loot) {
  const chance = ({ item, dropChance }) => dropChance + (item === name ? 1 : 0)
  const bySureness = loot.filter(({ item, silkTouch }) => !silkTouch && !(item === name && SHORN.test(name)))
    .sort((a, b) => chance(b) - chance(a))
  return bySureness.map(({ item }) => item)
}

function listed (registry, drops) {
  const ids = (drops ?? []).map(drop => typeof drop === 'object' ? drop.drop?.id ?? drop.drop : drop)
  return ids.map(id => registry.items[id]?.name).filter(Boolean)
}

module.exports = { drops }
