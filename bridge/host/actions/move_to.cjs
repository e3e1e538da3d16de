'use strict'
// Walk until within some blocks of a point. Fails: no_path, unconfirmed.
const { arrive } = require('../acting/arriving.cjs')
const { vector } = require('../acting/reach.cjs')
const { isInLava, scramble } = require('../acting/scrambling.cjs')
const { walkTo } = require('../acting/walking.cjs')

module.exports = async function moveTo (bot, { position, within, may_dig: mayDig, spared }, { signal }) {
  const goal = vector(position)
  const walk = async () => {
    await scramble(bot, goal, signal)
    await arrive(bot, signal, () => walkTo(bot, goal, within, signal, { mayDig, spared }))
  }
  try {
    await walk()
  } catch (error) {
    if (signal.aborted || !isInLava(bot)) throw error
    await walk() // it sank only now
  }
  return { position: bot.entity.position.toArray() }
}
