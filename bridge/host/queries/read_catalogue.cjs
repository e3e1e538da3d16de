'use strict'
// What this version knows of its blocks, items and mobs; null when the asker knows the version already.
const { namesOf } = require('../names.cjs')
const { drops } = require('../acting/loot.cjs')
const { mobOf } = require('../../vanilla/mobs.cjs')
const { cooksTo, itemsPerPiece } = require('../../vanilla/furnace.cjs')

const FURNACE = ['ores', 'food', 'rest']

module.exports = function readCatalogue (bot, { known }) {
  const { registry, version } = bot
  if (version === known) return null
  const { blocks, items } = namesOf(registry)
  const tools = numbered()
  const speeds = numbered()
  return {
    version,
    blocks: blocks.map(block => blockRow(registry, block, tools, speeds)),
    items: items.map(item => itemRow(registry, item)),
    mobs: mobRows(registry),
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
  const isFluid = /^(water|lava|bubble_column)$/.test(name)
  return !diggable || isFluid || hardness === null || hardness < 0 ? null : hardness
}

function speedsOf (registry, material) {
  const rows = Object.entries(registry.materials[material])
  return Object.fromEntries(rows.map(([id, speed]) => [registry.items[id]?.name ?? id, speed]))
}

function itemRow (registry, { name, stackSize }) {
  const food = namesOf(registry).food(name)?.foodPoints ?? 0
  return [name, stackSize, food, itemsPerPiece(name), cooksTo(name, FURNACE)]
}

/** [name, hostile, drops] of each kind of mob, once. */
function mobRows (registry) {
  const rows = new Map()
  for (const { name } of registry.entitiesArray) {
    const mob = mobOf(name)
    if (mob && !rows.has(mob.name)) rows.set(mob.name, [mob.name, mob.isHostile, spoils(registry, name)])
  }
  return [...rows.values()]
}

function spoils (registry, entity) {
  const items = (registry.entityLoot?.[entity]?.drops ?? []).map(({ item }) => item)
  return [...new Set(items)].filter(item => Object.hasOwn(registry.itemsByName, item))
}

function names (registry, ids) {
  return ids.map(id => registry.items[id]?.name).filter(Boolean).sort()
}
