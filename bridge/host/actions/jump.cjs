'use strict'
// Jump on the spot. Fails: blocked (no room overhead, or no ground under the feet).
const { ActionFailure } = require('../failure.cjs')
const { until } = require('../waiting.cjs')

const HOPS_MS = 1500 // up and down takes 0.6 s
const HIGHER = 0.4 // blocks: what a free head gains is 1.25

module.exports = async function jump (bot, { times }, { signal, progress }) {
  for (let done = 0; done < times; done++) {
    await hop(bot, signal)
    progress(done + 1, times)
  }
  return { times }
}

async function hop (bot, signal) {
  const on = [[bot, 'physicsTick']]
  const floor = bot.entity.position.y
  bot.setControlState('jump', true)
  try {
    const isUp = await until(() => bot.entity.position.y >= floor + HIGHER, { on, signal, deadlineMs: HOPS_MS })
    if (!isUp) throw new ActionFailure('blocked', 'there is no room to jump')
  } finally {
    bot.setControlState('jump', false)
  }
  await until(() => bot.entity.onGround, { on, signal, deadlineMs: HOPS_MS })
}
