'use strict'
// That a bot was hurt, and what came with it.

/** Has `bot` emit `hurt` with {lost, health, where, dimension, signs}, in the order of the blows. */
module.exports = function harm (bot) {
  let health // as of the last time it was told

  bot.on('health', () => {
    const lost = health - bot.health
    health = bot.health
    if (!(lost > 0)) return
    const blow = { lost, health: Math.max(0, health), ...whereabouts(bot) }
    bot.settleSigns() // those of the blow before
    bot.signsOf(signs => bot.emit('hurt', { ...blow, signs }))
  })
}

function whereabouts ({ entity: { position: { x, y, z } }, dimensionName, game }) {
  return { where: [x, y, z], dimension: dimensionName || game.dimension }
}
