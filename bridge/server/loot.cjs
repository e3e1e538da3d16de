'use strict'
// What a broken block drops. minecraft-data's blockLoot knows the things but not how many or how
// often, so wherever chance, counts or age matter the vanilla 1.16.5 loot tables stand here, written
// from knowledge of them. Fortune is left out.

const { APPLE, CROPS, MANY, NOTHING, SHORN } = require('./loot_tables.cjs')

/** [[item name, count]] for a block dug with `held` (null: the hand); `random` gives 0..1. */
module.exports = function loot (registry, block, held, random) {
  if (block.harvestTools && !(held && block.harvestTools[held.type])) return []
  const whole = held && hasSilkTouch(held) && silkTouchItem(registry, block)
  if (whole) return [[whole, 1]]
  return drops(registry, block, held, between(random), random).filter(([, count]) => count > 0)
}

/** The same for a block that nobody dug: it lost its hold, and no tool is asked for. */
module.exports.fallen = function fallen (registry, block, random) {
  return drops(registry, block, null, between(random), random).filter(([, count]) => count > 0)
}

function drops (registry, block, held, count, random) {
  const { name } = block
  const state = block.getProperties()
  if (held?.name === 'shears') {
    const shorn = SHORN[name] ?? (name.endsWith('_leaves') && [[name, 1]])
    if (shorn) return shorn
  }
  if (name.endsWith('_leaves')) return leaves(name.slice(0, -'_leaves'.length), count, random)
  if (MANY[name]) return MANY[name](count, random, state)
  if (CROPS[name]) return CROPS[name](Number(state.age), count, random)
  if (NOTHING.test(name)) return []
  if (name.endsWith('_slab')) return [[name, state.type === 'double' ? 2 : 1]]
  return usual(registry, block)
}

function leaves (wood, count, random) {
  const sapling = random() < (wood === 'jungle' ? 0.025 : 0.05) ? [[`${wood}_sapling`, 1]] : []
  const sticks = random() < 0.02 ? [['stick', count(1, 2)]] : []
  const apple = APPLE.has(wood) && random() < 0.005 ? [['apple', 1]] : []
  return [...sapling, ...sticks, ...apple]
}

/** What minecraft-data lists without any condition. */
function usual (registry, block) {
  const table = registry.blockLoot[block.name]
  if (!table) return block.drops.map(drop => [registry.items[drop.drop ?? drop]?.name, 1])
  return table.drops.filter(drop => !drop.silkTouch).map(drop => [drop.item, 1])
}

function silkTouchItem (registry, block) {
  return registry.blockLoot[block.name]?.drops.find(drop => drop.silkTouch)?.item
}

function hasSilkTouch (held) {
  return held.enchants.some(({ name }) => name === 'silk_touch')
}

function between (random) {
  return (low, high) => low + Math.floor(random() * (high - low + 1))
}
