'use strict'
// What a bot can touch from where it stands.
const { load } = require('../packages.cjs')
const { ActionFailure } = require('../failure.cjs')
const { Vec3 } = load('vec3')

const REACH = 4.5 // blocks from the eye, in survival; source: minecraft.wiki/w/Reach

function vector ([x, y, z]) {
  return new Vec3(x, y, z)
}

/** The block in reach at a wire position. Fails: too_far. */
function blockInReach (bot, position) {
  const cell = vector(position).floored()
  const distance = distanceToCell(bot, cell)
  const block = bot.blockAt(cell)
  if (block && distance <= REACH) return block
  const text = `${cell} is ${distance.toFixed(1)} blocks away, the reach is ${REACH}`
  throw new ActionFailure('too_far', text)
}

/** The block in reach if it is one of these. Fails: too_far, wrong_block. */
function stationInReach (bot, position, isOne, what) {
  const block = blockInReach(bot, position)
  if (isOne(block.name)) return block
  throw new ActionFailure('wrong_block', `at ${block.position} is ${block.name}, not ${what}`)
}

/** Whether a bot could touch a block with its feet somewhere else. */
function isInReachFrom (bot, feet, cell) {
  return distanceToCell(bot, cell, feet) <= REACH
}

function distanceToCell (bot, cell, feet = bot.entity.position) {
  const eye = feet.offset(0, bot.entity.eyeHeight ?? 1.62, 0)
  const nearest = new Vec3(
    clamp(eye.x, cell.x, cell.x + 1), clamp(eye.y, cell.y, cell.y + 1), clamp(eye.z, cell.z, cell.z + 1))
  return eye.distanceTo(nearest)
}

function clamp (value, low, high) {
  return Math.min(Math.max(value, low), high)
}

module.exports = { blockInReach, isInReachFrom, stationInReach, vector }
