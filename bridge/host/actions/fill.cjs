'use strict'
// Fill an empty bucket with the liquid at a position. Fails: missing_item, too_far, wrong_block,
// blocked.
const { ActionFailure } = require('../failure.cjs')
const { nextEvent, pause } = require('../waiting.cjs')
const { takeInHand } = require('../acting/hand.cjs')
const { differs } = require('../acting/inventory.cjs')
const { stationInReach } = require('../acting/reach.cjs')

const LIQUID = /^(flowing_)?(water|lava)$/
const SURFACE = 0.85 // of the block
const LOOKED_MS = 150 // until the server knows where the bot looks
const ANSWER_MS = 1500

module.exports = async function fill (bot, { item, position }, { signal }) {
  const block = stationInReach(bot, position, name => LIQUID.test(name), 'water or lava')
  if (block.metadata !== 0) throw new ActionFailure('wrong_block', `the ${block.name} there flows`)
  await takeInHand(bot, item, signal)
  await bot.lookAt(block.position.offset(0.5, SURFACE, 0.5), true)
  await pause(LOOKED_MS, signal)
  const held = bot.inventory.hotbarStart + bot.quickBarSlot
  const accept = (slot, before, after) => slot === held && differs(before, after)
  const filled = nextEvent(bot.inventory, 'updateSlot', { signal, deadlineMs: ANSWER_MS, accept })
  bot.activateItem()
  bot.deactivateItem()
  if (!await filled) throw new ActionFailure('blocked', `the ${item} stays empty`)
  return { block: block.name }
}
