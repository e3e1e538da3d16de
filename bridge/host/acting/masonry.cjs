'use strict'
// Natural blocks that stand like a wall, floor or roof: there is room on both sides of them.
// Somebody may have built that, and who digs leaves it alone.
const { isGrown } = require('./blocks.cjs')
const { load } = require('../packages.cjs')
const { Vec3 } = load('vec3')

const AXES = [
  { step: new Vec3(1, 0, 0), thickest: 2 },
  { step: new Vec3(0, 0, 1), thickest: 2 },
  { step: new Vec3(0, 1, 0), thickest: 1 }
]

/** Answers for each block whether it is part of a wall; each is looked at once, as it stood. */
function wallsAround (bot) {
  const known = new Map()
  return ({ name, position }) => {
    const key = `${position.x},${position.y},${position.z}`
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
    if (isRoom(bot.blockAt(at, false))) return count
    at = at.plus(step)
  }
  return most
}

function isRoom (block) {
  return block?.boundingBox === 'empty'
}

module.exports = { wallsAround }
