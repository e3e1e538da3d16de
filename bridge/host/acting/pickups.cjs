'use strict'
// Who picks up what lies around, as the server tells everybody near.
const { stackOf } = require('./drops.cjs')

/** Counts from now on who picks up items of one name; `end()` it. */
function watchPickups (bot, item) {
  const taken = {}
  const onCollect = ({ collectedEntityId, collectorEntityId, pickupItemCount }) => {
    const stack = stackOf(bot, bot.entities[collectedEntityId])
    const player = bot.entities[collectorEntityId]?.username
    if (stack?.name !== item || !player) return
    taken[player] = (taken[player] ?? 0) + (pickupItemCount ?? stack.count)
  }
  bot._client.on('collect', onCollect)
  return {
    taken,
    on: [[bot._client, 'collect']],
    count: () => Object.values(taken).reduce((sum, count) => sum + count, 0),
    end: () => bot._client.removeListener('collect', onCollect)
  }
}

module.exports = { watchPickups }
