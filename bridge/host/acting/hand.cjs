'use strict'
// What is held in hand.
const { LEFT, click, emptyCursor, settled } = require('./clicking.cjs')
const { stacks } = require('./inventory.cjs')
const { ActionFailure } = require('../failure.cjs')

const HOTBAR_SLOTS = 9

/** Take a carried item in the main hand. Fails: missing_item, blocked. No window may be open. */
async function takeInHand (bot, name, signal) {
  if (bot.heldItem?.name === name) return
  const [stack] = stacks(bot, name)
  if (!stack) throw new ActionFailure('missing_item', `no ${name} carried`)
  const first = bot.inventory.hotbarStart
  if (stack.slot >= first) return bot.setQuickBarSlot(stack.slot - first)
  const slot = freeHotbarSlot(bot) ?? first + bot.quickBarSlot
  await swap(bot, stack.slot, slot, signal)
  bot.setQuickBarSlot(slot - first)
  if (bot.heldItem?.name !== name) throw new ActionFailure('blocked', `the server did not let ${name} be taken in hand`)
}

function freeHotbarSlot (bot) {
  const first = bot.inventory.hotbarStart
  for (let slot = first; slot < first + HOTBAR_SLOTS; slot++) {
    if (!bot.inventory.slots[slot]) return slot
  }
  return null
}

/** Exchange two slots of the inventory. */
async function swap (bot, from, to, signal) {
  await click(bot, bot.inventory, from, LEFT, signal)
  try {
    await click(bot, bot.inventory, to, LEFT, signal)
  } finally {
    await emptyCursor(bot, bot.inventory, from)
  }
  await settled(bot, signal)
}

module.exports = { swap, takeInHand }
