'use strict'
// How a bot moves: on foot alone, or through natural ground but no walls, in steps it can climb
// back.
const { groundAt } = require('../ground.cjs')
const { namesOf } = require('../names.cjs')
const { load } = require('../packages.cjs')
const { isNatural } = require('./blocks.cjs')
const { leadUpAndDown } = require('./climbing.cjs')
const { leadThroughDoors } = require('./doors.cjs')
const { heldBackAround } = require('./held_back.cjs')
const { wadeThrough } = require('./heights.cjs')
const { wallsAround } = require('./masonry.cjs')
const { swim } = require('./swimming.cjs')
const { sparing } = require('./zones.cjs')
const { Movements } = load('mineflayer-pathfinder')

const SHUNNED = 1 // what each block of a step costs more near a place to shun: a way around costs less
const SHUNNED_AT = 8 // blocks around it
const FORBIDDEN = 100 // what costs so much is not broken nor entered (mineflayer-pathfinder)
const DROP = 3 // blocks without harm
const STEP = 2 // the pathfinder counts from the block below: one block down

const FULL_HEALTH = 20
const FALL_HEALTH = 5 // what one fall may cost

const known = new WeakMap() // bot -> { walking, falling, digging }
const tables = new Map() // version, and whether it digs -> the tables of its blocks

/** Movements for one walk on foot, rather around places to shun. */
function walkingManners (bot, shunned = []) {
  const { walking } = mannersOf(bot)
  walking.exclusionAreasStep = shunning(shunned)
  return walking
}

/** The same for who takes a fall that hurts; null when it has not the health for it. */
function fallingManners (bot) {
  const toSpare = Math.min(FALL_HEALTH, Math.floor(bot.health - FULL_HEALTH / 2))
  if (toSpare <= 0) return null
  const { falling } = mannersOf(bot)
  falling.maxDropDown = DROP + toSpare
  return falling
}

/** Movements for one walk through the ground, within so many blocks of where it stands; nothing is
 *  broken in the zones it spares, nor what holds something back. */
function diggingManners (bot, within = Infinity, { spared = [], shunned = [] } = {}) {
  const { digging: movements } = mannersOf(bot)
  const isWall = wallsAround(bot) // of this walk: what it digs itself makes no wall of the rest
  const isSpared = sparing(spared)
  const isHoldingBack = heldBackAround(bot)
  const bears = ({ position }) => movements.getNumEntitiesAt(position, 0, 1, 0) > 0
  const isLeft = block =>
    isSpared(block.position) || isWall(block) || isHoldingBack(block) || bears(block)
  movements.exclusionAreasBreak = [block => isLeft(block) ? FORBIDDEN : 0]
  const here = bot.entity.position.clone()
  const isFar = ({ position }) => position.distanceTo(here) > within
  movements.exclusionAreasStep = within < Infinity ? [block => isFar(block) ? FORBIDDEN : 0] : shunning(shunned)
  return movements
}

/** Which of the places to shun matter for a way: none around its ends. */
function onTheWay (shunned, start, end) {
  return shunned.filter(place => [start, end].every(one => one.distanceTo(place) > SHUNNED_AT))
}

function shunning (places) {
  if (places.length === 0) return []
  return [({ position }) => places.some(place => position.distanceTo(place) <= SHUNNED_AT) ? SHUNNED : 0]
}

function mannersOf (bot) {
  if (!known.has(bot)) known.set(bot, { walking: walking(bot), falling: walking(bot), digging: digging(bot) })
  return known.get(bot)
}

function walking (bot) {
  const movements = new Movements(bot)
  movements.canDig = false
  movements.allow1by1towers = false
  movements.scafoldingBlocks = []
  // the search asks it for blocks, and for all else as ever
  movements.bot = Object.create(bot, { blockAt: { value: point => groundAt(bot, point) } })
  movements.maxDropDown = DROP
  avoidCorners(movements)
  spareFields(movements)
  wadeThrough(movements)
  swim(movements)
  leadUpAndDown(movements)
  leadThroughDoors(movements)
  return withSharedTables(movements, `${bot.version} on foot`)
}

// Expected: bots of a version have one table of which blocks are solid, liquid and so on. Actual
// (2.4.5): each of its movements makes its own, 20 kB. Remove when they share them.
function withSharedTables (movements, key) {
  if (!tables.has(key)) tables.set(key, Object.entries(movements).filter(([, table]) => table instanceof Set))
  return Object.assign(movements, Object.fromEntries(tables.get(key)))
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

/** Whoever comes down on farmland from half a block or more may trample it, with what grows there;
 *  who walks or steps up on it does not. Source: minecraft.wiki/w/Farmland. */
function spareFields (movements) {
  const isField = move => movements.getBlock(move, 0, -1, 0).name === 'farmland'
  const fallsOn = (move, from) => move.y < from.y && isField(move)
  const leaveOut = (isBad, name) => {
    const ways = movements[name]
    movements[name] = (node, dir, neighbors) => {
      const moves = []
      ways.call(movements, node, dir, moves)
      neighbors.push(...moves.filter(move => !isBad(move, node)))
    }
  }
  leaveOut(fallsOn, 'getMoveDropDown')
  leaveOut(fallsOn, 'getMoveDiagonal')
  leaveOut(isField, 'getMoveParkourForward')
}

function digging (bot) {
  const movements = walking(bot)
  movements.canDig = true
  movements.dontMineUnderFallingBlock = false // held_back.cjs judges what falls
  movements.maxDropDown = STEP
  const { getMoveDown } = movements // nobody climbs out of a shaft, unless by a ladder
  movements.getMoveDown = (node, neighbors) => {
    if (movements.getBlock(node, 0, -1, 0).climbable) getMoveDown(node, neighbors)
  }
  movements.blocksCantBreak = new Set(movements.blocksCantBreak)
  const names = namesOf(bot.registry)
  for (const { id, defaultState } of bot.registry.blocksArray) {
    if (!isNatural(names.blockOf(defaultState).name)) movements.blocksCantBreak.add(id)
  }
  return withSharedTables(movements, `${bot.version} digging`)
}

module.exports = { diggingManners, fallingManners, onTheWay, walkingManners }
