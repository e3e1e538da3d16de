'use strict'
// Out of lava, straight and jumping: no way is found from within.
const { whereIn } = require('../signs.cjs')
const { until } = require('../waiting.cjs')

const LONGEST_MS = 4000
const EYES = 1.62 // blocks above the feet

/** Go straight at a point until the feet are out of lava; at once where they are in none. */
async function scramble (bot, { x, y, z }, signal) {
  if (!isInLava(bot)) return
  const ahead = bot.entity.position.clone().set(x, y + EYES, z)
  const isOut = () => !isInLava(bot) && bot.entity.onGround
  try {
    await bot.lookAt(ahead, true)
    bot.setControlState('forward', true)
    bot.setControlState('jump', true)
    await until(isOut, { on: [[bot, 'physicsTick']], signal, deadlineMs: LONGEST_MS })
  } finally {
    bot.clearControlStates()
  }
}

function isInLava (bot) {
  return [...whereIn(bot)].includes('lava')
}

module.exports = { isInLava, scramble }
