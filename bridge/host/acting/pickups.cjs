'use strict'
// Who picks up what lies around, as the server tells everybody near.
const { isItem, stackOf } = require('./drops.cjs')

/** Counts from now on who picks up items of one name, and notes in `unsure` who picks up what is
 *  not recognised; `end()` it. */
function watchPickups (bot, item) {
  const taken = {}
  const unsure = new Set()
  const onCollect = ({ collectedEntityId, collectorEntityId, pickupItemCount }) => {
    const drop = bot.entities[collectedEntityId]
    const player = bot.entities[collectorEntityId]?.username
    if (!isItem(drop) || !player) return
    const stack = stackOf(bot, drop)
    if (!stack) unsure.add(player)
    else if (stack.name === item) taken[player] = (taken[player] ?? 0) + (pickupItemCount ?? stack.count)
  }
  bot._client.on('collect', onCollect)
  return {
    taken,
    unsure,
    on: [[bot._client, 'collect']],
    count: () => Object.values(taken).reduce((sum, count) => sum + count, 0),
    end: () => bot._client.removeListener('collect', onCollect)
  }
}

module.exports = { watchPickups }
