'use strict'
// Keep near a player until aborted. Fails: unseen_player.
const { ActionFailure } = require('../failure.cjs')
const { until } = require('../waiting.cjs')
const { reach, withTarget } = require('../acting/pursuit.cjs')

const SLACK = 0.5 // blocks they may go on before it sets off again
const WATCH_MS = 1000
const NO_WAY_MS = 3000 // before a way is looked for again; searching costs every bot time
const NO_WAY = new Set(['no_path', 'unconfirmed'])
const MOVED_ON = 1 // blocks after which there may be a way

module.exports = async function follow (bot, { player, within }, { signal }) {
  return await withTarget(bot, player, signal, async target => {
    for (;;) {
      if (await comesNear(bot, target, within)) await stay(bot, target, within)
      else await waitForMove(bot, target)
    }
  })
}

async function comesNear (bot, target, within) {
  try {
    await reach(bot, target, within)
    return true
  } catch (error) {
    if (error instanceof ActionFailure && NO_WAY.has(error.reason)) return false
    throw error
  }
}

async function stay (bot, target, within) {
  const isGone = () => target.distance > within + SLACK
  while (!await until(isGone, watching(bot, target, WATCH_MS))) {
    await bot.lookAt(target.eyes, true)
  }
}

async function waitForMove (bot, target) {
  const from = target.point
  const hasMoved = () => target.point.distanceTo(from) > MOVED_ON
  await until(hasMoved, watching(bot, target, NO_WAY_MS))
}

function watching (bot, { signal }, deadlineMs) {
  return { on: [[bot, 'physicsTick']], signal, deadlineMs }
}
