'use strict'
// Walk until within some blocks of a point. Fails: no_path, unconfirmed.
const { arrive } = require('../acting/arriving.cjs')
const { vector } = require('../acting/reach.cjs')
const { scramble } = require('../acting/scrambling.cjs')
const { walkTo } = require('../acting/walking.cjs')

module.exports = async function moveTo (bot, { position, within, may_dig: mayDig, spared }, { signal }) {
  await scramble(bot, vector(position), signal)
  await arrive(bot, signal, () => walkTo(bot, vector(position), within, signal, mayDig, spared))
  return { position: bot.entity.position.toArray() }
}
