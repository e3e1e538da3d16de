'use strict'
// Natural blocks that stand like a wall, floor or roof: there is room on both sides of them.
// Somebody may have built that, and who digs leaves it alone. Room that a bot dug itself is none:
// what is left between two of its tunnels was not built.
const { isGrown } = require('./blocks.cjs')
const { load } = require('../packages.cjs')
const { Vec3 } = load('vec3')

const AXES = [
  { step: new Vec3(1, 0, 0), thickest: 2 },
  { step: new Vec3(0, 0, 1), thickest: 2 },
  { step: new Vec3(0, 1, 0), thickest: 1 }
]

const MOST_DUG = 8192 // blocks: the oldest is forgotten first

/** Mineflayer's plugin: keeps `bot.dug`, the keys of blocks that the bot broke in this world. */
function masonry (bot) {
  bot.dug = new Set()
  // 'diggingCompleted' is not to be relied on: mineflayer takes all listeners of it away at a death,
  // and the pathfinder when a walk ends while it digs.
  const { dig } = bot
  bot.dig = async (block, ...how) => {
    await dig(block, ...how)
    bot.dug.add(keyOf(block.position))
    if (bot.dug.size > MOST_DUG) bot.dug.delete(bot.dug.values().next().value)
  }
  bot.on('respawn', () => bot.dug.clear())
}

function keyOf ({ x, y, z }) {
  return `${x},${y},${z}`
}

/** Answers for each block whether it is part of a wall; each is looked at once, as it stood. */
function wallsAround (bot) {
  const known = new Map()
  return ({ name, position }) => {
    const key = keyOf(position)
    if (!known.has(key)) known.set(key, !isGrown(name) && isWall(bot, position))
    return known.get(key)
  }
}

function isWall (bot, position) {
  return AXES.some(axis => isThin(bot, position, axis))
}

function isThin (bot, position, { step, thickest }) {
  const ahead = solidFrom(bot, position, step, thickest)
  return ahead + solidFrom(bot, position, step.scaled(-1), thickest) + 1 <= thickest
}

/** How many blocks stand in a row from a position on, not counting its own; `most` is enough. */
function solidFrom (bot, position, step, most) {
  let at = position.plus(step)
  for (let count = 0; count < most; count++) {
    if (isRoom(bot, at)) return count
    at = at.plus(step)
  }
  return most
}

function isRoom (bot, at) {
  return bot.blockAt(at, false)?.boundingBox === 'empty' && !bot.dug.has(keyOf(at))
}

module.exports = { masonry, wallsAround }
