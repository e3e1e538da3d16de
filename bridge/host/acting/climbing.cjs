'use strict'
// Ladders, vines and scaffolding: where a search leads up and down them, and the keys that climb.
const { groundAt, isClimbable } = require('../ground.cjs')
const { load } = require('../packages.cjs')
const { cellOf } = require('./doors.cjs')
const Move = load('mineflayer-pathfinder/lib/move')

const OFF = 0.35 // blocks from the middle at which the pathfinder takes a node as reached
const LEVEL = 0.01 // blocks by which feet may be lower than the floor they stand on
const ONTO = 2 // what stepping over an edge onto something to climb costs

/** Let a search lead up and down all that is climbed. */
function leadUpAndDown (movements) {
  for (const { id, name } of movements.bot.registry.blocksArray) {
    if (isClimbable(name)) movements.climbables.add(id)
  }
  climbDown(movements)
  stepOnto(movements)
}

// Expected: a ladder leads down as it leads up. Actual (2.4.5): only three blocks, by falling.
// Remove when it is climbed down.
function climbDown (movements) {
  const { getMoveDown } = movements
  movements.getMoveDown = (node, neighbors) => {
    const below = movements.getBlock(node, 0, -1, 0)
    if (!below.climbable) return getMoveDown.call(movements, node, neighbors)
    neighbors.push(new Move(node.x, node.y - 1, node.z, node.remainingBlocks, 1))
  }
}

// Expected: over an edge one gets onto the vines below it. Actual (2.4.5): one falls past them.
// Remove when a way leads onto them.
function stepOnto (movements) {
  const { getMoveDropDown } = movements
  movements.getMoveDropDown = (node, dir, neighbors) => {
    const [head, feet, below] = [1, 0, -1].map(dy => movements.getBlock(node, dir.x, dy, dir.z))
    if (!below.climbable || below.physical) return getMoveDropDown.call(movements, node, dir, neighbors)
    if (!head.safe || !feet.safe) return
    neighbors.push(new Move(node.x + dir.x, node.y - 1, node.z + dir.z, node.remainingBlocks, ONTO))
  }
}

/** Hold the keys for the next step of a way, where the body hangs on something to climb. */
function climb (bot, path) {
  const [next] = path
  sink(bot, next)
  const here = groundAt(bot, bot.entity.position)
  if (!next || !here || !isClimbable(here.name) || here.name === 'ladder') return
  const { x, y, z } = bot.entity.position
  const cell = cellOf(next)
  const isAside = Math.max(Math.abs(cell.x + 0.5 - x), Math.abs(cell.z + 0.5 - z)) > OFF
  bot.setControlState('sprint', false)
  bot.setControlState('jump', cell.y > y - 0.01 && !(isAside && bot.entity.onGround && cell.y <= y))
  bot.setControlState('forward', isAside)
}

/** Sneak where the next step leads down through scaffolding. */
function sink (bot, next) {
  const cell = next && cellOf(next)
  const leadsDown = Boolean(cell) && cell.y < Math.floor(bot.entity.position.y + LEVEL)
  const isSinking = leadsDown && groundAt(bot, cell)?.name === 'scaffolding'
  if (isSinking !== bot.getControlState('sneak')) bot.setControlState('sneak', isSinking)
}

module.exports = { climb, leadUpAndDown }
