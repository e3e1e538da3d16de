'use strict'
// Walking after a player who moves meanwhile.
const { ActionFailure } = require('../failure.cjs')
const { arrive } = require('./arriving.cjs')
const { until } = require('../waiting.cjs')
const { walkAfter } = require('./walking.cjs')

const LOST_MS = 10_000 // out of view for longer = gone
const EYES = 1.62 // blocks above the feet

/** A player kept in view: where they were seen last, and a signal that is aborted when they are
 *  lost (`unseen_player`) or the action ends. `release` it. Fails: unseen_player. */
class Target {
  constructor (bot, name, signal) {
    this.bot = bot
    this.name = name
    this.lost = new AbortController()
    this.signal = AbortSignal.any([signal, this.lost.signal])
    this.look = () => this.see()
    this.see()
    if (!this.isInView) throw this.unseen()
    bot.on('physicsTick', this.look)
  }

  see () {
    const player = this.name === this.bot.username ? undefined : this.bot.players[this.name]
    this.isInView = Boolean(player?.entity)
    if (this.isInView) {
      this.point = player.entity.position.clone()
      this.seenAt = performance.now()
    } else if (!player || performance.now() - this.seenAt > LOST_MS) {
      this.lost.abort(this.unseen())
    }
  }

  get distance () {
    return this.bot.entity.position.distanceTo(this.point)
  }

  get eyes () {
    return this.point.offset(0, EYES, 0)
  }

  unseen () {
    return new ActionFailure('unseen_player', `${this.name} is not in view`)
  }

  release () {
    this.bot.removeListener('physicsTick', this.look)
  }
}

/** Carry out `pursue(target)` with a player in view. Fails: unseen_player. */
async function withTarget (bot, name, signal, pursue) {
  const target = new Target(bot, name, signal)
  try {
    return await pursue(target)
  } finally {
    target.release()
  }
}

/** Walk until a target in view is within some blocks. Fails: unseen_player, no_path, unconfirmed. */
async function reach (bot, target, within) {
  await arrive(bot, target.signal, () => comeNear(bot, target, within))
  await bot.lookAt(target.eyes, true)
}

async function comeNear (bot, target, within) {
  const on = [[bot, 'physicsTick']]
  while (!(target.isInView && target.distance <= within)) {
    if (target.distance > within) await walkAfter(bot, target, within, target.signal)
    else await until(() => target.isInView, { on, signal: target.signal, deadlineMs: LOST_MS * 2 })
  }
}

module.exports = { reach, withTarget }
