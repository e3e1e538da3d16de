'use strict'
// Throw items forward, and if wanted see who picks them up. Fails: missing_item, unconfirmed.
const { ActionFailure } = require('../failure.cjs')
const { OUTSIDE, pourAll } = require('../acting/clicking.cjs')
const { amount, count, openWindow, stacks } = require('../acting/inventory.cjs')
const { watchPickups } = require('../acting/pickups.cjs')
const { until } = require('../waiting.cjs')

const HANDED_ON_MS = 8000 // until who got it by mistake has given it to whom it was for

module.exports = async function toss (bot, { item, count: number, watch_s: watchS, to }, { signal }) {
  const wanted = amount(number, count(bot, item), item)
  if (!watchS) return { tossed: await throwOut(bot, item, wanted, signal) }
  const pickups = watchPickups(bot, item)
  try {
    const tossed = await throwOut(bot, item, wanted, signal)
    const { taken } = pickups
    const allTaken = () => (to ? taken[to] ?? 0 : pickups.count()) >= tossed
    await until(allTaken, { on: pickups.on, signal, deadlineMs: watchS * 1000 })
    const isElsewhere = Object.keys(taken).some(name => name !== to)
    if (isElsewhere) await until(allTaken, { on: pickups.on, signal, deadlineMs: HANDED_ON_MS })
    return { tossed, taken: pickups.taken, unsure: [...pickups.unsure] }
  } finally {
    pickups.end()
  }
}

async function throwOut (bot, item, wanted, signal) {
  const before = count(bot, item)
  await pourAll(bot, openWindow(bot), () => stacks(bot, item)[0], () => OUTSIDE, wanted, signal)
  const tossed = before - count(bot, item)
  if (tossed > 0) return tossed
  throw new ActionFailure('unconfirmed', `the server took no ${item} from me`)
}
