'use strict'
// Take an item in hand, or wear it where it belongs. Fails: missing_item.
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

module.exports = async function equip (bot, { item }, { signal }) {
  const place = WORN.find(([pattern]) => pattern.test(item))?.[1]
  if (!place) await takeInHand(bot, item, signal)
  else await wear(bot, item, bot.getEquipmentDestSlot(place), signal)
  return { place: place ?? 'hand' }
}

async function wear (bot, item, slot, signal) {
  const worn = () => bot.inventory.slots[slot]?.name === item
  if (worn()) return
  const [stack] = stacks(bot, item)
  if (!stack) throw new ActionFailure('missing_item', `no ${item} carried`)
  await swap(bot, stack.slot, slot, signal)
  if (!worn()) throw new ActionFailure('blocked', `the server did not let ${item} be worn`)
}
