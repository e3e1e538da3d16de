'use strict'
// Throw items forward, and if wanted see who picks them up. Fails: missing_item.
const { OUTSIDE, pourAll } = require('../acting/clicking.cjs')
const { amount, count, openWindow, stacks } = require('../acting/inventory.cjs')
const { watchPickups } = require('../acting/pickups.cjs')
const { until } = require('../waiting.cjs')

module.exports = async function toss (bot, { item, count: number, watch_s: watchS }, { signal }) {
  const wanted = amount(number, count(bot, item), item)
  if (!watchS) return { tossed: await throwOut(bot, item, wanted, signal) }
  const pickups = watchPickups(bot, item)
  try {
    const tossed = await throwOut(bot, item, wanted, signal)
    const allTaken = () => pickups.count() >= tossed
    await until(allTaken, { on: pickups.on, signal, deadlineMs: watchS * 1000 })
    return { tossed, taken: pickups.taken, unsure: [...pickups.unsure] }
  } finally {
    pickups.end()
  }
}

function throwOut (bot, item, wanted, signal) {
  return pourAll(bot, openWindow(bot), () => stacks(bot, item)[0], () => OUTSIDE, wanted, signal)
}
