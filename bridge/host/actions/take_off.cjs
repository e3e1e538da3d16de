'use strict'
// Take off what is worn, or put away what is in hand. Fails: missing_item, inventory_full.
const { ActionFailure } = require('../failure.cjs')
const { carriedRange } = require('../acting/inventory.cjs')
const { swap } = require('../acting/hand.cjs')

const WORN = { head: 5, torso: 6, legs: 7, feet: 8, 'off-hand': 45 } // the last from 1.9 on
const HOTBAR_SLOTS = 9

module.exports = async function takeOff (bot, { item }, { signal }) {
  const place = Object.keys(WORN).find(place => nameIn(bot, WORN[place]) === item)
  if (place) await clear(bot, item, WORN[place], signal)
  else if (bot.heldItem?.name === item) await emptyHand(bot, item, signal)
  else throw new ActionFailure('missing_item', `no ${item} is worn or held`)
  return { place: place ?? 'hand' }
}

async function clear (bot, item, slot, signal) {
  const free = freeSlot(bot, carriedRange(bot.inventory))
  if (free === null) throw new ActionFailure('inventory_full', `no room for ${item}`)
  await swap(bot, slot, free, signal)
  if (nameIn(bot, slot) === item) {
    throw new ActionFailure('blocked', `the server did not let ${item} be taken off`)
  }
}

// Another slot in hand is enough, if one is free.
async function emptyHand (bot, item, signal) {
  const first = bot.inventory.hotbarStart
  const free = freeSlot(bot, [first, first + HOTBAR_SLOTS])
  if (free === null) await clear(bot, item, first + bot.quickBarSlot, signal)
  else bot.setQuickBarSlot(free - first)
}

function freeSlot (bot, [start, end]) {
  for (let slot = start; slot < end; slot++) if (!bot.inventory.slots[slot]) return slot
  return null
}

function nameIn (bot, slot) {
  return bot.inventory.slots[slot]?.name
}
