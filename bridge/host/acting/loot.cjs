'use strict'
// Which items may fall out of a block dug without silk touch. What is sure to fall comes first.
const { namesOf } = require('../names.cjs')
const { load } = require('../packages.cjs')

// The data has these fall as they are, without saying that only shears do it.
const SHORN = /_leaves$|^(grass|short_grass|tall_grass|fern|large_fern|vine|seagrass|dead_bush)$/

// The data tells it by name since 1.14, and up to then by numbers without their metadata.
const FIRST_TOLD = Object.fromEntries(
  load('minecraft-data/minecraft-data/data/pc/1.14.4/blockLoot.json').map(row => [row.block, row]))

/** Item names; up to 1.13, for a block the data does not know, the item of its own name. */
function drops (registry, { name, drops }) {
  const loot = (registry.blockLoot ?? FIRST_TOLD)[name]?.drops
  const unsaid = () => registry.blockLoot ? listed(registry, drops) : [name]
  const fallen = loot ? falling(name, loot) : unsaid()
  const names = namesOf(registry)
  return [...new Set(fallen)].filter(item => names.item(item))
}

function falling (name, loot) {
  const chance = ({ item, dropChance }) => dropChance + (item === name ? 1 : 0)
  const bySureness = loot.filter(({ item, silkTouch }) => !silkTouch && !(item === name && SHORN.test(name)))
    .sort((a, b) => chance(b) - chance(a))
  return bySureness.map(({ item }) => item)
}

function listed (registry, drops) {
  return (drops ?? []).map(drop => registry.items[drop]?.name)
}

module.exports = { drops }
