'use strict'
// Take an item in hand, or wear it where it belongs, unless a place is named.
// Fails: missing_item, wrong_slot.
const { ActionFailure } = require('../failure.cjs')
const { stacks } = require('../acting/inventory.cjs')
const { swap, takeInHand } = require('../acting/hand.cjs')

const WORN = [
  [/(_helmet|^carved_pumpkin|_skull|_head)$/, 'head'],
  [/(_chestplate|^elytra)$/, 'torso'],
  [/_leggings$/, 'legs'],
  [/_boots$/, 'feet'],
  [/^shield$/, 'off-hand']
]

const HANDS = ['hand', 'off-hand'] // they take anything

module.exports = async function equip (bot, { item, place: named }, { signal }) {
  const belongs = WORN.find(([pattern]) => pattern.test(item))?.[1] ?? 'hand'
  const place = named ?? belongs
  if (!HANDS.includes(place) && place !== belongs) {
    throw new ActionFailure('wrong_slot', `${item} belongs to: ${belongs}`)
  }
  if (place === 'hand') await takeInHand(bot, item, signal)
  else await wear(bot, item, bot.getEquipmentDestSlot(place), signal)
  return { place }
}

async function wear (bot, item, slot, signal) {
  const worn = () => bot.inventory.slots[slot]?.name === item
  if (worn()) return
  const [stack] = stacks(bot, item)
  if (!stack) throw new ActionFailure('missing_item', `no ${item} carried`)
  await swap(bot, stack.slot, slot, signal)
  if (!worn()) throw new ActionFailure('blocked', `the server did not let ${item} be worn`)
}
