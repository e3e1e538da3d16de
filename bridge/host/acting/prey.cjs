'use strict'
// Coming to an animal or a monster that moves meanwhile.
const { ActionFailure } = require('../failure.cjs')
const { mobOf } = require('../../vanilla/mobs.cjs')
const { walkAfter } = require('./walking.cjs')

const WITHIN = 2.5 // blocks from feet to feet
const MIDDLE = 0.5 // of its height, where it is struck

/** A creature in view, until it is gone or dead. `release` it. Fails: not_found. */
class Prey {
  constructor (bot, id, signal) {
    this.bot = bot
    this.entity = bot.entities[id]
    this.name = mobOf(this.entity?.name)?.name
    if (!this.name) throw new ActionFailure('not_found', 'it is not in view')
    this.isDead = this.isGone = false
    this.over = new AbortController()
    this.signal = AbortSignal.any([signal, this.over.signal])
    this.listeners = {
      entityDead: entity => { if (entity === this.entity) this.end('isDead') },
      entityGone: entity => { if (entity === this.entity) this.end('isGone') }
    }
    for (const [event, listener] of Object.entries(this.listeners)) bot.on(event, listener)
  }

  end (how) {
    this[how] = true
    this.over.abort()
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

  /** Walk until it is within reach and look at it; false when it is gone or dead by then.
   *  Fails: no_path. */
  async comeTo (signal) {
    try {
      while (this.isThere && this.distance > WITHIN) await walkAfter(this.bot, this, WITHIN, this.signal)
    } catch (error) {
      if (signal.aborted || this.isThere) throw error
    }
    if (this.isThere) await this.bot.lookAt(this.point.offset(0, (this.entity.height ?? 1) * MIDDLE, 0), true)
    return this.isThere
  }

  release () {
    for (const [event, listener] of Object.entries(this.listeners)) this.bot.removeListener(event, listener)
  }
}

/** Carry out `pursue(prey)` with a creature in view. Fails: not_found. */
async function withPrey (bot, id, signal, pursue) {
  const prey = new Prey(bot, id, signal)
  try {
    return await pursue(prey)
  } finally {
    prey.release()
  }
}

module.exports = { withPrey }
