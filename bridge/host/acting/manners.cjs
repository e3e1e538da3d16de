'use strict'
// How a bot moves: on foot alone, or through natural ground but no walls, in steps it can climb
// back.
const { load } = require('../packages.cjs')
const { isNatural } = require('./blocks.cjs')
const { wallsAround } = require('./masonry.cjs')
const { Movements } = load('mineflayer-pathfinder')

const FORBIDDEN = 100 // what costs so much is not broken nor entered (mineflayer-pathfinder)
const DROP = 3 // blocks without harm
const STEP = 2 // the pathfinder counts from the block below: one block down

const known = new WeakMap() // bot -> { walking, digging }

/** Movements for one walk; who digs stays within so many blocks of where it stands. */
function manners (bot, mayDig, within = Infinity) {
  if (!known.has(bot)) known.set(bot, { walking: walking(bot), digging: digging(bot) })
  if (!mayDig) return known.get(bot).walking
  const { digging: movements } = known.get(bot)
  const isWall = wallsAround(bot) // of this walk: what it digs itself makes no wall of the rest
  movements.exclusionAreasBreak = [block => isWall(block) ? FORBIDDEN : 0]
  const here = bot.entity.position.clone()
  const isFar = ({ position }) => position.distanceTo(here) > within
  movements.exclusionAreasStep = within < Infinity ? [block => isFar(block) ? FORBIDDEN : 0] : []
  return movements
}

function walking (bot) {
  const movements = new Movements(bot)
  movements.canDig = false
  movements.allow1by1towers = false
  movements.scafoldingBlocks = []
  movements.maxDropDown = DROP
  avoidCorners(movements)
  return movements
}

// Expected: a body that jumps up diagonally gets there when one of the corners is free. Actual
// (2.4.5): it catches on the other and is stuck. Remove when such a jump leads up.
function avoidCorners (movements) {
  const ways = movements.getMoveDiagonal
  movements.getMoveDiagonal = (node, dir, neighbors) => {
    const moves = []
    ways.call(movements, node, dir, moves)
    neighbors.push(...moves.filter(move => move.y <= node.y))
  }
}

function digging (bot) {
  const movements = walking(bot)
  movements.canDig = true
  movements.maxDropDown = STEP
  movements.getMoveDown = () => {} // nobody climbs out of a shaft
  for (const { id, name } of bot.registry.blocksArray) {
    if (!isNatural(name)) movements.blocksCantBreak.add(id)
  }
  return movements
}

module.exports = { manners }
