'use strict'
// Walk until near a player, wherever they go meanwhile. Fails: unseen_player, no_path,
// unconfirmed.
const { reach, withTarget } = require('../acting/pursuit.cjs')

module.exports = async function approach (bot, { player, within }, { signal }) {
  return await withTarget(bot, player, signal, async target => {
    await reach(bot, target, within)
    return { distance: target.distance }
  })
}
