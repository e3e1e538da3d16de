'use strict'
// Coming to an animal, a monster or a player that moves meanwhile.
const { ActionFailure } = require('../failure.cjs')
const { healthOf } = require('../sensing/traits.cjs')
const { until } = require('../waiting.cjs')
const { shoots } = require('../signs.cjs')
const { mobOf } = require('../../vanilla/mobs.cjs')
const { isItem } = require('./drops.cjs')
const { behindShield, underFire } = require('./shield.cjs')
const { walkAfter } = require('./walking.cjs')

const WITHIN = 2.5 // blocks from feet to feet to which it walks
const [REACH, ARMS_LENGTH] = [3, 3.2] // the same from which it strikes, and what goes off if it is nearer than 3; source: minecraft.wiki/w/Melee_attack
const [AWAITED, COMES_MS] = [6, 1500] // from there a monster that strikes comes by itself
const HERE = Symbol('in reach')
const MIDDLE = 0.5 // of its height, where it is struck
const LEFT_BLOCKS = 2 // from where it died to what it left
const LEFT_MS = 500 // between the two

/** A creature or player in view, until it is gone or dead. `release` it. */
class Prey {
  constructor (bot, entity, name, signal) {
    Object.assign(this, { bot, entity, name, words: entity.type === 'player' ? name : `the ${name}` })
    this.reach = REACH
    this.isDead = this.isGone = false
    this.leftAt = this.goneAt = -Infinity // when something fell that may be of it, and when it was gone
    this.over = new AbortController()
    this.signal = AbortSignal.any([signal, this.over.signal])
    this.listeners = {
      entitySpawn: drop => { if (this.mayHaveLeft(drop)) this.leftAt = performance.now() },
      entityDead: entity => { if (entity === this.entity) this.end('isDead') },
      entityGone: entity => { if (entity === this.entity) this.end('isGone') }
    }
    for (const [event, listener] of Object.entries(this.listeners)) bot.on(event, listener)
  }

  end (how) {
    this[how] = true
    this.goneAt = performance.now()
    this.over.abort()
  }

  mayHaveLeft (drop) {
    return isItem(drop) && drop.position.distanceTo(this.entity.position) <= LEFT_BLOCKS
  }

  /** Whether what is no longer there died: the server said so, or it left something. */
  async hasDied (signal) {
    if (this.isDead || healthOf(this.bot.registry, this.entity) === 0) return true
    const hasLeft = () => Math.abs(this.leftAt - this.goneAt) <= LEFT_MS
    const deadlineMs = Math.max(0, this.goneAt + LEFT_MS - performance.now())
    return Boolean(await until(hasLeft, { on: [[this.bot, 'entitySpawn']], signal, deadlineMs }))
  }

  get isThere () {
    return !this.isDead && !this.isGone
  }

  get point () {
    return this.entity.position.clone()
  }

  get distance () {
    return this.bot.entity.position.distanceTo(this.entity.position)
  }

  get isInReach () {
    return this.isThere && this.distance <= this.reach
  }

  /** Come within reach and look at it; false when it is gone or dead by then. Fails: no_path. */
  async comeTo (signal) {
    try {
      while (this.isThere && !this.isInReach) {
        if (!await this.comes()) await underFire(this.bot, this.entity, this.signal, signal => this.walk(signal))
      }
    } catch (error) {
      if (signal.aborted || this.isThere) throw error
    }
    if (this.isThere) await this.look()
    return this.isThere
  }

  /** Whether it came within reach while it was waited for. */
  async comes () {
    if (this.distance > AWAITED || !mobOf(this.entity.name)?.isHostile || shoots(this.entity)) return false
    await this.look()
    const isHere = () => !this.isThere || this.isInReach
    const waits = { on: [[this.bot, 'physicsTick']], signal: this.signal, deadlineMs: COMES_MS }
    return Boolean(await behindShield(this.bot, () => until(isHere, waits)))
  }

  async walk (signal) {
    const here = new AbortController()
    const look = () => { if (this.isInReach) here.abort(HERE) }
    this.bot.on('physicsTick', look)
    try {
      await walkAfter(this.bot, this, WITHIN, AbortSignal.any([signal, here.signal]))
    } catch (error) {
      if (error !== HERE) throw error
    } finally {
      this.bot.removeListener('physicsTick', look)
    }
  }

  async look () {
    await this.bot.lookAt(this.point.offset(0, (this.entity.height ?? 1) * MIDDLE, 0), true)
  }

  release () {
    for (const [event, listener] of Object.entries(this.listeners)) this.bot.removeListener(event, listener)
  }
}

/** Carry out `pursue(prey)` with a creature in view. Fails: not_found. */
async function withPrey (bot, id, signal, pursue) {
  const entity = bot.entities[id]
  const name = mobOf(entity?.name)?.name
  if (!name) throw new ActionFailure('not_found', 'it is not in view')
  return await withEntity(bot, entity, name, signal, pursue)
}

/** The same with a player in view. Fails: unseen_player. */
async function withPlayer (bot, name, signal, pursue) {
  const entity = name === bot.username ? undefined : bot.players[name]?.entity
  if (!entity) throw new ActionFailure('unseen_player', `${name} is not in view`)
  return await withEntity(bot, entity, name, signal, pursue)
}

async function withEntity (bot, entity, name, signal, pursue) {
  const prey = new Prey(bot, entity, name, signal)
  try {
    return await pursue(prey)
  } finally {
    prey.release()
  }
}

module.exports = { ARMS_LENGTH, withPlayer, withPrey }
