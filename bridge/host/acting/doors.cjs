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
    if (!door) continue
    const open = isWantedOpen(door, from, to)
    if (open === null) return false
    if (cell === to && isOpen(door) !== open) move.cost += OPENING
  }
  return true
}

/** Whether a door has to be open for a step: along the way it leads, yes; across it, no, for then
 *  it stands in the way as it is open. A gate is gone through open alone. Null for a step that
 *  leads through no door: one that is not straight. */
function isWantedOpen (door, from, to) {
  const [dx, dz] = [Math.abs(to.x - from.x), Math.abs(to.z - from.z)]
  if (dx + dz !== 1) return null
  const alongZ = /north|south/.test(door.getProperties().facing)
  return door.name.endsWith('gate') || alongZ === (dz === 1)
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
    this.used = new Map() // cell -> {position of the lower half, open, times, at}: those it turned
  }

  /** Look after the doors around; whether the way is barred for now. */
  attend (path) {
    const ahead = path.slice(0, 2).map(node => doorIn(this.bot, cellOf(node)))
    this.closeBehind(ahead)
    const [next, after] = this.steps(path).map(([from, to]) => this.barrierOf(from, to))
    const bar = next ?? after
    if (bar && this.distanceTo(bar.door.position) <= NEAR) this.turn(bar.door, bar.open)
    return Boolean(next)
  }

  /** The next two steps of a way, each from a cell to a cell. */
  steps (path) {
    const cells = [this.bot.entity.position.floored(), ...path.slice(0, 2).map(cellOf)]
    return cells.slice(1).map((cell, i) => [cells[i], cell])
  }

  /** The door that has to be turned for a step, and how; null where none has. */
  barrierOf (from, to) {
    for (const cell of [from, to]) {
      const door = doorIn(this.bot, cell)
      const open = door && (isWantedOpen(door, from, to) ?? (cell === to ? true : null))
      if (door && open !== null && isOpen(door) !== open) return { door, open }
    }
    return null
  }

  /** Whether a door did not turn, however often it was tried; then it is forgotten. */
  isLockedOut () {
    for (const [key, { position, open, times, at }] of this.used) {
      const door = doorIn(this.bot, position)
      if (times < TRIES || performance.now() - at < AGAIN_MS || !door || isOpen(door) === open) continue
      this.used.delete(key)
      return true
    }
    return false
  }

  turn ({ position }, open) {
    const key = String(position)
    const { times, at } = this.used.get(key) ?? { times: 0, at: 0 }
    if (times >= TRIES || performance.now() - at < AGAIN_MS) return
    this.used.set(key, { position, open, times: times + 1, at: performance.now() })
    this.use(position)
  }

  /** Close what was opened and is neither stood in nor next on the way. */
  closeBehind (ahead = []) {
    for (const [key, { position, open, at }] of this.used) {
      const door = doorIn(this.bot, position)
      const isTurning = door && isOpen(door) !== open && performance.now() - at < AGAIN_MS
      if (isTurning || this.isIn(position) || ahead.some(other => other?.position.equals(position))) continue
      this.used.delete(key)
      if (door && open && isOpen(door) && this.distanceTo(position) <= IN_REACH) this.use(position)
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
