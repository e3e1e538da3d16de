'use strict'
// How a bot moves: on foot alone, or through natural ground, in steps it can climb back.
const { load } = require('../packages.cjs')
const { isNatural } = require('./blocks.cjs')
const { Movements } = load('mineflayer-pathfinder')

const DROP = 3 // blocks without harm
const STEP = 2 // the pathfinder counts from the block below: one block down

const known = new WeakMap() // bot -> { walking, digging }

function manners (bot, mayDig) {
  if (!known.has(bot)) known.set(bot, { walking: walking(bot), digging: digging(bot) })
  return known.get(bot)[mayDig ? 'digging' : 'walking']
}

function walking (bot) {
  const movements = new Movements(bot)
  movements.canDig = false
  movements.allow1by1towers = false
  movements.scafoldingBlocks = []
  movements.maxDropDown = DROP
  return movements
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
