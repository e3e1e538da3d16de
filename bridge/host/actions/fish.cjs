'use strict'
// Cast a rod at open water, wait for a bite, reel in. Fails: missing_item, too_far, wrong_block,
// blocked (the bobber does not come down on water, or nothing bites).
const { ActionFailure } = require('../failure.cjs')
const { pause, until } = require('../waiting.cjs')
const { takeInHand } = require('../acting/hand.cjs')
const { carriedRange, tally } = require('../acting/inventory.cjs')
const { vector } = require('../acting/reach.cjs')
const { bite, castLine, isAfloat, useRod } = require('../acting/bobber.cjs')

const CAST = 8 // blocks from the feet to the middle of the water: so far a throw is nearly straight
const SURFACE = 0.9 // of the block
const LOOKED_MS = 150 // until the server knows where the bot looks
const BITE_MS = 75_000 // in vanilla 35 s, and twice that without sky
const COMING_MS = 3000 // until what was caught is here

module.exports = async function fish (bot, { item, position }, { signal }) {
  const at = waterAt(bot, position)
  await takeInHand(bot, item, signal)
  await bot.lookAt(at, true)
  await pause(LOOKED_MS, signal)
  const before = carried(bot)
  await hook(bot, item, signal)
  const caught = () => gains(before, carried(bot))
  await until(() => Object.keys(caught()).length > 0, { on: [[bot.inventory, 'updateSlot']], signal, deadlineMs: COMING_MS })
  return { caught: caught() }
}

/** Where to aim. */
function waterAt (bot, position) {
  const block = bot.blockAt(vector(position).floored())
  if (!/^(flowing_)?water$/.test(block?.name)) throw new ActionFailure('wrong_block', `at ${vector(position)} is no water`)
  const at = block.position.offset(0.5, SURFACE, 0.5)
  const distance = bot.entity.position.distanceTo(at)
  if (distance > CAST) throw new ActionFailure('too_far', `the water is ${distance.toFixed(1)} blocks away, a cast is ${CAST}`)
  return at
}

/** Have the line out until something bites; it is reeled in whatever happens. */
async function hook (bot, item, signal) {
  const bobber = await castLine(bot, signal)
  if (!bobber) throw new ActionFailure('blocked', `nothing came of the ${item}`)
  try {
    if (!await isAfloat(bot, bobber, signal)) throw new ActionFailure('blocked', 'the bobber lies on no water')
    if (!await bite(bot, bobber, { signal, deadlineMs: BITE_MS })) throw new ActionFailure('blocked', 'nothing bites')
  } finally {
    if (bot.entities[bobber.id] === bobber && bot.heldItem?.name === item) useRod(bot)
  }
}

function carried (bot) {
  return tally(bot.inventory, carriedRange(bot.inventory))
}

/** What there is more of; the rod may have been worn out meanwhile. */
function gains (before, after) {
  const rows = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)])
  return Object.fromEntries(rows.filter(([, gain]) => gain > 0))
}
