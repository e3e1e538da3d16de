'use strict'
// Walk to a player and strike them until they are dead. Fails: unseen_player, not_found (they got
// away), no_path, blocked (they take no harm).
const { withPlayer } = require('../acting/prey.cjs')
const { strikeDown } = require('../acting/striking.cjs')

module.exports = async function attack (bot, { player }, io) {
  const strikes = async prey => ({ strokes: await strikeDown(bot, prey, () => false, io) })
  return await withPlayer(bot, player, io.signal, strikes)
}
