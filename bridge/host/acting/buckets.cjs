'use strict'
// Using a bucket on what is looked at.
const { nextEvent, pause } = require('../waiting.cjs')
const { takeInHand } = require('./hand.cjs')
const { differs } = require('./inventory.cjs')

const LOOKED_MS = 150 // until the server knows where the bot looks
const ANSWER_MS = 1500

/** Fill or empty a carried bucket; whether the server changed it. Fails: missing_item. */
async function useBucket (bot, item, point, signal) {
  await takeInHand(bot, item, signal)
  await bot.lookAt(point, true)
  await pause(LOOKED_MS, signal)
  const held = bot.inventory.hotbarStart + bot.quickBarSlot
  const accept = (slot, before, after) => slot === held && differs(before, after)
  const changed = nextEvent(bot.inventory, 'updateSlot', { signal, deadlineMs: ANSWER_MS, accept })
  bot.activateItem()
  bot.deactivateItem()
  return Boolean(await changed)
}

module.exports = { useBucket }
