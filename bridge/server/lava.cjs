'use strict'
// Lava that is let out: it runs down, and over the ground as far as in vanilla's overworld. It moves
// when a block beside it is dug or it is poured; as the land was made, it lies still.

const { load } = require('./packages.cjs')
const { Vec3 } = load('vec3')

const STEP_MS = 1500 // vanilla: 30 ticks
const THINNER = 2 // levels lost with each block
const THINNEST = 6
const FALLING = 8 // the level of lava that comes from above
const MOST = 512 // cells of one flow
const [UP, DOWN] = [new Vec3(0, 1, 0), new Vec3(0, -1, 0)]
const SIDES = [new Vec3(1, 0, 0), new Vec3(-1, 0, 0), new Vec3(0, 0, 1), new Vec3(0, 0, -1)]
const ROOM = /^(cave_)?air$|^(tall_)?grass$|^fern$|^fire$/

module.exports = function lava (serv, stepMs = STEP_MS) {
  const source = serv.registry.blocksByName.lava.minStateId

  /** Something beside these cells may run into them now; resolves once all of it lies still. */
  function letOut (world, cells) {
    return flow(world, cells, MOST).catch(error => console.error(`lava: ${error.stack}`))
  }

  async function flow (world, cells, left) {
    const isFed = await Promise.all(cells.map(async at => await levelInto(world, at) !== null))
    if (left <= 0 || !isFed.includes(true)) return
    await new Promise(resolve => setTimeout(resolve, stepMs))
    const filled = []
    for (const at of cells) if (await fill(world, at)) filled.push(at)
    await flow(world, filled.flatMap(beyond), left - filled.length)
  }

  async function fill (world, at) {
    const level = await levelInto(world, at)
    if (level === null) return false
    await serv.setBlock(world, at, source + level)
    return true
  }

  /** The level of the lava that runs into a cell; null where none does. */
  async function levelInto (world, at) {
    if (!ROOM.test((await world.getBlock(at)).name)) return null
    if (isLava(await world.getBlock(at.plus(UP)))) return FALLING
    const levels = await Promise.all(SIDES.map(side => levelFrom(world, at.plus(side))))
    const level = Math.min(...levels) + THINNER
    return level <= THINNEST ? level : null
  }

  /** The level of lava that spreads sideways; what can run down does only that. */
  async function levelFrom (world, at) {
    const block = await world.getBlock(at)
    if (!isLava(block)) return Infinity
    if (block.metadata === 0) return 0
    const below = await world.getBlock(at.plus(DOWN))
    if (isLava(below) || ROOM.test(below.name)) return Infinity
    return block.metadata >= FALLING ? 0 : block.metadata
  }

  /** Water came to a cell: lava beside and below it turns to stone. */
  async function cool (world, at) {
    for (const cell of beyond(at)) {
      const block = await world.getBlock(cell)
      const { minStateId } = serv.registry.blocksByName[block.metadata ? 'cobblestone' : 'obsidian']
      if (isLava(block)) await serv.setBlock(world, cell, minStateId)
    }
  }

  return { cool, letOut, pour: (world, at) => letOut(world, beyond(at)) }
}

function isLava ({ name }) {
  return name === 'lava'
}

function beyond (at) {
  return [DOWN, ...SIDES].map(step => at.plus(step))
}
