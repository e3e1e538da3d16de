'use strict'
// A bot in deep water that goes nowhere keeps its head out of it, as a player does.

const EYES = 1.62 // blocks above the feet

module.exports = function afloat (bot) {
  let isTreading = false

  bot.on('physicsTick', () => {
    const isIdle = bot.entity.isInWater && !bot.pathfinder?.goal && !bot.targetDigBlock
    if (isIdle) bot.setControlState('jump', isUnder(bot))
    else if (isTreading && !bot.pathfinder?.goal) bot.setControlState('jump', false)
    isTreading = isIdle
  })
}

function isUnder (bot) {
  return bot.blockAt(bot.entity.position.offset(0, EYES, 0), false)?.name === 'water'
}
