'use strict'
// Walk to an animal and use an item on it. Fails: missing_item, not_found (gone before), no_path,
// blocked (nothing came of it).
const { ActionFailure } = require('../failure.cjs')
const { nextEvent } = require('../waiting.cjs')
const { takeInHand } = require('../acting/hand.cjs')
const { differs } = require('../acting/inventory.cjs')
const { withPrey } = require('../acting/prey.cjs')
const { sparing } = require('../acting/zones.cjs')

const ANSWER_MS = 1500

module.exports = async function useOn (bot, { mob: id, item, spared }, { signal }) {
  await takeInHand(bot, item, signal)
  return await withPrey(bot, id, signal, async animal => {
    if (!await animal.comeTo(signal) || sparing(spared)(animal.point)) throw new ActionFailure('not_found', `the ${animal.name} is gone`)
    const held = bot.inventory.hotbarStart + bot.quickBarSlot // shears wear, buckets fill
    const accept = (slot, before, after) => slot === held && differs(before, after)
    const changed = nextEvent(bot.inventory, 'updateSlot', { signal, deadlineMs: ANSWER_MS, accept })
    await Promise.all([changed, bot.activateEntity(animal.entity)])
    if (!await changed) throw new ActionFailure('blocked', `nothing came of the ${item}`)
    return { mob: animal.name }
  })
}
