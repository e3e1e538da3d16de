'use strict'
// What this version knows of its blocks and items; null when the asker knows the version already.
const { drops } = require('../acting/loot.cjs')
const { cooksTo, itemsPerPiece } = require('../../vanilla/furnace.cjs')

const FURNACE = ['ores', 'food', 'rest']

module.exports = function readCatalogue (bot, { known }) {
  const { registry, version } = bot
  if (version === known) return null
  const tools = numbered()
  const speeds = numbered()
  return {
    version,
    blocks: registry.blocksArray.map(block => blockRow(registry, block, tools, speeds)),
    items: registry.itemsArray.map(item => itemRow(registry, item)),
    tools: tools.rows,
    speeds: speeds.rows
  }
}

/** A list in which equal values share a number. */
function numbered () {
  const numbers = new Map()
  const rows = []
  const of = value => {
    const key = JSON.stringify(value)
    if (!numbers.has(key)) numbers.set(key, rows.push(value) - 1)
    return numbers.get(key)
  }
  return { of, rows }
}

function blockRow (registry, block, tools, speeds) {
  const { name, harvestTools, material } = block
  const needs = harvestTools && tools.of(names(registry, Object.keys(harvestTools)))
  const fast = registry.materials[material] && speeds.of(speedsOf(registry, material))
  return [name, hardnessOf(block), needs ?? null, fast ?? null, drops(registry, block)]
}

// Liquids and air have a hardness, yet nothing breaks them.
function hardnessOf ({ diggable, hardness, name }) {
  const isFluid = /^(flowing_)?(water|lava)$|^bubble_column$/.test(name)
  return !diggable || isFluid || hardness === null || hardness < 0 ? null : hardness
}

function speedsOf (registry, material) {
  const rows = Object.entries(registry.materials[material])
  return Object.fromEntries(rows.map(([id, speed]) => [registry.items[id]?.name ?? id, speed]))
}

function itemRow (registry, { name, stackSize }) {
  const food = registry.foodsByName[name]?.foodPoints ?? 0
  return [name, stackSize, food, itemsPerPiece(name), cooksTo(name, FURNACE)]
}

function names (registry, ids) {
  return ids.map(id => registry.items[id]?.name).filter(Boolean).sort()
}
