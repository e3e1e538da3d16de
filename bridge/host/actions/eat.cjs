'use strict'
// Eat one of an item. Fails: missing_item, not_edible, not_hungry.
const { ActionFailure } = require('../failure.cjs')
const { namesOf } = require('../names.cjs')
const { until } = require('../waiting.cjs')
const { takeInHand } = require('../acting/hand.cjs')
const { count } = require('../acting/inventory.cjs')

const EATING_MS = 4000 // eating takes 1.6 s
const FULL = 20
const PLACED = new Set(['cake']) // listed as food, eaten only as a block
const ALWAYS = new Set([
  'golden_apple', 'enchanted_golden_apple', 'chorus_fruit', 'honey_bottle', 'suspicious_stew'
])

module.exports = async function eat (bot, { item }, { signal }) {
  const before = count(bot, item)
  if (before === 0) throw new ActionFailure('missing_item', `no ${item} carried`)
  mustBeWelcome(bot, item)
  await takeInHand(bot, item, signal)
  const eaten = () => count(bot, item) < before
  await chew(bot, eaten, signal)
  if (!eaten()) throw new ActionFailure('internal', `the server did not let ${item} be eaten`)
  return { food: bot.food }
}

async function chew (bot, eaten, signal) {
  bot.activateItem()
  try {
    await until(eaten, { on: [[bot.inventory, 'updateSlot']], signal, deadlineMs: EATING_MS })
  } finally {
    bot.deactivateItem() // mineflayer forgets on its own that the item is in use: tell it anyway
  }
}

function mustBeWelcome (bot, item) {
  const isFood = namesOf(bot.registry).food(item) && !PLACED.has(item)
  if (!isFood) throw new ActionFailure('not_edible', `${item} cannot be eaten`)
  if (bot.food >= FULL && !ALWAYS.has(item)) throw new ActionFailure('not_hungry', 'not hungry')
}
