'use strict'
// Doors and gates that open by hand: what the search for a path makes of them, and the hand that
// opens each one on the way and closes it behind.
const { load } = require('../packages.cjs')
const { Vec3 } = load('vec3')

const BY_HAND = /^(?!iron_)(\w+_)?(door|fence_gate)$/
const OPENING = 2 // blocks of way it costs
const NEAR = 3 // blocks: from there on a door ahead is opened
const IN_REACH = 4 // blocks from the feet to a door's middle
const AGAIN_MS = 1000 // for the server to turn it; then it is tried again
const TRIES = 3
const BESIDE = 0.8 // blocks from the middle: half a door and half a body

function isDoor ({ name }) {
  return BY_HAND.test(name)
}

function isOpen (door) {
  return String(door.getProperties().open) === 'true'
}

/** The lower half of the door in a cell, or null. Up to 1.12 the upper one does not know which way
 *  it faces. */
function doorIn (bot, cell) {
  const block = bot.blockAt(cell, false)
  if (!block || !isDoor(block)) return null
  const isUpper = block.getProperties().half === 'upper'
  return isUpper ? doorIn(bot, cell.offset(0, -1, 0)) : block
}

/** Let a search lead through doors, straight and one step at a time. */
function leadThroughDoors (movements) {
  const { bot, getBlock, getNeighbors } = movements
  const doors = new Set(bot.registry.blocksArray.filter(isDoor).map(({ id }) => id))
  let met = false // any door, by the search for the next steps
  movements.getBlock = (pos, dx, dy, dz) => {
    const block = getBlock.call(movements, pos, dx, dy, dz)
    if (!doors.has(block.type)) return block
    met = true
    return Object.assign(block, { safe: true, physical: false, height: pos.y + dy })
  }
  movements.getNeighbors = node => {
    met = false
    const moves = getNeighbors.call(movements, node)
    return met ? moves.filter(move => isStraight(bot, node, move)) : moves
  }
}

function isStraight (bot, node, move) {
  const [from, to] = [cellOf(node), cellOf(move)]
  for (const cell of [from, to]) {
    const door = doorIn(bot, cell)
    if (door && !leadsThrough(door, to.x - from.x, to.z - from.z)) return false
    if (door && cell === to && !isOpen(door)) move.cost += OPENING
  }
  return true
}

function leadsThrough (door, dx, dz) {
  const alongZ = /north|south/.test(door.getProperties().facing)
  return alongZ ? dx === 0 && Math.abs(dz) === 1 : dz === 0 && Math.abs(dx) === 1
}

const doormen = new WeakMap() // bot -> Doorman

/** Who opens a bot's doors; a door left open by one walk is closed by the next. */
function doormanOf (bot) {
  if (!doormen.has(bot)) doormen.set(bot, new Doorman(bot))
  return doormen.get(bot)
}

class Doorman {
  constructor (bot) {
    this.bot = bot
    this.used = new Map() // cell -> {position of the lower half, times, at}: those it opened
  }

  /** Look after the doors around; whether the way is barred for now. */
  attend (path) {
    const ahead = path.slice(0, 2).map(node => doorIn(this.bot, cellOf(node)))
    this.closeBehind(ahead)
    const [next, after] = ahead.map(door => door && !isOpen(door) ? door : null)
    const shut = next ?? after
    if (shut && this.distanceTo(shut.position) <= NEAR) this.open(shut)
    return Boolean(next)
  }

  /** Whether a door did not open, however often it was tried; then it is forgotten. */
  isLockedOut () {
    for (const [key, { position, times, at }] of this.used) {
      const door = doorIn(this.bot, position)
      if (times < TRIES || Date.now() - at < AGAIN_MS || !door || isOpen(door)) continue
      this.used.delete(key)
      return true
    }
    return false
  }

  open ({ position }) {
    const key = String(position)
    const { times, at } = this.used.get(key) ?? { times: 0, at: 0 }
    if (times >= TRIES || Date.now() - at < AGAIN_MS) return
    this.used.set(key, { position, times: times + 1, at: Date.now() })
    this.use(position)
  }

  /** Close what was opened and is neither stood in nor next on the way. */
  closeBehind (ahead = []) {
    for (const [key, { position, at }] of this.used) {
      const door = doorIn(this.bot, position)
      const isTurning = door && !isOpen(door) && Date.now() - at < AGAIN_MS
      if (isTurning || this.isIn(position) || ahead.some(other => other?.position.equals(position))) continue
      this.used.delete(key)
      if (door && isOpen(door) && this.distanceTo(position) <= IN_REACH) this.use(position)
    }
  }

  isIn (position) {
    const { x, z } = this.bot.entity.position
    return Math.max(Math.abs(x - position.x - 0.5), Math.abs(z - position.z - 0.5)) < BESIDE
  }

  distanceTo (position) {
    return this.bot.entity.position.distanceTo(position.offset(0.5, 0, 0.5))
  }

  use (position) {
    this.bot.lookAt(position.offset(0.5, 0.5, 0.5), true).catch(() => {})
    this.bot.activateBlock(this.bot.blockAt(position)).catch(() => {})
  }
}

/** The cell of a path's node, whatever point in or above it the body aims at. */
function cellOf ({ hash }) {
  return new Vec3(...hash.split(',').map(Number))
}

module.exports = { cellOf, doorIn, doormanOf, leadThroughDoors }
