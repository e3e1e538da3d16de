'use strict'
// The world as walking needs it: which block is where, and not its light, its biome and what it holds.
const { load } = require('./packages.cjs')
const { Vec3 } = load('vec3')

const EDGE = 1e-4 // blocks
const BELOW = 0.1
const GRID = 2 ** 20 // parts of a block
const CLIMBED_AS_VINES = /^(twisting|weeping|cave)_vines(_plant)?$/

const kinds = new Map() // version -> state -> a block of that state

/** The block at a point, as `bot.blockAt` tells it but for light, biome and content; null where
 *  nothing is loaded.
 *
 *  expected: looking at a block costs little. actual (prismarine-block 1.23): each look builds one
 *  whole, and a bot that walks looks at thousands a second: a quarter of what it computes. remove
 *  when: what blocks of a state share is built once. */
function groundAt ({ version, registry, world }, point) {
  const column = world.getColumnAt(point)
  if (!column) return null
  const position = point.floored()
  const { x, y, z } = position
  const state = column.getBlockStateId(new Vec3(x & 15, y, z & 15))
  return Object.assign(Object.create(kindOf(version, registry, state)), { position })
}

function kindOf (version, registry, state) {
  if (!kinds.has(version)) kinds.set(version, { Block: load('prismarine-block')(registry), known: new Map() })
  const { Block, known } = kinds.get(version)
  if (!known.has(state)) known.set(state, Block.fromStateId(state, 0))
  return known.get(state)
}

/** Mineflayer's plugin: a bot's steps are computed on it. */
function ground (bot) {
  const { physics } = bot
  const compute = physics.simulatePlayer
  physics.playerHalfWidth = onGrid(physics.playerHalfWidth)
  physics.simulatePlayer = state => {
    for (const axis of ['x', 'z']) state.pos[axis] = onGrid(state.pos[axis])
    const isSinking = state.control.sneak && isOnScaffolding(bot, state.pos)
    if (isSinking) state.control = { ...state.control, sneak: false } // which holds on to all that is climbed
    return compute(state, { getBlock: point => metBy(bot, state, groundAt(bot, point), isSinking) })
  }
}

// Expected: walls hold.
// Actual (prismarine-physics 1.11): 2 + 0.3 - 0.3 is less than 2. A body that touches such a wall
// counts as in it, and the next push takes it through. On a grid of dyadic parts sums are exact.
// Remove when boxes meet with a tolerance, as in vanilla.
function onGrid (blocks) {
  return Math.round(blocks * GRID) / GRID
}

function isOnScaffolding (bot, feet) {
  return [0, -BELOW].some(dy => groundAt(bot, feet.offset(0, dy, 0))?.name === 'scaffolding')
}

// Expected: all vines are climbed, and scaffolding is gone through from below and from beside, and
// down by who sneaks.
// Actual (prismarine-physics 1.10): only those of the overworld are, and scaffolding is a wall.
// Remove when steps are computed with them.
function metBy ({ registry }, { pos }, block, isSinking) {
  if (!block || !isClimbable(block.name)) return block
  if (block.name === 'scaffolding') {
    const isOnTop = !isSinking && pos.y >= block.position.y + 1 - EDGE
    return isOnTop ? block : withShapes(block, [])
  }
  return CLIMBED_AS_VINES.test(block.name) ? Object.assign(block, { type: registry.blocksByName.vine.id }) : block
}

function withShapes (block, shapes) {
  return Object.defineProperty(block, 'shapes', { value: shapes })
}

function isClimbable (name) {
  return name === 'ladder' || name === 'vine' || name === 'scaffolding' || CLIMBED_AS_VINES.test(name)
}

module.exports = { ground, groundAt, isClimbable }
