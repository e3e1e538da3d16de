'use strict'
// What needs something to stand on or hang from, by vanilla/standing.json: it is placed only where it
// stays, and falls with what held it.

const { CELLS, isWashedOff, stays } = require('../vanilla/standing.cjs')
const { load } = require('./packages.cjs')
const { isWater } = require('./waters.cjs')

/** What stands around a place, to be looked at with a step from it. */
async function lookAround (world, at) {
  const blocks = await Promise.all(CELLS.map(step => world.getBlock(at.offset(...step))))
  const known = new Map(CELLS.map((step, i) => [String(step), blocks[i]]))
  return (...step) => known.get(String(step)) ?? null
}

/** Whether a block in this state stays at a place that is still free. */
async function canStay ({ registry }, world, at, stateId) {
  const look = await lookAround(world, at)
  const block = load('prismarine-block')(registry).fromStateId(stateId, 0)
  return !(isWashedOff(block.name) && isWater(look(0, 0, 0))) && stays(block, look)
}

/** Whether the block at a place stays. */
async function isHeld (world, at) {
  const look = await lookAround(world, at)
  return stays(look(0, 0, 0), look)
}

module.exports = { canStay, isHeld }
